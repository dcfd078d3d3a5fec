import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A series that is cut in two: what ends, and what goes on in its place.
struct SeriesSplit {
    var before: MeetingDraft
    /// `nil` where nothing goes on.
    var after: MeetingDraft?
}

extension Planner {
    /// Cuts a series in two before one of its dates, and lets `change` work on what follows, which
    /// is a meeting of its own from then on.
    ///
    /// - Parameters:
    ///   - draft: the series.
    ///   - text: the date; `nil` for none.
    ///   - change: what becomes of it and all that follow.
    /// - Returns: both; `nil` where the change is one of the whole.
    /// - Throws: ``Refusal``, or what `change` throws.
    func split(
        _ draft: MeetingDraft, at text: String?,
        _ change: (inout MeetingDraft) throws -> Void
    ) throws -> SeriesSplit? {
        guard let text else { return nil }
        try checkMayChange(draft.meeting)
        let date = try date(text, of: draft.meeting)
        let own = try zone(named: draft.meeting.time.zone)
        guard let rules = draft.meeting.rules(splitAt: date.name, in: own) else { return nil }
        let rest = draft.rest(
            from: date.name, by: rules.after, called: surroundings.chance.id(), in: own)
        guard var rest else { return nil }
        try change(&rest)
        guard rest.isOther else { return SeriesSplit(before: draft, after: nil) }
        guard !rest.isQuiet else {
            throw Refusal.conflictingArguments(
                "What follows is a meeting of its own, of which people have to hear: leave out "
                    + "--quiet.")
        }
        try MeetingRules.check(rest.meeting)
        var ended = draft
        ended.repeatAnew(draft.meeting.time, by: rules.before, in: own)
        ended.remarks = rest.remarks + remarks(onSplitAt: date, of: draft.meeting, in: own)
        // What is called off from then on is only not there any more.
        return SeriesSplit(
            before: ended, after: rest.meeting.status == .confirmed ? rest : nil)
    }

    /// What becomes of a series that is cut in two, and of what follows.
    func decided(
        _ split: SeriesSplit, deed: MeetingAct.Deed?, reason: String, now: Moment
    ) throws -> MeetingRevision {
        var revision = try numbered(
            split.before, deed: deed.map { _ in .edited }, reason: reason, now: now)
        guard let rest = split.after else { return revision }
        var next = try decided(rest, deed: .created, reason: "", now: now)
        next.snoozes = rest.snoozes
        revision.continued = [next]
        return revision
    }

    /// Gives a meeting another time, or another rule; a series keeps what is otherwise on dates
    /// that it has still.
    ///
    /// - Parameters:
    ///   - draft: the meeting.
    ///   - time: when it is from now on; of a series, its first date.
    ///   - text: how it repeats; `nil` as before, `none` not at all.
    /// - Throws: ``Refusal`` with `series_begun` or `bad_rule`.
    func repeatAnew(
        _ draft: inout MeetingDraft, at time: MeetingTime, by text: String?
    ) throws {
        let old = draft.meeting
        let own = try zone(named: old.time.zone)
        guard time.start != old.time.start || text != nil else {
            draft.meeting.time = time
            if let rule = old.series?.rule { draft.repeatAnew(time, by: rule, in: own) }
            return
        }
        try checkHasNotBegun(old)
        guard text != Self.noRepetition else { return try repeatNoMore(&draft, at: time, in: own) }
        guard text != nil || old.series != nil else {
            draft.meeting.time = time
            return
        }
        let (first, series) = try repeated(time, by: text, in: own, now: now)
        guard
            let rule = series?.rule
                ?? old.series?.rule.restarted(from: old.time.start, at: time.start)
        else { throw Self.noDate(time, of: old) }
        if old.series == nil { draft.meeting.series = series }
        let lost = draft.repeatAnew(first, by: rule, in: own)
        draft.remarks +=
            Self.remarks(onSkipped: rule, from: first.start.date)
            + remarks(onLost: lost, of: draft.before, in: own)
    }

    /// Says where a series is cut whose date is on another day than by the rule.
    private func remarks(
        onSplitAt date: SeriesDate, of meeting: Meeting, in zone: Zone
    ) -> [String] {
        guard let regular = meeting.date(named: date.name, byRule: true, in: zone)?.time.start.date,
            regular != date.time.start.date
        else { return [] }
        return [
            "It was to be on \(TimeWords.date(regular)): that date is meant, and all that follow "
                + "it by the rule."
        ]
    }

    /// Names the dates that are none any more, and on which something was otherwise.
    private func remarks(
        onLost names: [String], of before: MeetingBundle, in zone: Zone
    ) -> [String] {
        let dates = names.sorted().compactMap { before.meeting.date(named: $0, in: zone) }
            .filter { $0.time.endsAt > now }.map { TimeWords.date($0.time.start.date) }
        guard !dates.isEmpty else { return [] }
        let more = dates.count > Self.datesNamedMax ? ", and more" : ""
        return [
            "What was otherwise on \(dates.prefix(Self.datesNamedMax).joined(separator: ", "))"
                + "\(more) is gone: these dates are none any more."
        ]
    }

    /// What is typed for a meeting that does not repeat.
    private static let noRepetition = "none"

    /// Leaves one date of a series, as it stands: the next one that takes place, where no other
    /// time is given.
    private func repeatNoMore(
        _ draft: inout MeetingDraft, at time: MeetingTime, in zone: Zone
    ) throws(Refusal) {
        let old = draft.meeting
        guard old.series != nil, time == old.time else { return draft.repeatNoMore(at: time) }
        guard let date = old.nextDate(after: now, in: zone) else {
            throw Refusal(
                .refused, code: "no_dates",
                "No date of \(old.title) is left that could stay. Cancel it instead.")
        }
        draft.repeatNoMore(on: date)
    }

