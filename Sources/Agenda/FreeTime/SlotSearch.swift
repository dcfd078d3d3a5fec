public import Timekeeping

/// Somebody for whom a time is looked for.
public struct SlotGuest: Sendable {
    /// When they are busy.
    public let busy: BusyTimes
    /// By whose clocks they live.
    public let zone: Zone

    /// Describes somebody.
    public init(busy: BusyTimes, zone: Zone) {
        self.busy = busy
        self.zone = zone
    }
}

/// A time at which some can meet.
public struct Slot: Equatable, Sendable {
    /// Why somebody cannot.
    public enum Reason: Equatable, Sendable {
        /// They are busy then.
        case busy(Range<Moment>)
        /// It is outside of the hours that were asked for, by their clocks.
        case hours
    }

    /// From when to when.
    public let time: Range<Moment>
    /// Who cannot, by their places among the guests, and why.
    public let absent: [Int: Reason]
    /// Who may be busy, and when.
    public let tentative: [Int: Range<Moment>]
}

/// Looks for times at which several people can meet.
///
/// All starts on a grid of five minutes are counted in one sweep: each busy span raises the count
/// of those who cannot where it begins to be in the way, and lowers it where it ends. That takes
/// as many steps as there are spans and starts together.
public struct SlotSearch: Sendable {
    /// The grid on which starts are looked for, in seconds.
    public static let stepSeconds: Int64 = 300
    /// The longest time that is searched, in days.
    public static let daysMax = 400

    /// When to look.
    public let time: Range<Moment>
    /// How long it takes, in seconds.
    public let seconds: Int64
    /// The hours in which everybody shall be able to come, by their own clocks; empty for all.
    public var hours: [WeekSpan] = []
    /// How many have to be able to come, at least, perhaps nobody; `nil` for as many as can at any
    /// time, if somebody can.
    public var quorum: Int?
    /// The most slots to return.
    public var slotsMax = 10
    /// By whose clocks round times are meant, and days are counted.
    public let zone: Zone

    /// A search within a time.
    public init(in time: Range<Moment>, lasting seconds: Int64, by zone: Zone) {
        self.time = time
        self.seconds = seconds
        self.zone = zone
    }

    /// The slots that suit most, the best first: those at which fewer are missing, then those at
    /// which fewer may be busy, then those that are less far outside of anybody's hours, then the
    /// earlier days, with round times before odd ones.
    ///
    /// - Parameter guests: those who shall come.
    /// - Returns: slots that do not overlap.
    public func slots(for guests: [SlotGuest]) -> [Slot] {
        // Many live by the same clocks.
        let zones = Dictionary(guests.map { ($0.zone.id, $0.zone) }) { first, _ in first }
        let closedByZone = zones.mapValues(closedTimes)
        let closed = guests.map { closedByZone[$0.zone.id] ?? [] }
        var counts = SlotCounts(startCount: startCount)
        for (guest, closed) in zip(guests, closed) {
            counts.add(
                absent: (guest.busy.firm + closed).compactMap(starts(hinderedBy:)),
                tentative: guest.busy.tentative.compactMap(starts(hinderedBy:)))
            counts.add(busy: guest.busy.firm.compactMap(starts(hinderedBy:)))
            counts.add(
                closed: closed.compactMap { starts(hinderedBy: $0, beyond: SlotCounts.margin) })
        }
        counts.sum()
        return chosen(among: counts, of: guests.count).map { start in
            slot(at: start, guests, closed)
        }
    }

    // MARK: Starts

    /// The first start on the grid, which is that of the zone's clocks.
    private var first: Int64 {
        let offset = Int64(zone.offsetSeconds(at: time.lowerBound))
        let shown = time.lowerBound.seconds + offset
        // A start within a second that has begun would be too early.
        let whole = time.lowerBound.milliseconds % 1000 == 0 ? shown : shown + 1
        let up = (whole + Self.stepSeconds - 1).floored(by: Self.stepSeconds)
        return up * Self.stepSeconds - offset
    }

    private var startCount: Int {
        let room = time.upperBound.seconds - seconds - first
        return room < 0 ? 0 : Int(room / Self.stepSeconds) + 1
    }

    private func moment(_ start: Int) -> Moment {
        Moment(seconds: first + Int64(start) * Self.stepSeconds)
    }

