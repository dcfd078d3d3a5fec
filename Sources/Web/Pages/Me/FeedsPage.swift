import Agenda
import Calendars
import NIOHTTP1
import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// The feeds in which calendar programs read meetings.
struct FeedsPage: PageModel {
    static let template = "feeds"
    static let names = TemplateNames(words, lists: feedLists)
    /// The variables outside lists.
    static let words = ["isLocal", "isEmpty", "feedCircle"]
    static let feedLists = [
        "feeds": ["feedId", "feedName", "feedLine", "feedAddress", "feedSubscribe", "code"]
    ]

    /// The most feeds of a person that are made here. Each has a picture of its address.
    static let feedsMax = 20

    let feeds: [FeedView]
    /// The address of this site without a path, as the browser knows it, where no public address
    /// is set; `nil` otherwise.
    let local: String?
    let zone: Zone
    /// The name of the circle whose feeds these are; `nil` for all feeds of the reader.
    var circle: String?

    var topics: [String] { [ChangeTopic.feeds, ChangeTopic.circles] }

    func title(_ words: PageWords) -> String { words("Calendar feeds") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "isLocal": .flag(local != nil), "isEmpty": .flag(feeds.isEmpty),
            "feeds": .list(feeds.map { self.values(of: $0, words) }),
        ]
        values[text: "feedCircle"] = circle
        return values
    }

    private func values(of feed: FeedView, _ words: PageWords) -> TemplateValues {
        let made = words("made %when%", ["when": words.moment(feed.made.moment, in: zone)])
        let kinds = [
            feed.alarms ? words("with alarms") : nil,
            feed.busyOnly ? words("busy times only") : nil,
            feed.birthdays ? words("birthdays of your contacts") : nil,
        ].compactMap(\.self)
        var values: TemplateValues = [
            "feedId": .text(feed.id), "feedName": .text(feed.name),
            "feedLine": .text((kinds + [made]).joined(separator: " · ")),
        ]
        let address = feed.url ?? feed.path.flatMap { path in local.map { $0 + path } }
        values[text: "feedAddress"] = address
        values[text: "feedSubscribe"] = address.map { "webcal" + $0.drop { $0 != ":" } }
        values["code"] = .html(
            address.flatMap { QRCode($0) }?.svg(
                label: words("QR code of the feed of %name%", ["name": feed.name])) ?? "")
        return values
    }
}

extension Site {
    /// The feeds of the reader.
    var feedsRoutes: [Route] {
        [
            route(.get, "/me/feeds") { request, visitor in
                let page = FeedsPage(
                    feeds: try await visitor.planner.ownFeeds(), local: localOrigin(request),
                    zone: visitor.planner.zone)
                return show(page, in: frame(request, visitor))
            },
            route(.post, "/me/feeds", makeFeed), route(.post, "/me/feeds/revoke", revokeFeed),
        ]
    }

    private func makeFeed(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let (planner, form) = (visitor.planner, request.form)
        guard try await planner.ownFeeds().count < FeedsPage.feedsMax else {
            return redirect(to: feedsLink(request, saved: "feeds-full"))
        }
        let (hasAlarms, isBusyOnly) = (form["alarms"] == "1", form["busy"] == "1")
        if form.has("circle") {
            let circle = try await planner.circle(named: form["circle"])
            _ = try await planner.addFeed(
                of: .circle(circle), hasAlarms: hasAlarms, isBusyOnly: isBusyOnly)
        } else if form["shows"] == "birthdays" {
            _ = try await planner.addBirthdayFeed()
        } else {
            _ = try await planner.addFeed(
                of: .person(planner.actor), hasAlarms: hasAlarms, isBusyOnly: isBusyOnly)
        }
        return redirect(to: feedsLink(request, saved: "feed"))
    }

    private func revokeFeed(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let planner = visitor.planner
        let wanted = try await planner.ownFeeds().first { $0.id == request.form["feed"] }
        // Pressed twice, the feed is revoked already.
        if let wanted { _ = try await planner.revokeFeeds([wanted.id]) }
        return redirect(to: feedsLink(request, saved: "revoked"))
    }

    /// The page of the feeds on which a form stands: that of a circle, or of all feeds.
    private func feedsLink(_ request: PageRequest, saved: String) -> Link {
        request.form.has("circle")
            ? .circle(request.form["circle"], saved: saved) : .feeds(saved: saved)
    }

    /// The scheme and host of this site, if no public address is set.
    func localOrigin(_ request: PageRequest) -> String? {
        guard world.address.base == nil, let host = request.fields["host"].first,
            world.address.isOwn(host)
        else { return nil }
        return "http://\(host)"
    }
}
