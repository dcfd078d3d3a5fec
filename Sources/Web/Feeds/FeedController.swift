import Calendars
import Ledger
import NIOCore
import NIOHTTP1
public import Planning
public import Timekeeping

/// Serves calendar feeds, each at a private address. A feed is rendered again only when something
/// that it shows has changed; otherwise it comes from a cache.
public struct FeedController: Sendable {
    /// Returns the planner to use now. It changes when the configuration is reloaded.
    public typealias World = @Sendable () -> Planner

    private let world: World
    private let clock: any WallClock
    private let cache = FeedCache()
    private let turns = KeyedLock()
    /// Wakes ``untilReady()`` as soon as the large feeds have been rendered for the first time.
    private let isReady = WakeSignal()

    /// A controller that uses this planner and this clock.
    public init(clock: any WallClock, _ world: @escaping World) {
        self.world = world
        self.clock = clock
    }

    /// Its routes.
    public var routes: [Route] { [Route(.get, "/cal/*", feed)] }

    private static let ending = ".ics"

    @Sendable private func feed(_ request: PageRequest) async throws -> PageAnswer {
        let planner = world()
        let name = request["*"]
        guard name.hasSuffix(Self.ending),
            let feed = try await planner.feed(by: String(name.dropLast(Self.ending.count)))
        else {
            return Problem(.notFound, code: "not_found", "This calendar does not exist.").answer
        }
        return Self.answer(
            try await copy(of: feed, planner), Conditions(request.fields), at: planner.now)
    }

    private func copy(of feed: ReadFeed, _ planner: Planner) async throws -> FeedCopy {
        if let known = cache.copy(of: feed), known.content.isOf(feed) { return known }
        // The feeds of a person are rendered one after the other, so that they leave threads for
        // the pages of others.
        return try await turns.take(of: feed.owner) {
            // Another request may have rendered it while this one waited for the lock.
            let known = cache.copy(of: feed)
            if let known, known.content.isOf(feed) { return known }
            let content = try await planner.content(of: feed, besides: known?.content)
            let copy = FeedCopy(content, at: planner.now, after: known)
            cache.keep(copy, of: feed)
            return copy
        }
    }

    private static let daySeconds: Int64 = 86_400

    /// Renders the large feeds before anybody requests them, until the task is cancelled: at once,
    /// and at the start of each day (UTC).
    public func run() async {
        while !Task.isCancelled {
            let planner = world()
            // A feed that cannot be read now is read again on request; that request then gets the
            // error.
            for feed in (try? await planner.largeFeeds()) ?? [] {
                _ = try? await copy(of: feed, planner).packed
            }
            isReady.wake()
            let day = clock.now.seconds / Self.daySeconds
            try? await clock.sleep(until: Moment(seconds: (day + 1) * Self.daySeconds + 1))
        }
    }

    /// The longest wait in ``untilReady()``, in milliseconds.
    private static let readyMilliseconds: Int64 = 500

    /// Returns when ``run()`` has rendered the large feeds, but after half a second at the latest.
    public func untilReady() async {
        await isReady.wait(
            until: clock.now.advanced(byMilliseconds: Self.readyMilliseconds), on: clock)
    }

    private static func answer(
        _ copy: FeedCopy, _ conditions: Conditions, at now: Moment
    ) -> PageAnswer {
        let packed = conditions.takeGzip ? copy.packed : nil
        let tag = packed == nil ? copy.tag : copy.packedTag
        var fields = [
            (name: "ETag", value: tag),
            // `Last-Modified` must not lie in the future (RFC 9110, 8.8.2.1).
            ("Last-Modified", HTTPDate.text(of: min(copy.changedAt, now))),
            // Only the client itself may store the feed, and it must revalidate it for each use.
            ("Cache-Control", "private, no-cache"), ("Vary", "Accept-Encoding"),
            ("X-Robots-Tag", "noindex, nofollow"), ("Referrer-Policy", "no-referrer"),
        ]
        let isKnown = conditions.areMet(
            [copy.tag, copy.packedTag], changedAt: copy.changedAt, now: now)
        guard !isKnown else {
            var answer = PageAnswer(.notModified, "text/calendar; charset=utf-8", "")
            answer.fields = fields
            return answer
        }
        if packed != nil { fields.append(("Content-Encoding", "gzip")) }
        fields.append(("Content-Disposition", "inline; filename=\"meetings.ics\""))
        var answer = PageAnswer(
            .ok, "text/calendar; charset=utf-8", body: packed ?? copy.plain)
        answer.fields = fields
        return answer
    }
}
