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
            Deliveries that later changes replaced before they were sent are only counted for each \
            person. --all shows them in full, and --json always includes them.

            EXAMPLE: letsmeet why next anna
            """)

    @Argument(help: "The meeting: an id, part of its title, next, or last.") var meeting: String
    @Argument(help: "Only deliveries to this person.") var who: String?
    @Flag(help: "Include deliveries that were replaced before they were sent.") var all = false
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let stories: [StoryView]
        let truncated: Bool
    }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting)
        let receiver =
            if let who { try await planner.deliveryReceiver(named: who, of: id) } else {
                DeliveryReceiver?.none
            }
        let stories = try await planner.deliveries(of: id, to: receiver)
        try common.answer(Answer(stories: stories.rows, truncated: stories.isTruncated)) {
            guard !stories.isEmpty else { return "Nothing was planned or sent." }
            let called = [meeting, who].compactMap(\.self).map(\.shellWord)
            let text =
                all
                ? StoriesText(stories.rows)
                : StoriesText(
                    folding: stories.rows,
                    shownBy: "letsmeet why \(called.joined(separator: " ")) --all")
            return (text.parts + [stories.remark].compactMap(\.self)).joined(separator: "\n\n")
        }
    }
}

struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "Show what will be sent, to whom and when.",
        discussion: """
            Nothing is sent. With --json, the command prints one object per line.

            EXAMPLE: letsmeet outbox --until "tomorrow 12:00"
            """)

    @Option(help: "Only deliveries due up to this time.") var until: String?
    @Option(help: "Only deliveries to this person.") var who: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let end = try until.map { try planner.moment($0) }
        let lines = try await planner.outbox(until: end, to: try await planner.knownPerson(who)?.id)
        if common.json {
            await Letsmeet.say(lines: lines.rows)
            if let remark = lines.remark { Terminal.say(remark) }
            return
        }
        var table = Table()
        for line in lines {
            table.add(
                line.due.words, line.kind, line.receiver, line.subject, line.channel,
                Table.line(line.reason))
        }
        Terminal.answer(
            table.isEmpty ? "Nothing is waiting to be sent." : table.text(with: lines.remark))
    }
}

struct TodayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "today", abstract: "Show the meetings of a day, or of seven days.",
        discussion: """
            With --json, --week answers with a list of days.

            EXAMPLE: letsmeet today 2026-12-01
            EXAMPLE: letsmeet today --week
            """)

    @Argument(help: "The day (default: today): 2026-12-01, tomorrow, fri.") var date: String?
    @Flag(help: "Show seven days, beginning with this one.") var week = false
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let date: String
        let meetings: [MeetingLine]
        let truncated: Bool
    }

    struct Week: Encodable {
        let days: [Answer]
    }

    func run() async throws {
        let planner = try await common.planner()
        let day = try planner.day(date)
        if week { return try await showWeek(from: day, planner) }
        let lines = try await planner.meetings(on: day)
        let answer = Answer(
            date: day.description, meetings: Array(lines.meetings), truncated: lines.truncated)
        try common.answer(answer) {
            lines.meetings.isEmpty ? "No meetings on \(day)." : MeetingTable.text(lines)
        }
    }

    private func showWeek(from first: CivilDate, _ planner: Planner) async throws {
        var days: [Answer] = []
        var parts: [String] = []
        for number in 0..<7 {
            let day = first.adding(days: number)
            let lines = try await planner.meetings(on: day)
            days.append(
                Answer(
                    date: day.description, meetings: Array(lines.meetings),
                    truncated: lines.truncated))
            guard !lines.meetings.isEmpty else { continue }
            parts.append("\(Style.bold(TimeWords.date(day)))\n\(MeetingTable.text(lines))")
        }
        try common.answer(Week(days: days)) {
            parts.isEmpty
                ? "No meetings in the seven days from \(first)." : parts.joined(separator: "\n\n")
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
        try common.answer(Answer(version: Version.current, licences: texts)) {
            (["letsmeet \(Version.current)"] + (texts ?? [])).joined(separator: "\n\n")
        }
    }
}
