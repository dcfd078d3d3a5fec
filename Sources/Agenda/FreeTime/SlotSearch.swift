public import Timekeeping

/// A person for whom a meeting time is searched.
public struct SlotGuest: Sendable {
    /// The times at which they are busy.
    public let busy: BusyTimes
    /// The time zone they live in.
    public let zone: Zone

    /// Creates a guest.
    public init(busy: BusyTimes, zone: Zone) {
        self.busy = busy
        self.zone = zone
    }
}

/// A time at which some of the guests can meet.
public struct Slot: Equatable, Sendable {
    /// The reason why a guest cannot come.
    public enum Reason: Equatable, Sendable {
        /// They are busy during this span.
        case busy(Range<Moment>)
        /// The time is outside the requested hours by their clock.
        case hours
    }

    /// The start and the end.
    public let time: Range<Moment>
    /// The guests who cannot come, by index, with the reasons.
    public let absent: [Int: Reason]
    /// The guests who may be busy, by index, with the busy spans.
    public let tentative: [Int: Range<Moment>]
}

/// Searches for times at which several people can meet.
///
/// All starts on a grid of five minutes are counted in one sweep: each busy span adds one at the
/// first start that it blocks, and subtracts one after the last. The cost is linear in the number
/// of spans and starts.
public struct SlotSearch: Sendable {
    /// The interval between two starts, in seconds.
    public static let stepSeconds: Int64 = 300
    /// The longest period to search, in days.
    public static let daysMax = 400

    /// The period to search.
    public let time: Range<Moment>
    /// The length of the meeting, in seconds.
    public let seconds: Int64
    /// The hours in which everybody should be able to come, by their own clocks; empty for all
    /// hours.
    public var hours: [WeekSpan] = []
    /// The number of guests who must be able to come, which may be 0; `nil` for as many as
    /// possible, but at least one.
    public var quorum: Int?
    /// The most slots to return.
    public var slotsMax = 10
    /// The time zone by which round times and days are determined.
    public let zone: Zone

    /// Creates a search within a period.
    public init(in time: Range<Moment>, lasting seconds: Int64, by zone: Zone) {
        self.time = time
        self.seconds = seconds
        self.zone = zone
    }

    /// The best slots, sorted: those with fewer absent guests first, then those with fewer guests
    /// who may be busy, then those that are less far outside anybody's hours, then earlier days,
    /// and on each day round times first.
    ///
    /// - Parameter guests: the people who should come.
    /// - Returns: slots that do not overlap.
    public func slots(for guests: [SlotGuest]) -> [Slot] {
        // Many guests share a time zone.
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

    /// The first start on the grid, which is aligned to the wall clock of the zone.
    private var first: Int64 {
        let offset = Int64(zone.offsetSeconds(at: time.lowerBound))
        let shown = time.lowerBound.seconds + offset
        // A start in the current second would be too early.
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

    /// The starts of meetings that would overlap a span; `nil` if there are none.
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

    /// The times outside the requested hours in a time zone. They include a week before and after
    /// the search, because the distance to the nearest hours matters.
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

    /// The best starts whose meetings do not overlap.
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
                    start: start, part: Self.part(ofDayAt: wall.time))
            }
            .sorted()
        var choice = Choice(max: slotsMax, time: time)
        var rest = ranked[...]
        while let best = rest.first, !choice.isFull {
            let alike = rest.prefix { $0.quality == best.quality }
            // First one time in each part of a day, so that mornings do not hide the evenings.
            for rank in alike { choice.take(rank, isOfOwnPart: true) }
            for rank in alike { choice.take(rank, isOfOwnPart: false) }
            rest = rest.dropFirst(alike.count)
        }
        return choice.ranks.sorted().map(\.start)
    }

    /// Starts that were chosen so far.
    private struct Choice {
        let max: Int
        let time: (_ start: Int) -> Range<Moment>
        private(set) var ranks: [Rank] = []
        private var taken: [Range<Moment>] = []
        private var parts: [Rank.Kind: [Int]] = [:]

        init(max: Int, time: @escaping (_ start: Int) -> Range<Moment>) {
            (self.max, self.time) = (max, time)
        }

        var isFull: Bool { ranks.count >= max }

        /// Takes a start, if there is room for it on its day.
        mutating func take(_ rank: Rank, isOfOwnPart: Bool) {
            let span = time(rank.start)
            let known = parts[rank.kind] ?? []
            guard !isFull, known.count < SlotSearch.slotsOfDayMax,
                !isOfOwnPart || !known.contains(rank.part),
                !taken.contains(where: { $0.overlaps(span) })
            else { return }
            parts[rank.kind] = known + [rank.part]
            ranks.append(rank)
            taken.append(span)
        }
    }

    /// The part of a day: 0 for the morning, 1 from 12:00, and 2 from 17:00.
    private static func part(ofDayAt time: CivilTime) -> Int {
        time.hour < 12 ? 0 : time.hour < 17 ? 1 : 2
    }

    /// Strain is rounded to half hours, so that a round time is preferred to a few minutes less
    /// strain.
    private static let stepsOfHalfHour = Int(1800 / stepSeconds)
    /// Similar slots on one day add little, so there are at most three.
    private static let slotsOfDayMax = 3

    private struct Rank: Comparable {
        struct Kind: Hashable {
            let absent: Int32
            let tentative: Int32
            let day: Int
        }

        let absent: Int32
        let tentative: Int32
        /// The distance from people's hours, in steps.
        let strain: Int
        let day: Int
        let oddness: Int
        let start: Int
        /// The part of the day.
        let part: Int

        /// The first things that matter: who cannot come, who may be busy, the distance from hours.
        var quality: [Int] { [Int(absent), Int(tentative), strain] }
        var kind: Kind { Kind(absent: absent, tentative: tentative, day: day) }

        static func < (left: Rank, right: Rank) -> Bool {
            (left.absent, left.tentative, left.strain, left.day, left.oddness, left.start)
                < (
                    right.absent, right.tentative, right.strain, right.day, right.oddness,
                    right.start
                )
        }
    }

    /// The oddness of a time of day for a meeting: 0 for a full hour, 1 for a half hour, and so on.
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

