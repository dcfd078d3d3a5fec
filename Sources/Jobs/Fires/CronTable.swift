import Storage
import Timekeeping

/// The lines of a crontab, each with the moment up to which its times have been handled.
struct CronTable {
    /// If the clock jumps back by more milliseconds than this, it was wrong before, and the times
    /// since then come again. After a smaller jump nothing runs twice.
    static let correctionMilliseconds = ClockWatch.correctionMillisecondsMin
    /// The most times of one line claimed together, so that one line does not hold up the others.
    static let firesMax = 500

    let lines: [CrontabLine]
    private var covered: [String: Moment]
    /// The latest moment that has been looked at.
    private var lookedTo: Moment?

    init(_ lines: [CrontabLine], covered: [String: Moment]) {
        self.lines = lines
        self.covered = covered
    }

    /// The latest clock reading that still counts as correct at `now`.
    static func limit(_ now: Moment) -> Moment {
        now.advanced(byMilliseconds: correctionMilliseconds)
    }

    /// Whether the clock was so far ahead that the times since `now` come again.
    func isAhead(of now: Moment) -> Bool {
        let limit = Self.limit(now)
        return (lookedTo.map { $0 > limit } ?? false) || covered.values.contains { $0 > limit }
    }

    /// The times of a line that have come since the last look.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - now: the current time.
    ///   - step: the number of milliseconds by which the clock was set forward since then.
    /// - Returns: the times to claim; `nil` if none have come.
    func claim(_ line: CrontabLine, now: Moment, steppedBy step: Int64) -> CronClaim? {
        guard let from = covered[line.name] else { return nil }
        let start = max(from, lookedTo ?? from)
        // Time that passed beyond the step was real time, awake or asleep.
        let isStep =
            step > 0
            && now.milliseconds(since: start) <= step + FireDecision.briefMilliseconds
        let fires = FireDecision(line: line)
            .fires(after: start, through: now, isStep ? .steppedOver : .lived)
            .prefix(Self.firesMax)
        guard let last = fires.last else { return nil }
        return CronClaim(
            line: line.name, job: line.jobText, coveredFrom: from, coveredTo: last,
            fires: fires.map { nominal in
                CronClaim.Fire(
                    nominal: nominal,
                    due: nominal.advanced(byMilliseconds: line.jitter(at: nominal)))
            }, skipsOverlaps: line.options.overlap == .skip)
    }

    /// Marks the times of a line as handled up to `moment`.
    mutating func settle(_ name: String, coveredTo moment: Moment) {
        covered[name] = moment
    }

    /// Marks all times up to `now` as handled.
    mutating func settle(now: Moment) {
        lookedTo = max(lookedTo ?? now, now)
    }

    /// The earliest next time of all lines.
    func next(after now: Moment) -> Moment? {
        lines.compactMap { line in
            covered[line.name].flatMap { line.next(after: max($0, lookedTo ?? now, now)) }
        }.min()
    }

    /// The lines with the schedule `@reboot`.
    var rebootLines: [CrontabLine] { lines.filter { $0.schedule == .reboot } }

    func line(named name: String?) -> CrontabLine? { lines.first { $0.name == name } }
}
