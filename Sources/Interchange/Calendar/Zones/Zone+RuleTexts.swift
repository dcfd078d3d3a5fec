import Timekeeping

extension Zone {
    /// The lasting rules of the zone in the form of POSIX ("<-05>5<-04>4,M3.2.0/2,M11.1.0/2"), or
    /// the offset of a zone whose clocks never change ("-03:30"), as they show in the year after a
    /// moment.
    ///
    /// - Parameter moment: the moment.
    /// - Returns: the rules that fit this year. "The fourth Sunday" may also mean "the last", so
    ///   that there may be several. None if the clocks change more than twice a year.
    func ruleTexts(from moment: Moment) -> [String] {
        let year = wallTime(at: moment).date.year + 1
        guard let first = try? CivilDate(year: year, month: 1, day: 1),
            let last = try? CivilDate(year: year + 1, month: 1, day: 1)
        else { return [] }
        let clocks = clocks(
            from: self.moment(of: WallTime(date: first, time: .midnight)),
            through: self.moment(of: WallTime(date: last, time: .midnight)))
        guard clocks.count == 3 else {
            return clocks.count == 1 ? [Zone(fixedOffsetSeconds: Int(clocks[0][1])).id] : []
        }
        let (winter, summer) = (min(clocks[0][1], clocks[1][1]), max(clocks[0][1], clocks[1][1]))
        guard winter < summer, clocks[2][1] == clocks[0][1] else { return [] }
        let changes = [1, 2].map { Self.ruleDays(at: clocks[$0][0], from: clocks[$0 - 1][1]) }
        let toSummer = clocks[1][1] == summer ? changes[0] : changes[1]
        let toWinter = clocks[1][1] == summer ? changes[1] : changes[0]
        let head = Self.ruleText(ofOffset: winter) + Self.ruleText(ofOffset: summer)
        return toSummer.flatMap { one in toWinter.map { "\(head),\(one),\($0)" } }
    }

    /// A numeric zone name and its offset, whose sign is reversed in POSIX: "<+0530>-5:30".
    private static func ruleText(ofOffset seconds: Int64) -> String {
        let size = abs(seconds)
        let (hours, minutes) = (size / 3600, size / 60 % 60)
        let digits = (hours < 10 ? "0" : "") + "\(hours)"
        let rest = minutes == 0 ? "" : (minutes < 10 ? "0" : "") + "\(minutes)"
        let name = (seconds < 0 ? "-" : "+") + digits + rest
        return "<\(name)>" + (seconds > 0 ? "-" : "") + "\(hours)"
            + (minutes == 0 ? "" : ":\(minutes)")
    }

    /// The rules for a yearly change that happened at a moment (milliseconds since 1970) with an
    /// offset before it in seconds: "M3.2.0/2".
    private static func ruleDays(at milliseconds: Int64, from offset: Int64) -> [String] {
        let wall = WallTime(secondsSince1970: milliseconds / 1000 + offset)
        let date = wall.date
        let seconds = Int(wall.secondsSince1970) - date.daysSince1970 * CivilTime.secondsOfDay
        let time = "\(seconds / 3600)" + (seconds % 3600 == 0 ? "" : ":\(seconds / 60 % 60)")
        let isLast = date.adding(days: 7).month != date.month
        let weeks = isLast ? [5, (date.day - 1) / 7 + 1] : [(date.day - 1) / 7 + 1]
        return weeks.map {
            "M\(date.month).\($0).\(date.weekday.rawValue % 7)/\(time)"
        }
    }
}
