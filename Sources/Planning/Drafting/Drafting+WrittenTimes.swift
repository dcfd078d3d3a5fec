import Agenda
import Ledger
import Timekeeping
import Wording

/// The times of meetings as people write them.
extension Drafting {
    /// The time of a new meeting.
    ///
    /// - Throws: ``Refusal`` or ``RuleViolation``.
    func time(_ written: WrittenTime, in zone: Zone) throws -> MeetingTime {
        let written = try written.apart(now: zone.wallTime(at: now))
        if written.isAllDay {
            let first = try day(written.start ?? "", in: zone)
            return try wholeDays(from: first, written, in: zone, else: 1)
        }
        let start = try start(written.start ?? "", in: zone, now: now)
        return try time(from: start, written, in: zone, else: Meeting.durationDefault)
    }

    /// The time of a meeting, or of one date of a series, after an edit. A typed weekday means the
    /// one in the week of its present day.
    ///
    /// - Throws: ``Refusal`` or ``RuleViolation``.
    func time(_ old: MeetingTime, edited written: WrittenTime) throws -> MeetingTime {
        guard !written.isEmpty else { return old }
        let zone = try zone(named: old.zone)
        let written = try written.apart(now: zone.wallTime(at: now))
        if let first = try firstDay(of: old, written, in: zone) {
            return try wholeDays(
                from: first, written, in: zone, else: old.days(in: zone),
                isBegun: old.isOfDays && first == old.start.date)
        }
        let start = try written.start.map { try newStart($0, insteadOf: old, in: zone) }
        guard !old.isOfDays || written.end != nil || written.duration != nil else {
            throw Refusal(
                .invalid, code: "usage",
                "The meeting lasts whole days, so a time of day is not enough.",
                advice: [.give([.end])])
        }
        return try time(from: start ?? old.start, written, in: zone, else: old.duration)
    }

    private func time(
        from start: WallTime, _ written: WrittenTime, in zone: Zone, else length: TimeSpan
    ) throws -> MeetingTime {
        let duration =
            try written.end.map { try self.length(from: start, to: $0, in: zone) }
            ?? written.duration ?? length
        try MeetingRules.check(duration: duration)
        return MeetingTime(start: start, zone: zone, duration: duration)
    }

    /// Reads a new start in the time zone that the command names, or else in the meeting's, and
    /// converts it to the meeting's. A time without a day means the present day of the meeting, and
    /// a weekday the one in its week. A day without a time keeps the present time of day in the
    /// meeting's time zone.
    private func newStart(
        _ text: String, insteadOf old: MeetingTime, in zone: Zone
    ) throws -> WallTime {
        try checkSign(text)
        let ownDay = OwnDay(zone.wallTime(at: old.startsAt).date)
        let whole = old.isOfDays ? nil : with(old.start.time, text, in: zone, ownDay: ownDay)
        guard whole == nil, isZoneGiven, zone.id != self.zone.id else {
            return try start(whole ?? text, in: zone, now: now, ownDay: ownDay)
        }
        let dayThere = OwnDay(self.zone.wallTime(at: old.startsAt).date)
        let typed = try start(text, in: self.zone, now: now, ownDay: dayThere)
        return try wallTime(meaning: self.zone.moment(of: typed), in: zone)
    }

    /// A typed day with a time of day behind it; `nil` if the text is not a day without a time.
    private func with(
        _ time: CivilTime, _ text: String, in zone: Zone, ownDay: OwnDay
    ) -> String? {
        guard let day = TypedTime.day(text, now: zone.wallTime(at: now), ownDay: ownDay) else {
            return nil
        }
        return Self.text(text, meaning: day, at: time)
    }

    /// A typed day with a time of day behind it. The day stays in the words of the user.
    static func text(_ text: String, meaning day: CivilDate, at time: CivilTime) -> String {
        let clock = time.second == 0 ? time.shortText : time.description
        // Neither a date of digits alone nor "+2d" can be followed by a time.
        let isBare = text.allSatisfy(\.isNumber) || text.hasPrefix("+")
        return isBare ? "\(day) \(clock)" : "\(text) at \(clock)"
    }

    private func checkSign(_ text: String) throws(Refusal) {
        guard text.hasPrefix("+") else { return }
        throw Refusal(
            .invalid, code: "bad_time",
            "\"\(text)\" may mean from now, or later than planned. For from now, write "
                + "\"in \(text.dropFirst())\"; otherwise write the new time itself.")
    }
}

