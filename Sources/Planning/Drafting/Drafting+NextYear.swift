import Agenda
import Timekeeping
import Wording

/// Days that were typed without a year shortly after they passed, and so are those of the next
/// year. That may not be what was meant.
extension Drafting {
    /// The most days since such a day passed. Later on, only the coming one is likely to be meant.
    private static let passedDaysMax = 62

    /// The remark that a typed start is in the next year.
    ///
    /// - Parameters:
    ///   - written: the typed time.
    ///   - date: the day of the start.
    ///   - zone: the time zone of the meeting.
    /// - Returns: the remark, if there is one.
    func remarks(
        onYearOf written: WrittenTime, as date: CivilDate, in zone: Zone
    ) -> [Remark] {
        let now = zone.wallTime(at: now)
        let past = now.adding(days: -Self.passedDaysMax)
        guard let text = try? written.apart(now: now).start,
            Self.day(text, now: now) == date,
            let before = Self.day(text, now: past), date.isYearLater(than: before)
        else { return [] }
        return [
            Remark(
                Phrase(
                    "This day has passed this year, so it is the one of next year: %date%.",
                    ["date": .dates([date])]))
        ]
    }

    /// The remark that the typed end of a rule is a year later, because its day was shortly before
    /// the start.
    ///
    /// - Parameters:
    ///   - text: the rule as it was typed.
    ///   - start: the day of the typed start.
    /// - Returns: the remark, if there is one.
    func remarks(onEndOf text: String?, from start: CivilDate) -> [Remark] {
        guard let text, let end = try? rule(text, from: start).lastDay,
            let before = try? rule(text, from: start.adding(days: -Self.passedDaysMax)).lastDay,
            end.isYearLater(than: before)
        else { return [] }
        return [
            Remark(
                Phrase(
                    "The end of the repetition is before the start, so it is a year later: %date%.",
                    ["date": .dates([end])]))
        ]
    }

    private static func day(_ text: String, now: WallTime) -> CivilDate? {
        switch try? TypedTime.parse(text, now: now) {
        case .date(let date): date
        case .wall(let wall): wall.date
        case .instant, .fromNow, nil: nil
        }
    }
}

extension CivilDate {
    /// True if this is the same day of the year after another one.
    fileprivate func isYearLater(than other: CivilDate) -> Bool {
        (year, month, day) == (other.year + 1, other.month, other.day)
    }
}

extension RecurrenceRule {
    /// The day after which no date follows, if the rule names one.
    fileprivate var lastDay: CivilDate? {
        guard case .until(.day(let date)) = end else { return nil }
        return date
    }
}
