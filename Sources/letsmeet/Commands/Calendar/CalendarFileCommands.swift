import ArgumentParser
import Planning
import Wording

struct CalendarImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Make meetings of the events in calendar files.",
        discussion: """
            Each event becomes a meeting of yours to which nobody is asked; its alarms become \
            reminders. Read again, it is brought up to date, never doubled. What no meeting can be \
            made of, such as a task, is kept as it stands, and is there again in what is exported. \
            "-" is standard input.

            EXAMPLE: letsmeet calendar import holidays.ics
            EXAMPLE: curl -s https://example.org/club.ics | letsmeet calendar import -
            """)

    @Argument(help: "Calendar files, or - for standard input.", completion: .file()) var files:
        [String]
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await imported()
        try common.confirm(report) { Self.text(report) }
    }

    private func imported() async throws -> CalendarImportReport {
        Terminal.progress("Reading…")
        defer { Terminal.progress("") }
        return try await common.planner().importCalendars(files) { done, total in
            if total > Self.quietObjectsMax { Terminal.progress("\(done) of \(total)") }
        }
    }

    /// An import of fewer is over before anybody wonders.
    private static let quietObjectsMax = 400

    private static func text(_ report: CalendarImportReport) -> String {
        let head =
            "\(report.imported) imported, \(report.updated) updated, "
            + "\(report.unchanged) unchanged."
        return
            ([head] + report.kept.lines { "\($0) kept as they stand, and no meetings:" }
            + report.skipped.lines { "\(TimeWords.count($0, "part")) skipped:" }
            + report.warnings.lines { "\(TimeWords.count($0, "warning")):" })
            .joined(separator: "\n")
    }
}

struct CalendarExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write your meetings to standard output, as iCalendar.",
        discussion: """
            All of your meetings are in it, those that are over and those that are off as well, \
            with what was read from calendar files and is no meeting. It is no invitation: what \
            imports it writes to nobody. Guests of meetings made here are not named; what was \
            read says what its file said. With --json it is the text of one object, \
            {"format":"icalendar","text":"…"}.

            EXAMPLE: letsmeet calendar export > meetings.ics
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.answerCalendar(try await common.planner().exportCalendar())
    }
}

struct MeetingExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a meeting to standard output, as iCalendar.",
        discussion: """
            A series is written with all its dates. It is no invitation: what imports it writes \
            to nobody, and guests are not named. With --json it is the text of one object, \
            {"format":"icalendar","text":"…"}.

            EXAMPLE: letsmeet meeting export next > meeting.ics
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        try common.answerCalendar(try await common.planner().exportMeeting(meeting))
    }
}

extension CommonOptions {
    private struct Answer: Encodable {
        let format = "icalendar"
        let text: String
    }

    /// Prints a calendar file, octet for octet.
    fileprivate func answerCalendar(_ octets: [UInt8]) throws {
        let text = String(decoding: octets, as: UTF8.self)
        guard json else { return Terminal.pass(text) }
        Terminal.answer(try JSONText.of(Answer(text: text)))
    }
}

extension [ImportReport.Skipped] {
    /// So many parts are named.
    private static let partsMax = 20

    /// What was left out, each part on a line of its own; nothing where nothing was.
    func lines(head: (_ count: Int) -> String) -> [String] {
        guard !isEmpty else { return [] }
        let lines = prefix(Self.partsMax).map { part in
            "  \(part.file)\(part.line.map { ":\($0)" } ?? ""): \(part.reason)"
        }
        let more = count > Self.partsMax ? ["  and \(count - Self.partsMax) more"] : []
        return [head(count)] + lines + more
    }
}
