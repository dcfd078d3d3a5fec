import Timekeeping

/// Decides which times of a line start its job.
struct FireDecision {
    /// The way in which a period of time passed.
    enum Passage {
        /// Normally, whether or not the daemon was running.
        case lived
        /// Skipped by a clock that was set forward by less than three hours.
        case steppedOver
    }

    /// A time at most this many milliseconds ago counts as present.
    static let presentMilliseconds: Int64 = 60_000

    /// A step of the clock over at most this many milliseconds skips no times (cron(8)).
    static let briefMilliseconds: Int64 = 5 * 60_000

    let line: CrontabLine

    /// The times that start the job, in ascending order.
    ///
    /// - Parameters:
    ///   - start: the moment up to which all times have been handled.
    ///   - now: the current time.
    ///   - passage: the way in which the time between them passed.
    /// - Returns: moments after `start`, none of them after `now`.
    func fires(after start: Moment, through now: Moment, _ passage: Passage) -> [Moment] {
        guard case .times(let expression) = line.schedule, start < now else { return [] }
        switch (passage, line.options.catchUp) {
        case (.steppedOver, _)
        where !expression.followsClock
            || now.milliseconds(since: start) <= Self.briefMilliseconds:
            return times(after: start, through: now)
        case (.steppedOver, _), (.lived, .latest):
            return latest(after: start, through: now).map { [$0] } ?? []
        case (.lived, .none):
            let present = now.advanced(byMilliseconds: -Self.presentMilliseconds)
            return times(after: max(start, present), through: now)
        case (.lived, .all(let span)):
            let wall = line.zone.wallTime(at: now)
            return times(after: max(start, span.before(wall, in: line.zone)), through: now)
        }
    }

    /// The first times of the period; the caller asks again if there are more.
    private func times(after start: Moment, through now: Moment) -> [Moment] {
        var times: [Moment] = []
        var last = start
        while times.count <= CronTable.firesMax, let next = line.next(after: last), next <= now {
            times.append(next)
            last = next
        }
        return times
    }

    /// The last time of the period. Searches backwards in growing steps, so that it need not walk
    /// through years of minutes.
    private func latest(after start: Moment, through now: Moment) -> Moment? {
        var reach: Int64 = 3_600_000
        while true {
            let from = max(start, now.advanced(byMilliseconds: -reach))
            var last = line.next(after: from)
            guard let first = last, first <= now else {
                guard from > start else { return nil }
                reach *= 24
                continue
            }
            while let time = last, let next = line.next(after: time), next <= now { last = next }
            return last
        }
    }
}

extension CrontabLine {
    /// The delay of a run in milliseconds: always the same for one time, different for other times.
    func jitter(at nominal: Moment) -> Int64 {
        guard options.jitterSeconds > 0 else { return 0 }
        var hash = UInt64(bitPattern: nominal.milliseconds)
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        // Spreads neighbouring times over the range (finalizer of MurmurHash3).
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return Int64((hash ^ hash >> 33) % (UInt64(options.jitterSeconds) * 1000))
    }
}
