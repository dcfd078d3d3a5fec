import Agenda
import ArgumentParser
import Planning
import Programs
import Settings
import TextUI
import Timekeeping
import Wording

struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain what was sent about a meeting, to whom, and why.",
        discussion: """
            For a meeting, each person has up to two lines: what they were last sent, and what \
            comes next. For one person, or with --all, each delivery is told in full. Deliveries \
            that later changes replaced before they were sent are only counted; --all and --json \
            include them.

            EXAMPLE: letsmeet why next anna
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "Only deliveries to this person.", completion: Offers.people) var who: String?
    @Option(
        name: .customLong("who"),
        help: ArgumentHelp("The same, as an option.", valueName: "who"), completion: Offers.people)
    var named: String?
    @Flag(help: "Show each delivery, also those replaced before they were sent.") var all = false
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let stories: [StoryView]
        let truncated: Bool
    }

    func validate() throws {
        guard who == nil || named == nil else { throw ValidationError("Name one person only.") }
    }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting)
        let who = who ?? named
        let receiver =
            if let who { try await planner.deliveryReceiver(named: who, of: id) } else {
                DeliveryReceiver?.none
            }
        let stories = try await planner.deliveries(of: id, to: receiver)
        try common.list(Answer(stories: stories.rows, truncated: stories.isTruncated)) {
            guard !stories.isEmpty else { return "Nothing was planned or sent." }
            let called = [meeting, who].compactMap(\.self).map(\.shellWord)
            let command = "letsmeet why \(called.joined(separator: " "))"
            let text =
                all
                ? StoriesText(stories.rows)
                : who == nil && Set(stories.map(\.name)).count > 1
                    ? StoriesText(byPerson: stories.rows, shownBy: command)
                    : StoriesText(folding: stories.rows, shownBy: "\(command) --all")
            return (text.parts + [stories.remark].compactMap(\.self)).joined(separator: "\n\n")
        }
    }
}

struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Show what will be sent, to whom and when.",
        discussion: """
            Nothing is sent. Deliveries of the same kind about the same meeting at the same time \
            are one line; --all shows each. With --json, the command prints one object per line.

            Deliveries that are due exactly at the time of --from or --until are shown, too. A day \
            without a time counts as a whole: --from means its beginning, --until its end.

            EXAMPLE: letsmeet outbox --until "tomorrow 12:00"
            EXAMPLE: letsmeet outbox --meeting next
            """)

    @Option(help: "Only deliveries due from this time on.") var from: String?
    @Option(help: "Only deliveries due up to and including this time.") var until: String?
    @Option(help: "Only deliveries of this meeting.", completion: Offers.meetings)
    var meeting: String?
    @Option(help: "Only deliveries to this person.", completion: Offers.people) var who: String?
    @Flag(help: "Show each delivery.") var all = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let lines = try await planner.outbox(
            from: try from.map { try planner.moment($0, dayMeans: .start) },
            until: try until.map { try planner.moment($0, dayMeans: .last) },
            of: try await planner.meetingID(meeting),
            to: try await planner.knownPerson(who)?.id, foreseesSinks: true)
        if common.json {
            await Letsmeet.say(lines: lines.rows)
            if let remark = lines.remark { Terminal.say(remark) }
            return
        }
        try common.list(lines.rows) { OutboxText.of(lines, all: all) }
    }
}

struct TodayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today",
        abstract: "Show the meetings and birthdays of a day, or of seven days.",
        discussion: """
            Birthdays are those of your contacts. To leave them out: letsmeet remind policy set \
            --birthdays no. With --json, --week answers with a list of days.

            EXAMPLE: letsmeet today 2026-12-01
            EXAMPLE: letsmeet today --week
            """)

    @Argument(help: "The day (default: today): 2026-12-01, tomorrow, fri.") var date: String?
    @Flag(help: "Show seven days, beginning with this one.") var week = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let day = try planner.day(date)
        var days: [Agenda] = []
        for (day, lines) in try await planner.meetings(
            onEachOf: day...(week ? day.adding(days: 6) : day))
        {
            days.append(
                Agenda(
                    day: day, birthdays: try await planner.birthdays(on: day), lines: lines))
        }
        if week { return try showWeek(days, from: day) }
        try common.answer(days[0]) {
            days[0].text
                ?? "No meetings on \(TimeWords.date(day)). \(AdviceText.sentence(.meetings(.list)))"
        }
    }

    private func showWeek(_ days: [Agenda], from first: CivilDate) throws {
        let parts = days.compactMap { day in
            day.text.map { "\(Style.bold(TimeWords.date(day.day)))\n\($0)" }
        }
        try common.list(Week(days: days)) {
            parts.isEmpty
                ? "No meetings in the seven days from \(first)." : parts.joined(separator: "\n\n")
        }
    }

    private struct Week: Encodable {
        let days: [Agenda]
    }

    /// A day with its meetings and birthdays.
    private struct Agenda: Encodable {
        let day: CivilDate
        let birthdays: [BirthdayLine]
        let lines: MeetingLines

        private enum Key: CodingKey { case date, birthdays, meetings, truncated }

        /// The day as text; `nil` if it has neither meetings nor birthdays.
        var text: String? {
            let names = birthdays.map { line in
                line.name + (line.age.map { " (\($0))" } ?? "")
            }
            let parts = [
                names.isEmpty ? nil : "Birthday: \(names.joined(separator: ", "))",
                lines.meetings.isEmpty ? lines.remark : MeetingTable.text(lines),
            ].compactMap(\.self)
            return parts.isEmpty ? nil : parts.joined(separator: "\n")
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(day.description, forKey: .date)
            try container.encode(Array(lines.meetings), forKey: .meetings)
            try container.encode(birthdays, forKey: .birthdays)
            try container.encode(lines.truncated, forKey: .truncated)
        }
    }
}

struct VersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Print the version.",
        discussion: "EXAMPLE: letsmeet version --licences | less")

    @Flag(help: "Print the licences of the software and data in letsmeet.")
    var licences = false
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let version: String
        let licences: [String]?
    }

    func run() async throws {
        let texts = licences ? try common.surroundings().shipped.licenceTexts() : nil
        try common.list(Answer(version: Version.current, licences: texts)) {
            (["letsmeet \(Version.current)"] + (texts ?? [])).joined(separator: "\n\n")
        }
    }
}
