import ArgumentParser
import Planning
import Timekeeping

struct CalendarBusy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "busy",
        abstract: "Know when people are busy, from their calendars.",
        discussion: """
            Of a calendar the times alone are kept: no title, no place, no people. letsmeetd reads \
            those on the web again twice an hour.

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
        commandName: "add", abstract: "Read a calendar on the web, now and again and again.",
        discussion: """
            The address is one that a calendar program gives out for others to subscribe to, such \
            as Google's secret address in iCal format; webcal: links are taken, too. Addresses of \
            this machine and of networks at home and at work are not asked, unless \
            LETSMEET_WEBHOOK_ALLOW names them.

            EXAMPLE: letsmeet calendar busy add https://calendar.example.org/anna.ics --who anna
            """)

    @Argument(help: ArgumentHelp("The address.", valueName: "url")) var url: String
    @Option(help: "Whose calendar it is; yours without it.") var who: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        Terminal.progress("Reading…")
        defer { Terminal.progress("") }
        let calendar = try await common.planner().addBusyCalendar(at: url, of: who)
        try common.confirm(BusyAnswer(calendar: calendar)) { calendar.text }
    }
}

struct CalendarBusyImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take from a calendar file when somebody is busy.",
        discussion: """
            It is read this once; a file of the same name takes its place. "-" is standard input.

            EXAMPLE: letsmeet calendar busy import work.ics --who anna
            """)

    @Argument(help: "A calendar file, or - for standard input.", completion: .file())
    var file: String
    @Option(help: "Whose calendar it is; yours without it.") var who: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let calendar = try await common.planner().importBusyCalendar(file, of: who)
        try common.confirm(BusyAnswer(calendar: calendar)) { calendar.text }
    }
}

struct CalendarBusyList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the calendars that say when people are busy.",
        discussion: "EXAMPLE: letsmeet calendar busy list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let calendars: [BusyCalendarView]
    }

    func run() async throws {
        let calendars = try await common.planner().busyCalendars()
        try common.answer(Answer(calendars: calendars)) {
            calendars.isEmpty
                ? "No calendar is known. To add one: letsmeet calendar busy add URL"
                : calendars.map(\.text).joined(separator: "\n")
        }
    }
}

struct CalendarBusyRefresh: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh", abstract: "Read all calendars on the web again, now.",
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
        commandName: "remove", abstract: "Forget calendars, and what they said.",
        discussion: "EXAMPLE: letsmeet calendar busy remove k3v7")

    @Argument(help: ArgumentHelp("Ids of calendars.", valueName: "calendar"))
    var calendars: [String]
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let removed: [BusyCalendarView]
    }

    func run() async throws {
        let removed = try await common.planner().removeBusyCalendars(calendars)
        try common.confirm(Answer(removed: removed)) {
            removed.map { "The calendar \($0.id) of \($0.person.name) is forgotten." }
                .joined(separator: "\n")
        }
    }
}

private struct BusyAnswer: Encodable {
    let calendar: BusyCalendarView
}

extension BusyCalendarView {
    fileprivate var text: String {
        let counts = "busy \(busy) times\(tentative > 0 ? ", perhaps \(tentative) more" : "")"
        let trouble = failure.map { "\n  It could not be read since then: \($0)" } ?? ""
        return "\(id)  \(person.name), \(host ?? file ?? ""): \(counts) until \(until.words), "
            + "read \(read.words)\(trouble)"
    }
}

struct CalendarFree: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "free", abstract: "Find times at which people can meet.",
        discussion: """
            It looks at their meetings here and at the calendars that are known of them. Hours are \
            those of each person's own clocks. Where there is no time for all, those are shown at \
            which most can come, and who cannot, and why; with --quorum all at which so many can. \
            Name yourself as well, where you are to be there.

            EXAMPLE: letsmeet calendar free anna ben --to "in 2 weeks" --duration 90m
            EXAMPLE: letsmeet calendar free circle:chess --within 18:00-22:00 --quorum 4
            """)

    @Argument(help: ArgumentHelp("People and circles.", valueName: "who")) var who: [String]
    @Option(help: "Not before this; now without it.") var from = ""
    @Option(help: "Over by this; two weeks later without it.") var to = ""
    @Option(help: "How long it takes.") var duration = "1h"
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Hours in which it may be: 9:00-21:00, or with days: \"mon-fri 18:00-22:00\".",
            valueName: "hours"))
    var within = ["9:00-21:00"]
    @Option(help: "How many have to be able to come.") var quorum: Int?
    @Option(help: "How many times are shown.") var limit = 10
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard quorum.map({ $0 > 0 }) ?? true else {
            throw ValidationError("--quorum is 1 or more.")
        }
        guard (1...1000).contains(limit) else {
            throw ValidationError("--limit is from 1 to 1000.")
        }
    }

    func run() async throws {
        var request = FreeTimeRequest()
        request.who = try who.names(for: "who")
        (request.from, request.until) = (from, to)
        request.duration = try TimeSpan.parse(duration)
        request.hours = try HoursOption.read(within, of: "--within") ?? []
        (request.quorum, request.count) = (quorum, limit)
        let times = try await common.planner().freeTimes(request)
        try common.answer(times) { Self.text(of: times, hours: within) }
    }

    /// People of more zones know their own.
    private static let zonesShownMax = 5

    private static func text(of times: FreeTimes, hours: [String]) -> String {
        let count = times.people.count
        let within =
            hours == ["none"]
            ? "at any hour" : "within \(hours.joined(separator: ", ")) of each one's day"
        let head =
            "\(count) \(count == 1 ? "person" : "people"), \(times.from.words) to "
            + "\(times.until.words), \(within):"
        let lines = times.slots.map { slot in
            let there = slot.local.prefix(Self.zonesShownMax).map(\.words).joined(separator: ", ")
            let words = ([there] + (slot.missing + slot.unsure).map(\.words))
                .filter { !$0.isEmpty }.map { "\n    \($0)" }.joined()
            let all = slot.missing.isEmpty ? "all" : "\(slot.free) of \(count)"
            return "  \(slot.words): \(all)\(words)"
        }
        return ([head] + lines + times.remarks).joined(separator: "\n")
    }
}