    private func time(from start: Int) -> Range<Moment> {
        moment(start)..<moment(start).advanced(bySeconds: seconds)
    }

    /// The starts from which something would overlap with a span; `nil` where there are none.
    private func starts(hinderedBy span: Range<Moment>) -> Range<Int>? {
        starts(hinderedBy: span, beyond: 0)
    }

    private func starts(hinderedBy span: Range<Moment>, beyond margin: Int) -> Range<Int>? {
        let lowest = span.lowerBound.milliseconds - 1000 * (seconds + first)
        let highest = span.upperBound.milliseconds - 1000 * first
        let step = 1000 * Self.stepSeconds
        let low = max(Int64(-margin), lowest.floored(by: step) + 1)
        let high = min(Int64(startCount + margin), (highest + step - 1).floored(by: step))
        return low < high ? Int(low)..<Int(high) : nil
    }

    // MARK: Hours

    /// When it is outside of the hours by somebody's clocks, a week before and after as well: what
    /// the next hours are, tells how far they are.
    private func closedTimes(in zone: Zone) -> [Range<Moment>] {
        guard !hours.isEmpty else { return [] }
        let week = Int64(SlotCounts.margin) * Self.stepSeconds
        let time =
            time.lowerBound.advanced(bySeconds: -week)..<time.upperBound.advanced(bySeconds: week)
        var open: [Range<Moment>] = []
        var date = zone.wallTime(at: time.lowerBound).date.adding(days: -1)
        let last = zone.wallTime(at: time.upperBound).date
        while true {
            for span in hours where span.days.contains(date.weekday) {
                open.append(span.time(on: date, in: zone))
            }
            guard date < last else { break }
            date = date.adding(days: 1)
        }
        return [time].without(open.merged())
    }

    // MARK: Choice

    /// The best starts, of which no two overlap.
    private func chosen(among counts: SlotCounts, of guestCount: Int) -> [Int] {
        let fewestAbsent = counts.absent.prefix(startCount).min().map { Int($0) } ?? 0
        let comers = quorum ?? max(guestCount - fewestAbsent, 1)
        let ranked = (0..<startCount).lazy
            .filter { guestCount - Int(counts.absent[$0]) >= comers }
            .map { start in
                let wall = zone.wallTime(at: moment(start))
                return Rank(
                    absent: counts.absent[start], tentative: counts.tentative[start],
                    strain: counts.strain(at: start).roundedUp(to: Self.stepsOfHalfHour),
                    day: wall.date.daysSince1970, oddness: Self.oddness(of: wall.time),
                    start: start)
            }
            .sorted()
        var chosen: [Int] = []
        var taken: [Range<Moment>] = []
        var daily: [Rank.Kind: Int] = [:]
        for rank in ranked {
            guard chosen.count < slotsMax else { break }
            let time = time(from: rank.start)
            guard daily[rank.kind, default: 0] < Self.slotsOfDayMax,
                !taken.contains(where: { $0.overlaps(time) })
            else { continue }
            daily[rank.kind, default: 0] += 1
            chosen.append(rank.start)
            taken.append(time)
        }
        return chosen
    }

    /// Round times are worth more than minutes.
    private static let stepsOfHalfHour = Int(1800 / stepSeconds)
    /// More of one day that are alike tell nothing new.
    private static let slotsOfDayMax = 3

    private struct Rank: Comparable {
        struct Kind: Hashable {
            let absent: Int32
            let tentative: Int32
            let day: Int
        }

        let absent: Int32
        let tentative: Int32
        /// How far it is outside of people's hours, in steps.
        let strain: Int
        let day: Int
        let oddness: Int
        let start: Int

        var kind: Kind { Kind(absent: absent, tentative: tentative, day: day) }

        static func < (left: Rank, right: Rank) -> Bool {
            (left.absent, left.tentative, left.strain, left.day, left.oddness, left.start)
                < (
                    right.absent, right.tentative, right.strain, right.day, right.oddness,
                    right.start
                )
        }
    }

    /// How odd a time of day is to meet at: 0 of a whole hour, and half hours next.
    private static func oddness(of time: CivilTime) -> Int {
        switch time.minute {
        case 0: 0
        case 30: 1
        case 15, 45: 2
        default: 3
        }
    }

