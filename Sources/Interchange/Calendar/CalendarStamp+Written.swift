import Timekeeping

extension CalendarStamp {
    /// A time in the form of iCalendar, or in one that other programs write instead: with
    /// separators ("2026-12-01T20:00:00.000Z"), with an offset ("20261201T200000+0100"), without
    /// seconds, or at 24:00. `nil` if the text has another form, or the time does not exist.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - hasZone: true if the zone is named elsewhere, so that an offset adds nothing.
    init?(written text: some StringProtocol, hasZone: Bool = false) {
        if let plain = CalendarStamp(text) {
            self = plain
            return
        }
        guard text.utf8.count <= Self.writtenOctetsMax, text.utf8.first?.isASCIIDigit == true,
            let parts = String(text).wholeMatch(of: Self.writtenForm),
            case .day(let date)? = CalendarStamp("\(parts.1)\(parts.2)\(parts.3)")
        else { return nil }
        guard let clock = parts.4 else {
            self = .day(date)
            return
        }
        guard !clock.isEmpty else {
            self = .wall(WallTime(date: date, time: .midnight))
            return
        }
        guard let time = clock.wholeMatch(of: Self.writtenClock), let hour = Int(time.1),
            let minute = Int(time.2)
        else { return nil }
        let second = time.3.flatMap { Int($0) } ?? 0
        guard minute < 60, second < 60, hour < 24 || hour == 24 && minute == 0 && second == 0
        else { return nil }
        let midnight = WallTime(date: date, time: .midnight).secondsSince1970
        let wall = WallTime(
            secondsSince1970: midnight + Int64(hour * 3600 + minute * 60 + second))
        guard let offset = time.4, !hasZone else {
            self = .wall(wall)
            return
        }
        guard let east = ISO8601.offsetSeconds(String(offset)) else { return nil }
        self = .utc(Moment(seconds: wall.secondsSince1970 - Int64(east)))
    }

    private static let writtenOctetsMax = 40

    // Making a regular expression takes much longer than matching one. Matching does not change it.

    /// The day, and the time with its offset.
    nonisolated(unsafe) private static let writtenForm =
        /([0-9]{4})-?([0-9]{2})-?([0-9]{2})(?:[Tt ]([0-9:.,+Zz-]*))?/

    /// The hour, the minute, the second and the offset.
    nonisolated(unsafe) private static let writtenClock =
        /([0-9]{2}):?([0-9]{2})(?::?([0-9]{2})(?:[.,][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?/
}

extension CalendarLine {
    /// The properties whose values are times.
    private static let times: Set = [
        "DTSTART", "DTEND", "DUE", "RECURRENCE-ID", "RDATE", "EXDATE", "DTSTAMP", "CREATED",
        "LAST-MODIFIED", "FREEBUSY",
    ]

    /// The property with its times in the form of RFC 5545, if another program wrote them
    /// otherwise; `nil` if there is nothing to change.
    var inCalendarForm: CalendarLine? {
        if name == "RRULE" { return withPlainEnd }
        if ["TRIGGER", "DURATION"].contains(name) { return withPlainLength }
        if name == "STATUS", plainText.uppercased() == "CANCELED" { return saying("CANCELLED") }
        guard Self.times.contains(name) else { return nil }
        if let days = writtenDays { return days }
        let hasZone = parameter("TZID").map { !$0.isEmpty } ?? false
        var isOther = false
        let texts = plainText.split(separator: ",", omittingEmptySubsequences: false).map { text in
            text.split(separator: "/", omittingEmptySubsequences: false).map { part -> String in
                guard CalendarStamp(part) == nil,
                    let stamp = CalendarStamp(written: part, hasZone: hasZone)
                else { return String(part) }
                isOther = true
                return stamp.description
            }.joined(separator: "/")
        }
        return isOther ? saying(texts.joined(separator: ",")) : nil
    }

    /// A whole day that another program wrote as a time at midnight, in whatever zone
    /// ("VALUE=DATE:20261202T000000Z"); `nil` for another value.
    private var writtenDays: CalendarLine? {
        guard parameter("VALUE")?.uppercased() == "DATE" else { return nil }
        let values = plainText.split(separator: ",", omittingEmptySubsequences: false)
        let days = values.compactMap { $0.wholeMatch(of: Self.midnight).map { String($0.1) } }
        guard !days.isEmpty, days.count == values.count else { return nil }
        return saying(days.joined(separator: ","), type: "DATE")
    }

    nonisolated(unsafe) private static let midnight =
        /([0-9]{8})T0000(?:00)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?/

    /// A length of time in the form of RFC 5545, 3.3.6, if another program put the days behind the
    /// T ("PT0DT0H10M0S"), or a second sign ("-P-2D"); `nil` if there is nothing to change.
    private var withPlainLength: CalendarLine? {
        let text = plainText.uppercased()
        let sign = text.prefix { "+-".contains($0) }
        var length = text.dropFirst(sign.count)
        guard length.hasPrefix("P"), TimeSpan(calendar: String(length)) == nil else { return nil }
        length = length.dropFirst()
        if length.hasPrefix("-") { length = length.dropFirst() }
        if length.hasPrefix("T"), length.contains("D") { length = length.dropFirst() }
        guard TimeSpan(calendar: "P\(length)") != nil else { return nil }
        return saying("\(sign)P\(length)")
    }

    /// A recurrence rule with its last date in the form of RFC 5545; `nil` if it is so already.
    private var withPlainEnd: CalendarLine? {
        let text = plainText
        let part = text.split(separator: ";").first { $0.prefix(6).uppercased() == "UNTIL=" }
        guard let end = part?.dropFirst(6), CalendarStamp(end) == nil,
            let stamp = CalendarStamp(written: end)
        else { return nil }
        return saying(text[..<end.startIndex] + stamp.description + text[end.endIndex...])
    }
}
