import ArgumentParser
import Calendars
import Planning
import TextUI

struct CalendarFeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Share meetings with calendar programs by private addresses.",
        discussion: """
            A feed shows the meetings of a person, or those to which a circle is invited. It \
            covers the past 30 days and the next 400, without cancelled meetings. letsmeetd serves \
            the feed. Anyone with the address can read the feed, but nothing else.

            EXAMPLE: letsmeet calendar feed new
            EXAMPLE: letsmeet calendar feed new circle:chess
            EXAMPLE: letsmeet calendar feed revoke k3v7
            """,
        subcommands: [
            CalendarFeedNew.self, CalendarFeedList.self, CalendarFeedRevoke.self,
        ])
}

struct CalendarFeedNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a feed and print its private address.",
        discussion: """
            Meetings that the person declined are left out, and meetings that they have not \
            accepted are tentative. --alarms adds the reminders that letsmeet itself would send. \
            --busy-only shows only when the person is busy, from their meetings here and their \
            busy calendars. --birthdays makes a feed of the birthdays of your contacts, in place \
            of meetings.

            EXAMPLE: letsmeet calendar feed new anna --alarms
            EXAMPLE: letsmeet calendar feed new --birthdays
            """)

    @Argument(
        help: ArgumentHelp("A person or a circle (default: you).", valueName: "who"))
    var who: String?
    @Flag(help: "Include reminders.") var alarms = false
    @Flag(help: "Show only busy times, without details.") var busyOnly = false
    @Flag(help: "Show the birthdays of your contacts, and no meetings.") var birthdays = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !(alarms && busyOnly) else {
            throw ValidationError("Busy times have no alarms. Leave out --alarms or --busy-only.")
        }
        guard !birthdays || !alarms && !busyOnly && who == nil else {
            throw ValidationError(
                "--birthdays is for your own contacts. It does not go with a name or with other "
                    + "options.")
        }
    }

    func run() async throws {
        let outcome = try await addFeed(try await common.planner())
        try common.confirm(outcome) {
            let feed = outcome.feed
            let addresses = [feed.url ?? feed.path, feed.webcal].compactMap(\.self)
            let what = birthdays ? "The birthdays of your contacts" : "The meetings of \(feed.name)"
            return
                (["\(what), for calendar programs:"]
                + addresses.map { "  \($0)" } + outcome.remarks.map(\.shown)
                + ["To revoke this address: letsmeet calendar feed revoke \(feed.id)"])
                .joined(separator: "\n")
        }
    }

    private func addFeed(_ planner: Planner) async throws -> FeedOutcome {
        guard !birthdays else { return try await planner.addBirthdayFeed() }
        let subject =
            if let who { try await planner.feedSubject(named: who) } else {
                FeedSubject.person(planner.actor)
            }
        return try await planner.addFeed(of: subject, hasAlarms: alarms, isBusyOnly: busyOnly)
    }
}

struct CalendarFeedList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List feeds and their addresses.",
        discussion: "EXAMPLE: letsmeet calendar feed list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let feeds: [FeedView]
    }

    func run() async throws {
        let feeds = try await common.planner().feeds()
        try common.list(Answer(feeds: feeds)) {
            guard !feeds.isEmpty else {
                return "No feeds. To create one: letsmeet calendar feed new"
            }
            return Self.text(feeds, in: .answers)
        }
    }

    /// The feeds as a table. If it does not fit, each address has a line of its own.
    static func text(_ feeds: [FeedView], in frame: TableFrame) -> String {
        let whole = table(feeds, hasAddresses: true)
        guard let columns = frame.columns, whole.width > columns else {
            return whole.text(in: frame)
        }
        let rows = table(feeds, hasAddresses: false).text(in: frame).split(separator: "\n")
        return
            (rows.dropLast(feeds.count).map(String.init)
            + zip(rows.suffix(feeds.count), feeds).map { "\($0)\n  \($1.address)" })
            .joined(separator: "\n")
    }

    private static func table(_ feeds: [FeedView], hasAddresses: Bool) -> Table {
        var table = Table(
            ["Id", "Feed", "Of", "Shows"] + (hasAddresses ? ["Address"] : []), uncut: [0, 4])
        for feed in feeds {
            table.add(
                feed.id, feed.name, feed.circle == nil ? "" : "circle", feed.shows,
                hasAddresses ? feed.address : "")
        }
        return table
    }
}

struct CalendarFeedRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke the addresses of feeds.",
        discussion: """
            Programs that read them are told that the feed no longer exists.

            EXAMPLE: letsmeet calendar feed revoke k3v7
            """)

    @Argument(help: ArgumentHelp("The ids or addresses of the feeds.", valueName: "feed"))
    var feeds: [String]
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let revoked: [FeedView]
    }

    func run() async throws {
        let revoked = try await common.planner().revokeFeeds(feeds)
        try common.confirm(Answer(revoked: revoked)) {
            revoked.map { "Revoked the feed \($0.id) of \($0.name)." }
                .joined(separator: "\n")
        }
    }
}

extension FeedView {
    /// The address as far as it is known.
    fileprivate var address: String {
        url ?? path ?? "address unknown: it was made with another key"
    }

    /// The content besides plain meetings, in a word; empty for nothing.
    fileprivate var shows: String {
        if birthdays { return "birthdays" }
        return alarms ? "alarms" : busyOnly ? "busy only" : ""
    }
}
