import ArgumentParser
import Planning

struct CalendarFeed: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Let calendar programs subscribe to meetings, by private addresses.",
        discussion: """
            A feed shows the meetings of a person, or those to which a circle was asked: of the \
            past 30 days and the next 400, without those that are off. letsmeetd answers it. Who \
            has the address can read it, and nothing else.

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
        commandName: "new", abstract: "Make the private address of a feed.",
        discussion: """
            Meetings to which somebody said no are not in their feed; those that they have not \
            said yes to are tentative. With --alarms it reminds who reads it, as letsmeet itself \
            would. With --busy-only it says when they are busy, by their meetings here and by the \
            calendars that calendar busy knows, and not why.

            EXAMPLE: letsmeet calendar feed new anna --alarms
            """)

    @Argument(
        help: ArgumentHelp("A person or a circle; without it your own.", valueName: "who"))
    var who: String?
    @Flag(help: "Let it remind who reads it.") var alarms = false
    @Flag(help: "Say only when they are busy, and not why.") var busyOnly = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !(alarms && busyOnly) else {
            throw ValidationError("Busy times have no alarms: leave out --alarms or --busy-only.")
        }
    }

    func run() async throws {
        let outcome = try await common.planner().addFeed(
            of: who, hasAlarms: alarms, isBusyOnly: busyOnly)
        try common.confirm(outcome) {
            let feed = outcome.feed
            let addresses = [feed.url ?? feed.path, feed.webcal].compactMap(\.self)
            return
                (["The meetings of \(feed.name), for calendar programs:"]
                + addresses.map { "  \($0)" } + outcome.remarks
                + ["Good for nothing it is after: letsmeet calendar feed revoke \(feed.id)"])
                .joined(separator: "\n")
        }
    }
}

struct CalendarFeedList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List feeds with their addresses.",
        discussion: "EXAMPLE: letsmeet calendar feed list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let feeds: [FeedView]
    }

    func run() async throws {
        let feeds = try await common.planner().feeds()
        try common.answer(Answer(feeds: feeds)) {
            guard !feeds.isEmpty else {
                return "There is no feed. To make one: letsmeet calendar feed new"
            }
            var table = Table()
            for feed in feeds {
                table.add(
                    feed.id, feed.name, feed.circle == nil ? "" : "circle",
                    feed.alarms ? "alarms" : feed.busyOnly ? "busy only" : "",
                    feed.url ?? feed.path ?? "its address was made with another key")
            }
            return table.text
        }
    }
}

struct CalendarFeedRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Make addresses of feeds good for nothing.",
        discussion: """
            Programs that read them are told that there is nothing there any more.

            EXAMPLE: letsmeet calendar feed revoke k3v7
            """)

    @Argument(help: ArgumentHelp("Ids or addresses of feeds.", valueName: "feed"))
    var feeds: [String]
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let revoked: [FeedView]
    }

    func run() async throws {
        let revoked = try await common.planner().revokeFeeds(feeds)
        try common.confirm(Answer(revoked: revoked)) {
            revoked.map { "The feed \($0.id) of \($0.name) is good for nothing any more." }
                .joined(separator: "\n")
        }
    }
}
