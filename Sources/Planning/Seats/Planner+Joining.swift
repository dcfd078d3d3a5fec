public import Agenda
public import Ledger

extension Planner {
    /// Lets the actor join an open meeting, or one date of a series.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - plus: the number of guests whom they bring, from 0 to ``Participant/plusMax``.
    ///   - note: the note to the organizer; `nil` for none.
    ///   - saving: true to save it; false for a preview.
    /// - Returns: the meeting, and the standing of the actor.
    /// - Throws: ``Refusal`` with `own_meeting`, `already_joined`, `waiting`, `not_admitted`,
    ///   `meeting_full`, `meeting_over`, `meeting_cancelled`, `party_too_large`, or
    ///   `unknown_meeting` for a meeting that the actor may not see.
    public func join(
        _ id: MeetingID, on date: String? = nil, plus: Int = 0, note: String? = nil, saving: Bool
    ) async throws -> SeatOutcome {
        throw Refusal.unknownMeeting(id.text)
    }

    /// Lets the actor leave a meeting that they joined, the waiting list, or a request to join.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - saving: true to save it; false for a preview.
    /// - Returns: the meeting.
    /// - Throws: ``Refusal`` with `own_meeting`, `not_joined`, `meeting_over`, `meeting_cancelled`,
    ///   or `unknown_meeting`.
    public func leave(
        _ id: MeetingID, on date: String? = nil, saving: Bool
    ) async throws -> SeatOutcome {
        throw Refusal.unknownMeeting(id.text)
    }

    /// The requests to join a meeting, for its organizer, in the order in which they came.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting` or `not_organizer`.
    public func seatRequests(of id: MeetingID) async throws -> [SeatRequestLine] {
        throw Refusal.unknownMeeting(id.text)
    }

    /// Approves or refuses requests to join a meeting.
    ///
    /// - Parameters:
    ///   - isAdmitted: true to approve them.
    ///   - people: the people who asked.
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - saving: true to save it; false for a preview.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal`` with `unknown_meeting`, `not_organizer`, `not_joined`,
    ///   `already_joined`, `meeting_full` and others.
    public func decide(
        admitting isAdmitted: Bool, _ people: [Person], in id: MeetingID, on date: String? = nil,
        saving: Bool
    ) async throws -> MeetingOutcome {
        throw Refusal.unknownMeeting(id.text)
    }

    /// Confirms that a meeting takes place before the deadline of its minimum, because enough
    /// people have joined.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`, `not_organizer` or `too_few_joined`.
    public func confirmMeeting(_ id: MeetingID, saving: Bool) async throws -> MeetingOutcome {
        throw Refusal.unknownMeeting(id.text)
    }

    /// A meeting that the actor takes part in or may join, as they see it. Of a meeting that they
    /// may only join, the link and the notes of others are left out.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    public func visibleMeeting(_ id: MeetingID, on date: String? = nil) async throws -> MeetingView
    {
        throw Refusal.unknownMeeting(id.text)
    }
}
