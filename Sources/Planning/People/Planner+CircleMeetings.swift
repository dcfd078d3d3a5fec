public import Agenda
public import Ledger
import Storage
import Timekeeping

/// A meeting to which a circle was invited.
public struct CircleMeetingView: Encodable, Sendable {
    /// The id of the meeting.
    public let id: String
    /// The title.
    public let title: String
    /// The start with the meeting's UTC offset. For a series, that of its first date.
    public let start: Timestamp
    /// The end with the meeting's UTC offset. For a series, that of its first date.
    public let end: Timestamp
    /// `confirmed` or `cancelled`.
    public let status: MeetingStatus
    /// True if it repeats.
    public let repeats: Bool
    /// The number of people who come, with the organizer. For a series, to all of it.
    public let going: Int
    /// True if it is over.
    public let isOver: Bool

    /// The start in few words, or the days if it lasts whole days.
    public var startWords: String { start.shortWords(through: end) }
}

/// A coming meeting of a circle, with people who joined the circle or left it.
public struct CircleInvitation: Encodable, Sendable {
    /// The meeting.
    public let meeting: CircleMeetingView
    /// The people who joined and are not in the meeting yet, or who left and are still in it.
    public let people: [PersonLine]
}

extension Planner {
    /// The most meetings in the history of a circle.
    private static let circleHistoryMax = 10_000
    /// The most coming meetings to which people who join a circle are invited.
    private static let circleMeetingsMax = 200

    /// The meetings to which a circle was invited, the latest first.
    ///
    /// - Throws: ``StoreError``.
    public func history(of circle: Circle) async throws -> [CircleMeetingView] {
        try await store.meetings(of: circle.id, endingAfter: nil, limit: Self.circleHistoryMax)
            .map(view(of:))
    }

    /// The coming meetings of a circle in which people who joined it do not take part yet, the
    /// earliest first.
    ///
    /// - Parameters:
    ///   - people: the people who joined.
    ///   - circle: the circle.
    /// - Returns: the meetings to which the whole circle was invited, with those people.
    /// - Throws: ``StoreError``.
    public func missingInvitations(
        of people: [PersonID], in circle: Circle
    ) async throws -> [CircleInvitation] {
        try await comingMeetings(of: circle) { invited, bundle in
            guard invited.isWhole else { return [] }
            // Who was removed from the meeting stays so.
            let known = Set(bundle.participants.map(\.person))
            return people.filter { !known.contains($0) }
        }
    }

    /// The people who are not in a circle yet.
    ///
    /// - Parameters:
    ///   - people: the people.
    ///   - circle: the circle.
    /// - Returns: those who would be new in it, in the order of `people`.
    /// - Throws: ``StoreError``.
    public func newMembers(
        among people: [PersonID], of circle: Circle
    ) async throws -> [PersonLine] {
        let known = Set(try await members(of: circle).1.map(\.id))
        return try await lines(of: people.uniqued().filter { !known.contains($0.text) })
    }

    /// The coming meetings to which people were invited only with a circle, the earliest first.
    ///
    /// - Parameters:
    ///   - people: the people.
    ///   - circle: the circle, which they may have left.
    /// - Returns: the meetings in which they take part, if only in single dates, with those people.
    /// - Throws: ``StoreError``.
    public func remainingInvitations(
        of people: [PersonID], with circle: Circle
    ) async throws -> [CircleInvitation] {
        try await comingMeetings(of: circle) { _, bundle in
            let all = [bundle.participants] + bundle.dateParticipants.values
            let byCircle = Set(
                all.joined().filter { $0.isByCircle && !$0.isRemoved }.map(\.person))
            return people.filter { byCircle.contains($0) }
        }
    }

    /// The coming meetings of a circle that concern some people, the earliest first.
    private func comingMeetings(
        of circle: Circle, concerning people: (CircleMeeting, MeetingBundle) -> [PersonID]
    ) async throws -> [CircleInvitation] {
        let coming = try await store.meetings(
            of: circle.id, endingAfter: now, limit: Self.circleMeetingsMax)
        var found: [CircleInvitation] = []
        for invited in coming.reversed() where invited.meeting.status == .confirmed {
            guard let bundle = try await store.meetingFacts(invited.meeting.id) else { continue }
            let concerned = people(invited, bundle)
            guard !concerned.isEmpty else { continue }
            found.append(
                CircleInvitation(
                    meeting: view(of: invited), people: try await lines(of: concerned)))
        }
        return found
    }

    /// Invites people to coming meetings of their circle.
    ///
    /// - Parameters:
    ///   - invitations: the meetings with the people.
    ///   - saving: true to save the change; false for a preview.
    /// - Returns: the outcome for each meeting.
    /// - Throws: ``Refusal``; the people are invited to the meetings before then.
    public func invite(
        _ invitations: [CircleInvitation], saving: Bool
    ) async throws -> [MeetingOutcome] {
        var outcomes: [MeetingOutcome] = []
        for invitation in invitations {
            outcomes.append(
                try await invite(
                    invitation.people.map(\.id), asMembers: true,
                    to: MeetingID(text: invitation.meeting.id), saving: saving))
        }
        return outcomes
    }

    private func lines(of people: [PersonID]) async throws -> [PersonLine] {
        try await searching { search in
            try search.lines(of: people.compactMap { try search.people.person($0) })
        }
    }

    private func view(of invited: CircleMeeting) -> CircleMeetingView {
        let meeting = invited.meeting
        return CircleMeetingView(
            id: meeting.id.text, title: meeting.title, start: start(of: meeting),
            end: end(of: meeting), status: meeting.status, repeats: meeting.isSeries,
            going: invited.goingCount, isOver: meeting.endsAt <= now)
    }
}
