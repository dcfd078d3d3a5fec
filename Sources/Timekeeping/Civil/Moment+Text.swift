extension Moment {
    /// The moment in the form of RFC 3339 at an offset, as "2026-12-01T18:00:00+02:00"; with
    /// milliseconds only where there are some.
    ///
    /// RFC 3339 knows no seconds of an offset: they are cut off, and the time is that of the
    /// offset shown, so that the text always names this very moment. Offsets of a day and more
    /// are shown as 23:59, and moments outside of the years 1 to 9999 as the first or last second
    /// of these.
    public func rfc3339(offsetSeconds: Int) -> String {
        let offset = ISO8601.shownOffset(seconds: offsetSeconds)
        let milliseconds = milliseconds.dividedFloored(by: 1000).remainder
        var text = DigitText()
        text.append(WallTime(secondsSince1970: seconds.addingSaturated(Int64(offset))))
        if milliseconds != 0 {
            text.append(".")
            text.append(Int(milliseconds), width: 3)
        }
        text.append(offsetSeconds: offset)
        return text.string
    }

    /// The moment in UTC with milliseconds, as "2026-12-01T16:00:00.000Z"; outside of the years 1
    /// to 9999 the first or last second of these.
    public var utcText: String {
        var text = DigitText()
        text.append(WallTime(secondsSince1970: seconds))
        text.append(".")
        text.append(Int(milliseconds.dividedFloored(by: 1000).remainder), width: 3)
        text.append("Z")
        return text.string
    }

    /// Reads a text with an offset, as "2026-12-01T18:00:00+02:00" or "2026-12-01T16:00Z".
    ///
    /// - Throws: ``TimeTextError`` also where the text is a date or time without an offset.
    public static func parse(_ text: String) throws(TimeTextError) -> Moment {
        switch try ISO8601.value(of: text) {
        case .instant(let moment, _): return moment
        case .wall, .date: throw .offsetMissing(text)
        case nil: throw .notAnInstant(text)
        }
    }
}

extension TimeTextError {
    private static let instants = "write 2026-12-01T18:00:00+02:00 or 2026-12-01T16:00:00Z."

    fileprivate static func offsetMissing(_ text: String) -> Self {
        .init("\(text.quoted) has no offset from UTC: \(instants)")
    }

    fileprivate static func notAnInstant(_ text: String) -> Self {
        .init("\(text.quoted) is not a date and time with an offset from UTC: \(instants)")
    }
}
