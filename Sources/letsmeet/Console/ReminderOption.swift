import Agenda
import Planning
import Timekeeping

/// Reads the durations of `--remind`: several, or `none`.
enum ReminderOption {
    /// - Returns: `nil` when the option was not given.
    static func read(_ texts: [String]) throws -> [TimeSpan]? {
        let parts = try texts.names(for: "The text that says when to remind")
        guard !parts.isEmpty else { return nil }
        if parts == ["none"] { return [] }
        return try parts.map { try TimeSpan.parse($0) }
    }

    /// Reads a line in which the option's values stand as they would after the option: "1d 1h" are
    /// two, "1 hour 30 minutes" is one. A line without a word in it means none.
    static func read(line: String) throws -> [TimeSpan] {
        let parts = [line].splitAtCommas.flatMap { part in
            let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
            return words.allSatisfy { (try? TimeSpan.parse($0)) != nil } ? words : [part]
        }
        return try read(parts) ?? []
    }
}