// MARK: Whole days

extension Drafting {
    /// Whole days: from the first through a typed last one, or for a number of days. The first day
    /// of a meeting that has begun may have passed.
    private func wholeDays(
        from first: CivilDate, _ written: WrittenTime, in zone: Zone, else count: Int,
        isBegun: Bool = false
    ) throws -> MeetingTime {
        guard isBegun || zone.startOfDay(first.adding(days: 1)) > now else {
            throw RuleViolation(
                code: "start_in_past", message: "\(TimeWords.date(first)) has passed.")
        }
        let start = zone.startOfDay(first)
        if start > now { try MeetingRules.check(start: start, now: now) }
        let last = try written.end.map { try lastDay($0, from: first, in: zone) }
        let length = written.duration ?? TimeSpan(days: count, seconds: 0)
        guard last != nil || length.seconds == 0 else {
            throw Refusal(
                .invalid, code: "usage",
                "The duration of whole days is a number of days, as in 2d.")
        }
        let days = last.map { $0.daysSince1970 - first.daysSince1970 + 1 } ?? length.days
        let lastWords = TimeWords.date(first.adding(days: days - 1))
        guard days > 0 else {
            throw Refusal(
                .invalid, code: "bad_end",
                "The last day, \(lastWords), is before the first, \(TimeWords.date(first)).")
        }
        guard zone.startOfDay(first.adding(days: days)) > now else {
            throw RuleViolation(
                code: "start_in_past",
                message: "The last day, \(lastWords), has passed.")
        }
        let duration = TimeSpan(days: days, seconds: 0)
        try MeetingRules.check(duration: duration)
        return MeetingTime(
            start: WallTime(date: first, time: .midnight), zone: zone, duration: duration)
    }

    /// The first day of a meeting that lasts whole days after an edit; `nil` if it does not. A
    /// meeting of whole days stays one unless its edit names a time of day.
    private func firstDay(
        of old: MeetingTime, _ written: WrittenTime, in zone: Zone
    ) throws -> CivilDate? {
        let present = old.start.date
        let ownDay = OwnDay(present)
        if written.isAllDay {
            return try written.start.map { try day($0, in: zone, ownDay: ownDay) } ?? present
        }
        guard old.isOfDays, written.duration.map({ $0.seconds == 0 }) ?? true else { return nil }
        let days = [written.start, written.end].map { text in
            text.map { try? day($0, in: zone, ownDay: ownDay) }
        }
        guard days.allSatisfy({ $0 != .some(nil) }) else { return nil }
        return (days[0] ?? present) ?? present
    }

    /// The last of whole days. A weekday, or a day without a year, is the next one from the first
    /// day on, unless that would be too long after it.
    private func lastDay(
        _ text: String, from first: CivilDate, in zone: Zone
    ) throws(Refusal) -> CivilDate {
        let last = try day(text, in: zone, ownDay: OwnDay(ofStart: first))
        guard last > first.adding(days: MeetingRules.durationDaysMax) else { return last }
        return min(last, try day(text, in: zone))
    }

    private func day(
        _ text: String, in zone: Zone, ownDay: OwnDay? = nil
    ) throws(Refusal) -> CivilDate {
        guard !text.isEmpty else {
            throw Refusal(
                .invalid, code: "no_start", "The day is missing. Write it such as \"12 dec\".",
                advice: [.give([.start])])
        }
        let now = zone.wallTime(at: now)
        if let day = TypedTime.day(text, now: now, ownDay: ownDay) { return day }
        do throws(TimeTextError) {
            switch try TypedTime.parse(text, now: now, ownDay: ownDay) {
            case .date(let date): return date
            case .wall(let wall) where wall.time == .midnight: return wall.date
            case .wall, .instant, .fromNow: break
            }
        } catch {
            throw Refusal(.invalid, code: "bad_time", error.message)
        }
        throw Refusal(
            .invalid, code: "bad_time",
            "\"\(text)\" names a time. Whole days are named without one.")
    }
}

extension MeetingTime {
    /// The number of days that the meeting touches, at least 1.
    fileprivate func days(in zone: Zone) -> Int {
        let last = max(startsAt, endsAt.advanced(bySeconds: -1))
        return zone.wallTime(at: last).date.daysSince1970 - start.date.daysSince1970 + 1
    }
}
