import Agenda
import ArgumentParser
import Ledger
import Planning
import Storage
import TextUI

struct PecksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pecks", abstract: "Read the notifications in your inbox.",
        discussion: """
            Everybody with an account has an inbox, which shows what they were notified of, also \
            what went by mail.

            EXAMPLE: letsmeet pecks list --unread
            """,
        subcommands: [PecksList.self, PecksRead.self, PecksSnooze.self, PecksWhy.self],
        defaultSubcommand: PecksList.self)
}

struct PecksList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the notifications in your inbox, the newest first.",
        discussion: "EXAMPLE: letsmeet pecks list --unread")

    @Flag(help: "Only unread ones.") var unread = false
    @Flag(help: "Only those that are hidden until a time.") var snoozed = false
    @Option(help: "The most notifications to show.") var limit: Int = Planner.listRowsMax
    @Option(
        help: ArgumentHelp(
            "Go on after this position, which is next in the JSON of the list before.",
            valueName: "position"))
    var after: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !unread || !snoozed else {
            throw ValidationError("Give either --unread or --snoozed.")
        }
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        guard limit < .max else { throw ValidationError("--limit must be below \(Int.max).") }
    }

    func run() async throws {
        let part: PeckFilter.Part = unread ? .unread : snoozed ? .snoozed : .all
        let list = try await common.planner().pecks(part, from: after, limit: limit)
        try common.list(list) {
            var table = Table(["Id", "When", "What", "About", ""], uncut: [0, 1, 2, 4])
            for peck in list.pecks {
                table.add(
                    String(peck.id.prefix(8)), peck.at.words, peck.kind.rawValue, peck.title,
                    peck.snoozedUntil != nil ? "snoozed" : peck.isRead ? "" : "unread")
            }
            guard !table.isEmpty else {
                return snoozed ? "Nothing is snoozed." : "Your inbox has nothing to show."
            }
            return table.text(with: list.next == nil ? nil : "There are more: use --limit.")
        }
    }
}

struct PecksRead: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Mark notifications in your inbox as read.",
        discussion: """
            EXAMPLE: letsmeet pecks read k3v7q2md
            EXAMPLE: letsmeet pecks read --all
            """)

    @Argument(help: "The ids of the notifications, or their beginnings.") var ids: [String] = []
    @Flag(help: "Mark everything as read that is not snoozed.") var all = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard all == ids.isEmpty else {
            throw ValidationError("Give the ids of notifications, or --all.")
        }
    }

    func run() async throws {
        let reading = try await common.planner().readPecks(all ? nil : ids)
        try common.answer(reading) {
            "\(reading.read) marked as read. Unread: \(reading.unread)."
        }
    }
}

struct PecksSnooze: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Hide a notification until a time, at which it comes back unread.",
        discussion: "EXAMPLE: letsmeet pecks snooze k3v7q2md \"tomorrow 9:00\"")

    @Argument(help: "The id of the notification, or its beginning.") var id: String
    @Argument(help: "The time, such as \"in 2h\" or \"fri 18:00\".") var time: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let peck = try await common.planner().snoozePeck(id, until: time)
        try common.answer(peck) { "\(peck.title): hidden until \(peck.at.words)." }
    }
}

struct PecksWhy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain why you got a notification, and on which ways.",
        discussion: "EXAMPLE: letsmeet pecks why k3v7q2md")

    @Argument(help: "The id of the notification, or its beginning.") var id: String
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let stories: [StoryView]
    }

    func run() async throws {
        let stories = try await common.planner().whyPeck(id)
        try common.list(Answer(stories: stories)) {
            StoriesText(stories).parts.joined(separator: "\n\n")
        }
    }
}
