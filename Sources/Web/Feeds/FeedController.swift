import Ledger
import NIOCore
import NIOHTTP1
public import Planning
public import Timekeeping

/// The calendars that programs read again and again, each by a private address. They are made anew
/// when something has changed that they show, and else told from memory.
public struct FeedController: Sendable {
    /// Who plans at a moment: another one after a new configuration.
    public typealias World = @Sendable () -> Planner

    private let world: World
    private let clock: any WallClock
    private let cache = FeedCache()
    private let turns = KeyedLock()
    /// Is woken when the large feeds have been laid out for the first time.
    private let isReady = WakeSignal()

    /// A room of this world, on the machine's clock.
    public init(clock: any WallClock, _ world: @escaping World) {
        self.world = world
        self.clock = clock
    }

    /// Its pages.
    public var pages: [Page] { [Page(below: "/cal/", takesForms: false, feed)] }

    private static let ending = ".ics"

    @Sendable private func feed(_ request: PageRequest) async throws -> PageAnswer {
        let planner = world()
        guard request.rest.hasSuffix(Self.ending),
            let feed = try await planner.feed(
                by: String(request.rest.dropLast(Self.ending.count)))
        else {
            return Problem(.notFound, code: "not_found", "There is no such calendar here.").answer
        }
        return Self.answer(
            try await copy(of: feed, planner), Conditions(request.fields), at: planner.now)
    }

    private func copy(of feed: ReadFeed, _ planner: Planner) async throws -> FeedCopy {
        if let known = cache.copy(of: feed), known.content.isOf(feed) { return known }
        return try await turns.take(of: feed.id) {
            // Whoever waited may find that it was made meanwhile.
            let known = cache.copy(of: feed)
            if let known, known.content.isOf(feed) { return known }
            let content = try await planner.content(of: feed, besides: known?.content)
            let copy = FeedCopy(content, at: planner.now, after: known)
            cache.keep(copy, of: feed)
            return copy
        }
    }

    private static let daySeconds: Int64 = 86_400

    /// Lays out the large feeds before somebody waits for one, until the task is cancelled: at
    /// once, and whenever a day begins.
    public func run() async {
        while !Task.isCancelled {
            let planner = world()
            // What cannot be read now is read when somebody asks, who then hears why not.
            for feed in (try? await planner.largeFeeds()) ?? [] {
                _ = try? await copy(of: feed, planner).packed
            }
            isReady.wake()
            let day = clock.now.seconds / Self.daySeconds
            try? await clock.sleep(until: Moment(seconds: (day + 1) * Self.daySeconds + 1))
        }
    }

    /// So long who asks first may have to wait, so that their answer is there, in milliseconds.
    private static let readyMilliseconds: Int64 = 500

    /// Returns when ``run()`` has laid out the large feeds, and after half a second anyway.
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
            // No date lies ahead (RFC 9110, 8.8.2.1).
            ("Last-Modified", HTTPDate.of(min(copy.changedAt, now))),
            // Kept by its reader alone, who asks each time whether it is still so.
            ("Cache-Control", "private, no-cache"), ("Vary", "Accept-Encoding"),
            ("X-Robots-Tag", "noindex, nofollow"), ("Referrer-Policy", "no-referrer"),
        ]
        let isKnown = conditions.areMet([copy.tag, copy.packedTag], changedAt: copy.changedAt)
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
