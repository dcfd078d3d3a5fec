package import Agenda
import Ledger
import Storage

/// Meetings that the actor may join, and meetings that they joined.
extension Planner {
    /// The same filter for meetings that the actor may join: open to an audience to which they
    /// belong, and organized by somebody else. Meetings that they joined already are among them.
    func joinable(_ filter: MeetingFilter) -> MeetingFilter {
        var filter = filter
        filter.member = nil
        filter.joiner = actor.id
        return filter
    }

    /// The same filter for meetings in which the actor has a seat, waits for one, or asked for one.
    func joined(_ filter: MeetingFilter) -> MeetingFilter {
        var filter = filter
        filter.member = nil
        filter.joined = actor.id
        return filter
    }

    /// The open meetings of others that the actor may join and that a text means: an id or its
    /// first characters, or part of a title.
    ///
    /// - Throws: ``Refusal`` with `usage` or `unknown_meeting`, or ``StoreError``.
    package func joinableMeetings(matching text: String) async throws -> [MeetingLine] {
        try await openMeetings(called: text).map { try line($0) }
    }

    /// Finds the open meeting of somebody else that a text means.
    ///
    /// - Parameters:
    ///   - text: an id or its first characters, or part of a title.
    ///   - date: a date of a series.
    /// - Returns: its id; `nil` if the actor may join no meeting that is called so.
    /// - Throws: ``Refusal`` with `ambiguous_meeting` and others.
    package func openMeetingID(
        named text: String, on date: String? = nil
    ) async throws -> MeetingID? {
        let found = try await openMeetings(called: text)
        return found.isEmpty ? nil : try await only(found, text, on: date, pastToo: true)
    }

    /// Finds the meeting that the actor wants to join: one that is open to them or to which they
    /// are invited. Other meetings of theirs are found if there is none, so that they learn why
    /// they cannot join them.
    ///
    /// - Parameters:
    ///   - text: an id or its first characters, part of a title, `next` or `last`.
    ///   - date: a date of a series.
    /// - Returns: its id.
    /// - Throws: ``Refusal`` with `unknown_meeting` or `ambiguous_meeting`.
    package func meetingToJoin(
        named text: String, on date: String? = nil
    ) async throws -> MeetingID {
        var found = try await openMeetings(called: text)
        let known = Set(found.map(\.id))
        var invited = visible(limit: 1)
        invited.invited = actor.id
        found += try await meetings(called: text, first: .confirmed, among: invited)
            .filter { !known.contains($0.id) }
        guard !found.isEmpty else {
            return try await meetingID(named: text, on: date, pastToo: true)
        }
        let coming = found.filter { $0.endsAt > now }
        return try await only(
            coming.isEmpty ? found : coming, text, on: date, pastToo: true)
    }

    /// Finds the meeting that the actor wants to leave: one that they joined. Other meetings are
    /// found if there is none, so that they learn why they cannot leave them.
    ///
    /// - Parameters:
    ///   - text: an id or its first characters, part of a title, `next` or `last`.
    ///   - date: a date of a series.
    /// - Returns: its id.
    /// - Throws: ``Refusal`` with `unknown_meeting` or `ambiguous_meeting`.
    package func meetingToLeave(
        named text: String, on date: String? = nil
    ) async throws -> MeetingID {
        let found = try await meetings(
            called: text, first: .confirmed, among: joined(visible(limit: 1)))
        guard found.isEmpty else {
            return try await only(found, text, on: date, pastToo: true)
        }
        return try await meetingToJoin(named: text, on: date)
    }

    /// The open meetings of others that the actor may join and that a text means. `next` and `last`
    /// are words for the actor's own meetings.
    private func openMeetings(called text: String) async throws -> [MeetingSummary] {
        guard !["next", "last"].contains(text) else { return [] }
        return try await meetings(
            called: text, first: .confirmed, among: joinable(visible(limit: 1)))
    }
}
