import Agenda
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// The open meetings of those whom the reader follows, or of everybody here.
struct OpenFeedPage: PageModel {
    static let template = "open-feed"
    static let names = TemplateNames(
        ["hasUnread", "empty", "isWorld", "nextQuery", "here", "latestQuery", "soonestQuery"],
        lists: ["tabs": ["tab", "isCurrent", "tabQuery"], "meetings": lineNames])

    let feed: OpenFeed
    let isWorld: Bool
    let isSoonestFirst: Bool
    /// True if this is not the first page.
    let isLater: Bool
    let zone: Zone
    let now: Moment
    /// The path of the page, to come back to.
    let here: String

    var section: Section? { .meetings }
    var topics: [String] { [ChangeTopic.meetings, ChangeTopic.people] }

    func title(_ words: PageWords) -> String { words("Feed") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "tabs": .list([
                tab(words("Following"), isWorld: false), tab(words("World"), isWorld: true),
            ]),
            "meetings": .list(feed.meetings.map { self.values(of: $0, words) }),
            "hasUnread": .flag(!isLater && feed.meetings.contains(where: \.unread)),
            "empty": .text(empty(words)), "isWorld": .flag(isWorld), "here": .text(here),
        ]
        values[text: "nextQuery"] = feed.next.map { query(after: $0) }
        values[text: "latestQuery"] = isSoonestFirst ? query(isSoonestFirst: false) : nil
        values[text: "soonestQuery"] = isSoonestFirst ? nil : query(isSoonestFirst: true)
        return values
    }

    private func tab(_ name: String, isWorld: Bool) -> TemplateValues {
        [
            "tab": .text(name), "isCurrent": .flag(isWorld == self.isWorld),
            "tabQuery": .text(Self.query(isWorld, isSoonestFirst)),
        ]
    }

    private func query(isSoonestFirst: Bool? = nil, after page: String? = nil) -> String {
        Self.query(isWorld, isSoonestFirst ?? self.isSoonestFirst, after: page)
    }

    private static func query(
        _ isWorld: Bool, _ isSoonestFirst: Bool, after page: String? = nil
    ) -> String {
        let fields = [
            isWorld ? "world=1" : nil, isSoonestFirst ? "order=start" : nil,
            page.map { "after=\($0)" },
        ].compactMap(\.self)
        return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
    }

    private func empty(_ words: PageWords) -> String {
        if isLater { return words("There are no more meetings.") }
        return isWorld
            ? words("No meeting is open to everybody here.")
            : words("Nobody whom you follow has an open meeting.")
    }
}

/// A line of the feed.
extension OpenFeedPage {
    private static let lineNames = [
        "id", "name", "organizer", "organizerId", "when", "startISO", "place", "repeats",
        "news", "newsAt", "isUnread", "isOver", "seatsFree", "standing", "mayJoin", "mayLeave",
        "asks",
    ]

    private func values(of line: OpenLine, _ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(line.id), "name": .text(line.title),
            "organizer": .text(line.organizerName), "organizerId": .text(line.organizer),
            "when": .text(
                words.plainRange(
                    from: line.start.moment, to: line.end.moment, in: zone, at: line.start.zone)),
            "startISO": .text(line.start.text), "news": .text(words(line.news)),
            "newsAt": .text(words.moment(line.newsAt.moment, in: zone)),
            "isUnread": .flag(line.unread), "isOver": .flag(line.news == .over),
            "mayJoin": .flag(line.mayJoin && line.start.moment > now),
            "mayLeave": .flag(
                ["going", "waiting", "requested"].contains(line.standing) && line.news != .over),
            "asks": .flag(line.approve),
        ]
        values[text: "place"] = line.place
        values[text: "repeats"] = line.`repeat`.flatMap { try? RecurrenceRule($0) }
            .map { TimeWords.repetition($0, in: words.language) }
        values[text: "seatsFree"] = line.news == .over ? nil : words.freeSeats(of: line)
        values[text: "standing"] = standing(of: line, words)
        return values
    }

    private func standing(of line: OpenLine, _ words: PageWords) -> String? {
        switch line.standing {
        case "organizer": words("You organize this meeting.")
        case "going": words("You have a seat.")
        case "waiting": words("You are on the waiting list.")
        case "requested": words("You asked to join.")
        case "invited": words("You are invited.")
        default: nil
        }
    }
}

extension PageWords {
    /// The number of free seats of an open meeting; `nil` if they are not limited.
    func freeSeats(of line: OpenLine) -> String? {
        guard let seats = line.seats, let free = line.free else { return nil }
        return free == 0
            ? self("all %n% seats are taken", ["n": "\(seats)"])
            : self("%free% of %n% seats free", ["free": "\(free)", "n": "\(seats)"])
    }

    /// The news of an open meeting.
    func callAsFunction(_ news: OpenNews.Kind) -> String {
        switch news {
        case .new: self("new")
        case .moved: self("moved")
        case .full: self("full")
        case .over: self("took place")
        }
    }
}

extension Site {
    /// The feed of open meetings.
    var openFeedRoutes: [Route] {
        [
            route(.get, "/feed", openFeed),
            route(.post, "/feed/seen") { _, visitor in
                try await visitor.planner.markFeedSeen()
                return redirect(to: .feed)
            },
        ]
    }

    /// The meetings on a page.
    private static let feedRows = 20

    private func openFeed(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let after = request.query["after"]
        let isSoonestFirst = request.query["order"] == "start"
        let isWorld = request.query["world"] == "1"
        let feed = try await planner.openFeed(
            world: isWorld, soonestFirst: isSoonestFirst, after: after.isEmpty ? nil : after,
            limit: Self.feedRows)
        return show(
            OpenFeedPage(
                feed: feed, isWorld: isWorld, isSoonestFirst: isSoonestFirst,
                isLater: !after.isEmpty, zone: planner.zone, now: planner.now,
                here: request.target), in: frame(request, visitor))
    }
}