    private func slot(
        at start: Int, _ guests: [SlotGuest], _ closed: [[Range<Moment>]]
    ) -> Slot {
        let time = time(from: start)
        var absent: [Int: Slot.Reason] = [:]
        var tentative: [Int: Range<Moment>] = [:]
        for (place, guest) in guests.enumerated() {
            if let span = guest.busy.firm.overlapping(time).first {
                absent[place] = .busy(span)
            } else if !closed[place].overlapping(time).isEmpty {
                absent[place] = .hours
            } else if let span = guest.busy.tentative.overlapping(time).first {
                tentative[place] = span
            }
        }
        return Slot(time: time, absent: absent, tentative: tentative)
    }
}

/// How many cannot come at each start, and how many may be busy.
private struct SlotCounts {
    private(set) var absent: [Int32]
    private(set) var tentative: [Int32]
    /// How many starts lie between each and the next one within hours, for all who are outside of
    /// theirs, from so many before the first to so many behind the last: kept first is by how much
    /// the rise changes.
    private var strain: [Int]
    /// A week.
    static let margin = 7 * 86_400 / Int(SlotSearch.stepSeconds)

    /// Nobody is counted yet: what is kept first is by how much the counts rise from one start to
    /// the next.
    init(startCount: Int) {
        absent = Array(repeating: 0, count: startCount + 1)
        tentative = absent
        strain = Array(repeating: 0, count: startCount + 2 * Self.margin + 2)
    }

    func strain(at start: Int) -> Int { strain[start + Self.margin] }

    /// Who is busy counts as if their hours were three hours away.
    private static let stepsOfBusy = 3 * 3600 / Int(SlotSearch.stepSeconds)

    /// Counts the starts at which somebody is busy.
    mutating func add(busy starts: [Range<Int>]) {
        for span in starts.merged() {
            for (place, cost) in [
                (span.lowerBound, Self.stepsOfBusy), (span.upperBound, -Self.stepsOfBusy),
            ] {
                strain[place + Self.margin] += cost
                strain[place + Self.margin + 1] -= cost
            }
        }
    }

    /// Counts how far somebody's hours are, by the starts that are outside of them: one more from
    /// either end to the middle.
    mutating func add(closed starts: [Range<Int>]) {
        for span in starts.merged() {
            let (first, count) = (span.lowerBound + Self.margin, span.count)
            strain[first] += 1
            strain[first + (count + 1) / 2] -= 1
            strain[first + count / 2 + 1] -= 1
            strain[first + count + 1] += 1
        }
    }

    /// Counts somebody, by the starts at which they cannot come, and those at which they may be
    /// busy.
    mutating func add(absent starts: [Range<Int>], tentative unsure: [Range<Int>]) {
        let away = starts.merged()
        for span in away { Self.raise(&absent, span) }
        for span in unsure.merged().without(away) { Self.raise(&tentative, span) }
    }

    private static func raise(_ counts: inout [Int32], _ span: Range<Int>) {
        counts[span.lowerBound] += 1
        counts[span.upperBound] -= 1
    }

    /// The counts, when everybody has been.
    mutating func sum() {
        for start in absent.indices.dropFirst() {
            absent[start] += absent[start - 1]
            tentative[start] += tentative[start - 1]
        }
        for _ in 1...2 {
            for start in strain.indices.dropFirst() { strain[start] += strain[start - 1] }
        }
    }
}

extension WeekSpan {
    /// From when to when it is that begins on a date.
    fileprivate func time(on date: CivilDate, in zone: Zone) -> Range<Moment> {
        let start = zone.moment(of: WallTime(minute: start, of: date))
        let endDate = end > self.start ? date : date.adding(days: 1)
        let end = zone.moment(of: WallTime(minute: end, of: endDate))
        return start..<max(start, end)
    }
}

extension WallTime {
    /// The time of a minute of a day, which may be its last one's end.
    fileprivate init(minute: Int, of date: CivilDate) {
        let midnight = WallTime(date: date, time: .midnight)
        self.init(secondsSince1970: midnight.secondsSince1970 + Int64(minute) * 60)
    }
}

extension Int {
    /// The next multiple of a number.
    fileprivate func roundedUp(to step: Int) -> Int { (self + step - 1) / step * step }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
