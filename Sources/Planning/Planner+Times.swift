public import Timekeeping

extension Planner {
    /// Reads a time that somebody typed as wall time in a zone.
    ///
    /// - Throws: ``Refusal`` with `bad_time` or `no_time`.
    func wallTime(_ text: String, in zone: Zone, now: Moment) throws(Refusal) -> WallTime {
        let value: TypedTime.Value
        do throws(TimeTextError) {
            value = try TypedTime.parse(text, now: zone.wallTime(at: now))
        } catch {
            throw Refusal(.invalid, code: "bad_time", error.message)
        }
        switch value {
        case .wall(let wall): return wall
        case .instant(let moment, _): return zone.wallTime(at: moment)
        case .fromNow(let span): return fromNow(span, in: zone, now: now)
        case .date(let date):
            throw Refusal(
                .invalid, code: "no_time",
                "At what time on \(date)? Write it too, such as \"\(date) 18:00\".")
        }
    }

    /// Who says "in 2 hours" means a time that a clock without a second hand shows.
    private func fromNow(_ span: TimeSpan, in zone: Zone, now: Moment) -> WallTime {
        let wall = zone.wallTime(at: span.after(now, in: zone))
        return span.seconds % 60 == 0 ? wall.adding(seconds: -wall.time.second) : wall
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
        if case .date(let date) = try TypedTime.parse(text, now: zone.wallTime(at: now)) {
            let day = meaning == .start ? date : date.adding(days: 1)
            return zone.moment(of: WallTime(date: day, time: .midnight))
        }
        return zone.moment(of: try wallTime(text, in: zone, now: now))
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