/// The number of guests who cannot come, and who may be busy, for each start.
private struct SlotCounts {
    private(set) var absent: [Int32]
    private(set) var tentative: [Int32]
    /// The sum, over all guests, of the steps from each start to the nearest start within their
    /// hours. It has ``margin`` more starts before the first and after the last. Until ``sum()`` it
    /// holds the second differences.
    private var strain: [Int]
    /// A week in steps.
    static let margin = 7 * 86_400 / Int(SlotSearch.stepSeconds)

    /// Creates empty counts. Until ``sum()`` the arrays hold the differences between neighbouring
    /// starts.
    init(startCount: Int) {
        absent = Array(repeating: 0, count: startCount + 1)
        tentative = absent
        strain = Array(repeating: 0, count: startCount + 2 * Self.margin + 2)
    }

    func strain(at start: Int) -> Int { strain[start + Self.margin] }

    /// A busy guest counts as if their hours were three hours away.
    private static let stepsOfBusy = 3 * 3600 / Int(SlotSearch.stepSeconds)

    /// Adds the starts at which a guest is busy.
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

    /// Adds the distance to a guest's hours for the starts outside of them: it grows by one from
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

    /// Adds a guest by the starts at which they cannot come and those at which they may be busy.
    mutating func add(absent starts: [Range<Int>], tentative unsure: [Range<Int>]) {
        let away = starts.merged()
        for span in away { Self.raise(&absent, span) }
        for span in unsure.merged().without(away) { Self.raise(&tentative, span) }
    }

    private static func raise(_ counts: inout [Int32], _ span: Range<Int>) {
        counts[span.lowerBound] += 1
        counts[span.upperBound] -= 1
    }

    /// Turns the differences into counts after all guests have been added.
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
    /// The span that begins on a date.
    fileprivate func time(on date: CivilDate, in zone: Zone) -> Range<Moment> {
        let start = zone.moment(of: WallTime(minute: start, of: date))
        let endDate = end > self.start ? date : date.adding(days: 1)
        let end = zone.moment(of: WallTime(minute: end, of: endDate))
        return start..<max(start, end)
    }
}

extension WallTime {
    /// The wall time at a minute of a day; minute 1440 is the end of the day.
    fileprivate init(minute: Int, of date: CivilDate) {
        let midnight = WallTime(date: date, time: .midnight)
        self.init(secondsSince1970: midnight.secondsSince1970 + Int64(minute) * 60)
    }
}

extension Int {
    /// The number rounded up to a multiple of `step`.
    fileprivate func roundedUp(to step: Int) -> Int { (self + step - 1) / step * step }
}

extension Int64 {
    /// The quotient, rounded down.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
