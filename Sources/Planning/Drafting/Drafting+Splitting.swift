import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A series that is split in two: the part that ends, and the part that continues.
struct SeriesSplit {
    var before: MeetingDraft
    /// The part that continues; `nil` if there is none.
    var after: MeetingDraft?
}

extension Drafting {
    /// Splits a series in two before one of its dates, and applies a change to the second part,
    /// which becomes a meeting of its own.
    ///
    /// - Parameters:
    ///   - draft: the series.
    ///   - text: the first date of the second part; `nil` not to split.
    ///   - change: changes the second part.
    /// - Returns: both parts; `nil` if the change is one of the whole series.
    /// - Throws: ``Refusal``, or the error of `change`.
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
            from: date.name, by: rules.after, called: newID(), in: own)
        guard var rest else { return nil }
        try change(&rest)
        rest.followMove(in: own)
        guard rest.isOther else { return SeriesSplit(before: draft, after: nil) }
        guard !rest.isQuiet else {
            throw Refusal.conflictingArguments(
                "These dates become a new meeting, and its people have to be notified.",
                advice: [.leaveOut([.quiet])])
        }
        try MeetingRules.check(rest.meeting)
        var ended = draft
        ended.reschedule(draft.meeting.time, by: rules.before, in: own)
        // The people of both parts are asked once.
        if rest.meeting.status == .confirmed {
            ended.meeting.answerBy = nil
            ended.meeting.continuedBy = rest.meeting.id
        }
        ended.remarks =
            rest.remarks + remarks(onSplitAt: date, of: draft.meeting, in: own)
            + Self.remarks(onEndOf: rest, of: draft.meeting)
        // Cancelled dates at the end do not become a meeting: the series just ends earlier.
        return SeriesSplit(
            before: ended, after: rest.meeting.status == .confirmed ? rest : nil)
    }

    /// The revision of a series that is split in two, with that of the part that continues.
    func decided(
        _ split: SeriesSplit, deed: MeetingAct.Deed?, reason: String, now: Moment
    ) throws -> MeetingRevision {
        let why = reason == Planner.edited ? "later dates of the series changed" : reason
        var revision = try numbered(
            split.before, deed: deed.map { _ in .edited }, reason: why, now: now)
        guard let rest = split.after else { return revision }
        var next = try decided(rest, deed: .created, reason: "", now: now)
        next.snoozes = rest.snoozes
        revision.continued = [next]
        return revision
    }

    /// Gives a meeting another time or another rule. A series keeps the exceptions of dates that
    /// still exist.
    ///
    /// - Parameters:
    ///   - draft: the meeting.
    ///   - time: the new time; for a series, that of its first date.
    ///   - text: the repetition; `nil` to keep it, `none` to end it.
    /// - Throws: ``Refusal`` with `series_begun`, `no_dates` or `bad_rule`.
    func reschedule(
        _ draft: inout MeetingDraft, at time: MeetingTime, by text: String?
    ) throws {
        let old = draft.meeting
        let own = try zone(named: old.time.zone)
        guard time.start != old.time.start || text != nil else {
            draft.meeting.time = time
            if let rule = old.series?.rule {
                try Self.check(rule, with: time)
                draft.reschedule(time, by: rule, in: own)
            }
            return
        }
        if let rule = try rule(text, endingOtherwiseThan: old, at: time, in: own) {
            let lost = draft.reschedule(time, by: rule, in: own)
            draft.remarks +=
                remarks(onEndOf: text, from: time.start.date)
                + remarks(onLost: lost, of: draft.before, in: own)
            return
        }
        try checkHasNotBegun(old, advice: text == nil ? [] : [.meetings(.endSeries(old.id.text))])
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
        try Self.check(rule, with: time)
        if old.series == nil { draft.meeting.series = series }
        let lost = draft.reschedule(first, by: rule, in: own)
        draft.remarks +=
            Self.remarks(onSkipped: rule, from: first.start.date)
            + remarks(onEndOf: text, from: time.start.date)
            + remarks(onLost: lost, of: draft.before, in: own)
    }

    /// The typed rule of a series that has begun, if it differs from the present rule only in its
    /// end, and the end is ahead: then past dates stay as they are. `nil` for any other rule.
    private func rule(
        _ text: String?, endingOtherwiseThan meeting: Meeting, at time: MeetingTime, in zone: Zone
    ) throws(Refusal) -> RecurrenceRule? {
        guard let text, text != Self.noRepetition, time == meeting.time,
            time.startsAt <= now, var series = meeting.series
        else { return nil }
        let typed = try rule(text, from: time.start.date)
        guard typed.differsOnlyInEnd(from: series.rule) else { return nil }
        _ = try Self.firstDates(of: typed, from: time.start, in: zone)
        series.rule = typed
        return Meeting.lastEnd(of: series, from: time, in: zone) > now ? typed : nil
    }

    /// The remark about the place of the split if the date was moved to another day.
    private func remarks(
        onSplitAt date: SeriesDate, of meeting: Meeting, in zone: Zone
    ) -> [Remark] {
        guard let regular = meeting.date(named: date.name, byRule: true, in: zone)?.time.start.date,
            regular != date.time.start.date
        else { return [] }
        return [
            Remark(
                Phrase(
                    "This date was moved from %date%. The change applies to it and to all later "
                        + "dates of the rule.", ["date": .dates([regular])]))
        ]
    }

    /// The remark that a series can end without a new meeting, if only its end changes.
    private static func remarks(onEndOf rest: MeetingDraft, of meeting: Meeting) -> [Remark] {
        var same = rest.meeting
        same.series = rest.before.meeting.series
        guard same == rest.before.meeting, let rule = rest.meeting.series?.rule,
            let old = same.series?.rule, rule.differsOnlyInEnd(from: old)
        else { return [] }
        return [
            Remark(
                Phrase(
                    "Everybody gets a new invitation. To end the series without one, cancel the "
                        + "dates after its end."), advice: .meetings(.endSeries(meeting.id.text)))
        ]
    }

    /// The remark about exceptions that are lost because their dates no longer exist.
    private func remarks(
        onLost names: [String], of before: MeetingBundle, in zone: Zone
    ) -> [Remark] {
        let dates = names.sorted().compactMap { before.meeting.date(named: $0, in: zone) }
            .filter { $0.time.endsAt > now }.map(\.time.start.date)
        guard !dates.isEmpty else { return [] }
        let named = Phrase.Value.dates(
            Array(dates.prefix(Planner.datesNamedMax)), isCut: dates.count > Planner.datesNamedMax)
        return [
            Remark(
                Phrase(
                    "Changes and answers for these dates are lost, because the dates no longer "
                        + "exist: %dates%.", ["dates": named]))
        ]
    }

    /// The text for a meeting that does not repeat.
    private static let noRepetition = "none"

    /// Turns a series into a single meeting: at the given time, or as its next date if the time is
    /// unchanged.
    private func repeatNoMore(
        _ draft: inout MeetingDraft, at time: MeetingTime, in zone: Zone
    ) throws(Refusal) {
        let old = draft.meeting
        guard old.series != nil, time == old.time else { return draft.repeatNoMore(at: time) }
        guard let date = old.nextDate(after: now, in: zone) else {
            throw Refusal(
                .refused, code: "no_dates",
                "\(old.title) has no coming date that could be kept. Cancel it instead.",
                advice: [.meetings(.cancel(old.id.text))])
        }
        draft.repeatNoMore(on: date)
    }

    /// Checks that a series has not begun, because past dates cannot be changed.
    ///
    /// - Parameters:
    ///   - meeting: the series.
    ///   - advice: further advice, which comes first.
    /// - Throws: ``Refusal`` with `series_begun`.
    func checkHasNotBegun(_ meeting: Meeting, advice: [Advice] = []) throws(Refusal) {
        guard meeting.series != nil, meeting.time.startsAt <= now else { return }
        throw Refusal(
            .refused, code: "series_begun",
            "\(meeting.title) has begun, and past dates cannot be changed. Choose the first date "
                + "to change, such as \"next\", or a single date.",
            advice: advice + [.give([.firstDate, .date])])
    }

    private static func noDate(_ time: MeetingTime, of meeting: Meeting) -> Refusal {
        .badRule(
            "\(TimeWords.date(time.start.date)), \(time.start.time.shortText) is not a date of "
                + "\"\(meeting.series?.rule.words ?? "")\", so a new rule is needed",
            advice: [.give([.repetition])])
    }
}

extension RecurrenceRule {
    /// True if another rule has the same dates up to its end, and another end.
    fileprivate func differsOnlyInEnd(from other: RecurrenceRule) -> Bool {
        var same = self
        same.end = other.end
        return same == other && self != other
    }
}
