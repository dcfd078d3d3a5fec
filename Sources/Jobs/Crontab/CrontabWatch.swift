import Timekeeping

/// Sees whether a crontab was changed since the last look.
struct CrontabWatch {
    private var last: (path: String, facts: CrontabFacts?)?
    private var lookedAt: Moment?
    /// When the file was changed last, as far as that is known: after the look before, and no later
    /// than at the last one.
    private(set) var changedAt: Moment?

    /// - Returns: whether it is another one than at the last look, as at the first.
    mutating func look(at file: CrontabFile, now: Moment) -> Bool {
        let found = (path: file.path, facts: CrontabFacts(path: file.path))
        defer { (last, lookedAt) = (found, now) }
        guard let last, last == found else {
            let moment = min(found.facts?.changedAt ?? now, now)
            changedAt = max(lookedAt ?? now, moment)
            return true
        }
        return false
    }
}
