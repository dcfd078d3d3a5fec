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

/// The invitations of people who joined a circle to its coming meetings.
public struct CircleInvitation: Encodable, Sendable {
    /// The meeting.
    public let meeting: CircleMeetingView
    /// The people who are not yet in it.
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
        let coming = try await store.meetings(
            of: circle.id, endingAfter: now, limit: Self.circleMeetingsMax)
        var missing: [CircleInvitation] = []
        for invited in coming.reversed()
        where invited.meeting.status == .confirmed && invited.isWhole {
            guard let bundle = try await store.meetingFacts(invited.meeting.id) else { continue }
            // Who was removed from the meeting stays so.
            let known = Set(bundle.participants.map(\.person))
            let absent = people.filter { !known.contains($0) }
            guard !absent.isEmpty else { continue }
            missing.append(
                CircleInvitation(
                    meeting: view(of: invited), people: try await lines(of: absent)))
        }
        return missing
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
