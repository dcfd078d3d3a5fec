import ArgumentParser
import Calendars
import Planning
import Timekeeping

struct CalendarBusy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "busy",
        abstract: "Manage calendars that show when people are busy.",
        discussion: """
            Only the times of a calendar are stored: no titles, places or people. letsmeetd \
            refreshes calendars on the web twice an hour.

            EXAMPLE: letsmeet calendar busy add https://calendar.example.org/anna.ics --who anna
            EXAMPLE: letsmeet calendar busy import holidays.ics
            """,
        subcommands: [
            CalendarBusyAdd.self, CalendarBusyImport.self, CalendarBusyList.self,
            CalendarBusyRefresh.self, CalendarBusyRemove.self,
        ])
}

struct CalendarBusyAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Subscribe to a person's calendar on the web.",
        discussion: """
            Use the address that a calendar program offers for subscriptions, such as Google's \
            secret address in iCal format. webcal: links work, too. Addresses of this machine and \
            of private networks are blocked unless LETSMEET_WEBHOOK_ALLOW names them.

            EXAMPLE: letsmeet calendar busy add https://calendar.example.org/anna.ics --who anna
            """)

    @Argument(help: ArgumentHelp("The address of the calendar.", valueName: "url")) var url: String
    @Option(help: "The person whose calendar it is (default: you).", completion: Offers.people)
    var who: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        Terminal.progress("Reading…")
        defer { Terminal.progress("") }
        let planner = try await common.planner()
        let calendar = try await planner.addBusyCalendar(at: url, of: try await planner.person(who))
        try common.confirm(BusyAnswer(calendar: calendar)) { calendar.text }
    }
}

struct CalendarBusyImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import busy times from a calendar file.",
        discussion: """
            The file is read only once. A later import of a file with the same name replaces it. \
            "-" is standard input.

            EXAMPLE: letsmeet calendar busy import work.ics --who anna
            """)

    @Argument(help: "A calendar file, or - for standard input.", completion: .file())
    var file: String
    @Option(help: "The person whose calendar it is (default: you).", completion: Offers.people)
    var who: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.person(who)
        let calendar = try await planner.importBusyCalendar(file, of: person)
        try common.confirm(BusyAnswer(calendar: calendar)) { calendar.text }
    }
}

struct CalendarBusyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List busy calendars.",
        discussion: "EXAMPLE: letsmeet calendar busy list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let calendars: [BusyCalendarView]
    }

    func run() async throws {
        let calendars = try await common.planner().busyCalendars()
        try common.list(Answer(calendars: calendars)) {
            calendars.isEmpty
                ? "No busy calendars. To add one: letsmeet calendar busy add URL"
                : calendars.map(\.text).joined(separator: "\n")
        }
    }
}

struct CalendarBusyRefresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Refresh all busy calendars on the web now.",
        discussion: "EXAMPLE: letsmeet calendar busy refresh")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        Terminal.progress("Reading…")
        defer { Terminal.progress("") }
        let report = try await common.planner().refreshBusyCalendars(isForced: true)
        try common.confirm(report) { report.words }
        if !report.failures.isEmpty { throw ExitCode(3) }
    }
}

struct CalendarBusyRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove busy calendars and their busy times.",
        discussion: "EXAMPLE: letsmeet calendar busy remove k3v7")

    @Argument(help: ArgumentHelp("The ids of the calendars.", valueName: "calendar"))
    var calendars: [String]
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let removed: [BusyCalendarView]
    }

    func run() async throws {
        let removed = try await common.planner().removeBusyCalendars(calendars)
        try common.confirm(Answer(removed: removed)) {
            removed.map { "Removed the calendar \($0.id) of \($0.person.name)." }
                .joined(separator: "\n")
        }
    }
}

private struct BusyAnswer: Encodable {
    let calendar: BusyCalendarView
}

extension BusyCalendarView {
    fileprivate var text: String {
        let counts = "busy times: \(busy)\(tentative > 0 ? ", tentative: \(tentative)" : "")"
        let next = retry.map { " It is read again after \($0.words)." } ?? ""
        let trouble =
            failure.map { "\n  Later attempts to read it failed: \($0)\(next)" } ?? ""
        let doubts = remarks.map { "\n  \($0)" }.joined()
        return "\(id)  \(person.name), \(host ?? file ?? ""), \(counts), until \(until.words), "
            + "read \(read.words)\(trouble)\(doubts)"
    }
}

struct CalendarFree: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "free", abstract: "Find times when people can meet.",
        discussion: """
            The search uses people's meetings here and their busy calendars. Hours are in each \
            person's time zone. If no time suits everybody, the times that suit most people are \
            shown, with who cannot come and why. --quorum shows all times that suit this many \
            people. Name yourself, too, if you want to be there.

            EXAMPLE: letsmeet calendar free anna ben --to "in 2 weeks" --duration 90m
            EXAMPLE: letsmeet calendar free circle:chess --within 18:00-22:00 --quorum 4
            """)

    @Argument(help: ArgumentHelp("The people and circles.", valueName: "who"))
    var who: [String] = []
    @OptionGroup var more: WhoOption
    @Option(help: "The earliest time (default: now).") var from = ""
    @Option(help: "The latest end (default: two weeks after --from).") var to = ""
    @Option(help: "The duration of the meeting.") var duration = "1h"
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The allowed hours: 9:00-21:00, \"mon-fri 18:00-22:00\", or none for any hour.",
            valueName: "hours"))
    var within = ["9:00-21:00"]
    @Option(help: "The least number of people who can come.") var quorum: Int?
    @Option(help: "The most times to show.") var limit = 10
    @OptionGroup var common: CommonOptions

    func validate() throws {
        try more.checkAnybody(besides: who)
        guard quorum.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--quorum must be at least 1.")
        }
        guard (1...1000).contains(limit) else {
            throw ValidationError("--limit must be from 1 to 1000.")
        }
    }

    func run() async throws {
        var request = FreeTimeRequest()
        let planner = try await common.planner()
        request.people = try await planner.peopleToMeet(
            named: try (who + more.named).names(for: "who"))
        (request.from, request.until) = (from, to)
        request.duration = try TimeSpan.parse(duration)
        request.hours = try HoursOption.read(within, of: "--within") ?? []
        (request.quorum, request.count) = (quorum, limit)
        let times = try await planner.freeTimes(request)
        try common.answer(times) { Self.text(of: times, hours: within) }
    }

    /// The most time zones in which a time is shown.
    private static let zonesShownMax = 5

    private static func text(of times: FreeTimes, hours: [String]) -> String {
        let count = times.people.count
        let within =
            hours == ["none"]
            ? "at any hour" : "within \(hours.joined(separator: ", ")) in each person's time zone"
        let head =
            "\(count) \(count == 1 ? "person" : "people"), \(times.from.words) to "
            + "\(times.until.words), \(within):"
        let lines = times.slots.map { slot in
            let there = slot.local.prefix(Self.zonesShownMax).map(\.words).joined(separator: ", ")
            let words = ([there] + (slot.missing + slot.unsure).map(\.words))
                .filter { !$0.isEmpty }.map { "\n    \($0)" }.joined()
            let all = slot.missing.isEmpty ? "everybody" : "\(slot.free) of \(count)"
            return "  \(slot.words): \(all)\(words)"
        }
        return ([head] + lines + times.remarks.map(\.shown)).joined(separator: "\n")
    }
}
