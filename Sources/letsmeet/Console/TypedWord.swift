import Agenda
public import ArgumentParser
public import Ledger
public import Planning
import Timekeeping

/// A word from a fixed list that is typed as an argument, in upper or lower case.
public protocol TypedWord: ExpressibleByArgument, CaseIterable, RawRepresentable<String> {}

extension TypedWord {
    /// Reads the word in upper or lower case. The raw values are in lower case.
    public init?(argument: String) {
        self.init(rawValue: argument.lowercased())
    }
}

/// Types of lower modules that can be typed as arguments.
extension DeliveryState: TypedWord {}
extension NotificationKind: TypedWord {}
extension ExportFormat: TypedWord {}

/// Reads the reminder times of `--remind`, or `none`.
enum ReminderOption {
    /// - Returns: the times; `nil` if the option was not given.
    static func read(_ texts: [String]) throws -> [TimeSpan]? {
        let parts = try texts.names(for: "The list of reminders")
        guard !parts.isEmpty else { return nil }
        if parts == ["none"] { return [] }
        return try parts.flatMap(apart).map { try TimeSpan.parse($0) }
    }

    /// Reads the option's values from one line. An empty line means none.
    static func read(line: String) throws -> [TimeSpan] {
        try read([line].splitAtCommas) ?? []
    }

    /// The times in one value: "1d 1h" are two, "1d1h" and "1 hour 30 minutes" are one.
    private static func apart(_ text: String) -> [String] {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return words.allSatisfy { (try? TimeSpan.parse($0)) != nil } ? words : [text]
    }
}
