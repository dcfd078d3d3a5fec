public import Timekeeping

/// The reason why sending hours are not valid.
public enum SendingHoursError: Error, Equatable, CustomStringConvertible {
    /// There are more quiet hours or send windows than ``SendingHours/spansMax``.
    case tooMany
    /// No time is left for sending.
    case never

    /// The problem and its remedy.
    public var description: String {
        switch self {
        case .tooMany:
            "A person can have at most \(SendingHours.spansMax) quiet hours and as many send "
                + "windows."
        case .never:
            "With these quiet hours and send windows nothing could ever be sent. Leave some time "
                + "of the week open."
        }
    }
}

/// The hours in which a person may be notified, by their wall-clock time: never in quiet hours and,
/// if there are send windows, only in those.
///
/// ```swift
/// let hours = try SendingHours(quiet: [WeekSpan.parse("22:00-08:00")])
/// hours.opening(from: elevenAtNight, in: berlin) == eightInTheMorning
/// ```
///
/// A moment counts by the wall-clock time at that moment. A time that the clocks skip ends with the
/// jump, and a time that they show twice counts both times.
public struct SendingHours: Hashable, Sendable {
    /// The most quiet hours, and the most send windows.
    public static let spansMax = 20
    /// The time in which an opening is searched for, in days. A window on one day of the week may
    /// be skipped by a clock change, or by a zone that leaves out a day.
    static let lookAheadDays = 60

    /// The times at which nothing is sent.
    public let quiet: [WeekSpan]
    /// The only times at which anything is sent; empty for any time.
    public let windows: [WeekSpan]

    /// Sending is allowed at any time.
    public static let always = SendingHours()

    private init() {
        quiet = []
        windows = []
    }

    /// Creates sending hours.
    ///
    /// - Throws: ``SendingHoursError`` if there are too many spans or no time is left for sending.
    public init(
        quiet: [WeekSpan] = [], windows: [WeekSpan] = []
    ) throws(SendingHoursError) {
        guard quiet.count <= Self.spansMax, windows.count <= Self.spansMax else { throw .tooMany }
        self.quiet = quiet
        self.windows = windows
        guard isEverOpen else { throw .never }
    }

    /// True if nothing is ever held back.
    public var isAlways: Bool { quiet.isEmpty && windows.isEmpty }

    /// Open time can begin only at midnight or at the start or end of a span, so only these are
    /// checked.
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

    /// The seconds of a day at which open time may begin or end, sorted, midnight first.
    private var boundaries: [Int] {
        let minutes = (quiet + windows).flatMap { [$0.start, $0.end] }
        return Set([0] + minutes.map { $0 % WeekSpan.minutesOfDay * 60 }).sorted()
    }

    /// The obstacle to sending at a wall-clock time, such as "quiet hours 22:00-08:00"; `nil` if
    /// there is none.
    public func obstacle(at wall: WallTime) -> String? {
        if let span = quiet.first(where: { $0.contains(wall) }) { return "quiet hours \(span)" }
        guard !windows.isEmpty, !windows.contains(where: { $0.contains(wall) }) else { return nil }
        let words = windows.map(\.description).joined(separator: " and ")
        return "send window\(windows.count == 1 ? "" : "s") \(words)"
    }

    /// The first moment, from this one on, at which sending is allowed.
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
        // No opening was found. The notification goes out at once, because nothing is ever dropped.
        return moment
    }
}
