import Agenda
import Calendars
import NIOHTTP1
import Planning
import Settings
import Timekeeping
import Wording

/// The feeds in which calendar programs read meetings.
struct FeedsPage: PageModel {
    static let template = "feeds"
    static let names = TemplateNames(
        ["isLocal", "isEmpty"],
        lists: [
            "feeds": [
                "feedId", "feedName", "feedLine", "feedAddress", "feedSubscribe", "code",
            ]
        ])

    /// The most feeds of a person that are made here. Each has a picture of its address.
    static let feedsMax = 20

    let feeds: [FeedView]
    /// The address of this site without a path, as the browser knows it, where no public address
    /// is set; `nil` otherwise.
    let local: String?
    let zone: Zone

    func title(_ words: PageWords) -> String { words("Calendar feeds") }

    func values(_ words: PageWords) -> TemplateValues {
        [
            "isLocal": .flag(local != nil), "isEmpty": .flag(feeds.isEmpty),
            "feeds": .list(feeds.map { values(of: $0, words) }),
        ]
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
            route(.post, "/me/feeds") { request, visitor in
                let planner = visitor.planner
                guard try await planner.ownFeeds().count < FeedsPage.feedsMax else {
                    return redirect(to: .feeds(saved: "feeds-full"))
                }
                if request.form["shows"] == "birthdays" {
                    _ = try await planner.addBirthdayFeed()
                } else {
                    _ = try await planner.addFeed(
                        of: .person(planner.actor), hasAlarms: request.form["alarms"] == "1",
                        isBusyOnly: request.form["busy"] == "1")
                }
                return redirect(to: .feeds(saved: "feed"))
            },
            route(.post, "/me/feeds/revoke") { request, visitor in
                let planner = visitor.planner
                let wanted = try await planner.ownFeeds().first { $0.id == request.form["feed"] }
                // Pressed twice, the feed is revoked already.
                if let wanted { _ = try await planner.revokeFeeds([wanted.id]) }
                return redirect(to: .feeds(saved: "revoked"))
            },
        ]
    }

    /// The scheme and host of this site, if no public address is set.
    private func localOrigin(_ request: PageRequest) -> String? {
        guard world.address.base == nil, let host = request.fields["host"].first,
            world.address.isOwn(host)
        else { return nil }
        return "http://\(host)"
    }
}
