import ArgumentParser
import Calendars
import Planning
import TextUI
import Wording

struct CalendarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar", abstract: "Import, export and share calendars; find free times.",
        discussion: """
            EXAMPLE: letsmeet calendar import holidays.ics
            EXAMPLE: letsmeet calendar export > meetings.ics
            EXAMPLE: letsmeet calendar check invitation.ics
            EXAMPLE: letsmeet calendar feed new
            EXAMPLE: letsmeet calendar free anna ben --duration 90m
            """,
        subcommands: [
            CalendarImport.self, CalendarExport.self, CalendarFeed.self, CalendarBusy.self,
            CalendarFree.self, CalendarCheck.self, CalendarExpand.self,
        ])
}

struct CalendarExpand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expand", abstract: "List the occurrences of a recurrence rule.",
        discussion: """
            Rules follow RFC 5545. When clocks change, a wall-clock time that occurs twice means \
            the first occurrence, and a time that is skipped moves later by the length of the gap.

            With --batch, the command reads one JSON object per line from standard input, \
            {"id","dtstart","tzid","value","rrule","exdate","rdate","count"}, and answers each \
            with {"id","occurrences","utc"} or {"id","error"}. --count applies to lines without a \
            count.

            EXAMPLE: letsmeet calendar expand --dtstart 20261201T180000 --tzid Europe/Helsinki \
            --rrule "FREQ=MONTHLY;BYDAY=1TU" --exdate 20270105T180000 --count 5
            """)

    @Option(
        help: ArgumentHelp(
            "The first start: 20261201T180000, or 20261201 for whole days.", valueName: "time"))
    var dtstart: String?
    @Option(
        help: ArgumentHelp(
            "The time zone, UTC, or floating for the reader's own zone.", valueName: "zone"))
    var tzid = RecurrenceQuestion.floating
    @Option(help: ArgumentHelp("The recurrence rule.", valueName: "rule")) var rrule: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "A time to add; a date is added at the time of the start.", valueName: "time"))
    var rdate: [String] = []
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "A time to exclude; a date excludes the whole day.", valueName: "time"))
    var exdate: [String] = []
    @Option(help: "The number of occurrences.") var count: Int = RecurrenceQuestion.countDefault
    @Flag(help: "Answer JSON objects from standard input, one per line.") var batch = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...RecurrenceQuestion.countMax).contains(count) else {
            throw ValidationError("--count must be from 1 to \(RecurrenceQuestion.countMax).")
        }
        guard (dtstart == nil) == batch else {
            throw ValidationError(
                batch
                    ? "--batch reads its lines from standard input. Leave out --dtstart."
                    : "Give the first start: --dtstart 20261201T180000.")
        }
    }

    func run() async throws {
        let calculator = RecurrenceCalculator(zones: try common.surroundings().zones)
        guard let dtstart else {
            while let line = readLine() {
                guard line.contains(where: { !$0.isWhitespace }) else { continue }
                Terminal.answer(try JSONText.of(calculator.answer(toLine: line, count: count)))
            }
            return
        }
        var question = RecurrenceQuestion()
        question.start = dtstart
        question.zone = tzid
        question.rule = rrule
        question.additions = rdate.splitAtCommas
        question.exceptions = exdate.splitAtCommas
        question.count = count
        let answer = try calculator.answer(question)
        try common.answer(answer) {
            let lines = answer.occurrences.enumerated().map { place, time in
                let utc = answer.utc.map { "  \($0[place])" } ?? ""
                return "  \(time)\(utc)"
            }
            let head = answer.explanation.isEmpty ? [] : [answer.explanation]
            return (head + lines).joined(separator: "\n")
        }
    }
}

struct CalendarCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a calendar file and list its entries.",
        discussion: """
            iCalendar files of any program can be checked. An error marks something that letsmeet \
            cannot read, or may misread. A warning marks something that other programs may \
            not read. The command exits with status 2 if there are errors.

            EXAMPLE: letsmeet calendar check invitation.ics
            """)

    @Argument(help: "The file, or - for standard input.") var file: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let view = try CalendarCheckView(file: file, zones: common.surroundings().zones)
        try common.answer(view) { Self.text(of: view) }
        if view.hasErrors { throw ExitCode(2) }
    }

    private static func text(of view: CalendarCheckView) -> String {
        var table = Table(
            ["Kind", "Start", "End", "Title", ""], cellColumnsMax: Table.listColumnsMax)
        for component in view.components {
            let date = component.recurrenceID.map { "date \($0)" } ?? ""
            table.add(
                component.kind, component.start ?? "", component.end ?? "",
                component.summary ?? "", date)
        }
        let problems = view.problems.map { "line \($0.line): \($0.severity): \($0.message)" }
        let rests = view.unlisted.map {
            "and \($0.count) more like line \($0.first.line): \($0.first.severity): "
                + $0.first.message
        }
        let sum =
            "\(TimeWords.count(view.components.count, "component")), "
            + TimeWords.count(view.problemCount, "problem")
        return ([table.text].filter { !$0.isEmpty } + problems + rests + [sum])
            .joined(separator: "\n")
    }
}
