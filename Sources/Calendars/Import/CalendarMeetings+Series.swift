import Agenda
import Interchange
import Planning
import Timekeeping

extension CalendarMeetings {
    /// Makes a meeting repeat like an event.
    func repeats(
        _ meeting: inout Meeting, as event: Event, in zone: Zone, now: Moment
    ) throws(Unplanned) {
        guard event.repeats else { return }
        guard event.additions.count <= Self.changesMax else { throw Self.tooManyDates }
        try budget.check(meeting.uid)
        var examined = 0
        defer { budget.note(examined, of: meeting.uid) }
        let stated = meeting.time
        let rule = try rule(of: event).endingWithDay(in: zone)
        let dates: [Occurrence]
        do throws(Refusal) {
            dates = try Drafting.firstDates(of: rule, from: stated.start, in: zone)
        } catch {
            throw Unplanned("repeats in a way that meetings do not support: \(error.message)")
        }
        var series = Series(
            rule: rule, endsAt: stated.endsAt, sequence: meeting.sequence,
            plannedUntil: now.advanced(bySeconds: Planner.plannedAheadSeconds))
        if dates[0].original != stated.start {
            // The start is always an occurrence, even if the rule does not yield it.
            series.changes[Self.name(stated.start)] = Self.change(to: stated, in: meeting)
            meeting.time = MeetingTime(
                start: dates[0].original, zone: zone, duration: stated.duration)
        }
        for addition in event.additions {
            let wall = zone.wallTime(at: addition.start.moment(in: zone))
            let time = MeetingTime(
                start: wall, zone: zone,
                duration: try addition.length.map(Self.duration) ?? stated.duration)
            series.changes[Self.name(wall)] = Self.change(to: time, in: meeting)
        }
        meeting.series = series
        dropRegular(in: zone, &meeting, &examined)
        leaveOut(event.exceptions, of: &meeting, in: zone, &examined)
        guard event.dates.count <= Self.changesMax else { throw Self.tooManyDates }
        let regular = regularDates(of: meeting, changedBy: event, in: zone, &examined)
        for entry in event.dates {
            try change(&meeting, as: entry, of: event, regular: regular, in: zone)
        }
        guard let changes = meeting.series?.changes, changes.count <= Self.changesMax else {
            throw Self.tooManyDates
        }
        series.changes = changes
        series.endsAt = Meeting.lastEnd(
            of: series, from: meeting.time, in: zone, examined: &examined)
        meeting.series = series
    }

    private static let tooManyDates = Unplanned(
        "has more than \(changesMax) added, changed and cancelled dates")

    private func rule(of event: Event) throws(Unplanned) -> RecurrenceRule {
        guard event.ruleTexts.count <= 1 else { throw Unplanned("has several recurrence rules") }
        guard event.main.component.line("EXRULE") == nil else {
            throw Unplanned("leaves out dates by a rule (EXRULE)")
        }
        // Without a rule, the added dates are exceptions to a rule with a single date.
        guard !event.hasUnreadableRule, let text = event.ruleTexts.first else { return .once }
        do throws(RecurrenceFault) {
            return try RecurrenceRule.lenient(text).rule
        } catch {
            throw Unplanned("has an invalid recurrence rule: \(error)")
        }
    }

    /// Removes added dates that the recurrence rule yields anyway, with the same length.
    private func dropRegular(in zone: Zone, _ meeting: inout Meeting, _ examined: inout Int) {
        guard let last = meeting.series?.changes.values.compactMap(\.time?.startsAt).max() else {
            return
        }
        let regular = Array(
            meeting.dates(in: zone).prefix(Meeting.datesMax).prefix { $0.time.startsAt <= last })
        examined += regular.count
        for date in regular
        where date.time == meeting.date(named: date.name, byRule: true, in: zone)?.time {
            meeting.series?.changes[date.name] = nil
        }
    }

    private func leaveOut(
        _ exceptions: [StatedTime], of meeting: inout Meeting, in zone: Zone,
        _ examined: inout Int
    ) {
        let times = exceptions.filter { !$0.isDay }
        // In a series in UTC, an exception without a zone may also be a time in the own zone.
        let moments = Set(
            times.map { $0.moment(in: zone) }
                + (zone == .utc ? times.map { $0.moment(in: own) } : []))
        let days = Set(exceptions.filter(\.isDay).map(\.stamp))
        guard let last = exceptions.map({ $0.moment(in: zone) }).max() else { return }
        let end = last.advanced(bySeconds: 86_400)
        let regular = Array(
            meeting.dates(in: zone).prefix(Meeting.datesMax).prefix { $0.time.startsAt <= end })
        examined += regular.count
        var far: [SeriesDate] = []
        if regular.count == Meeting.datesMax, let known = regular.last?.time.startsAt,
            meeting.skipsDates(before: known, in: zone)
        {
            far = exceptions.prefix(Self.changesMax).filter { $0.moment(in: zone) > known }
                .compactMap { exception in
                    let wall = originalWall(exception, of: meeting, in: zone)
                    return meeting.date(originallyAt: zone.moment(of: wall), in: zone)
                }
        }
        for date in regular + far + meeting.movedDates
        where moments.contains(date.time.startsAt) || days.contains(.day(date.time.start.date)) {
            var change = DateChange(revision: meeting.revision, sequence: meeting.sequence)
            change.status = .cancelled
            meeting.series?.changes[date.name] = change
        }
    }

