import Agenda
import Ledger
public import Storage
public import Timekeeping

/// What is to be changed of a meeting; `nil` leaves it as it is.
public struct MeetingEdit: Sendable {
    /// The title.
    public var title: String?
    /// The note.
    public var note: String?
    /// The link.
    public var link: String?
    /// The place; an empty text takes it away.
    public var place: String?
    /// The line by which people are told the place.
    public var placeText: String?
    /// The start, as somebody typed it.
    public var start: String?
    /// The length.
    public var duration: TimeSpan?
    /// The reminders.
    public var reminders: [TimeSpan]?
    /// How it repeats, as an RRULE or in words; `none` for not at all.
    public var repetition: String?
    /// The date of a series that is meant; `nil` for all of it.
    public var date: String?
    /// The date of a series from which on it is meant; `nil` for all of it.
    public var from: String?
    /// Whether to tell people even of what is not told by itself.
    public var isNotified = false
    /// Whether to tell nobody.
    public var isQuiet = false

    /// An edit that changes nothing.
    public init() {}

    /// The place that a meeting has after the edit: where only the line is new, the rest stays.
    func place(of meeting: Meeting, chosen: MeetingPlace?) throws(Refusal) -> MeetingPlace? {
        guard place == nil else { return chosen }
        guard let placeText else { return meeting.place }
        guard var place = meeting.place else {
            throw Refusal(
                .invalid, code: "no_place",
                "\(meeting.title) has no place yet. Name it with --place, too.")
        }
        place.text = placeText
        return place
    }
}

extension Planner {
    /// Changes facts of a meeting, and plans what its people are told.
    public func editMeeting(
        _ name: String, _ edit: MeetingEdit, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(name, on: edit.date ?? edit.from)
        guard edit.place != "" || edit.placeText == nil else {
            throw Refusal.conflictingArguments(
                "--place \"\" takes the place away: leave out --place-text.")
        }
        let chosen = try await place(edit.place, words: edit.placeText)
        let deed: MeetingAct.Deed = edit.start == nil ? .edited : .moved
        return try await revise(
            id, on: edit.date, from: edit.from, deed, reason: "the meeting changed",
            saving: saving, remarks: chosen?.remarksWithoutWords ?? []
        ) { draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: edit.start == nil ? "changed" : "moved")
            draft.isQuiet = edit.isQuiet
            draft.isNotified = edit.isNotified
            draft.meeting.title = edit.title ?? draft.meeting.title
            draft.meeting.note = edit.note ?? draft.meeting.note
            draft.meeting.link = edit.link ?? draft.meeting.link
            draft.meeting.reminders = edit.reminders?.uniqued() ?? draft.meeting.reminders
            draft.meeting.place = try edit.place(of: draft.meeting, chosen: chosen?.place)
            if edit.start != nil { try checkHasNotBegun(draft.meeting) }
            let isDate =
                edit.date != nil || edit.from != nil || draft.meeting.series != nil
            let time = try time(draft.meeting.time, edited: edit, isDate: isDate)
            try repeatAnew(&draft, at: time, by: edit.repetition)
        }
    }

    /// When a meeting is by an edit; a weekday is one next to the day that it is on now where that
    /// is a date of a series.
    func time(
        _ old: MeetingTime, edited edit: MeetingEdit, isDate: Bool = false
    ) throws -> MeetingTime {
        guard edit.start != nil || edit.duration != nil else { return old }
        let zone = try zone(named: old.zone)
        let duration = edit.duration ?? old.duration
        try MeetingRules.check(duration: duration)
        let wall = try edit.start.map {
            try newStart($0, insteadOf: old.startsAt, in: zone, isDate: isDate)
        }
        return MeetingTime(start: wall ?? old.start, zone: zone, duration: duration)
    }

    /// Reads a new start in the zone that the command names, else in the meeting's, and keeps it
    /// in the meeting's. A time without a day is one of the meeting's own day, and a weekday of a
    /// date of a series the one next to it.
    private func newStart(
        _ text: String, insteadOf old: Moment, in zone: Zone, isDate: Bool
    ) throws -> WallTime {
        guard !text.hasPrefix("+") else {
            throw Refusal(
                .invalid, code: "bad_time",
                "\(text) may be that long from now, or that much later than planned: write "
                    + "\"in \(text.dropFirst())\", or the new time itself.")
        }
        guard surroundings.zoneOption != nil, zone.id != self.zone.id else {
            return try start(
                text, in: zone, now: now,
                ownDay: OwnDay(zone.wallTime(at: old).date, isAnchor: isDate))
        }
        let ownDay = OwnDay(self.zone.wallTime(at: old).date, isAnchor: isDate)
        let typed = try start(text, in: self.zone, now: now, ownDay: ownDay)
        return try wallTime(meaning: self.zone.moment(of: typed), in: zone)
    }

    /// Calls a meeting off.
    ///
    /// - Parameters:
    ///   - name: the meeting.
    ///   - date: the date of a series that is meant; `nil` for all of it.
    ///   - first: the date of a series that is called off with all after it.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the meeting, and what changes in the ledger.
    /// - Throws: ``Refusal``.
    public func cancelMeeting(
        _ name: String, on date: String? = nil, from first: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(name, on: date ?? first)
        return try await revise(
            id, on: date, from: first, .cancelled, reason: "the meeting was cancelled",
            saving: saving
        ) { draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "cancelled")
            draft.meeting.status = .cancelled
        }
    }

    /// Asks more people to a meeting, or to one date of a series.
    public func invite(
        _ names: [String], to name: String, on date: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(name, on: date)
        guard let known = try await store.meetingBundle(id) else {
            throw Self.unknownMeeting(name)
        }
        let present = try self.known(known, on: date)
        let name = try dateName(date, of: known.meeting)
        return try await readingGuestsAnew {
            var guests = try await guests(names, organizer: present.meeting.organizer)
            guests.passOver(present)
            guests.noteAskedAgain(present, on: name)
            return try await invite(guests, to: id, on: date, saving: saving)
        }
    }

    private func invite(
        _ guests: GuestList, to id: MeetingID, on date: String?, saving: Bool
    ) async throws -> MeetingOutcome {
        try await revise(
            id, on: date, .invited, joining: guests.all.map(\.id), of: guests.circles,
            reason: "invited again",
            saving: saving,
            remarks: guests.remarks
        ) { draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "joined")
            draft.guests = guests.new
            try draft.invite(guests.all)
        }
    }

    /// Takes people off a meeting, or off one date of a series; who was told of it is told so.
    public func uninvite(
        _ names: [String], from name: String, on date: String? = nil, saving: Bool
    ) async throws -> MeetingOutcome {
        let id = try await meetingID(name, on: date)
        let people = try await participants(names, of: id, on: date)
        return try await revise(
            id, on: date, .uninvited, reason: "no longer invited", saving: saving
        ) { draft in
            try checkMayChange(draft.meeting)
            try checkIsAhead(draft.meeting, verb: "left")
            for person in people {
                guard person.id != draft.meeting.organizer else {
                    throw Refusal(
                        .refused, code: "is_organizer",
                        "The organizer takes part. Cancel the meeting instead.")
                }
                for place in draft.participants.indices
                where draft.participants[place].person == person.id {
                    draft.participants[place].isRemoved = true
                }
                draft.forgetDates(of: person.id)
            }
        }
    }

    /// Plans the notifications of a meeting anew after something beside it changed: a policy, an
    /// address, what somebody was told.
    public func replanning(because reason: String) -> Replanning {
        let now = self.now
        return { bundle in
            try decided(MeetingDraft(bundle), deed: nil, reason: reason, now: now)
        }
    }
}
