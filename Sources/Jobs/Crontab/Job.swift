public import Agenda
import Planning
public import Timekeeping

/// What a line of the crontab starts: a verb of letsmeet's own, or a command of the shell.
public enum Job: Hashable, Sendable {
    /// Plans digests for everybody who wants them.
    case digest(DigestPeriod)
    /// Reads the folder of address book files that the configuration names.
    case contactsSync
    /// Fetches the places of the catalogue that came from OpenStreetMap anew.
    case placesRefresh
    /// Reads the calendars again that say when people are busy.
    case calendarsRefresh
    /// Copies the database into the home's folder of backups, and keeps so many.
    case backup(keep: Int)
    /// Removes texts and runs that are older than this.
    case ledgerPrune(keep: TimeSpan)
    /// Looks whether the rules of time zones changed.
    case zoneCheck
    /// Looks the installation over.
    case doctor
    /// Runs a command of the shell, with what stands on its standard input.
    case run(ShellCommand)

    /// Whether it begins anew without harm when the daemon died while it ran.
    var isRepeatable: Bool { if case .run = self { false } else { true } }
}

/// A command as a line of a crontab names it.
public struct ShellCommand: Hashable, Sendable {
    /// What the shell runs.
    public let command: String
    /// What stands on its standard input.
    public let input: String

    /// Reads the text after `run`: as in every crontab, the first `%` begins the standard input and
    /// further ones end lines of it; `\%` is a percent sign, and before it `\\` a backslash.
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

/// Why words name no job, for people.
public struct JobFault: Error, Hashable, Sendable {
    /// What is wrong, and what to do.
    public let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension Job {
    /// How many backups are kept where nothing is said.
    static let backupsKept = 7
    /// How many backups may be kept at most.
    static let backupsKeptMax = 10_000
    /// How long texts are kept where nothing is said, in days.
    static let daysKept = 90

    /// The jobs that there are, as they are typed.
    static let forms = [
        "digest daily", "digest weekly",
        "contacts sync", "places refresh", "calendars refresh", "backup --keep 7",
        "ledger prune --keep 90d",
        "tzdata check", "doctor --quiet", "run COMMAND",
    ]

    /// The same as help says them.
    public static var formsText: String { forms.joined(separator: ", ") }

    /// Reads a job as a crontab names it.
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
        case nil: throw JobFault("there is none. \(Self.advice)")
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

    private static var advice: String { "Known are: \(forms.joined(separator: ", "))." }

    private static func advice(on words: [String]) -> String {
        if words.first == "letsmeet" { return "Leave out the word letsmeet. \(advice)" }
        return "\(advice) Another program is started with: run COMMAND"
    }

    private static func expect(
        _ rest: ArraySlice<String>, among known: [[String]], after verb: String
    ) throws(JobFault) {
        guard !known.contains(Array(rest)) else { return }
        throw JobFault(
            "\(verb) does not take \(rest.joined(separator: " ").quotedBriefly)."
                + (rest.contains { $0.hasPrefix("#") }
                    ? " A comment stands on a line of its own." : ""))
    }

    private static func shellCommand(in text: String) throws(JobFault) -> ShellCommand {
        let rest = text.drop { $0 == " " || $0 == "\t" }.dropFirst("run".count)
        let command = ShellCommand(rest.drop { $0 == " " || $0 == "\t" })
        guard command.command.contains(where: { !$0.isWhitespace }) else {
            throw JobFault("run wants a command, such as: run /usr/local/bin/sync-photos")
        }
        return command
    }

    private static func keptBackups(_ words: [String]) throws(JobFault) -> Int {
        guard let value = try keptValue(words, after: "backup") else { return backupsKept }
        guard let count = Int(value), (1...backupsKeptMax).contains(count) else {
            throw JobFault(
                "--keep is a number of backups from 1 to \(backupsKeptMax), not "
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
            throw JobFault("--keep is a day at least, such as 90d, not \(value.quotedBriefly).")
        }
        return span
    }

    /// The value of `--keep`, the only option; `nil` where it is not given.
    private static func keptValue(
        _ words: [String], after verb: String
    ) throws(JobFault) -> String? {
        guard let first = words.first else { return nil }
        if first == "--keep", words.count == 2 { return words[1] }
        if first.hasPrefix("--keep="), words.count == 1 {
            return String(first.dropFirst("--keep=".count))
        }
        guard words != ["--keep"] else { throw JobFault("--keep wants a value.") }
        try expect(words[...], among: [], after: verb)
        return nil
    }
}

extension Job: CustomStringConvertible {
    /// The job as it is typed.
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
    /// The text between quotes; of a long one the beginning.
    var quotedBriefly: String {
        count > 60 ? "\"\(prefix(60))…\"" : "\"\(self)\""
    }
}
