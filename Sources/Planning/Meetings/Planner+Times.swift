import Agenda
public import Timekeeping

extension Planner {
    /// The meaning of a day without a time if a moment is needed.
    public enum DayMeaning: Sendable {
        /// The first moment of the day.
        case start
        /// The first moment after the day.
        case end
        /// The last moment of the day.
        case last
    }

    /// Reads a typed moment.
    public func moment(_ text: String, dayMeans meaning: DayMeaning = .end) throws -> Moment {
        switch try TypedTime.parse(text, now: zone.wallTime(at: now)) {
        case .wall(let wall): return zone.moment(of: wall)
        case .instant(let moment, _): return moment
        case .fromNow(let span): return span.after(now, in: zone)
        case .date(let date):
            let day = meaning == .start ? date : date.adding(days: 1)
            return zone.moment(of: WallTime(date: day, time: .midnight))
                .advanced(byMilliseconds: meaning == .last ? -1 : 0)
        }
    }

    /// Reads a typed day; without a text, today.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - first: the first day of a period of which this is the last; a weekday, or a day without
    ///     a year, is the next one from it on. `nil` for the next one from today on.
    /// - Returns: the day.
    /// - Throws: `TimeTextError` if the text cannot be read.
    public func day(_ text: String?, from first: CivilDate? = nil) throws -> CivilDate {
        let today = zone.wallTime(at: now)
        guard let text else { return today.date }
        switch try TypedTime.parse(text, now: today, ownDay: first.map { OwnDay(ofStart: $0) }) {
        case .date(let date): return date
        case .wall(let wall): return wall.date
        case .instant(let moment, _): return zone.wallTime(at: moment).date
        case .fromNow(let span): return zone.wallTime(at: span.after(now, in: zone)).date
        }
    }

    /// Reads a typed day of a list of past meetings: a weekday, or a day without a year, is the
    /// last one up to today.
    ///
    /// - Parameter text: the text.
    /// - Returns: the day; after today only if the text says so.
    /// - Throws: `TimeTextError` if the text cannot be read.
    public func pastDay(_ text: String) throws -> CivilDate {
        let today = zone.wallTime(at: now).date
        let next = try day(text)
        guard next > today else { return next }
        let past = [6, 364].lazy.compactMap { days in
            try? self.day(text, from: today.adding(days: -days))
        }
        return past.first { $0 <= today } ?? next
    }
}
