/// Combines the typed parts into one value.
extension TypedTimeReader {
    func meaning() throws(TimeTextError) -> TypedTime.Value {
        let date = try date()
        switch clock?.value {
        case nil:
            return .date(date ?? now.date)
        case .time(let time):
            if case .tonight = day?.value, time.hour < 17 { throw .notTonight(time) }
            let coming = now.date.adding(days: time <= now.time ? 1 : 0)
            return .wall(WallTime(date: date ?? ownDay?.date ?? coming, time: time))
        case .midnight:
            return .wall(WallTime(date: try dateOfMidnight(date), time: .midnight))
        }
    }

    /// Decides whether two numbers with a point between them are a day or a time: the part that is
    /// still missing, otherwise the only one that is possible.
    mutating func settle(_ pointed: Typed<TypedNumbers>) throws(TimeTextError) {
        let numbers = pointed.value
        let time = try? TypedClock.time(pointed.text, next: nil, pointed: true)?.value
        let date = try? numbers.date(pointed.text, today: firstDay)
        if let time, day != nil || date == nil {
            try set(.time(time), pointed.text)
        } else if clock == nil, day == nil, let time, let date {
            throw .dayOrTime(pointed.text, date, time)
        } else {
            try set(.date(try numbers.date(pointed.text, today: firstDay)), pointed.text)
        }
    }

    /// The typed day; nil if no day was typed.
    private func date() throws(TimeTextError) -> CivilDate? {
        guard let day else { return weekday.map { ofOwnWeek($0.value) ?? coming($0.value) } }
        let date = try date(of: day)
        if let weekday, weekday.value != date.weekday {
            throw .weekdayDisagrees(date, typed: weekday.value)
        }
        return date
    }

    private func date(of day: Typed<Day>) throws(TimeTextError) -> CivilDate {
        switch day.value {
        case .fromToday(let days):
            return now.date.adding(days: days)
        case .tonight:
            return now.date
        case .date(let date):
            return date
        case .nextWeekday(let weekday):
            return try next(weekday, day.text)
        }
    }

    /// The weekday in the week of the current day of the thing that is moved, from Monday to
    /// Sunday, if anything is moved and the day is not over.
    private func ofOwnWeek(_ weekday: Weekday) -> CivilDate? {
        guard let ownDay, !ownDay.isStart else { return nil }
        let days = weekday.rawValue - ownDay.date.weekday.rawValue
        let date = ownDay.date.adding(days: days)
        return isOver(date) ? nil : date
    }

    /// The next such weekday that is not over; for an end, the next one from the start on.
    private func coming(_ weekday: Weekday) -> CivilDate {
        let first = firstDay
        let days = (weekday.rawValue - first.weekday.rawValue + 7) % 7
        let date = first.adding(days: days)
        return ownDay?.isStart != true && isOver(date) ? date.adding(days: 7) : date
    }

    /// True if a day has passed, or the time typed with it.
    private func isOver(_ date: CivilDate) -> Bool {
        guard date == now.date, case .time(let time) = clock?.value else { return date < now.date }
        return time < now.time
    }

    /// The next such weekday after today, if it is also in the next week both for people whose
    /// weeks begin on Monday and for people whose weeks begin on Sunday.
    private func next(_ weekday: Weekday, _ text: String) throws(TimeTextError) -> CivilDate {
        let today = now.date.weekday.rawValue
        let wanted = weekday.rawValue
        let coming = (wanted - today + 6) % 7 + 1
        let ofMondayWeek = wanted - today + 7
        let ofSundayWeek = wanted % 7 - today % 7 + 7
        let days = [coming, ofMondayWeek, ofSundayWeek]
        guard days.allSatisfy({ $0 == coming }) else {
            let dates = days.map { now.date.adding(days: $0) }
            throw .eitherDay(text, dates.min() ?? now.date, dates.max() ?? now.date)
        }
        return now.date.adding(days: coming)
    }

    /// The date of a typed midnight. "Midnight" alone, or with "tonight", is the next midnight;
    /// with a day it could be either end of that day, so it is refused.
    private func dateOfMidnight(_ date: CivilDate?) throws(TimeTextError) -> CivilDate {
        if case .tonight = day?.value { return now.date.adding(days: 1) }
        guard let date = date ?? ownDay?.date else { return now.date.adding(days: 1) }
        throw .eitherMidnight(date)
    }
}
