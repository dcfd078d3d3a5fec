public import Agenda
import Planning
public import Timekeeping

/// The job of a line of the crontab: a built-in job or a shell command.
public enum Job: Hashable, Sendable {
    /// Plans the digests of everybody who has enabled them.
    case digest(DigestPeriod)
    /// Imports the folder of address book files set in `contacts.folder`.
    case contactsSync
    /// Fetches the places that came from OpenStreetMap again.
    case placesRefresh
    /// Fetches the busy calendars again.
    case calendarsRefresh
    /// Copies the database into the backup folder of the home and keeps the newest `keep` backups.
    case backup(keep: Int)
    /// Removes texts and runs older than `keep`.
    case ledgerPrune(keep: TimeSpan)
    /// Checks whether the rules of time zones have changed.
    case zoneCheck
    /// Checks the installation.
    case doctor
    /// Runs a shell command with the given standard input.
    case run(ShellCommand)

    /// Whether the job may safely run again after the daemon crashed during a run.
    var isRepeatable: Bool { if case .run = self { false } else { true } }
}

/// A shell command of a crontab line.
public struct ShellCommand: Hashable, Sendable {
    /// The command that the shell runs.
    public let command: String
    /// The standard input of the command.
    public let input: String

    /// Parses the text after `run`. As in every crontab, the first `%` starts the standard input
    /// and each further `%` is a line break; `\%` is a percent sign. Before the first `%`, `\\` is
    /// a backslash.
    init(_ text: some StringProtocol) {
        var command = ""
        var rest = Substring(text)
        while let character = rest.popFirst(), character != "%" {
            if character == "\\", let next = rest.first, next == "%" || next == "\\" {
                rest.removeFirst()
                command.append(next)
            } else {
                command.append(character)
            }
        }
        self.command = command
        input = rest.isEmpty ? "" : Self.lines(rest)
    }

    private static func lines(_ text: Substring) -> String {
        var lines = ""
        var rest = text
        while let character = rest.popFirst() {
            if character == "\\", rest.first == "%" {
                rest.removeFirst()
                lines.append("%")
            } else {
                lines.append(character == "%" ? "\n" : character)
            }
        }
        return lines.hasSuffix("\n") ? lines : lines + "\n"
    }
}

