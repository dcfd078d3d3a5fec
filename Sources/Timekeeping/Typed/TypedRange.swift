/// A range of hours in one word: "19-21", "19:00-20:30" or "9–11". It is not a time, because a time
/// is only a start; it is parsed to say what to write instead.
struct TypedRange {
    /// The first time.
    let start: CivilTime
    /// The length as ``TimeSpan/parse(_:)`` reads it, for example "2h" or "1h30m".
    let length: String
    /// True if the word can also be a day and a month, as "10-12" can.
    let mayBeDay: Bool

    /// Parses a word; nil if it has another form.
    init?(_ word: String) {
        let parts = word.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "–" }
        let ends = parts.compactMap(TypedRange.minutes)
        guard parts.count == 2, ends.count == 2, ends[0] < ends[1],
            let start = CivilTime(secondsSinceMidnight: ends[0] * 60)
        else { return nil }
        self.start = start
        let minutes = ends[1] - ends[0]
        length = [(minutes / 60, "h"), (minutes % 60, "m")].filter { $0.0 > 0 }
            .map { "\($0.0)\($0.1)" }.joined()
        let isPlain = word.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "-") }
        mayBeDay = isPlain && start.hour <= 12
    }

    /// The minutes from 00:00 to a time such as "9", "19" or "19:30", at most 24:00.
    private static func minutes(_ text: Substring) -> Int? {
        var cursor = TextCursor(text)
        guard let hour = cursor.number(digitsMax: 2) else { return nil }
        let written = cursor.take(":") ? cursor.number(digits: 2) : 0
        guard let minute = written, minute < 60, cursor.isAtEnd else { return nil }
        let minutes = hour * 60 + minute
        return minutes <= 24 * 60 ? minutes : nil
    }
}
