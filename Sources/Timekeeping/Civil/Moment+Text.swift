extension Moment {
    /// The moment in RFC 3339 form at an offset, for example "2026-12-01T18:00:00+02:00".
    /// Milliseconds are shown only if they are not 0.
    ///
    /// RFC 3339 offsets have no seconds. They are dropped from the offset, and the time is that of
    /// the shown offset, so that the text always means exactly this moment. Offsets of a day or
    /// more are shown as 23:59. Moments outside of the years 1 to 9999 are shown as the first or
    /// the last second of that range.
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

    /// The moment in UTC with milliseconds, for example "2026-12-01T16:00:00.000Z". Moments outside
    /// of the years 1 to 9999 are shown as the first or the last second of that range.
    public var utcText: String {
        var text = DigitText()
        text.append(WallTime(secondsSince1970: seconds))
        text.append(".")
        text.append(Int(milliseconds.dividedFloored(by: 1000).remainder), width: 3)
        text.append("Z")
        return text.string
    }

    /// Parses a text with an offset, for example "2026-12-01T18:00:00+02:00" or
    /// "2026-12-01T16:00Z".
    ///
    /// - Throws: ``TimeTextError``, also if the text is a date or a time without an offset.
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