/// The reason why a text names no job, for people.
public struct JobFault: Error, Hashable, Sendable {
    /// The fault, and what to do about it.
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension Job {
    /// The number of backups kept by default.
    static let backupsKept = 7
    /// The largest number of backups that can be kept.
    static let backupsKeptMax = 10_000
    /// The number of days for which texts are kept by default.
    static let daysKept = 90

    /// The forms of all jobs, as typed.
    static let forms = [
        "digest daily", "digest weekly",
        "contacts sync", "places refresh", "calendars refresh", "backup --keep 7",
        "ledger prune --keep 90d",
        "tzdata check", "doctor --quiet", "run COMMAND",
    ]

    /// The forms of all jobs as one text, for help.
    public static var formsText: String { forms.joined(separator: ", ") }

    /// Parses a job as written in a crontab.
    ///
    /// - Throws: ``JobFault``.
    public init(_ text: String) throws(JobFault) {
        let words = text.split { $0 == " " || $0 == "\t" }.map { String($0) }
        switch words.first {
        case "run": self = .run(try Self.shellCommand(in: text))
        case "backup": self = .backup(keep: try Self.keptBackups(Array(words.dropFirst())))
        case "doctor":
            try Self.expect(words.dropFirst(), among: [[], ["--quiet"]], after: "doctor")
            self = .doctor
        case nil: throw JobFault("no job is named. \(Self.advice)")
        default: self = try Self.ofTwoWords(words, text: text)
        }
    }

    private static func ofTwoWords(_ words: [String], text: String) throws(JobFault) -> Job {
        let verb = words.prefix(2).joined(separator: " ")
        let rest = words.dropFirst(2)
        switch verb {
        case "digest daily", "digest weekly":
            try expect(rest, among: [[]], after: verb)
            return .digest(verb == "digest daily" ? .daily : .weekly)
        case "contacts sync":
            try expect(rest, among: [[]], after: verb)
            return .contactsSync
        case "places refresh":
            try expect(rest, among: [[]], after: verb)
            return .placesRefresh
        case "calendars refresh":
            try expect(rest, among: [[]], after: verb)
            return .calendarsRefresh
        case "tzdata check":
            try expect(rest, among: [[]], after: verb)
            return .zoneCheck
        case "ledger prune": return .ledgerPrune(keep: try keptTime(Array(rest)))
        default: throw JobFault("there is no job \(text.quotedBriefly). \(advice(on: words))")
        }
    }

    private static var advice: String { "The jobs are: \(forms.joined(separator: ", "))." }

    private static func advice(on words: [String]) -> String {
        if words.first == "letsmeet" { return "Leave out the word letsmeet. \(advice)" }
        return "\(advice) To start another program: run COMMAND"
    }

    private static func expect(
        _ rest: ArraySlice<String>, among known: [[String]], after verb: String
    ) throws(JobFault) {
        guard !known.contains(Array(rest)) else { return }
        throw JobFault(
            "\(verb) does not take \(rest.joined(separator: " ").quotedBriefly)."
                + (rest.contains { $0.hasPrefix("#") }
                    ? " Put comments on lines of their own." : ""))
    }

    private static func shellCommand(in text: String) throws(JobFault) -> ShellCommand {
        let rest = text.drop { $0 == " " || $0 == "\t" }.dropFirst("run".count)
        let command = ShellCommand(rest.drop { $0 == " " || $0 == "\t" })
        guard command.command.contains(where: { !$0.isWhitespace }) else {
            throw JobFault("run needs a command, such as: run /usr/local/bin/sync-photos")
        }
        return command
    }

    private static func keptBackups(_ words: [String]) throws(JobFault) -> Int {
        guard let value = try keptValue(words, after: "backup") else { return backupsKept }
        guard let count = Int(value), (1...backupsKeptMax).contains(count) else {
            throw JobFault(
                "--keep takes a number of backups from 1 to \(backupsKeptMax), not "
                    + "\(value.quotedBriefly).")
        }
        return count
    }

    private static func keptTime(_ words: [String]) throws(JobFault) -> TimeSpan {
        guard let value = try keptValue(words, after: "ledger prune") else {
            return TimeSpan(days: daysKept, seconds: 0)
        }
        let span: TimeSpan
        do throws(TimeTextError) {
            span = try TimeSpan.parse(value)
        } catch {
            throw JobFault("--keep: \(error.message)")
        }
        guard span.days > 0 else {
            throw JobFault(
                "--keep must be at least one day, such as 90d, not \(value.quotedBriefly).")
        }
        return span
    }

    /// The value of `--keep`, the only option; `nil` if it is not given.
    private static func keptValue(
        _ words: [String], after verb: String
    ) throws(JobFault) -> String? {
        guard let first = words.first else { return nil }
        if first == "--keep", words.count == 2 { return words[1] }
        if first.hasPrefix("--keep="), words.count == 1 {
            return String(first.dropFirst("--keep=".count))
        }
        guard words != ["--keep"] else { throw JobFault("--keep needs a value.") }
        try expect(words[...], among: [], after: verb)
        return nil
    }
}

extension Job: CustomStringConvertible {
    /// The job as typed.
    public var description: String {
        switch self {
        case .digest(let period): "digest \(period.rawValue)"
        case .contactsSync: "contacts sync"
        case .placesRefresh: "places refresh"
        case .calendarsRefresh: "calendars refresh"
        case .backup(let keep): "backup --keep \(keep)"
        case .ledgerPrune(let keep): "ledger prune --keep \(keep.iso)"
        case .zoneCheck: "tzdata check"
        case .doctor: "doctor --quiet"
        case .run(let command): "run \(command.command)"
        }
    }
}

extension String {
    /// The text in quotes. A text over 60 characters is cut.
    var quotedBriefly: String {
        count > 60 ? "\"\(prefix(60))…\"" : "\"\(self)\""
    }
}
