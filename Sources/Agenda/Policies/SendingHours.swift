public import Timekeeping

/// Why hours for sending cannot be as somebody wants them.
public enum SendingHoursError: Error, Equatable, CustomStringConvertible {
    /// There are more parts of a week than ``SendingHours/spansMax``.
    case tooMany
    /// Nothing could ever be sent.
    case never

    /// What is wrong, and what to do.
    public var description: String {
        switch self {
        case .tooMany:
            "At most \(SendingHours.spansMax) quiet hours, and as many send windows, for a person."
        case .never:
            "With these quiet hours and send windows nothing could ever be sent. Leave some time "
                + "of the week open."
        }
    }
}

/// When a person may be told things, by the clock on their wall: never in quiet hours, and only in
/// a send window where there is one.
///
/// ```swift
/// let hours = try SendingHours(quiet: [WeekSpan.parse("22:00-08:00")])
/// hours.opening(from: elevenAtNight, in: berlin) == eightInTheMorning
/// ```
///
/// A moment counts by what the clock shows at it. A time that the clocks skip is passed with the
/// jump, and one that they show twice counts both times.
public struct SendingHours: Hashable, Sendable {
    /// The most parts of a week of either kind.
    public static let spansMax = 20
    /// How far an opening is looked for. A window of one day a week may be skipped by a change of
    /// the clocks, or by a zone that leaves out a day.
    static let lookAheadDays = 60

    /// When nothing is sent.
    public let quiet: [WeekSpan]
    /// When things are sent only; empty for at any time.
    public let windows: [WeekSpan]

    /// At any time.
    public static let always = SendingHours()

    private init() {
        quiet = []
        windows = []
    }

    /// - Throws: ``SendingHoursError`` where there are too many parts, or nothing is left open.
    public init(
        quiet: [WeekSpan] = [], windows: [WeekSpan] = []
    ) throws(SendingHoursError) {
        guard quiet.count <= Self.spansMax, windows.count <= Self.spansMax else { throw .tooMany }
        self.quiet = quiet
        self.windows = windows
        guard isEverOpen else { throw .never }
    }

    /// Whether nothing is ever held back.
    public var isAlways: Bool { quiet.isEmpty && windows.isEmpty }

    /// What is open begins with a day, a span or the end of one.
    private var isEverOpen: Bool {
        isAlways
            || Weekday.allCases.contains { day in
                boundaries.contains { isOpen(day, second: $0) }
            }
    }

    private func isOpen(_ day: Weekday, second: Int) -> Bool {
        !quiet.contains { $0.contains(day, second: second) }
            && (windows.isEmpty || windows.contains { $0.contains(day, second: second) })
    }

    /// The seconds of a day at which something may begin or end, in order, midnight first.
    private var boundaries: [Int] {
        let minutes = (quiet + windows).flatMap { [$0.start, $0.end] }
        return Set([0] + minutes.map { $0 % WeekSpan.minutesOfDay * 60 }).sorted()
    }

    /// What keeps things from being sent while the clock shows a time, in words such as "quiet
    /// hours 22:00-08:00"; `nil` where nothing does.
    public func obstacle(at wall: WallTime) -> String? {
        if let span = quiet.first(where: { $0.contains(wall) }) { return "quiet hours \(span)" }
        guard !windows.isEmpty, !windows.contains(where: { $0.contains(wall) }) else { return nil }
        let words = windows.map(\.description).joined(separator: " and ")
        return "send window\(windows.count == 1 ? "" : "s") \(words)"
    }

    /// The first moment from this one on at which things are sent: the moment itself where it is
    /// open.
    public func opening(from moment: Moment, in zone: Zone) -> Moment {
        let boundaries = self.boundaries
        let end = moment.advanced(bySeconds: Int64(Self.lookAheadDays * CivilTime.secondsOfDay))
        var candidate = moment
        while candidate < end {
            let wall = zone.wallTime(at: candidate)
            let second = wall.time.secondsSinceMidnight
            if isOpen(wall.date.weekday, second: second) { return candidate }
            let next = boundaries.first { $0 > second } ?? CivilTime.secondsOfDay
            let boundary = Moment(seconds: candidate.seconds).advanced(
                bySeconds: Int64(next - second))
            let change = zone.nextTransition(after: candidate)?.moment
            candidate = change.map { min($0, boundary) } ?? boundary
        }
        // Nothing is ever dropped.
        return moment
    }
}
