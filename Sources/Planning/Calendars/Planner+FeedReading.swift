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
    /// The calendar object; empty where it is kept elsewhere.
    public private(set) var octets: [UInt8]
    /// What is the same as long as the object is, in 32 letters and digits.
    public let version: String
    let mark: Int64
    let day: Int64
    fileprivate let feed: Feed
    fileprivate let alarms: [TimeSpan]?
    /// In the order of their starts.
    fileprivate let parts: [Part]

    fileprivate struct Part: Sendable {
        let id: MeetingID
        let startsAt: Moment
        let entry: CalendarFeed.Entry
    }

    /// So much of a hash tells versions of a feed apart.
    private static let versionOctets = 16

    fileprivate init(
        _ octets: [UInt8], of read: ReadFeed, alarms: [TimeSpan]?, _ parts: [Part]
    ) {
        self.octets = octets
        version = Hexadecimal.text(SHA256.hash(octets).prefix(Self.versionOctets))
        // The feed was read before its meetings: by its number what is newer is asked again.
        (mark, day, feed) = (read.mark, read.day, read.feed)
        self.alarms = alarms
        self.parts = parts
    }

    /// Whether a feed says the same still.
    public func isOf(_ read: ReadFeed) -> Bool {
        mark == read.mark && day == read.day && feed == read.feed
    }

    /// The same without the object.
    public var withoutOctets: FeedContent {
        var content = self
        content.octets = []
        return content
    }

    /// Whether what it shows was laid out as it would be now.
    fileprivate func isLaidOut(as read: ReadFeed, _ alarms: [TimeSpan]?) -> Bool {
        // Who was merged has another's meetings.
        day == read.day && feed.subject == read.feed.subject && self.alarms == alarms
    }
}

extension Planner {
    /// What ended longer ago is not shown, in days.
    public static let feedDaysBefore: Int64 = 30
    /// What begins later is not shown, in days.
    public static let feedDaysAfter: Int64 = 400
    fileprivate static let daySeconds: Int64 = 86_400

    /// The feed that has this token in its address; `nil` where there is none.
    public func feed(by token: String) async throws -> ReadFeed? {
        guard let token = AccessToken(token) else { return nil }
        return try await feed(hash: token.hash)
    }

    /// The feeds that take long to lay out.
    public func largeFeeds() async throws -> [ReadFeed] {
        var feeds: [ReadFeed] = []
        for hash in try await store.feeds(
            ofAtLeast: Self.largeFeedMeetings, limit: Self.largeFeedsMax)
        { feeds += [try await feed(hash: hash)].compactMap(\.self) }
        return feeds
    }

    /// So many meetings are laid out before anybody would notice.
    private static let largeFeedMeetings = 1000
    private static let largeFeedsMax = 100

    private func feed(hash: String) async throws -> ReadFeed? {
        guard let found = try await store.feed(hash: hash) else { return nil }
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
    /// - Throws: ``StoreError``.
    public func content(
        of read: ReadFeed, besides known: FeedContent?
    ) async throws -> FeedContent {
        let feed = read.feed
        guard !feed.isBusyOnly else { return try await busyContent(of: read) }
        let alarms = try await alarms(of: feed)
        let old = known.flatMap { $0.isLaidOut(as: read, alarms) ? $0 : nil }
        let frame = FeedFrame(read, alarms: alarms, zones: surroundings.zones)
        let news = try await store.feedMeetings(
            of: feed.subject, endingAfter: frame.from, startingBefore: frame.end,
            changedSince: old?.mark)
        var parts = old?.parts.filter { !news.changed.contains($0.id) } ?? []
        parts += await frame.parts(of: news.meetings)
        parts.sort { ($0.startsAt, $0.id) < ($1.startsAt, $1.id) }
        let octets = CalendarFeed(name: feed.name, parts.map(\.entry)).octets
        return FeedContent(octets, of: read, alarms: alarms, parts)
    }

    /// When a person is busy, by their meetings here and their calendars; of a circle, when it
    /// meets.
    private func busyContent(of read: ReadFeed) async throws -> FeedContent {
        let frame = FeedFrame(read, alarms: nil, zones: surroundings.zones)
        let time = frame.from..<frame.end
        let busy: BusyTimes
        switch read.feed.subject {
        case .person(let id):
            let person = try await store.person(id) ?? Person(id: id, name: "")
            let known = try await store.knownTimes(of: [id], within: time)
            busy = busyTimes(of: person, known, within: time)
        case .circle:
            let news = try await store.feedMeetings(
                of: read.feed.subject, endingAfter: frame.from, startingBefore: frame.end,
                changedSince: nil)
            busy = BusyTimes(
                firm: news.meetings.flatMap { shown in
                    shown.spans(within: time, by: surroundings.zones).map(\.span)
                }, tentative: [])
        }
        let octets = BusyPublication(
            uid: "\(read.feed.id.text)@letsmeet", from: frame.from, until: frame.end,
            firm: busy.firm, tentative: busy.tentative
        ).octets(at: Moment(seconds: read.day * Self.daySeconds))
        return FeedContent(octets, of: read, alarms: nil, [])
    }

    /// When a person wants to be reminded of everything; `nil` where each meeting says it.
    private func alarms(of feed: Feed) async throws -> [TimeSpan]? {
        guard feed.hasAlarms, case .person(let person) = feed.subject else { return nil }
        return try await store.policy(of: person).reminders
    }
}

/// How the meetings of a feed are laid out.
private struct FeedFrame: Sendable {
    /// What ended before this is not shown.
    let from: Moment
    /// What begins after this is not shown.
    let end: Moment
    /// When its reader wants to be reminded of everything.
    private let alarms: [TimeSpan]?
    private let hasAlarms: Bool
    private let zones: ZoneDirectory

