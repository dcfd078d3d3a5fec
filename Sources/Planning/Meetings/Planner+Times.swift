import Agenda
public import Timekeeping

extension Planner {
    /// The zone in which a new meeting is kept: the one that was asked for, else that of its place,
    /// else the actor's.
    func meetingZone(placeZone: Zone?) -> Zone {
        surroundings.zoneOption == nil ? placeZone ?? zone : zone
    }

    /// Reads a start that somebody typed, and holds it to the rules: it exists, and lies ahead.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - zone: the zone of the clock that it speaks of.
    ///   - now: the time.
    ///   - ownDay: the day that a time without a day means; `nil` for the coming one.
    /// - Returns: the start in `zone`.
    /// - Throws: ``Refusal``, or ``RuleViolation``.
    func start(
        _ text: String, in zone: Zone, now: Moment, ownDay: OwnDay? = nil
    ) throws -> WallTime {
        guard !text.isEmpty else {
            throw Refusal(
                .invalid, code: "no_start",
                "When does it start? Give --start, such as \"fri 19:00\" or 2026-12-01T18:00.")
        }
        let wall = try wallTime(text, in: zone, now: now, ownDay: ownDay)
        try MeetingRules.check(start: wall, in: zone)
        let moment = zone.moment(of: wall)
        try MeetingRules.check(start: moment, now: now)
        return wall
    }

    /// Reads a time that somebody typed as wall time in a zone.
    ///
    /// - Throws: ``Refusal`` with `bad_time`, `no_time` or `repeated_time`.
    func wallTime(
        _ text: String, in zone: Zone, now: Moment, ownDay: OwnDay? = nil
    ) throws(Refusal) -> WallTime {
        let value: TypedTime.Value
        do throws(TimeTextError) {
            value = try TypedTime.parse(text, now: zone.wallTime(at: now), ownDay: ownDay)
        } catch {
            throw Refusal(.invalid, code: "bad_time", error.message)
        }
        switch value {
        case .wall(let wall): return wall
        case .instant(let moment, _): return try wallTime(meaning: moment, in: zone)
        case .fromNow(let span):
            return try wallTime(meaning: fromNow(span, in: zone, now: now), in: zone)
        case .date(let date):
            throw Refusal(
                .invalid, code: "no_time",
                "At what time on \(date)? Write it too, such as \"\(date) 18:00\".")
        }
    }

    /// Who says "in 2 hours" means a time that a clock without a second hand shows.
    private func fromNow(_ span: TimeSpan, in zone: Zone, now: Moment) -> Moment {
        let moment = span.after(now, in: zone)
        guard span.seconds % 60 == 0 else { return moment }
        return moment.advanced(bySeconds: -Int64(zone.wallTime(at: moment).time.second))
    }

    /// The wall time by which a meeting keeps a moment. Of one that occurs twice it means the
    /// first, so the second cannot be kept.
    func wallTime(meaning moment: Moment, in zone: Zone) throws(Refusal) -> WallTime {
        let wall = zone.wallTime(at: moment)
        guard case .twice(_, let second) = zone.reading(of: wall),
            second.seconds == moment.seconds
        else { return wall }
        throw Refusal(
            .refused, code: "repeated_time",
            "The clocks in \(zone.id) show \(wall) twice, and a meeting there can only mean the "
                + "first time. Take another time, or plan a new meeting in UTC: --tz UTC")
    }

    /// What a day without a time stands for, where a moment is wanted.
    public enum DayMeaning: Sendable {
        /// Its first moment.
        case start
        /// The first moment after it.
        case end
    }

    /// Reads a moment that somebody typed.
    public func moment(_ text: String, dayMeans meaning: DayMeaning = .end) throws -> Moment {
        switch try TypedTime.parse(text, now: zone.wallTime(at: now)) {
        case .wall(let wall): return zone.moment(of: wall)
        case .instant(let moment, _): return moment
        case .fromNow(let span): return span.after(now, in: zone)
        case .date(let date):
            let day = meaning == .start ? date : date.adding(days: 1)
            return zone.moment(of: WallTime(date: day, time: .midnight))
        }
    }

    /// Reads a day that somebody typed; without a text, today.
    public func day(_ text: String?) throws -> CivilDate {
        let today = zone.wallTime(at: now)
        guard let text else { return today.date }
        switch try TypedTime.parse(text, now: today) {
        case .date(let date): return date
        case .wall(let wall): return wall.date
        case .instant(let moment, _): return zone.wallTime(at: moment).date
        case .fromNow(let span): return zone.wallTime(at: span.after(now, in: zone)).date
        }
    }
}
