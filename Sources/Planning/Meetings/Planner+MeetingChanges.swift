public import Agenda
public import Ledger
import Storage
import Timekeeping

extension Planner {
    /// Changes facts of a meeting and plans the notifications about the changes.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - edit: the changes.
    ///   - saving: true to save the changes; false for a preview.
    ///   - check: looks at the meeting as it is when the changes are saved; `nil` not to.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal``, or the error of `check`.
    public func editMeeting(
        _ id: MeetingID, _ edit: MeetingEdit, saving: Bool,
        checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        guard edit.place != "" || edit.placeText == nil else {
            throw Refusal.conflictingArguments(
                "The place is to be removed, so it cannot have a text.",
                advice: [.leaveOut([.placeText])])
        }
        guard !edit.asksAgain || (edit.isMoved && !edit.isQuiet) else {
            throw Refusal.conflictingArguments(
                "People can be asked again only if they are told of a new start.",
                advice: [.leaveOut([.askingAgain])])
        }
        guard !edit.isQuiet || edit.message.allSatisfy(\.isWhitespace) else {
            throw Refusal.conflictingArguments(
                "A note goes only to people who are told of the change.")
        }
        let chosen = try await chosenPlace(edit.place, words: edit.placeText)
        let circle = try await audienceCircle(of: edit.seating)
        let deed: MeetingAct.Deed = edit.isMoved ? .moved : .edited
        let outcome = try await revise(
            id, on: edit.date, from: edit.from, deed, reason: Self.edited,
            saving: saving, remarks: chosen?.remarksWithoutWords ?? [], checking: check
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: edit.isMoved ? "moved" : "changed")
            let isMore = edit.repetition != nil || edit.reminders != nil
            draft.organizerLimit = isMore ? organizerLimit : nil
            draft.isQuiet = edit.isQuiet
            draft.isNotified = edit.isNotified
            draft.message = edit.message
            draft.asksAgain = edit.asksAgain
            draft.meeting.title = edit.title ?? draft.meeting.title
            draft.meeting.note = edit.note ?? draft.meeting.note
            draft.meeting.link = edit.link ?? draft.meeting.link
            draft.meeting.reminders = edit.reminders?.uniqued() ?? draft.meeting.reminders
            draft.meeting.place = try edit.place(of: draft.meeting, chosen: chosen?.place)
            if edit.isMoved { try drafting.checkHasNotBegun(draft.meeting) }
            let time = try drafting.time(draft.meeting.time, edited: edit.written)
            draft.remarks += drafting.remarks(
                onYearOf: edit.written, as: time.start.date,
                in: try zone(named: time.zone))
            try drafting.reschedule(&draft, at: time, by: edit.repetition)
            try drafting.setAnswerBy(&draft, to: edit.answerBy, isDate: edit.date != nil)
            try drafting.setSeating(
                &draft, to: edit.seating, circle: circle, isDate: edit.date != nil)
        }
        return edit.isTimed ? try await notingConflicts(in: outcome) : outcome
    }

    /// The reason of deliveries that a change of facts supersedes, until the facts are known.
    static let edited = "the meeting changed"
    /// The reason of deliveries that a cancellation supersedes.
    static let cancelled = "the meeting was cancelled"

    /// Cancels a meeting.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series to cancel; `nil` for all dates.
    ///   - first: the date of a series to cancel together with all later dates.
    ///   - message: the words for those who are told of it; empty for none.
    ///   - saving: true to save the change; false for a preview.
    ///   - check: looks at the meeting as it is when the change is saved; `nil` not to.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal``, or the error of `check`.
    public func cancelMeeting(
        _ id: MeetingID, on date: String? = nil, from first: String? = nil, message: String = "",
        saving: Bool, checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        try await revise(
            id, on: date, from: first, .cancelled, reason: Self.cancelled,
            saving: saving, checking: check
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: "cancelled")
            draft.meeting.status = .cancelled
            draft.message = message
        }
    }

    /// Takes back the cancellation of a meeting: its people are invited again, with their answers.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the cancelled date of a series; `nil` for a series that was cancelled as a whole.
    ///   - message: the words for those who are told of it; empty for none.
    ///   - saving: true to save the change; false for a preview.
    ///   - check: looks at the meeting as it is when the change is saved; `nil` not to.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal`` with `not_cancelled`, `meeting_over` or `not_organizer`, and others,
    ///   or the error of `check`.
    public func uncancelMeeting(
        _ id: MeetingID, on date: String? = nil, message: String = "", saving: Bool,
        checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        let outcome = try await revise(
            id, on: date, .uncancelled, reason: "the meeting takes place after all",
            saving: saving, checking: check
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsOff(draft)
            draft.meeting.status = .confirmed
            // The organizer decides otherwise, so the condition no longer holds.
            if date == nil, draft.meeting.seating?.quorum?.decision?.outcome == .cancelled {
                draft.meeting.seating?.quorum = nil
            }
            draft.message = message
            draft.isUncancelled = true
        }
        return try await notingConflicts(in: outcome)
    }

    /// Invites more people to a meeting, or to one date of a series.
    ///
    /// - Parameters:
    ///   - names: the guests: contacts, circles, or addresses of new guests.
    ///   - id: the meeting.
    ///   - date: a date of a series; `nil` for all dates.
    ///   - saving: true to save the change; false for a preview.
    ///   - check: looks at the meeting as it is when the change is saved; `nil` not to.
    /// - Returns: the meeting, and the changes of the ledger.
    /// - Throws: ``Refusal``, or the error of `check`.
    public func invite(
        _ names: [String], to id: MeetingID, on date: String? = nil, saving: Bool,
        checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        try await invite(
            names, asMembers: false, to: id, on: date, saving: saving, checking: check)
    }

    /// Invites people, by name or as the members of a circle that was invited before.
    func invite(
        _ names: [String], asMembers: Bool, to id: MeetingID, on date: String? = nil, saving: Bool,
        checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        let known = try await bundle(id)
        let present = try drafting.known(known, on: date)
        let name = try drafting.dateName(date, of: known.meeting)
        return try await retryingWithCurrentPeople {
            var guests = try await guests(
                names, organizer: present.meeting.organizer, inviting: saving)
            if asMembers { guests.named = [] }
            guests.passOver(present)
            guests.noteAskedAgain(present, on: name)
            try await checkMayInvite(guests.all.count)
            return try await notingConflicts(
                in: notingReach(
                    in: try await invite(
                        guests, to: id, on: date, saving: saving, checking: check)),
                of: Set(guests.all.map(\.id)))
        }
    }

    private func invite(
        _ guests: GuestList, to id: MeetingID, on date: String?, saving: Bool,
        checking check: MeetingCheck?
    ) async throws -> MeetingOutcome {
        try await revise(
            id, on: date, .invited, joining: guests.all.map(\.id), of: guests.circles,
            reason: "invited again",
            saving: saving,
            remarks: guests.remarks, checking: check
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: "changed")
            draft.guests = guests.new
            draft.organizerLimit = guests.all.isEmpty ? nil : organizerLimit
            try draft.invite(guests.all, with: guests.members)
        }
    }

    /// Removes people from a meeting, or from one date of a series. People who were notified of it
    /// get a cancellation.
    public func uninvite(
        _ people: [Person], from id: MeetingID, on date: String? = nil, message: String = "",
        saving: Bool, remarks: [Remark] = [], checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        try await revise(
            id, on: date, .uninvited, reason: "no longer invited", saving: saving,
            remarks: remarks, checking: check
        ) { draft in
            try drafting.checkMayChange(draft.meeting)
            try drafting.checkIsAhead(draft.meeting, verb: "changed")
            draft.message = message
            for person in people {
                guard person.id != draft.meeting.organizer else {
                    throw Refusal(
                        .refused, code: "is_organizer",
                        "The organizer cannot be removed from the meeting. Cancel it instead.")
                }
                draft.remove(person.id)
            }
        }
    }
}
