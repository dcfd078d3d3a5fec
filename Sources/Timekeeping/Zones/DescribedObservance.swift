/// A change of the local time of a time zone, as a calendar object describes it (RFC 5545, 3.6.5):
/// STANDARD or DAYLIGHT.
public struct DescribedObservance: Equatable, Sendable {
    /// The wall-clock time of the first change, at the offset ``before``.
    public var onset: WallTime
    /// The offset before the change, in seconds east of UTC.
    public var before: Int
    /// The offset after the change, in seconds east of UTC.
    public var after: Int
    /// True for daylight saving time.
    public var isDaylight: Bool
    /// The abbreviation of the local time, such as `EET`; may be empty.
    public var abbreviation: String
    /// The rule by which the change recurs; `nil` if it does not.
    public var rule: RecurrenceRule?
    /// Further dates of the change.
    public var dates: [CalendarStamp] = []

    /// Creates a change that occurs once.
    public init(
        onset: WallTime, before: Int, after: Int, isDaylight: Bool, abbreviation: String = ""
    ) {
        self.onset = onset
        self.before = before
        self.after = after
        self.isDaylight = isDaylight
        self.abbreviation = abbreviation
    }
}

extension DescribedObservance {
    /// The last year for which rules are followed.
    private static let yearMax = 2200
    /// The maximum number of occurrences of one change; a rule with yearly changes stays far below
    /// it.
    private static let onsetsMax = 5000

    fileprivate var type: LocalTimeType {
        LocalTimeType(
            offsetSeconds: after, isDaylight: isDaylight, abbreviation: abbreviation)
    }

    /// The times of the change in seconds since 1970 UTC; `nil` if they cannot be determined.
    fileprivate var moments: [Int64]? {
        guard (rule?.frequency ?? .yearly) >= .monthly,
            var recurrence = try? Recurrence(
                start: .wall(onset), in: nil, rule: rule.map(byOwnClocks))
        else { return nil }
        recurrence.additions = dates.map { .wall(wall($0)) }
        let onsets = recurrence.lazy.map(\.wall).prefix { $0.date.year <= Self.yearMax }
            .prefix(Self.onsetsMax + 1)
        let seconds = onsets.map { $0.secondsSince1970 - Int64(before) }
        return seconds.count > Self.onsetsMax ? nil : Array(seconds)
    }

    /// The rule with an end in UTC converted to wall-clock time.
    private func byOwnClocks(_ rule: RecurrenceRule) -> RecurrenceRule {
        guard case .until(let stamp) = rule.end else { return rule }
        var rule = rule
        rule.end = .until(.wall(wall(stamp)))
        return rule
    }

    private func wall(_ stamp: CalendarStamp) -> WallTime {
        switch stamp {
        case .day(let day): WallTime(date: day, time: .midnight)
        case .wall(let wall): wall
        case .utc(let moment): WallTime(secondsSince1970: moment.seconds + Int64(before))
        }
    }
}

extension Zone {
    /// The maximum number of local time types of a zone. TZif files number them with one byte, too.
    private static let typesMax = 256

    /// Creates the time zone that a calendar object describes. `nil` if the description is missing,
    /// or if it is not understood, because offsets are never guessed. Before the first change, its
    /// `before` offset applies; after the year 2200 the offset stays the same.
    ///
    /// - Parameters:
    ///   - id: the name of the zone.
    ///   - changes: the changes of its local time, in any order.
    public init?(id: String, changes: [DescribedObservance]) {
        guard changes.allSatisfy(\.isPossible) else { return nil }
        var onsets: [(seconds: Int64, change: DescribedObservance)] = []
        for change in changes {
            guard let moments = change.moments else { return nil }
            onsets += moments.map { ($0, change) }
        }
        // Two changes at the same moment say the same, so one of them is enough.
        onsets = Dictionary(
            onsets.map { ($0.seconds, $0) }, uniquingKeysWith: { first, _ in first }
        )
        .values.sorted { $0.seconds < $1.seconds }
        guard let first = onsets.first?.change else { return nil }
        let before = LocalTimeType(
            offsetSeconds: first.before, isDaylight: false, abbreviation: "")
        var types = [before]
        var indexes: [UInt8] = []
        for onset in onsets {
            let known = types.dropFirst().firstIndex(of: onset.change.type)
            let index = known ?? types.count
            guard index < Self.typesMax else { return nil }
            if known == nil { types.append(onset.change.type) }
            indexes.append(UInt8(index))
        }
        self.init(
            id: id,
            rules: ZoneRules(
                transitions: onsets.map(\.seconds), typeIndexes: indexes, types: types))
    }
}

extension DescribedObservance {
    fileprivate var isPossible: Bool {
        [before, after].allSatisfy(LocalTimeType.offsetSecondsRange.contains)
    }
}
