import Ledger
import NIOCore
import NIOHTTP1
public import Planning
import Timekeeping

/// The calendars that programs read again and again, each by a private address. They are made anew
/// when something has changed that they show, and else told from memory.
public struct FeedRoom: Sendable {
    /// Who plans at a moment: another one after a new configuration.
    public typealias World = @Sendable () -> Planner

    private let world: World
    private let shelf = FeedShelf()

    /// A room of this world.
    public init(_ world: @escaping World) {
        self.world = world
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
        let known = shelf.copy(of: feed)
        let copy: FeedCopy
        if let known, known.content.isOf(feed) {
            copy = known
        } else {
            let content = try await planner.content(of: feed, besides: known?.content)
            copy = FeedCopy(content, at: planner.now, after: known)
            shelf.keep(copy, of: feed)
        }
        return Self.answer(copy, Conditions(request.fields), at: planner.now)
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
