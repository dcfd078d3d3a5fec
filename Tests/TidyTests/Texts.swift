import Foundation

/// The texts in sources: how doc comments begin, and which words strings must not hold.
enum Texts {
    /// The most doc comments that begin with a question word. The remaining ones say `Whether` of
    /// a Boolean. Lower this number when you can, and never raise it.
    static let questionsMax = 200

    /// Doc comments whose first sentence begins with a question word.
    static func questions(in source: Source) -> [Finding] {
        let pattern =
            "^ */// ?(What|Who|Whom|Whose|Whether|How|Those|By whose|By what|By which)\\b"
        return source.lines.indices.filter { index in
            let isFirst =
                index == 0 || !source.lines[index - 1].drop { $0 == " " }.hasPrefix("///")
            return isFirst && source.lines[index].firstMatch(of: pattern)
        }.map { source.finding(line: $0 + 1, source.lines[$0]) }
    }

    /// The modules whose strings may hold commands and options: the interface of the command line.
    private static let commandLine: Set<String> = [
        "Programs", "letsmeet", "letsmeetd", "letsmeet-bench",
    ]
    /// The files whose strings hold the language of the crontab, which has options of its own.
    private static let crontabFiles: Set<String> = ["Job.swift", "LineOptions.swift"]

    /// Commands and options of the command line in strings below it.
    static func commands(in source: Source) -> [Finding] {
        guard !commandLine.contains(source.module), !crontabFiles.contains(source.fileName) else {
            return []
        }
        let words =
            "people|circle|place|meeting|rsvp|nudge|message|why|outbox|remind|ledger|calendar"
            + "|cron|sink|mail|template|today|config|doctor|backup|restore|demo|setup|feed|check"
            + "|once|run"
        let pattern = "\"[^\"]*(\\bletsmeetd? (\(words))\\b|(?<![\\w-])--[a-z][a-z-]+)"
        return source.lines.indices.filter { index in
            let line = source.lines[index]
            return !line.drop { $0 == " " }.hasPrefix("//") && line.firstMatch(of: pattern)
        }.map { source.finding(line: $0 + 1, "a command line below the command line") }
    }

    /// Reads of the text of a notification's mark outside `NotificationMark`: only the store and
    /// JSON take it as it is.
    static func marks(in source: Source) -> [Finding] {
        let allowed = ["NotificationMark.swift", "NotificationMark+Answers.swift"]
        guard !allowed.contains(source.fileName) else { return [] }
        let takesAsIs = ["LedgerChanges.swift", "DeliveryKey.swift", "DeliveryView.swift"]
        let pattern =
            takesAsIs.contains(source.fileName) ? "mark\\.text\\.\\w" : "\\.mark\\.text\\b"
        return source.lines.indices.filter { source.lines[$0].firstMatch(of: pattern) }
            .map { source.finding(line: $0 + 1, "a mark is read outside of NotificationMark") }
    }
}

extension String {
    fileprivate func firstMatch(of pattern: String) -> Bool {
        range(of: pattern, options: .regularExpression) != nil
    }
}
