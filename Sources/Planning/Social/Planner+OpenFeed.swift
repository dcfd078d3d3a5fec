import Agenda
import Ledger
import Storage
public import Timekeeping

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
        let sorted = try await sorted(filter)
        let shown = sorted.prefix(limit)
        let next = sorted.count > limit ? shown.last : nil
        return OpenFeed(
            meetings: try shown.map { try line($0, seen: seen) },
            next: next.map { listing, time in
                let at = isSoonestFirst ? time.startsAt : listing.news.at
                return "\(at.milliseconds)-\(listing.meeting.id.text)"
            })
    }

    /// The meetings of a day that the actor can join: those of the people whom they follow.
    ///
    /// - Parameters:
    ///   - day: the day in the actor's time zone. What has begun is left out.
    ///   - limit: the most meetings.
    /// - Returns: the meetings in which the actor does not take part yet, the earliest first.
    /// - Throws: ``StoreError``.
    public func openMeetings(on day: CivilDate, limit: Int) async throws -> [OpenLine] {
        func midnight(of day: CivilDate) -> Moment {
            zone.moment(of: WallTime(date: day, time: .midnight))
        }
        let (begin, end) = (max(midnight(of: day), now), midnight(of: day.adding(days: 1)))
        guard begin < end else { return [] }
        let filter = OpenFeedFilter(
            reader: actor.id, isWorld: false, isSoonestFirst: true,
            after: OpenFeedCursor(at: begin.advanced(byMilliseconds: -1), meeting: "~"), now: now,
            limit: Self.feedRowsMax)
        let lines = try await sorted(filter).prefix { $0.1.startsAt < end }
            .map { try line($0, seen: nil) }
        return Array(lines.filter { $0.standing == nil || $0.standing == "declined" }.prefix(limit))
    }

    /// The meetings of a feed in its order, each with the time that it shows.
    private func sorted(
        _ filter: OpenFeedFilter
    ) async throws -> [(OpenListing, MeetingTime)] {
        let timed = try await store.openFeed(filter).compactMap { listing in
            try time(of: listing, in: filter).map { (listing, $0) }
        }
        return filter.isSoonestFirst ? timed.sorted(by: Self.isSooner) : timed
    }

    private func line(
        _ timed: (OpenListing, MeetingTime), seen: Moment?
    ) throws -> OpenLine {
        OpenLine(
            timed.0, at: timed.1, seen: seen, reader: actor.id,
            zone: try zone(named: timed.0.meeting.time.zone), clock: zone)
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
    /// - Returns: the time; `nil` if the feed does not show it after its cursor.
    private func time(
        of listing: OpenListing, in filter: OpenFeedFilter
    ) throws -> MeetingTime? {
        let meeting = listing.meeting
        guard meeting.series != nil else { return meeting.time }
        let own = try zone(named: meeting.time.zone)
        guard filter.isSoonestFirst else {
            return meeting.nextTime(after: now, in: own) ?? meeting.time
        }
        let begin = max(filter.cursor?.at ?? now, now.advanced(byMilliseconds: -1))
        // A date at the time of the cursor comes after it if the id does.
        let isAfter = filter.cursor.map { meeting.id.text > $0.meeting } ?? true
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
