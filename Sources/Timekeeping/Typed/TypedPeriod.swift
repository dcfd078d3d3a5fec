/// A start and an end that people type together: "fri 19:00-22:00", "8 dec 7-10pm", "19:30–01:00",
/// "fr von 19 bis 22 Uhr".
public struct TypedPeriod: Equatable, Sendable {
    /// The text without the end: "fri 19:00".
    public let start: String
    /// The end, a time of day. If it is not after the start, it is on the next day.
    public let end: CivilTime
    /// The length by the clock, from 1 second to 24 hours.
    public let length: TimeSpan
    /// True if the end is likely to be meant: it is on the same day, at midnight, or at most
    /// ``nightHoursMax`` after the start.
    public let isLikely: Bool

    /// The longest meeting whose end is typed without its day and is on the next day, in hours.
    public static let nightHoursMax = 12

    /// Parses two times without a day, such as "19:00-22:00" or "10 – 12"; nil if the text has
    /// another form.
    ///
    /// - Parameter times: the text.
    public init?(times: String) {
        guard times.utf8.count <= TimeTextError.textBytesMax else { return nil }
        let words = Self.words(times).filter { !Self.fillers.contains($0.lowercased()) }
        guard let (start, end) = Self.ends(of: words.joined()) else { return nil }
        self.init(start.shortText, from: start, to: end)
    }

    /// Parses a text; nil if it has no range of hours, as "dec 10-12" has none.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - now: the wall-clock time of typing.
    public init?(_ text: String, now: WallTime) {
        guard text.utf8.count <= TimeTextError.textBytesMax else { return nil }
        var words = Self.words(text)
        guard let place = words.lastIndex(where: { Self.ends(of: $0) != nil }),
            let (start, end) = Self.ends(of: words[place])
        else { return nil }
        let hasUhr =
            words.indices.contains(place + 1) && words[place + 1].lowercased() == "uhr"
        if hasUhr { words.remove(at: place + 1) }
        let rest = (words[..<place] + words[(place + 1)...])
            .filter { !Self.fillers.contains($0.lowercased()) }
        let isMeant =
            rest.isEmpty
            ? hasUhr || !Self.mayBeDay(words[place], start)
            : Self.isDay(rest.joined(separator: " "), now: now)
        guard isMeant else { return nil }
        words[place] = start.shortText
        self.init(words.joined(separator: " "), from: start, to: end)
    }

    /// The words around a range that carry no meaning.
    private static let fillers: Set<String> = ["from", "von", "uhr"]
    /// The words between a start and an end.
    private static let dashes: Set<String> = ["-", "–", "to", "until", "bis"]

    /// The words of a text, where a dash between blanks, or a word like it, connects those beside
    /// it.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var isConnected = false
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            let isDash = dashes.contains(word.lowercased())
            if isDash, words.count > 1, words.last?.lowercased() == "uhr" { words.removeLast() }
            if isDash || isConnected, let last = words.popLast() {
                words.append(last + (isDash ? "-" : word))
            } else {
                words.append(word)
            }
            isConnected = isDash
        }
        return words
    }

    private init(_ text: String, from start: CivilTime, to end: CivilTime) {
        self.start = text
        self.end = end
        let seconds = end.secondsSinceMidnight - start.secondsSinceMidnight
        let length = seconds > 0 ? seconds : seconds + CivilTime.secondsOfDay
        self.length = TimeSpan(days: 0, seconds: length)
        isLikely = seconds > 0 || end == .midnight || length <= Self.nightHoursMax * 3600
    }

    /// The times of "19:00-22:00", "19-22" and "7-10pm".
    private static func ends(of word: String) -> (CivilTime, CivilTime)? {
        let parts = word.lowercased().split(omittingEmptySubsequences: false) {
            $0 == "-" || $0 == "–"
        }.map(String.init)
        guard parts.count == 2 else { return nil }
        let half = parts[0].contains(where: \.isLetter) ? "" : parts[1].drop { !$0.isLetter }
        guard let start = time(parts[0] + half), let end = time(parts[1]) else { return nil }
        return (start, end)
    }

    private static func time(_ text: String) -> CivilTime? {
        guard !["24", "24:00"].contains(text) else { return .midnight }
        let isHour = (1...2).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
        return (try? TypedClock.time(isHour ? "\(text):00" : text, next: nil))?.value
    }

    /// True if a word can also be a day and a month.
    private static func mayBeDay(_ word: String, _ start: CivilTime) -> Bool {
        start.hour <= 12 && !word.contains { $0 == ":" || $0.isLetter }
    }

    private static func isDay(_ text: String, now: WallTime) -> Bool {
        if case .date? = try? TypedTime.parse(text, now: now) { return true }
        return false
    }
}
