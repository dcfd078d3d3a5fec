import Agenda
import Ledger
import Storage
import Timekeeping

extension MeetingBundle {
    /// The same of one date of a series, as of a meeting that does not repeat.
    func on(_ date: SeriesDate, in zone: Zone) -> MeetingBundle {
        let special = dateParticipants[date.name] ?? []
        let own = Set(special.map(\.person))
        var bundle = self
        bundle.meeting = meeting.on(date)
        bundle.participants = participants.on(special).map {
            own.contains($0.person) ? $0 : $0.asToAll
        }
        bundle.dateParticipants = [:]
        bundle.rows = rows.filter { ["", date.name].contains($0.key.notification.occurrence) }
        bundle.lastEndsAt = meeting.date(named: date.name, byRule: true, in: zone)?.time.endsAt
        bundle.toldStarts = [:]
        bundle.toldFacts = nil
        return bundle
    }
}

extension MeetingBundle {
    /// Those who are asked, to all dates or to some.
    var everybody: [Person] {
        let dates = dateParticipants.sorted { $0.key < $1.key }.flatMap(\.value)
        return (participants + dates).filter { !$0.isRemoved }.map(\.person).uniqued()
            .compactMap { people[$0] }
    }
}

extension Participant {
    /// Who said nothing yet to one date, and comes to it as to all.
    fileprivate var asToAll: Participant {
        var participant = self
        participant.note = ""
        participant.reply = nil
        participant.proposal = nil
        participant.notedAt = nil
        return participant
    }
}

extension MeetingDraft {
    /// Lets `body` change one date of a series as if it were a meeting of its own, and takes over
    /// what becomes of it.
    ///
    /// - Parameters:
    ///   - date: the date.
    ///   - zone: the rules of the meeting's zone.
    ///   - body: what is done.
    /// - Throws: ``Refusal`` with `usage` where that changes what dates have in common, or what
    ///   `body` throws.
    mutating func change(
        _ date: SeriesDate, in zone: Zone, _ body: (inout MeetingDraft) throws -> Void
    ) throws {
        var own = MeetingDraft(before.on(date, in: zone))
        own.occurrence = date.name
        try body(&own)
        own.dropProposals()
        guard own.isSameBesidesDate else {
            throw Refusal(
                .invalid, code: "usage",
                "A single date has a time, a length, a place and people of its own; the rest is "
                    + "that of all.")
        }
        take(own, of: date, in: zone)
        self.date = meeting.date(named: date.name, in: zone)
    }

    /// Forgets what somebody said to single dates who is taken off all.
    mutating func forgetDates(of person: PersonID) {
        for name in dateParticipants.keys {
            dateParticipants[name]?.removeAll { $0.person == person }
            if dateParticipants[name]?.isEmpty == true { dateParticipants[name] = nil }
        }
    }

    /// Whether nothing is otherwise than before that all dates have in common.
    private var isSameBesidesDate: Bool {
        var meeting = meeting
        meeting.time = before.meeting.time
        meeting.place = before.meeting.place
        meeting.status = before.meeting.status
        return meeting == before.meeting
    }

    private mutating func take(_ own: MeetingDraft, of date: SeriesDate, in zone: Zone) {
        take(own.dateChange(of: date, byRule: meeting, in: zone), of: date, in: zone)
        let said = own.participants.filter { !own.before.participants.contains($0) }
        if !said.isEmpty {
            let known = dateParticipants[date.name] ?? []
            dateParticipants[date.name] = known.on(said)
        }
        guests = own.guests
        isQuiet = own.isQuiet
        isDateNotified = own.isNotified
        announcements = own.announcements
        dropped = own.dropped
        body = own.body
    }

    private mutating func take(_ change: DateChange?, of date: SeriesDate, in zone: Zone) {
        guard change != date.change else { return }
        meeting.series?.changes[date.name] = change
        guard let series = meeting.series else { return }
        meeting.series?.endsAt = Meeting.lastEnd(of: series, from: meeting.time, in: zone)
    }

    /// What is otherwise on the date whose draft this is; `nil` where nothing ever was.
    private func dateChange(
        of date: SeriesDate, byRule all: Meeting, in zone: Zone
    ) -> DateChange? {
        let old = before.meeting
        guard meeting != old || date.change != nil else { return nil }
        var change =
            date.change
            ?? DateChange(
                revision: all.series?.revision ?? 1, sequence: all.series?.sequence ?? 0)
        if meeting.time != old.time {
            let regular = all.date(named: date.name, byRule: true, in: zone)?.time
            change.time = meeting.time == regular ? nil : meeting.time
        }
        if meeting.place != old.place { change.place = .other(meeting.place) }
        change.status = meeting.status
        return change
    }
}
