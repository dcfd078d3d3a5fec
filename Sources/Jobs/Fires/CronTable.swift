import Storage
import Timekeeping

/// The lines of a crontab, and up to where the times of each are dealt with.
struct CronTable {
    /// A clock that is behind by more milliseconds than this was wrong before: the times since come
    /// again. By less, nothing comes twice.
    static let correctionMilliseconds = ClockWatch.correctionMillisecondsMin

    let lines: [CrontabLine]
    private var covered: [String: Moment]
    /// Up to when somebody was there to look.
    private var lookedTo: Moment?

    init(_ lines: [CrontabLine], covered: [String: Moment], lookedTo: Moment? = nil) {
        self.lines = lines
        self.covered = covered
        self.lookedTo = lookedTo
    }

    static let empty = CronTable([], covered: [:])

    /// The last moment that the clock may have been ahead of `now` without having been wrong.
    static func limit(_ now: Moment) -> Moment {
        now.advanced(byMilliseconds: correctionMilliseconds)
    }

    /// Whether the clock was so far ahead that the times since come again.
    func isAhead(of now: Moment) -> Bool {
        let limit = Self.limit(now)
        return (lookedTo.map { $0 > limit } ?? false) || covered.values.contains { $0 > limit }
    }

    /// What has come since the last look.
    mutating func claims(
        now: Moment, _ passage: FireDecision.Passage
    ) -> [CronClaim] {
        let claims = lines.compactMap { claim($0, now: now, passage) }
        for claim in claims { covered[claim.line] = claim.coveredTo }
        lookedTo = max(lookedTo ?? now, now)
        return claims
    }

    private func claim(
        _ line: CrontabLine, now: Moment, _ passage: FireDecision.Passage
    ) -> CronClaim? {
        guard let from = covered[line.name] else { return nil }
        let fires = FireDecision(line: line)
            .fires(after: max(from, lookedTo ?? from), through: now, passage)
        guard let last = fires.last else { return nil }
        return CronClaim(
            line: line.name, job: line.jobText, coveredFrom: from, coveredTo: last,
            fires: fires.map { nominal in
                CronClaim.Fire(
                    nominal: nominal,
                    due: nominal.advanced(byMilliseconds: line.jitter(at: nominal)))
            }, skipsOverlaps: line.options.overlap == .skip)
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
