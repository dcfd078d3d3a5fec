import Agenda
import ArgumentParser
import Calendars
import Planning
import Programs
import Wording

struct CalendarImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Create meetings from the events in calendar files.",
        discussion: """
            Each event becomes a meeting of yours without guests, and its alarms become reminders. \
            Importing an event again updates its meeting and never duplicates it. Other entries, \
            such as tasks, are stored unchanged and included in exports. "-" is standard input.

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

    /// The size of an import up to which no progress is shown, because it ends quickly.
    private static let quietObjectsMax = 400

    private static func text(_ report: CalendarImportReport) -> String {
        let others = report.unchangedOthers
        let head =
            "\(report.imported) imported, \(report.updated) updated, "
            + "\(report.unchanged - others) unchanged."
        let known =
            others == 1
            ? ["1 entry that is not a meeting is stored as before."]
            : others > 0 ? ["\(others) entries that are not meetings are stored as before."] : []
        return
            ([head] + known + report.kept.lines { "\($0) stored unchanged, not as meetings:" }
            + report.skipped.lines { "\(TimeWords.count($0, "part")) skipped:" }
            + report.warnings.lines { "\(TimeWords.count($0, "warning")):" }
            + report.unused.lines)
            .joined(separator: "\n")
    }
}

struct CalendarExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export your meetings as iCalendar to standard output.",
        discussion: """
            The export contains all your meetings, also past and cancelled ones, and the imported \
            entries that are not meetings. It is not an invitation: a program that imports it \
            writes to nobody. Guests of meetings made here are left out; imported entries keep \
            what their file said. With --json, the export is the text of one object, \
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
        commandName: "export", abstract: "Export a meeting as iCalendar to standard output.",
        discussion: """
            A recurring meeting is exported with all its dates. The export is not an invitation: a \
            program that imports it writes to nobody, and guests are left out. With --json, the \
            export is the text of one object, {"format":"icalendar","text":"…"}.

            EXAMPLE: letsmeet meeting export next > meeting.ics
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting)
        try common.answerCalendar(try await planner.exportMeeting(id))
    }
}

extension CommonOptions {
    private struct Answer: Encodable {
        let format = "icalendar"
        let text: String
    }

    /// Prints a calendar file byte for byte.
    fileprivate func answerCalendar(_ octets: [UInt8]) throws {
        let text = String(decoding: octets, as: UTF8.self)
        guard json else { return Terminal.pass(text) }
        Terminal.answer(try JSONText.of(Answer(text: text)))
    }
}

extension [ImportReport.Skipped] {
    /// The most kinds that are listed.
    private static let kindsMax = 100

    /// A heading and a line for each kind; empty if there are no parts.
    func lines(head: (_ count: Int) -> String) -> [String] {
        guard !isEmpty else { return [] }
        let kinds = kinds
        let more = kinds.count - Self.kindsMax
        return [head(placeCount)] + kinds.prefix(Self.kindsMax).map(Self.line)
            + (more > 0 ? ["  and \(TimeWords.count(more, "other problem"))"] : [])
    }

    private static func line(_ kind: ImportReport.Kind) -> String {
        let part = kind.first
        let words = part.remark.words(AdviceText.renderer)
        let others = others(of: kind)
        let isOpen = !others.isEmpty && words.last.map { !".!?".contains($0) } == true
        return "  \(part.file)\(part.line.map { ":\($0)" } ?? ""): \(words)"
            + (isOpen ? "." : "") + others
    }

    /// " The same: Ben Berg (line 9), Cid Cerf (line 14) and 3 more."; empty if there are none.
    private static func others(of kind: ImportReport.Kind) -> String {
        guard kind.count > 1 else { return "" }
        let head = kind.areSame ? "The same" : "Similar"
        let shown = kind.examples.map { part in
            let line = part.line.map { "line \($0)" } ?? ""
            return part.name.isEmpty ? line : line.isEmpty ? part.name : "\(part.name) (\(line))"
        }.filter { !$0.isEmpty }
        let more = kind.count - 1 - shown.count
        guard !shown.isEmpty else { return " \(head) in \(TimeWords.count(more, "other place"))." }
        return " \(head): \(shown.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")."
    }
}

extension [ImportReport.Unused] {
    /// A line for each kind of data that was not used.
    var lines: [String] {
        map { unused in
            "Not used: \(unused.what), \(TimeWords.count(unused.count, "value")), the first in "
                + "line \(unused.line) of \(unused.file)."
        }
    }
}
