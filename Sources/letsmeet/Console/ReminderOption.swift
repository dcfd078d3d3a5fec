import Agenda
import Planning
import Timekeeping

/// Reads the durations of `--remind`: several, or `none`.
enum ReminderOption {
    /// - Returns: `nil` when the option was not given.
    static func read(_ texts: [String]) throws -> [TimeSpan]? {
        let parts = texts.splitAtCommas
        guard !parts.isEmpty else { return nil }
        if parts == ["none"] { return [] }
        return try parts.map { try TimeSpan.parse($0) }
    }
}
