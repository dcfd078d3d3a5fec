import Agenda
import Ledger
import Sinks
import Storage
package import Timekeeping
import Wording

extension Drafting {
    /// The first date of a meeting by a rule, and its series.
    ///
    /// - Parameters:
    ///   - time: the typed start, and the duration.
    ///   - text: the rule as an RRULE or in words; `nil` if the meeting does not repeat.
    ///   - zone: the time zone of the meeting.
    ///   - now: the current time.
    /// - Returns: the time of the first date, and the series; `nil` if the meeting does not repeat.
    /// - Throws: ``Refusal`` with `bad_rule`.
    func repeated(
        _ time: MeetingTime, by text: String?, in zone: Zone, now: Moment
    ) throws(Refusal) -> (MeetingTime, Series?) {
        guard let text else { return (time, nil) }
        let rule = try rule(text, from: time.start.date)
        try Self.check(rule, with: time)
        // An RRULE counts its intervals from the start, as in calendars. A rule in words counts
        // them from the first date, as people do.
        let isRule = text.contains("=")
        let found =
            isRule
            ? rule.firstTime(from: time.start) : rule.firstTime(inAnyStepFrom: time.start)
        guard let start = found else {
            throw .badRule("it has no date on or after the start")
        }
        let dates = try Self.firstDates(of: rule, from: start, in: zone)
        let first = MeetingTime(start: dates[0].original, zone: zone, duration: time.duration)
        var series = Series(
            rule: rule, endsAt: first.endsAt,
            plannedUntil: now.advanced(bySeconds: Planner.plannedAheadSeconds))
        series.endsAt = Meeting.lastEnd(of: series, from: first, in: zone)
        return (first, series)
    }

    /// Checks that whole days repeat by days.
    static func check(_ rule: RecurrenceRule, with time: MeetingTime) throws(Refusal) {
        guard time.isOfDays, rule.namesTimes else { return }
        throw .badRule("whole days repeat by days, weeks, months or years")
    }

    /// The remark that months or years without the day of the start are skipped.
    static func remarks(onSkipped rule: RecurrenceRule, from start: CivilDate) -> [Remark] {
        let isBare =
            rule.days.isEmpty && rule.monthDays.isEmpty && rule.yearDays.isEmpty
            && rule.weekNumbers.isEmpty
        switch rule.frequency {
        case .monthly where isBare && start.day > 28:
            return [
                Remark(
                    Phrase(
                        "Months without a day %day% are skipped.",
                        ["day": .text("\(start.day)")]))
            ]
        case .yearly where isBare && start.day == 29 && start.month == 2:
            return [Remark(Phrase("Years without a 29 February are skipped."))]
        default: return []
        }
    }

    func rule(_ text: String, from start: CivilDate) throws(Refusal) -> RecurrenceRule {
        do throws(RecurrenceFault) {
            return try RecurrenceRule(typed: text, from: start)
        } catch {
            let advice: [Advice] = error == .singleDate ? [.meetings(.cancelDate)] : []
            throw .badRule("\(error)", advice: advice)
        }
    }

    /// The number of dates whose distances are checked.
    private static let datesCompared = 60

    /// The first dates of a meeting by a rule.
    ///
    /// - Throws: ``Refusal`` with `bad_rule` if the rule repeats more often than hourly, has too
    ///   many dates or none, or has dates less than an hour apart.
    package static func firstDates(
        of rule: RecurrenceRule, from start: WallTime, in zone: Zone
    ) throws(Refusal) -> [Occurrence] {
        guard rule.frequency >= .hourly else {
            throw .badRule("FREQ: a meeting can repeat hourly, daily, weekly, monthly or yearly")
        }
        // Such a rule is always evaluated from its first date on, which takes long with many dates.
        if case .count(let count) = rule.end, count > Meeting.datesMax, rule.frequency <= .daily {
            throw .badRule(
                "COUNT: an hourly or daily rule can have at most \(Meeting.datesMax) dates; for "
                    + "more, use UNTIL or no end")
        }
        let recurrence: Recurrence
        do throws(RecurrenceFault) {
            recurrence = try Recurrence(start: .wall(start), in: zone, rule: rule)
        } catch {
            throw .badRule("\(error)")
        }
        let dates = Array(recurrence.prefix(Self.datesCompared))
        guard !dates.isEmpty else { throw .badRule("it has no date on or after the start") }
        let seconds = dates.compactMap { $0.moment?.seconds }
        guard zip(seconds, seconds.dropFirst()).allSatisfy({ $1 - $0 >= 3600 }) else {
            throw .badRule("its dates are less than an hour apart")
        }
        return dates
    }

    /// The remarks about the time of a new meeting, where it may not be what was meant.
    ///
    /// - Parameters:
    ///   - time: the time of the first date.
    ///   - series: the series; `nil` if the meeting does not repeat.
    ///   - typed: the typed start.
    ///   - written: the words of the typed time.
    ///   - text: the rule as it was typed; `nil` if there is none.
    ///   - zone: the time zone of the meeting.
    /// - Returns: the remarks.
    func remarks(
        onFirst time: MeetingTime, _ series: Series?, typed: MeetingTime, _ written: WrittenTime,
        by text: String?, in zone: Zone
    ) -> [Remark] {
        let day = typed.start.date
        return remarks(onYearOf: written, as: day, in: zone)
            + remarks(onFirst: time, typed: typed)
            + (series.map { Self.remarks(onSkipped: $0.rule, from: time.start.date) } ?? [])
            + remarks(onEndOf: text, from: day)
    }

    /// The remark that the first date differs from the typed start.
    private func remarks(onFirst time: MeetingTime, typed: MeetingTime) -> [Remark] {
        guard time.start != typed.start else { return [] }
        return [
            Remark(
                Phrase(
                    "The first date by this rule is %when%.",
                    ["when": .moment(time.startsAt, zone)]))
        ]
    }
}

extension Planner {
    /// Checks a repetition as it is typed.
    ///
    /// - Throws: ``Refusal`` with `bad_rule`.
    package func checkRepetition(_ text: String, from start: CivilDate) throws(Refusal) {
        let rule = try drafting.rule(text, from: start)
        let noon = WallTime(date: start, time: .noon)
        _ = try Drafting.firstDates(of: rule, from: noon, in: zone)
    }
}

extension Refusal {
    /// The refusal of a recurrence rule that cannot be used.
    static func badRule(_ reason: String, advice: [Advice] = []) -> Refusal {
        Refusal(
            .invalid, code: "bad_rule", "The rule cannot be used: \(reason).", advice: advice)
    }
}
