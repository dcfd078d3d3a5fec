import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A meeting in a line, as `meeting list` prints it. Its texts are made when they are asked for: a
/// list has thousands.
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
    /// The start with the meeting's offset.
    public var start: Timestamp { Timestamp(summary.startsAt, in: zone, reader: reader) }
    /// The end with the meeting's offset.
    public var end: Timestamp { Timestamp(summary.endsAt, in: zone, reader: reader) }
    /// `confirmed` or `cancelled`.
    public var status: String { summary.status.rawValue }
    /// The line of the place.
    public var place: String? { summary.place }
    /// The date of a meeting that repeats, by its original start; `nil` of what does not.
    public var occurrence: String? { summary.occurrence.isEmpty ? nil : summary.occurrence }
    /// How it repeats, in words; `nil` of what does not.
    public var repetition: String? { summary.rule?.words }
    /// "3 going · 1 silent".
    public var answers: String { AnswerWords.counts(summary.turnout) }
}

extension MeetingLine: Encodable {
    private enum Key: CodingKey {
        case id, title, start, end, tz, status, place, answers, occurrence, `repeat`
    }

    /// Writes every text, and `null` for no place.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(id, forKey: .id)
        try container.encode(title, forKey: .title)
        try container.encode(start.text, forKey: .start)
        try container.encode(end.text, forKey: .end)
        try container.encode(summary.zone, forKey: .tz)
        try container.encode(status, forKey: .status)
        try container.encode(place, forKey: .place)
        try container.encode(answers, forKey: .answers)
        try container.encode(occurrence, forKey: .occurrence)
        try container.encode(summary.rule?.description, forKey: .repeat)
    }
}

/// Meetings in the order of their starts, as `meeting list` prints them.
public struct MeetingLines: Sendable {
    private let summaries: [MeetingSummary]
    private let zones: [String: Zone]
    private let reader: Zone
    /// Whether there are more.
    public let truncated: Bool

    /// - Parameters:
    ///   - found: the meetings.
    ///   - countMax: how many of them are shown.
    ///   - reader: the zone in which whoever asked reads times.
    ///   - zone: finds a meeting's zone by its id.
    /// - Throws: what `zone` throws.
    init(
        _ found: [MeetingSummary], countMax: Int, reader: Zone, zone: (String) throws -> Zone
    ) throws {
        truncated = found.count > countMax
        summaries = truncated ? Array(found.prefix(countMax)) : found
        self.reader = reader
        var zones: [String: Zone] = [:]
        for summary in summaries where zones[summary.zone] == nil {
            zones[summary.zone] = try zone(summary.zone)
        }
        self.zones = zones
    }

    /// A sentence for who reads them; `nil` when these are all.
    public var remark: String? {
        truncated ? FirstRows<MeetingLine>.remark(on: summaries.count) : nil
    }

    /// The first of them.
    public var meetings: some RandomAccessCollection<MeetingLine> {
        summaries.lazy.map { summary in
            MeetingLine(summary, zone: zones[summary.zone] ?? reader, reader: reader)
        }
    }
}

extension MeetingLines: Encodable {
    private enum Key: CodingKey {
        case meetings, truncated
    }

    /// Writes the meetings, and whether there are more.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(truncated, forKey: .truncated)
        var list = container.nestedUnkeyedContainer(forKey: .meetings)
        for meeting in meetings { try list.encode(meeting) }
    }
}