    /// Applies a changed occurrence to the series.
    private func change(
        _ meeting: inout Meeting, as entry: CalendarEntry, of event: Event,
        regular names: Set<String>, in zone: Zone
    ) throws(Unplanned) {
        guard let original = entry.recurrenceID else { return }
        // A cancelled occurrence needs no start, only its RECURRENCE-ID (RFC 5546, 3.2.5). Another
        // one without a start that can be read takes place at its original time.
        let start = entry.start ?? original
        let name = Self.name(originalWall(original, of: meeting, in: zone))
        var change = DateChange(
            revision: meeting.revision, sequence: max(meeting.sequence, entry.sequence))
        let isOff = entry.isOff || entry.isDeclined(by: address)
        // A cancellation may leave out the end, and then says nothing about the length.
        let isOfUsualLength = entry.start == nil || isOff && !entry.hasStatedEnd
        let time = MeetingTime(
            start: zone.wallTime(at: start.moment(in: zone)), zone: zone,
            duration: isOfUsualLength ? meeting.time.duration : try length(of: entry, in: zone))
        let regular =
            names.contains(name)
            ? meeting.date(named: name, byRule: true, in: zone)?.time : nil
        if time != regular, entry.start != nil || regular == nil { change.time = time }
        let place = entry.location.map(MeetingPlace.init)
        if place != meeting.place { change.place = .other(place) }
        if isOff { change.status = .cancelled }
        guard change.time != nil || change.place != .asAll || isOff else { return }
        meeting.series?.changes[name] = change
    }

    /// The names of the changed dates that the rule of the series gives.
    private func regularDates(
        of meeting: Meeting, changedBy event: Event, in zone: Zone, _ examined: inout Int
    ) -> Set<String> {
        var regular = meeting
        regular.series?.changes = [:]
        let walls = event.dates.compactMap(\.recurrenceID).map {
            originalWall($0, of: meeting, in: zone)
        }
        return regular.datesByRule(
            named: Set(walls.map(Self.name)), in: zone, examined: &examined)
    }

    private func originalWall(
        _ original: StatedTime, of meeting: Meeting, in zone: Zone
    ) -> WallTime {
        func usual(on day: CivilDate) -> WallTime {
            WallTime(date: day, time: meeting.time.start.time)
        }
        switch original.stamp {
        case .day(let day): return usual(on: day)
        // Keeps the wall-clock time, even if the clocks skip it on that date.
        case .wall(let wall) where original.zone == nil || original.zone == zone:
            return zone.moment(of: usual(on: wall.date)) == zone.moment(of: wall)
                ? usual(on: wall.date) : wall
        case .wall, .utc:
            let moment = original.moment(in: zone)
            let wall = zone.wallTime(at: moment)
            return zone.moment(of: usual(on: wall.date)) == moment ? usual(on: wall.date) : wall
        }
    }

    private static func name(_ wall: WallTime) -> String { CalendarStamp.wall(wall).description }

    private static func change(to time: MeetingTime, in meeting: Meeting) -> DateChange {
        var change = DateChange(revision: meeting.revision, sequence: meeting.sequence)
        change.time = time
        return change
    }
}

extension Meeting {
    /// True if the dates long before a moment are skipped without being computed. Without that,
    /// each look-up of a later date would compute all dates from the first one on.
    fileprivate func skipsDates(before moment: Moment, in zone: Zone) -> Bool {
        dates(in: zone, endingAfter: moment).first { _ in true }
            .map { $0.time.startsAt > time.startsAt } ?? false
    }
}

extension RecurrenceRule {
    /// The rule with a last day instead of a moment, if the moment is the last second of a day. RFC
    /// 5545 (3.3.10) wants UTC there, but people read a day.
    ///
    /// - Parameter zone: the zone of the event.
    /// - Returns: the rule with the same occurrences.
    fileprivate func endingWithDay(in zone: Zone) -> RecurrenceRule {
        guard case .until(.utc(let moment)) = end else { return self }
        let last = zone.wallTime(at: moment)
        guard last.adding(seconds: 1).date != last.date else { return self }
        var rule = self
        rule.end = .until(.day(last.date))
        return rule
    }
}
