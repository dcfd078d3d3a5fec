import Agenda
import Ledger
import Storage
public import Timekeeping

extension Planner {
    /// So far ahead reminders of series are in the ledger, in seconds: five weeks.
    static let plannedAheadSeconds: Int64 = 35 * 86_400
    /// They are planned on when they are in it less far than this, in seconds: four weeks.
    private static let planningLeadSeconds: Int64 = 28 * 86_400
    /// How many series are planned on, one after the other, before others get their turn.
    private static let planningPageRows = 100

    /// A time that repeats: that of the first date by the rule, and the rule.
    ///
    /// - Parameters:
    ///   - time: the start that somebody typed, and the length.
    ///   - text: the rule, as an RRULE or in words; `nil` where nothing repeats.
    ///   - zone: the zone of the meeting.
    ///   - now: the clock.
    /// - Returns: when it is first, and how it repeats.
    /// - Throws: ``Refusal`` with `bad_rule`.
    func repeated(
        _ time: MeetingTime, by text: String?, in zone: Zone, now: Moment
    ) throws(Refusal) -> (MeetingTime, Series?) {
        guard let text else { return (time, nil) }
        let rule = try rule(text, from: time.start.date)
        // A rule counts its steps from the start, as calendars do; people do from the first date.
        let isRule = text.contains("=")
        let found =
            isRule
            ? rule.firstTime(from: time.start) : rule.firstTime(inAnyStepFrom: time.start)
        guard let start = found else {
            throw .badRule("it has no date from that start on")
        }
        let dates = try Self.firstDates(of: rule, from: start, in: zone)
        let first = MeetingTime(start: dates[0].original, zone: zone, duration: time.duration)
        var series = Series(
            rule: rule, endsAt: first.endsAt,
            plannedUntil: now.advanced(bySeconds: Self.plannedAheadSeconds))
        series.endsAt = Meeting.lastEnd(of: series, from: first, in: zone)
        return (first, series)
    }

    /// Says that a day is left out which not every month has, or every year.
    static func remarks(onSkipped rule: RecurrenceRule, from start: CivilDate) -> [String] {
        let isBare =
            rule.days.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
            && rule.weekNumbers.isEmpty
        switch rule.frequency {
        case .monthly where isBare && start.day > 28:
            return ["Months without a day \(start.day) are left out."]
        case .yearly where isBare && start.day == 29 && start.month == 2:
            return ["Years without a 29 February are left out."]
        default: return []
        }
    }

    /// How something repeats, as somebody typed it, where it can be understood.
    ///
    /// - Parameters:
    ///   - text: a rule; may be empty.
    ///   - start: the day from which on it repeats; `nil` where it is not known yet.
    /// - Returns: the same.
    /// - Throws: ``Refusal`` with `bad_rule`.
    public func checkRepetition(
        _ text: String, from start: CivilDate?
    ) throws(Refusal) -> String {
        if let start, !text.isEmpty { _ = try rule(text, from: start) }
        return text
    }

    private func rule(_ text: String, from start: CivilDate) throws(Refusal) -> RecurrenceRule {
        do throws(RecurrenceFault) {
            return try RecurrenceRule(typed: text, from: start)
        } catch {
            throw .badRule("\(error)")
        }
    }

    /// So many dates are looked at to see how close they come.
    private static let datesCompared = 60

    /// The first dates of a meeting by a rule.
    ///
    /// - Throws: ``Refusal`` with `bad_rule` where there are none, or they come too close.
    static func firstDates(
        of rule: RecurrenceRule, from start: WallTime, in zone: Zone
    ) throws(Refusal) -> [Occurrence] {
        guard rule.frequency >= .hourly else {
            throw .badRule("FREQ: a meeting repeats by hours, days, weeks, months or years")
        }
        // Each look at what is counted by hours or days begins with its first date.
        if case .count(let count) = rule.end, count > Meeting.datesMax, rule.frequency <= .daily {
            throw .badRule(
                "COUNT: there are at most \(Meeting.datesMax) dates of such a rule; with UNTIL, or "
                    + "without an end, there may be more")
        }
        let recurrence: Recurrence
        do throws(RecurrenceFault) {
            recurrence = try Recurrence(start: .wall(start), in: zone, rule: rule)
        } catch {
            throw .badRule("\(error)")
        }
        let dates = Array(recurrence.prefix(Self.datesCompared))
        guard !dates.isEmpty else { throw .badRule("it has no date from that start on") }
        let seconds = dates.compactMap { $0.moment?.seconds }
        guard zip(seconds, seconds.dropFirst()).allSatisfy({ $1 - $0 >= 3600 }) else {
            throw .badRule("its dates come closer than an hour to one another")
        }
        return dates
    }

    /// Says that the first date is another day than was typed.
    func remarks(onFirst time: MeetingTime, typed: MeetingTime) -> [String] {
        guard time.start != typed.start else { return [] }
        let first = Timestamp(time.startsAt, reader: zone)
        return ["The first date by that rule is \(first.words)."]
    }

    /// Plans reminders of series on, those of which are in the ledger not far enough ahead. What
    /// would have been due meanwhile is sent now where it is still of use.
    ///
    /// - Returns: how many series.
    /// - Throws: ``StoreError``; series that were planned by then stay so.
    public func planSeriesOn() async throws -> Int {
        let horizon = now.advanced(bySeconds: Self.planningLeadSeconds)
        var count = 0
        while true {
            let page = try await store.seriesToPlan(before: horizon, limit: Self.planningPageRows)
            for id in page { try await planOn(id) }
            count += page.count
            guard page.count == Self.planningPageRows else { return count }
        }
    }

    private func planOn(_ id: MeetingID) async throws {
        let now = self.now
        _ = try await store.reviseMeeting(id, saving: true) { bundle in
            var draft = MeetingDraft(bundle)
            draft.plannedBefore = bundle.meeting.series?.plannedUntil
            draft.meeting.series?.plannedUntil = now.advanced(bySeconds: Self.plannedAheadSeconds)
            return try decided(draft, deed: nil, reason: "the series is over", now: now)
        }
    }
}

extension Refusal {
    /// A rule that cannot be used, and why.
    static func badRule(_ reason: String) -> Refusal {
        Refusal(.invalid, code: "bad_rule", "The rule cannot be used: \(reason).")
    }
}
