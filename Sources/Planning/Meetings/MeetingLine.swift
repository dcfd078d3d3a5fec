public import Agenda
import Ledger
import Storage
package import Timekeeping
package import Wording

/// A meeting in a line, as `meeting list` prints it. Its texts are computed on demand, because a
/// list may have thousands of meetings.
public struct MeetingLine: Sendable {
    private let summary: MeetingSummary
    private let zone: Zone
    private let reader: Zone

    init(_ summary: MeetingSummary, zone: Zone, reader: Zone) {
        self.summary = summary
        self.zone = zone
        self.reader = reader
    }

    /// The id.
    public var id: String { summary.id.text }
    /// The title.
    public var title: String { summary.title }
    /// The start with the meeting's UTC offset.
    public var start: Timestamp { Timestamp(summary.startsAt, in: zone, reader: reader) }
    /// The end with the meeting's UTC offset.
    public var end: Timestamp { Timestamp(summary.endsAt, in: zone, reader: reader) }
    /// The days that it fills in its own time zone; `nil` if it has a time of day.
    package var days: WholeDays? { start.days(through: end) }
    /// The start in few words, as in "Thu 31 Dec 2026, 13:00 EET", or as a day if the meeting lasts
    /// whole days.
    public var startWords: String {
        TimeWords.short(summary.startsAt, to: summary.endsAt, in: reader, at: zone)
    }
    /// `confirmed` or `cancelled`.
    public var status: MeetingStatus { summary.status }
    /// The text of the place.
    public var place: String? { summary.place }
    /// The original start of the date of a recurring meeting; `nil` if the meeting does not repeat.
    public var occurrence: String? { summary.occurrence.isEmpty ? nil : summary.occurrence }
    /// The repetition in words; `nil` if the meeting does not repeat.
    public var repetition: String? { summary.rule?.words }
    /// The name of the organizer, in lists of open meetings that the actor may join; otherwise
    /// `nil`.
    public var organizer: String? { summary.organizer }
    /// The answer of the person who made the request; `nil` if they are not invited.
    public var own: Answer? { summary.own }
    /// True if that person answers this date alone, and not the series.
    package var isAnsweredByDate: Bool { summary.isOwnForDate }
    /// The numbers of answers, as in "3 going · 1 hasn't answered".
    public var answers: String { AnswerWords.counts(summary.turnout) }

    /// The repetition in words of a language; `nil` if the meeting does not repeat.
    package func repetition(in language: Language) -> String? {
        summary.rule.map { TimeWords.repetition($0, in: language) }
    }

    /// The numbers of answers in words of a language.
    package func answers(in language: Language) -> String {
        AnswerWords.counts(summary.turnout, in: language)
    }
}

extension MeetingLine: Encodable {
    private enum Key: String, CodingKey {
        case id, title, start, end, tz, status, place, answers, occurrence, `repeat`, organizer
        case allDay = "all_day"
    }

    /// Encodes all texts, and `null` if there is no place, date or repetition. The organizer is
    /// named in lists of open meetings alone.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(start.text, forKey: .start)
        try container.encode(end.text, forKey: .end)
        try container.encode(days != nil, forKey: .allDay)
        try container.encode(summary.zone, forKey: .tz)
        try container.encode(status, forKey: .status)
        try container.encode(place, forKey: .place)
        try container.encode(answers, forKey: .answers)
        try container.encode(occurrence, forKey: .occurrence)
        try container.encode(summary.rule?.description, forKey: .repeat)
        try container.encodeIfPresent(organizer, forKey: .organizer)
    }
}

/// Meetings sorted by start, as `meeting list` prints them.
public struct MeetingLines: Sendable {
    private let summaries: [MeetingSummary]
    private let zones: [String: Zone]
    private let reader: Zone
    /// True if there are more meetings than these.
    public let truncated: Bool

    /// Creates the lines of a list.
    ///
    /// - Parameters:
    ///   - found: the meetings.
    ///   - countMax: the number of meetings that are shown.
    ///   - isTruncated: true if there are more meetings than these.
    ///   - reader: the time zone of the person who made the request.
    ///   - zone: finds the time zone of a meeting by its id.
    /// - Throws: the error of `zone`.
    init(
        _ found: [MeetingSummary], countMax: Int, isTruncated: Bool = false, reader: Zone,
        zone: (String) throws -> Zone
    ) throws {
        truncated = isTruncated || found.count > countMax
        summaries = found.count > countMax ? Array(found.prefix(countMax)) : found
        self.reader = reader
        var zones: [String: Zone] = [:]
        for summary in summaries where zones[summary.zone] == nil {
            zones[summary.zone] = try zone(summary.zone)
        }
        self.zones = zones
    }

    /// The sentence that says that there are more meetings; `nil` if these are all.
    public var remark: String? {
        truncated ? FirstRows<MeetingLine>.remark(on: summaries.count) : nil
    }

    /// The meetings that are shown.
    public var meetings: some RandomAccessCollection<MeetingLine> {
        summaries.lazy.map { summary in
            MeetingLine(summary, zone: zones[summary.zone] ?? reader, reader: reader)
        }
    }
}

extension MeetingLines: Encodable {
    private enum Key: String, CodingKey {
        case meetings, truncated
    }

    /// Encodes the meetings, and whether there are more.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(truncated, forKey: .truncated)
        var list = container.nestedUnkeyedContainer(forKey: .meetings)
        for meeting in meetings { try list.encode(meeting) }
    }
}
