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
    /// The rules by which the change recurs; none if it does not.
    public var rules: [RecurrenceRule] = []
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
    /// The maximum number of times that one change occurs.
    fileprivate static let onsetsMax = 5000

    fileprivate var type: LocalTimeType {
        LocalTimeType(
            offsetSeconds: after, isDaylight: isDaylight, abbreviation: abbreviation)
    }

    /// The times of the change in seconds since 1970 UTC.
    ///
    /// - Parameters:
    ///   - count: the most times.
    ///   - byRule: true if the onset does not count where no rule names it. Some programs begin
    ///     all changes of a zone with the same day.
    /// - Returns: the times, in no order; `nil` if they cannot be determined, or are too many.
    fileprivate func moments(atMost count: Int, byRule: Bool) -> [Int64]? {
        let skipsOnset = byRule && !rules.isEmpty && !rules.contains(where: names)
        let all: [RecurrenceRule?] = rules.isEmpty ? [nil] : rules
        var seconds: [Int64] = []
        for rule in all {
            guard (rule?.frequency ?? .yearly) >= .monthly,
                var recurrence = try? Recurrence(
                    start: .wall(onset), in: nil, rule: rule.map(byOwnClocks))
            else { return nil }
            recurrence.additions = dates.map { .wall(wall($0)) }
            for occurrence in recurrence {
                guard occurrence.wall.date.year <= Self.yearMax else { break }
                guard !skipsOnset || occurrence.wall != onset else { continue }
                guard seconds.count < count else { return nil }
                seconds.append(occurrence.wall.secondsSince1970 - Int64(before))
            }
        }
        return seconds
    }

    /// True if the rule, whatever its end, names the onset.
    private func names(_ rule: RecurrenceRule) -> Bool { rule.firstTime(from: onset) == onset }

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

    /// The maximum number of clock changes that are read of the zones of one calendar. A zone with
    /// two changes a year, from 1970 to 2200, has less than 500.
    public static let describedChangesMax = 50_000

    /// Creates the time zone that a calendar object describes. `nil` if the description is missing,
    /// or if it is not understood, because offsets are never guessed. Before the first change, its
    /// `before` offset applies; after the year 2200 the offset stays the same.
    ///
    /// - Parameters:
    ///   - id: the name of the zone.
    ///   - changes: the changes of its local time, in any order.
    public init?(id: String, changes: [DescribedObservance]) {
        var left = Self.describedChangesMax
        self.init(id: id, changes: changes, changesLeft: &left)
    }

    /// Creates one of several time zones that a calendar object describes.
    ///
    /// - Parameters:
    ///   - id: the name of the zone.
    ///   - changes: the changes of its local time, in any order.
    ///   - left: the number of clock changes that may still be read.
    public init?(id: String, changes: [DescribedObservance], changesLeft left: inout Int) {
        guard changes.allSatisfy(\.isPossible) else { return nil }
        let isVaried = Set(changes.map(\.after)).count > 1
        var onsets: [(seconds: Int64, place: Int)] = []
        for (place, change) in changes.enumerated() {
            let moments = change.moments(
                atMost: min(left, DescribedObservance.onsetsMax), byRule: isVaried)
            guard let moments else {
                left -= DescribedObservance.onsetsMax
                return nil
            }
            left -= moments.count
            onsets += moments.map { ($0, place) }
        }
        onsets.sort { ($0.seconds, $0.place) < ($1.seconds, $1.place) }
        guard !Self.contradict(onsets.map { ($0.seconds, changes[$0.place].after) }),
            let first = onsets.first.map({ changes[$0.place] })
        else { return nil }
        let before = LocalTimeType(
            offsetSeconds: first.before, isDaylight: false, abbreviation: "")
        var types = [before]
        var moments: [Int64] = []
        var indexes: [UInt8] = []
        // Of two changes at the same moment, one is enough.
        for (seconds, place) in onsets where seconds != moments.last {
            let type = changes[place].type
            let known = types.dropFirst().firstIndex(of: type)
            let index = known ?? types.count
            guard index < Self.typesMax else { return nil }
            if known == nil { types.append(type) }
            moments.append(seconds)
            indexes.append(UInt8(index))
        }
        self.init(
            id: id,
            rules: ZoneRules(
                transitions: moments, typeIndexes: indexes, types: types))
    }

    /// True if two changes at the same moment, since 1970, lead to different offsets. Nobody can
    /// tell then which of them counts.
    private static func contradict(_ onsets: [(seconds: Int64, after: Int)]) -> Bool {
        zip(onsets, onsets.dropFirst()).contains { one, next in
            one.seconds >= 0 && one.seconds == next.seconds && one.after != next.after
        }
    }
}

extension DescribedObservance {
    fileprivate var isPossible: Bool {
        [before, after].allSatisfy(LocalTimeType.offsetSecondsRange.contains)
    }
}
