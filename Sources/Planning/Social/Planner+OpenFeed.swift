import Agenda
import Ledger
import Storage
import Timekeeping

extension Planner {
    /// The most meetings on a page of a feed.
    public static let feedRowsMax = 100

    /// A page of the feed: the open meetings of those whom the actor follows, or all that are open
    /// to everybody here.
    ///
    /// - Parameters:
    ///   - isWorld: true for all that are open to everybody here.
    ///   - isSoonestFirst: true to begin with the next start; false to begin with the latest news.
    ///   - page: ``OpenFeed/next`` of the page before; `nil` for the first page.
    ///   - limit: the most meetings, from 1 to ``feedRowsMax``.
    /// - Returns: the page.
    /// - Throws: ``Refusal`` with `unknown_page` if `page` cannot be read.
    public func openFeed(
        world isWorld: Bool, soonestFirst isSoonestFirst: Bool = false, after page: String? = nil,
        limit: Int
    ) async throws -> OpenFeed {
        let limit = min(max(limit, 1), Self.feedRowsMax)
        let cursor = try page.map(Self.cursor)
        let filter = OpenFeedFilter(
            reader: actor.id, isWorld: isWorld, isSoonestFirst: isSoonestFirst, after: cursor,
            now: now, limit: limit + 1)
        let seen = try await store.feedSeen(by: actor.id)
        let found = try await store.openFeed(filter)
        let timed = try found.compactMap { listing -> (OpenListing, MeetingTime)? in
            try time(of: listing, after: isSoonestFirst ? cursor : nil, isSoonestFirst)
                .map { (listing, $0) }
        }
        let sorted = isSoonestFirst ? timed.sorted(by: Self.isSooner) : timed
        let shown = sorted.prefix(limit)
        let next = sorted.count > limit ? shown.last : nil
        return OpenFeed(
            meetings: try shown.map { listing, time in
                OpenLine(
                    listing, at: time, seen: seen, reader: actor.id,
                    zone: try zone(named: listing.meeting.time.zone), clock: zone)
            },
            next: next.map { listing, time in
                let at = isSoonestFirst ? time.startsAt : listing.news.at
                return "\(at.milliseconds)-\(listing.meeting.id.text)"
            })
    }

    /// Notes that the actor has seen their feed up to now.
    ///
    /// - Throws: ``StoreError``.
    public func markFeedSeen() async throws {
        try await store.markFeedSeen(by: actor.id, until: now)
    }

    /// The time that a feed shows for a meeting: of a series, that of its next date, or of its
    /// first one if it is over.
    ///
    /// - Returns: the time; `nil` if a feed by start does not show it after the cursor.
    private func time(
        of listing: OpenListing, after cursor: OpenFeedCursor?, _ isSoonestFirst: Bool
    ) throws -> MeetingTime? {
        let meeting = listing.meeting
        guard meeting.series != nil else { return meeting.time }
        let own = try zone(named: meeting.time.zone)
        guard isSoonestFirst else { return meeting.nextTime(after: now, in: own) ?? meeting.time }
        let begin = max(cursor?.at ?? now, now)
        // A date at the time of the cursor comes after it if the id does.
        let isAfter = cursor.map { meeting.id.text > $0.meeting } ?? true
        return meeting.nextTime(
            after: isAfter ? begin.advanced(byMilliseconds: -1) : begin, in: own)
    }

    private static func isSooner(
        _ left: (OpenListing, MeetingTime), _ right: (OpenListing, MeetingTime)
    ) -> Bool {
        (left.1.startsAt, left.0.meeting.id.text) < (right.1.startsAt, right.0.meeting.id.text)
    }

    private static func cursor(_ text: String) throws(Refusal) -> OpenFeedCursor {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let at = Int64(parts[0]), abs(at) < 1 << 52 else {
            throw Refusal(.invalid, code: "unknown_page", "This page of the feed does not exist.")
        }
        return OpenFeedCursor(at: Moment(milliseconds: at), meeting: String(parts[1]))
    }
}