    /// What took place stays as it was.
    func checkHasNotBegun(_ meeting: Meeting) throws(Refusal) {
        guard meeting.series != nil, meeting.time.startsAt <= now else { return }
        throw Refusal(
            .refused, code: "series_begun",
            "\(meeting.title) has begun. Say --from next for all that lies ahead, or --on DATE "
                + "for one date.")
    }

    private static func noDate(_ time: MeetingTime, of meeting: Meeting) -> Refusal {
        .badRule(
            "\(TimeWords.date(time.start.date)), \(time.start.time.shortText) is no date of "
                + "\"\(meeting.series?.rule.words ?? "")\": say how it repeats from now on, with "
                + "--repeat")
    }
}

extension MeetingDraft {
    /// Takes another time and rule, with what is otherwise on single dates. Who was asked to a date
    /// alone that is none any more is taken off it.
    ///
    /// - Parameters:
    ///   - time: of the first date.
    ///   - rule: the rule from there on.
    ///   - zone: the rules of its zone.
    /// - Returns: the names of the dates on which something was otherwise that are none any more.
    @discardableResult
    mutating func repeatAnew(
        _ time: MeetingTime, by rule: RecurrenceRule, in zone: Zone
    ) -> [String] {
        let names = Set(meeting.series?.changes.keys.map(\.self) ?? [])
            .union(dateParticipants.keys)
        let asked = Set(circlesAsked.keys).subtracting([""])
        let renamed = meeting.repeatAnew(
            time, by: rule, renaming: names.union(asked), in: zone)
        circlesAsked = circlesAsked.renamed(renamed)
        let gone = dateParticipants.filter { renamed[$0.key] != $0.key }
        dateParticipants = dateParticipants.renamed(renamed)
        for (name, people) in gone {
            let known = dateParticipants[name] ?? []
            dateParticipants[name] = takenOff(people).on(known).nilIfEmpty
        }
        if meeting.time != before.meeting.time {
            for name in dateParticipants.keys { dateParticipants[name]?.dropProposals() }
        }
        return names.filter { (renamed[$0] ?? nil) == nil }
    }

    /// Those of a date who are asked to nothing else, taken off it.
    private func takenOff(_ people: [Participant]) -> [Participant] {
        let all = Set(participants.map(\.person))
        return people.filter { !all.contains($0.person) }.map {
            var participant = $0
            participant.isRemoved = true
            return participant
        }
    }

    /// Makes it a meeting that does not repeat, at a time of its own.
    mutating func repeatNoMore(at time: MeetingTime) {
        meeting.series = nil
        meeting.time = time
        dateParticipants = dateParticipants.compactMapValues { takenOff($0).nilIfEmpty }
        circlesAsked = circlesAsked.filter(\.key.isEmpty)
    }

    /// Leaves one date of a series, with its place and its people.
    mutating func repeatNoMore(on date: SeriesDate) {
        let own = (dateParticipants[date.name] ?? []).map {
            var participant = $0
            participant.revision = nil
            return participant
        }
        meeting.place = meeting.on(date).place
        participants = participants.on(own)
        dateParticipants[date.name] = nil
        if let circles = circlesAsked[date.name] {
            circlesAsked["", default: []].formUnion(circles)
        }
        repeatNoMore(at: date.time)
    }

    /// What goes on in place of a series from one of its dates on: a meeting of its own, of which
    /// nobody has been told yet.
    func rest(
        from name: String, by rule: RecurrenceRule, called id: MeetingID, in zone: Zone
    ) -> MeetingDraft? {
        // What the clocks skip on that date alone is the start of all others.
        guard case .wall(let start) = CalendarStamp(name), var series = meeting.series else {
            return nil
        }
        let first = MeetingTime(start: start, zone: zone, duration: meeting.time.duration)
        series.rule = rule
        series.revision = 1
        series.sequence = 0
        series.datesRevision = 1
        series.changes = series.changes.filter { $0.key >= name }.mapValues(\.untold)
        series.endsAt = Meeting.lastEnd(of: series, from: first, in: zone)
        let new = Meeting(
            id: id, uid: "\(id.text)@letsmeet", organizer: meeting.organizer,
            title: meeting.title, note: meeting.note, link: meeting.link, place: meeting.place,
            time: first, series: series, status: meeting.status,
            reminders: meeting.reminders)
        var bundle = MeetingBundle(
            meeting: new, participants: participants.filter { !$0.isRemoved }.map(\.unasked),
            people: before.people, wishes: before.wishes,
            dateParticipants: dateParticipants.filter { $0.key >= name }
                .mapValues { $0.map(\.unasked) })
        bundle.snoozes = snoozes
        bundle.circlesAsked = circlesAsked.filter { $0.key.isEmpty || $0.key >= name }
        return MeetingDraft(bundle)
    }
}

extension DateChange {
    /// The same in a meeting of which nobody has been told.
    fileprivate var untold: DateChange {
        var change = self
        change.revision = 1
        change.sequence = 0
        return change
    }
}

extension Participant {
    /// The same in a meeting to which nobody has answered by mail: SEQUENCE begins anew.
    fileprivate var unasked: Participant {
        var participant = self
        participant.reply = nil
        participant.proposal = nil
        participant.revision = participant.revision.map { _ in 1 }
        return participant
    }
}

extension [Participant] {
    fileprivate mutating func dropProposals() {
        for place in indices { self[place].proposal = nil }
    }

    fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