    init(_ read: ReadFeed, alarms: [TimeSpan]?, zones: ZoneDirectory) {
        from = Moment(seconds: (read.day - Planner.feedDaysBefore) * Planner.daySeconds)
        end = Moment(seconds: (read.day + Planner.feedDaysAfter) * Planner.daySeconds)
        hasAlarms = read.feed.hasAlarms
        self.alarms = alarms
        self.zones = zones
    }

    /// So many are laid out at a time, beside others.
    private static let chunkMeetings = 500

    /// What is shown of meetings.
    func parts(of meetings: [FeedMeeting]) async -> [FeedContent.Part] {
        await withTaskGroup(of: [FeedContent.Part].self) { group in
            for start in stride(from: 0, to: meetings.count, by: Self.chunkMeetings) {
                let chunk = meetings[start..<min(start + Self.chunkMeetings, meetings.count)]
                group.addTask { chunk.compactMap(part) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// What is shown of a meeting; `nil` where nothing of it is its reader's.
    private func part(of shown: FeedMeeting) -> FeedContent.Part? {
        let meeting = shown.meeting
        var events = events(of: shown)
        guard !events.isEmpty else { return nil }
        for place in events.indices {
            if hasAlarms { events[place].remind(alarms ?? meeting.reminders) }
            if !shown.nature.isEmpty { events[place].show(shown.nature) }
        }
        return FeedContent.Part(
            id: meeting.id, startsAt: meeting.time.startsAt,
            entry: CalendarFeed.Entry(events, changedAt: shown.changedAt))
    }

    private func events(of shown: FeedMeeting) -> [CalendarEvent] {
        let meeting = shown.meeting
        guard meeting.series != nil else {
            var event = meeting.calendarEvent(
                telling: meeting.facts, sequence: meeting.sequence, by: zones)
            event.isTentative = shown.answer != .going
            return [event]
        }
        let zone = (try? zones.zone(meeting.time.zone)) ?? .utc
        guard let answer = shown.answer, answer != .declined else {
            return singleDates(of: shown, in: zone)
        }
        return series(of: shown, answered: answer, in: zone).map { [$0] } ?? []
    }

    /// A series to all of which its reader is asked, without the dates that are not theirs; those
    /// that are more or less certain than the whole stand apart.
    private func series(
        of shown: FeedMeeting, answered answer: Answer, in zone: Zone
    ) -> CalendarEvent? {
        let meeting = shown.meeting
        let isShown = meeting.dates(endingAfter: from, startingBefore: end, in: zone)
            .contains { $0.isOn && shown.dates[$0.name]?.isComing ?? true }
        guard isShown else { return nil }
        let absences = Set(shown.dates.filter { !$0.value.isComing }.keys)
        let others = shown.dates.filter {
            $0.value.isComing && ($0.value.answer == .going) != (answer == .going)
        }
        var event = meeting.calendarEvent(
            telling: meeting.facts, sequence: meeting.sequence, without: absences,
            apart: Set(others.keys), by: zones)
        event.isTentative = answer != .going
        let originals = Set(others.keys.compactMap { Meeting.start(named: $0, in: zone) })
        for place in event.changes.indices {
            let isOther = event.changes[place].original.map(originals.contains) ?? false
            event.changes[place].isTentative = isOther != event.isTentative
        }
        return event
    }

    /// The dates of a series to which its reader is asked, who is not asked to all of it.
    private func singleDates(of shown: FeedMeeting, in zone: Zone) -> [CalendarEvent] {
        let meeting = shown.meeting
        return shown.dates.filter(\.value.isComing).keys.sorted()
            .compactMap { meeting.date(named: $0, in: zone) }
            .filter { $0.isOn && $0.time.endsAt > from && $0.time.startsAt < end }
            .map { date in
                let dated = meeting.on(date)
                var event = dated.calendarEvent(
                    telling: dated.facts, sequence: dated.sequence, on: date.name, by: zones)
                event.isTentative = shown.dates[date.name]?.answer != .going
                return event
            }
    }
}

extension FeedMeeting.DateAnswer {
    /// Whether its reader may come.
    fileprivate var isComing: Bool { !isRemoved && answer != .declined }
}
