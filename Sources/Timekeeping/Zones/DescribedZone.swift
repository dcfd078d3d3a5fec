/// When the clocks of a zone are set to one kind of time, as a calendar object describes it
/// (RFC 5545, 3.6.5): STANDARD or DAYLIGHT.
public struct DescribedObservance: Equatable, Sendable {
    /// When that is first, on clocks that show ``before`` until then.
    public var onset: WallTime
    /// The offset until then, in seconds east of UTC.
    public var before: Int
    /// The offset from then on.
    public var after: Int
    /// Whether it is summer time.
    public var isDaylight: Bool
    /// What its time is called; may be empty.
    public var abbreviation: String
    /// By which rule it comes again; `nil` for none.
    public var rule: RecurrenceRule?
    /// When else it comes.
    public var dates: [CalendarStamp] = []

    /// A change that comes once.
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
    /// Rules are followed until the end of this year.
    private static let yearMax = 2200
    /// The most times that one change comes: rules that come every year stay far below.
    private static let onsetsMax = 5000

    fileprivate var type: LocalTimeType {
        LocalTimeType(
            offsetSeconds: after, isDaylight: isDaylight, abbreviation: abbreviation)
    }

    /// When it comes, in seconds since 1970 UTC; `nil` where that cannot be told.
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

    /// An end in UTC is meant by the clocks that are set.
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
    /// The most kinds of time of a zone: the files of the system name them by one octet, too.
    private static let typesMax = 256

    /// The zone that a calendar object describes; `nil` where it describes none, or one that is not
    /// understood: an hour is not guessed. Before the first change its clocks are as that change
    /// found them, and after the year 2200 they are set no more.
    ///
    /// - Parameters:
    ///   - id: what it is called.
    ///   - changes: when its clocks are set, in any order.
    public init?(id: String, changes: [DescribedObservance]) {
        guard changes.allSatisfy(\.isPossible) else { return nil }
        var onsets: [(seconds: Int64, change: DescribedObservance)] = []
        for change in changes {
            guard let moments = change.moments else { return nil }
            onsets += moments.map { ($0, change) }
        }
        // Of two at once, one says what the other says.
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
