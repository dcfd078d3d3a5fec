import Storage
import Timekeeping

/// The lines of a crontab, and up to where the times of each are dealt with.
struct CronTable {
    /// A clock that is behind by more milliseconds than this was wrong before: the times since come
    /// again. By less, nothing comes twice.
    static let correctionMilliseconds = ClockWatch.correctionMillisecondsMin
    /// So many times of a line are claimed together, so that one line holds up no other.
    static let firesMax = 500

    let lines: [CrontabLine]
    private var covered: [String: Moment]
    /// Up to when somebody was there to look.
    private var lookedTo: Moment?

    init(_ lines: [CrontabLine], covered: [String: Moment]) {
        self.lines = lines
        self.covered = covered
    }

    /// The last moment that the clock may have been ahead of `now` without having been wrong.
    static func limit(_ now: Moment) -> Moment {
        now.advanced(byMilliseconds: correctionMilliseconds)
    }

    /// Whether the clock was so far ahead that the times since come again.
    func isAhead(of now: Moment) -> Bool {
        let limit = Self.limit(now)
        return (lookedTo.map { $0 > limit } ?? false) || covered.values.contains { $0 > limit }
    }

    /// The times of a line that have come since the last look.
    ///
    /// - Parameters:
    ///   - line: which line.
    ///   - now: the clock.
    ///   - step: by how many milliseconds the clock was set forward since.
    /// - Returns: what is to be claimed; `nil` where none have come.
    func claim(_ line: CrontabLine, now: Moment, steppedBy step: Int64) -> CronClaim? {
        guard let from = covered[line.name] else { return nil }
        let start = max(from, lookedTo ?? from)
        // What passed besides the step was lived through, or slept through.
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

    /// The times of a line are dealt with up to here.
    mutating func settle(_ name: String, coveredTo moment: Moment) {
        covered[name] = moment
    }

    /// All that came until now is dealt with.
    mutating func settle(now: Moment) {
        lookedTo = max(lookedTo ?? now, now)
    }

    /// When the next time of any line comes.
    func next(after now: Moment) -> Moment? {
        lines.compactMap { line in
            covered[line.name].flatMap { line.next(after: max($0, lookedTo ?? now, now)) }
        }.min()
    }

    /// The lines that come with the machine's start.
    var rebootLines: [CrontabLine] { lines.filter { $0.schedule == .reboot } }

    func line(named name: String?) -> CrontabLine? { lines.first { $0.name == name } }
}
