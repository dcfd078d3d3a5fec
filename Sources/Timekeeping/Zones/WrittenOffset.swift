/// An offset from UTC as people write it: "UTC+2", "GMT+2:30", "utc -0530" or "+5:30". Such a text
/// is not the name of a time zone, but it shows which offset is meant.
struct WrittenOffset {
    /// The largest offset of a place.
    private static let minutesMax = 14 * 60

    /// The offset as ``ISO8601`` reads it, for example "+02:30"; `nil` if no place has such an
    /// offset.
    let spelling: String?

    /// Parses a text; `nil` if it has another form.
    init?(_ text: String) {
        let plain = text.uppercased().filter { $0 != " " }
        let name = ["GMT", "UTC"].first(where: plain.hasPrefix) ?? ""
        var cursor = TextCursor(plain.dropFirst(name.count))
        guard let sign = cursor.take(anyOf: "+-") else { return nil }
        let number = cursor.text { $0.isDigit || $0 == UInt8(ascii: ":") }
        guard cursor.isAtEnd, !number.isEmpty else { return nil }
        guard let minutes = Self.minutes(number), minutes <= Self.minutesMax else {
            spelling = nil
            return
        }
        var shown = DigitText()
        shown.append(offsetSeconds: minutes * (sign == UInt8(ascii: "-") ? -60 : 60))
        spelling = shown.string
    }

    /// The minutes in "2", "02", "2:30", "02:30", "230" or "0230"; `nil` for other texts.
    private static func minutes(_ text: String) -> Int? {
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 1, text.count > 2 { parts = [text.dropLast(2), text.suffix(2)] }
        if parts.count == 1 { parts.append("00") }
        guard parts.count == 2, parts[0].count <= 2, parts[1].count == 2,
            let hours = Int(parts[0]), let minutes = Int(parts[1]), minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }
}
