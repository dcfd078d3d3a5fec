import Agenda
import Ledger
import Timekeeping

extension Drafting {
    private static let none = "none"

    /// The rules for seats after an edit.
    ///
    /// - Parameters:
    ///   - edit: the wishes of the organizer; `nil` for none.
    ///   - circle: the circle that the edit names; `nil` for none.
    ///   - meeting: the meeting, with its time after the change.
    /// - Returns: the rules; `nil` for a meeting that never had any.
    /// - Throws: ``Refusal`` with `unknown_audience`, `bad_seats`, `bad_minimum` and others.
    func seating(
        _ edit: SeatingEdit?, circle: CircleID?, of meeting: Meeting
    ) throws(Refusal) -> Seating? {
        guard let edit, !edit.isEmpty else { return meeting.seating }
        var seating = meeting.seating ?? Seating()
        if let word = edit.audience { seating.audience = try Self.audience(word, circle: circle) }
        if let text = edit.seats {
            seating.seats = try Self.number(text, code: "bad_seats", of: "The number of seats")
        }
        seating.hasWaitingList = edit.hasWaitingList ?? seating.hasWaitingList
        seating.needsApproval = edit.needsApproval ?? seating.needsApproval
        if let word = edit.namesFor {
            guard let sight = NameSight(rawValue: word) else {
                throw Refusal(
                    .invalid, code: "unknown_audience",
                    "Names are shown to: organizer, members, everyone. Not: \(word).")
            }
            seating.namesFor = sight
        }
        seating.quorum = try quorum(edit, of: meeting)
        return seating == Seating() ? nil : seating
    }

    private static func audience(
        _ word: String, circle: CircleID?
    ) throws(Refusal) -> OpenAudience? {
        switch word {
        case none: return nil
        case "followers": return .followers
        case "link": return .link
        case "public": return .everyone
        default:
            guard let circle else {
                throw Refusal(
                    .invalid, code: "unknown_audience",
                    "A meeting can be open to: followers, circle:NAME, link, public, none. Not: "
                        + "\(word).")
            }
            return .circle(circle)
        }
    }

    private static func number(
        _ text: String, code: String, of what: String
    ) throws(Refusal) -> Int? {
        guard text != none else { return nil }
        guard let number = Int(text), (1...Seating.seatsMax).contains(number) else {
            throw Refusal(
                .invalid, code: code,
                "\(what) is from 1 to \(Seating.seatsMax), or \(none). Not: \(text).")
        }
        return number
    }

    /// The condition on which the meeting takes place. A condition that is decided stays as it is.
    private func quorum(_ edit: SeatingEdit, of meeting: Meeting) throws(Refusal) -> Quorum? {
        let old = meeting.seating?.quorum
        guard edit.minimum != nil || edit.minimumBy != nil || edit.confirmsEarly != nil else {
            return old
        }
        guard edit.minimum != Self.none else { return nil }
        guard old?.decision == nil else {
            throw Refusal(
                .refused, code: "minimum_decided",
                "It is already decided whether \(meeting.title) takes place.")
        }
        let typed = try edit.minimum.map { text throws(Refusal) in
            try Self.number(text, code: "bad_minimum", of: "The number of people who have to join")
        }
        let zone = try zone(named: meeting.time.zone)
        let deadline = try edit.minimumBy.map { text throws(Refusal) in
            zone.moment(of: try wallTime(text, in: zone, now: now))
        }
        guard let minimum = typed.flatMap(\.self) ?? old?.minimum,
            let deadline = deadline ?? old?.deadline
        else {
            throw Refusal(
                .invalid, code: "bad_minimum",
                "A minimum needs a number of people and a time at which it is decided.")
        }
        guard deadline > now, deadline < meeting.time.startsAt else {
            throw Refusal(
                .invalid, code: "bad_minimum",
                "The time at which it is decided whether \(meeting.title) takes place has to be in "
                    + "the future and before its start.")
        }
        return Quorum(
            minimum: minimum, deadline: deadline,
            confirmsEarly: edit.confirmsEarly ?? old?.confirmsEarly ?? false)
    }

    /// Gives a draft other rules for seats.
    ///
    /// - Throws: ``Refusal`` with `seats_below_going`, and those of the edit.
    func setSeating(
        _ draft: inout MeetingDraft, to edit: SeatingEdit?, circle: CircleID?, isDate: Bool
    ) throws {
        guard let edit, !edit.isEmpty else { return }
        guard !isDate else {
            throw Refusal.conflictingArguments(
                "A single date has no seats of its own. Set them for all dates.",
                advice: [.leaveOut([.date])])
        }
        let zone = try zone(named: draft.meeting.time.zone)
        let old = draft.meeting.seating
        let new = try seating(edit, circle: circle, of: draft.meeting)
        draft.meeting.seating = old ?? Seating()
        // The number of seats is compared with the people who are going now.
        if let seats = new?.seats, seats != old?.seats {
            try draft.seat(
                .setSeats(seats, isConfirmed: edit.isConfirmed), by: actor.id, in: zone, now: now)
        }
        let lastAsked = draft.meeting.seating?.lastAsked ?? 0
        let opens = old?.needsApproval == true && new?.needsApproval != true
        draft.meeting.seating = new
        if lastAsked > 0 { draft.meeting.seating?.lastAsked = lastAsked }
        if opens, draft.meeting.seating != nil {
            try draft.seat(.setApproval(false), by: actor.id, in: zone, now: now)
        }
    }

    /// Gives the seats of a draft after a change, and decides a minimum that enough people have
    /// reached.
    func settleSeats(_ draft: inout MeetingDraft) throws {
        guard draft.meeting.seating != nil else { return }
        let zone = try zone(named: draft.meeting.time.zone)
        try draft.seat(by: actor.id, in: zone, now: now)
        draft.seatOnDates(by: actor.id, in: zone, now: now)
        guard draft.occurrence.isEmpty, draft.meeting.status == .confirmed,
            let joined = draft.seats(in: zone, now: now)?.takenByOthers,
            let decided = draft.meeting.seating?.quorum?.decided(joined: joined, now: now),
            decided.decision?.outcome == .confirmed
        else { return }
        draft.meeting.seating?.quorum = decided
    }
}
