import Agenda
import ArgumentParser
import Planning
import Programs
import TextUI

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Show open meetings of the people whom you follow.",
        discussion: """
            The meetings with the latest news come first: new, moved, full, or took place. With \
            --world, the meetings that are open to everybody on this installation are shown.

            EXAMPLE: letsmeet feed --world --limit 5
            """)

    @Flag(help: "Show the meetings that are open to everybody here.") var world = false
    @Flag(help: "Begin with the next start.") var soonest = false
    @Option(help: "The maximum number of meetings, up to \(Planner.feedRowsMax).") var limit = 20
    @Option(help: "The text \"next\" of the answer before, for the next page.") var after: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (1...Planner.feedRowsMax).contains(limit) else {
            throw ValidationError("--limit is a number from 1 to \(Planner.feedRowsMax).")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let feed = try await planner.openFeed(
            world: world, soonestFirst: soonest, after: after, limit: limit)
        try common.answer(feed) {
            guard !feed.meetings.isEmpty else {
                return world
                    ? "No meeting is open to everybody here."
                    : "Nobody whom you follow has an open meeting."
            }
            let more = feed.next.map { "There are more: letsmeet feed --after \($0)" }
            return Self.table(of: feed).text(with: more)
        }
    }

    private static func table(of feed: OpenFeed) -> Table {
        var table = Table(
            ["Id", "When", "Meeting", "Organizer", "Seats", "News"], uncut: [0, 1],
            expendable: [5, 3])
        for line in feed.meetings {
            table.add(
                String(decoding: line.id.utf8.prefix(6), as: UTF8.self),
                line.when, line.title, line.organizerName,
                seats(of: line), line.news == .over ? "took place" : line.news.rawValue)
        }
        return table
    }

    private static func seats(of line: OpenLine) -> String {
        let own = line.standing.map { " (\($0))" } ?? ""
        guard let seats = line.seats, let free = line.free else { return "no limit\(own)" }
        return "\(free) of \(seats) free\(own)"
    }
}
