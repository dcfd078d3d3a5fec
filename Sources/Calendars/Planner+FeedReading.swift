import Agenda
import Interchange
import Ledger
public import Planning
import Secrets
import Storage
import Timekeeping

/// A feed in its current state, for a reader who requests it.
public struct ReadFeed: Sendable {
    /// The id of the feed.
    public var id: String { feed.id.text }
    /// The id of the person who created the feed.
    public var owner: String { feed.owner.text }
    let feed: Feed
    /// A number that changes whenever the content of any feed may have changed.
    let mark: Int64
    /// The current day, counted from 1 January 1970. The feed shows a range of days around it.
    let day: Int64
}

/// The content of a feed, and the state from which it was created.
public struct FeedContent: Sendable {
    /// The calendar object; empty if it is stored elsewhere.
    public private(set) var octets: [UInt8]
    /// A hash of the calendar object, in 32 hexadecimal digits.
    public let version: String
    let mark: Int64
    let day: Int64
    fileprivate let feed: Feed
    fileprivate let alarms: [TimeSpan]?
    /// The meetings in the order of their starts.
    fileprivate let parts: [Part]

    fileprivate struct Part: Sendable {
        let id: MeetingID
        let startsAt: Moment
        let entry: CalendarFeed.Entry
    }

    /// The number of bytes of the hash in ``version``.
    private static let versionOctets = 16

    fileprivate init(
        _ octets: [UInt8], of read: ReadFeed, alarms: [TimeSpan]?, _ parts: [Part]
    ) {
        self.octets = octets
        version = Hexadecimal.text(SHA256.hash(octets).prefix(Self.versionOctets))
        // The feed was read before its meetings, so newer changes are loaded again next time.
        (mark, day, feed) = (read.mark, read.day, read.feed)
        self.alarms = alarms
        self.parts = parts
    }

    /// True if the feed has not changed since this content was created.
    public func isOf(_ read: ReadFeed) -> Bool {
        mark == read.mark && day == read.day && feed == read.feed
    }

    /// The content without the calendar object.
    public var withoutOctets: FeedContent {
        var content = self
        content.octets = []
        return content
    }

    /// True if its unchanged meetings would look the same in the current feed.
    fileprivate func isLaidOut(as read: ReadFeed, _ alarms: [TimeSpan]?) -> Bool {
        // After a merge of two people, the subject has other meetings.
        day == read.day && feed.subject == read.feed.subject && self.alarms == alarms
    }
}

extension Planner {
    /// The number of past days that a feed shows.
    public static let feedDaysBefore: Int64 = 30
    /// The number of coming days that a feed shows.
    public static let feedDaysAfter: Int64 = 400
    fileprivate static let daySeconds: Int64 = 86_400

    /// The feed with this token in its address; `nil` if there is none.
    public func feed(by token: String) async throws -> ReadFeed? {
        guard let token = AccessToken(token) else { return nil }
        return try await feed(hash: token.hash)
    }

    /// The feeds whose content takes long to create.
    public func largeFeeds() async throws -> [ReadFeed] {
        var feeds: [ReadFeed] = []
        for hash in try await store.feeds(
            ofAtLeast: Self.largeFeedMeetings, limit: Self.largeFeedsMax)
        { feeds += [try await feed(hash: hash)].compactMap(\.self) }
        return feeds
    }

    /// The minimum number of meetings in a large feed.
    private static let largeFeedMeetings = 1000
    private static let largeFeedsMax = 100

    private func feed(hash: String) async throws -> ReadFeed? {
        guard let found = try await store.feed(hash: hash) else { return nil }
        let day = Int64((Double(now.seconds) / Double(Self.daySeconds)).rounded(.down))
        return ReadFeed(feed: found.feed, mark: found.mark, day: day)
    }

    /// Creates the current content of a feed.
    ///
    /// - Parameters:
    ///   - read: the feed.
    ///   - known: its earlier content; unchanged parts of it are used again.
    /// - Returns: a calendar object with the meetings of its person or circle, without cancelled
    ///   meetings and those that its person declined.
    /// - Throws: ``StoreError``.
    public func content(
        of read: ReadFeed, besides known: FeedContent?
    ) async throws -> FeedContent {
        let feed = read.feed
        guard !feed.isBusyOnly else { return try await busyContent(of: read) }
        if feed.isOfBirthdays, case .person(let reader) = feed.subject {
            let octets = try await birthdayCalendar(of: reader, for: read).octets
            return FeedContent(octets, of: read, alarms: nil, [])
        }
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

    /// Creates the content of a feed of busy times: for a person, from their meetings here and
    /// their calendars; for a circle, from its meetings.
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

    /// The reminder times in the person's own policy; `nil` if those of each meeting apply.
    private func alarms(of feed: Feed) async throws -> [TimeSpan]? {
        guard feed.hasAlarms, case .person(let person) = feed.subject else { return nil }
        return try await store.policy(of: person).reminders
    }
}

/// Creates the calendar entries of a feed.
private struct FeedFrame: Sendable {
    /// The start of the shown range; meetings that end before it are left out.
    let from: Moment
    /// The end of the shown range; meetings that begin after it are left out.
    let end: Moment
    /// The reminder times in the person's own policy; `nil` if those of each meeting apply.
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

    /// The number of meetings in one concurrent task.
    private static let chunkMeetings = 500

    /// The parts of a feed that show meetings.
    func parts(of meetings: [FeedMeeting]) async -> [FeedContent.Part] {
        await withTaskGroup(of: [FeedContent.Part].self) { group in
            for start in stride(from: 0, to: meetings.count, by: Self.chunkMeetings) {
                let chunk = meetings[start..<min(start + Self.chunkMeetings, meetings.count)]
                group.addTask { chunk.compactMap(part) }
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
    }

    /// The part of a feed that shows a meeting; `nil` if none of its dates concerns the feed's
    /// person or circle.
    private func part(of shown: FeedMeeting) -> FeedContent.Part? {
        let meeting = shown.meeting
        var events = events(of: shown)
        guard !events.isEmpty else { return nil }
        for place in events.indices {
            if hasAlarms {
                events[place].remind(meeting.time.reminderSpans(alarms ?? meeting.reminders))
            }
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

    /// A series to which the feed's person is invited as a whole, without the dates that they
    /// declined or were uninvited from. Dates that are tentative while the series is confirmed, or
    /// the reverse, are separate entries.
    private func series(
        of shown: FeedMeeting, answered answer: Answer, in zone: Zone
    ) -> CalendarEvent? {
        let meeting = shown.meeting
        let isShown = meeting.hasDate(endingAfter: from, startingBefore: end, in: zone) {
            $0.isOn && shown.dates[$0.name]?.isComing ?? true
        }
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

    /// The dates of a series to which the feed's person is invited, without the whole series.
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
    /// True if the feed's person is invited to the date and has not declined.
    fileprivate var isComing: Bool { !isRemoved && answer != .declined }
}
