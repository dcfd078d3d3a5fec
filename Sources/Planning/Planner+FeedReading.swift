import Agenda
import Interchange
import Ledger
import Secrets
import Storage
import Timekeeping

/// A feed that somebody reads.
public struct ReadFeed: Sendable {
    /// Which.
    public var id: String { feed.id.text }
    let feed: Feed
    /// While it is the same, nothing has changed that a feed shows.
    let mark: Int64
    /// The day that is the middle of what it shows, counted from 1970.
    let day: Int64
}

/// What a feed says, and of what it was made.
public struct FeedContent: Sendable {
    /// The calendar object.
    public let octets: [UInt8]
    /// What is the same as long as the object is, in 32 letters and digits.
    public let version: String
    let mark: Int64
    let day: Int64
    fileprivate let alarms: [TimeSpan]?
    fileprivate let parts: [MeetingID: Part]

    fileprivate struct Part: Sendable {
        let shown: FeedMeeting
        /// `nil` where nothing of it is shown.
        let entry: CalendarFeed.Entry?
    }

    /// Whether a feed says the same still.
    public func isOf(_ feed: ReadFeed) -> Bool { mark == feed.mark && day == feed.day }
}

extension Planner {
    /// What ended longer ago is not shown, in days.
    public static let feedDaysBefore: Int64 = 30
    /// What begins later is not shown, in days.
    public static let feedDaysAfter: Int64 = 400
    private static let daySeconds: Int64 = 86_400

    /// The feed that has this token in its address; `nil` where there is none.
    public func feed(by token: String) async throws -> ReadFeed? {
        guard let token = AccessToken(token), let found = try await store.feed(hash: token.hash)
        else { return nil }
        let day = Int64((Double(now.seconds) / Double(Self.daySeconds)).rounded(.down))
        return ReadFeed(feed: found.feed, mark: found.mark, day: day)
    }

    /// What a feed says now.
    ///
    /// - Parameters:
    ///   - read: the feed.
    ///   - known: what it said before; what has not changed of that is not made anew.
    /// - Returns: a calendar object with the meetings of its person or circle, without those that
    ///   are off, or to which its person said no.
    public func content(of read: ReadFeed, besides known: FeedContent?) async throws -> FeedContent
    {
        let feed = read.feed
        let from = Moment(seconds: (read.day - Self.feedDaysBefore) * Self.daySeconds)
        let end = Moment(seconds: (read.day + Self.feedDaysAfter) * Self.daySeconds)
        let meetings = try await store.feedMeetings(
            of: feed.subject, endingAfter: from, startingBefore: end)
        let alarms = try await alarms(of: feed)
        let zones = surroundings.zones
        let old =
            known.flatMap { $0.alarms == alarms && $0.day == read.day ? $0.parts : nil } ?? [:]
        let parts = meetings.map { shown in
            old[shown.meeting.id].flatMap { $0.shown == shown ? $0 : nil }
                ?? FeedContent.Part(
                    shown: shown,
                    entry: shown.entry(
                        from: from, until: end, isOfCircle: feed.subject.isCircle,
                        alarms: feed.hasAlarms ? alarms ?? shown.meeting.reminders : [], by: zones))
        }
        let octets = CalendarFeed(name: feed.name, parts.compactMap(\.entry)).octets
        return FeedContent(
            octets: octets,
            version: Hexadecimal.text(SHA256.hash(octets).prefix(Self.versionOctets)),
            mark: read.mark, day: read.day, alarms: alarms,
            parts: Dictionary(
                parts.map { ($0.shown.meeting.id, $0) }, uniquingKeysWith: { $1 }))
    }

    /// So much of a hash tells versions of a feed apart.
    private static let versionOctets = 16

    /// When a person wants to be reminded of everything; `nil` where each meeting says it.
    private func alarms(of feed: Feed) async throws -> [TimeSpan]? {
        guard feed.hasAlarms, case .person(let person) = feed.subject else { return nil }
        return try await store.policy(of: person).reminders
    }
}

extension Feed.Subject {
    fileprivate var isCircle: Bool { if case .circle = self { true } else { false } }
}

extension FeedMeeting {
    /// What stands of it in a feed; `nil` where nothing of it is its reader's.
    fileprivate func entry(
        from: Moment, until end: Moment, isOfCircle: Bool, alarms: [TimeSpan],
        by zones: ZoneDirectory
    ) -> CalendarFeed.Entry? {
        let events = events(from: from, until: end, isOfCircle: isOfCircle, by: zones).map {
            var event = $0
            event.remind(alarms)
            return event
        }
        guard !events.isEmpty else { return nil }
        return CalendarFeed.Entry(
            events, isTentative: !isOfCircle && answer != .going, changedAt: changedAt)
    }

    private func events(
        from: Moment, until end: Moment, isOfCircle: Bool, by zones: ZoneDirectory
    ) -> [CalendarEvent] {
        guard meeting.series != nil else {
            return [
                meeting.calendarEvent(telling: meeting.facts, sequence: meeting.sequence, by: zones)
            ]
        }
        let zone = (try? zones.zone(meeting.time.zone)) ?? .utc
        let isAsked = isOfCircle || answer.map { $0 != .declined } ?? false
        guard isAsked else { return singleDates(from: from, until: end, in: zone, by: zones) }
        let isShown = meeting.dates(endingAfter: from, startingBefore: end, in: zone)
            .contains { $0.isOn && dates[$0.name]?.isComing ?? true }
        let absences = Set(dates.filter { !$0.value.isComing }.keys)
        return isShown
            ? [
                meeting.calendarEvent(
                    telling: meeting.facts, sequence: meeting.sequence, without: absences, by: zones
                )
            ] : []
    }

    /// The dates of a series to which its reader is asked, who is not asked to all of it.
    private func singleDates(
        from: Moment, until end: Moment, in zone: Zone, by zones: ZoneDirectory
    ) -> [CalendarEvent] {
        dates.filter(\.value.isComing).keys.sorted()
            .compactMap { meeting.date(named: $0, in: zone) }
            .filter { $0.isOn && $0.time.endsAt > from && $0.time.startsAt < end }
            .map { date in
                let dated = meeting.on(date)
                return dated.calendarEvent(
                    telling: dated.facts, sequence: dated.sequence, on: date.name, by: zones)
            }
    }
}

extension FeedMeeting.DateAnswer {
    /// Whether its reader may come.
    fileprivate var isComing: Bool { !isRemoved && answer != .declined }
}
