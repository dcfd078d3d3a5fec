import Agenda
import Logging
import Planning
import Storage
import Timekeeping

/// Handles clock changes, machine sleep and pauses of the process.
extension DeliveryEngine {
    /// Wakes the engine as soon as a clock is set or the machine wakes up.
    func listen(to gauge: any ClockGauge, _ dispatch: SharedDispatch) async {
        for await _ in gauge.changes() { dispatch.wakes.wake() }
    }

    /// Checks for clock changes since the last check, logs them, and reschedules waiting deliveries
    /// if the clock was set back.
    func heedClocks(_ dispatch: SharedDispatch) async throws {
        guard let gauge else { return }
        for change in dispatch.look(gauge.reading) { note(change, of: dispatch) }
        let back = dispatch.backMilliseconds
        guard back > 0 else { return }
        try await follow(back: back)
        dispatch.settle(backMilliseconds: back)
    }

    /// Detects that the clock was set back while no engine ran: the last entry in the ledger is
    /// then later than `now`. Reschedules the waiting deliveries accordingly. Not to be called when
    /// the user chose the time for a single round.
    public func heedEarlierClock() async throws {
        let now = clock.now
        let ahead = try await store.lastTurn(now: now)?.milliseconds(since: now) ?? 0
        guard ahead >= ClockWatch.stepMillisecondsMin else { return try await planLeftOut() }
        logger.warning(
            "the ledger has entries later than the current time; the clock was set back",
            metadata: seconds(ahead))
        try await follow(back: ahead)
    }

    /// Reschedules waiting deliveries after the clock was set back by `back` milliseconds.
    private func follow(back: Int64) async throws {
        try await planLeftOut()
        let brought = try await store.bringForward(
            byMilliseconds: back, now: clock.now, replanning: replanning)
        note(brought.failures)
        guard brought.count > 0 else { return }
        logger.info(
            "deliveries rescheduled after the clock was set back",
            metadata: ["count": "\(brought.count)"])
    }

    /// Plans what was closed or left out only because the clock was ahead.
    private func planLeftOut() async throws {
        try await reopenClosedAhead()
        try await replanRemindedAhead()
    }

    /// Plans the meetings again of people who chose other reminders while the clock was ahead.
    private func replanRemindedAhead() async throws {
        let replanned = try await store.replanRemindedAhead(now: clock.now, replanning: replanning)
        note(replanned.failures)
        guard replanned.count > 0 else { return }
        logger.info(
            "meetings planned again: reminders were chosen while the clock was ahead",
            metadata: ["count": "\(replanned.count)"])
    }

    /// Plans deliveries again that expired too early because the clock was ahead.
    private func reopenClosedAhead() async throws {
        var count = 0
        while true {
            let more = try await store.reopenClosedAhead(now: clock.now, replanning: replanning)
            note(more.failures)
            guard more.count > 0 else { break }
            count += more.count
        }
        guard count > 0 else { return }
        logger.warning(
            "planned again: these deliveries expired while the clock was ahead",
            metadata: ["count": "\(count)"])
    }

    private var replanning: Replanning {
        planning.replanning(because: "the clock was set back")
    }

    private func note(_ change: ClockChange, of dispatch: SharedDispatch) {
        switch change {
        case .slept(let milliseconds):
            logger.info("the machine slept", metadata: seconds(milliseconds))
        case .stoodStill(let milliseconds):
            logger.warning("the daemon was paused", metadata: seconds(milliseconds))
        case .setBack(let milliseconds):
            monitor.metrics.clockStepped(.back)
            logger.warning("the clock was set back", metadata: seconds(milliseconds))
            dispatch.with { $0.turnBack(to: clock.now) }
            return dispatch.catchUp { $0.turnBack(to: clock.now) }
        case .setForward(let milliseconds):
            monitor.metrics.clockStepped(.forward)
            logger.warning("the clock was set forward", metadata: seconds(milliseconds))
        case .corrected(let milliseconds):
            monitor.metrics.clockStepped(.forward)
            logger.warning(
                "the clock was corrected: it was behind by three hours or more",
                metadata: seconds(milliseconds))
        }
        dispatch.catchUp { $0.begin(through: clock.now) }
    }

    private func seconds(_ milliseconds: Int64) -> Logger.Metadata {
        ["seconds": "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"]
    }

    // MARK: Catching up

    /// Counts a successful attempt if the delivery was late.
    func noteSent(due: Moment, of dispatch: SharedDispatch) {
        guard dispatch.catchUp({ $0.noteSent(due: due) }) else { return }
        monitor.metrics.caughtUp(1, .send)
    }

    /// Counts those of the expired deliveries that were late.
    func noteExpired(_ expired: [ExpiredDelivery], of dispatch: SharedDispatch) {
        let count = dispatch.catchUp { counting in
            expired.count { counting.noteExpired(due: $0.due) }
        }
        if count > 0 { monitor.metrics.caughtUp(count, .expire) }
    }

    /// Logs, once, how many late deliveries were sent and expired. Called when no due delivery is
    /// left.
    func tellCaughtUp(_ dispatch: SharedDispatch) {
        guard let result = dispatch.catchUp({ $0.end() }) else { return }
        logger.info(
            "caught up: \(result.sent) sent late, \(result.expired) expired",
            metadata: ["sent": "\(result.sent)", "expired": "\(result.expired)"])
    }
}
