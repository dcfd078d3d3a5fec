import Agenda
import Ledger
import Planning
import Storage
import Timekeeping
import Wording

/// The panels that open above the day: the inbox, the feed, what can be added, the circles and the
/// profile.
struct TodayPanels: Sendable {
    static let names = ["unreadCount", "profileId"]
    static let lists = [
        "panelPecks": ["peckKind", "peckTitle", "peckWhen", "peckPath"],
        "panelFeed": ["feedId", "feedName", "feedWho", "feedNews"],
        "panelCircles": ["circle", "segment"],
    ]

    /// The unread notifications, the newest first.
    let pecks: [PeckView]
    let unread: Int
    /// The open meetings with the latest news.
    let feed: [OpenLine]
    let circles: [String]
    /// The id of the reader's profile.
    let profile: String
    let zone: Zone

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "profileId": .text(profile),
            "panelPecks": .list(pecks.map { self.values(of: $0, words) }),
            "panelFeed": .list(
                feed.map { line in
                    [
                        "feedId": .text(line.id), "feedName": .text(line.title),
                        "feedWho": .text(line.organizerName), "feedNews": .text(words(line.news)),
                    ]
                }),
            "panelCircles": .list(
                circles.map { ["circle": .text($0), "segment": .text(Link.segment($0))] }),
        ]
        values[text: "unreadCount"] = Frame.count(unread)
        return values
    }

    private func values(of peck: PeckView, _ words: PageWords) -> TemplateValues {
        let path = peck.meeting.map { Link.meeting($0, date: peck.occurrence).path } ?? "/pecks"
        return [
            "peckKind": .text(words.notification(peck.kind)), "peckTitle": .text(peck.title),
            "peckWhen": .text(words.moment(peck.at.moment, in: zone)),
            "peckPath": .text(String(path.dropFirst())),
        ]
    }
}

extension Site {
    /// The lines in a panel.
    private static let panelRows = 4

    /// The panels above a day.
    func panels(_ visitor: Visitor) async throws -> TodayPanels {
        let planner = visitor.planner
        let pecks = try await planner.pecks(.unread, limit: Self.panelRows)
        return TodayPanels(
            pecks: pecks.pecks, unread: pecks.unread,
            feed: try await planner.openFeed(world: false, limit: Self.panelRows).meetings,
            circles: try await planner.circles().prefix(2 * Self.panelRows).map(\.name),
            profile: planner.actor.id.text, zone: planner.zone)
    }
}
