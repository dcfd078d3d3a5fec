import Logging
import Planning
import Storage
import Synchronization
import TestKit
import Timekeeping

@testable import Notifications

/// The engine's process: it starts, crashes at any moment, is stopped, and sees clock changes.
extension Simulation {
    func startEngine() throws {
        startAt = nil
        begun = [:]
        let described = try home.surroundings()
        let planner: Planner
        do {
            planner = try Store.$hook.withValue(gate) {
                try executor.value { try await Planner(described) }
            }
        } catch is StoreError {
            // The supervisor of the daemon starts it again.
            startAt = machineClock.now.advanced(bySeconds: 10)
            return note("the engine cannot open the store")
        }
        let engine = DeliveryEngine(
            planner: planner,
            parts: DeliveryEngine.Parts(sinks: [receiver.sink()], writer: parts.writer),
            clock: clock, waitClock: machineClock, chance: home.chance, logger: .silent,
            gauge: gauge, recordRestMilliseconds: 0)
        // Nothing ever changes in that folder: writers call ``hear()`` instead.
        let watch = try StoreWatch(path: quietFolder + "/nothing")
        let isOver = Flag()
        let task = executor.start {
            defer { isOver.raise() }
            try await engine.run(watch: watch)
        }
        running = Running(engine: engine, task: task, store: planner.store, isOver: isOver)
        trouble(minutes: 2)
        note("the engine starts")
    }

    /// Tells the engine that somebody wrote to the store; sometimes the notice is lost.
    func hear() {
        guard random.chance(percent: 85) else { return trouble(minutes: 3) }
        running?.engine.dispatch.withLock(\.self)?.hear()
    }

    /// Crashes the process between two steps: nothing that it began is written any more.
    func crash() throws {
        guard let running else { return }
        note("the engine crashes")
        receiver.die()
        deathSteps.append(step)
        try running.store.close()
        try end(running)
    }

    /// Stops the process, which may still record outcomes.
    func stop() throws {
        guard let running else { return }
        note("the engine is stopped")
        try end(running)
        try running.store.close()
    }

    private func end(_ running: Running) throws {
        running.task.cancel()
        executor.run()
        guard running.isOver.isRaised else { throw violation("the engine does not stop") }
        self.running = nil
        startAt = machineClock.now.advanced(byMilliseconds: downtimeMilliseconds())
        trouble(minutes: 3)
    }

    private func downtimeMilliseconds() -> Int64 {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<4: 1
        case ..<7: Int64.random(in: 1000...600_000, using: &random)
        case ..<9: Int64.random(in: 600_000...36_000_000, using: &random)
        default: Int64.random(in: 36_000_000...400_000_000, using: &random)
        }
    }

    // MARK: Clocks and weather

    /// Sets the clock to a wrong time, or corrects it.
    func turnClock() {
        let hours: Int64 =
            clockErrorMilliseconds != 0 && random.chance(percent: 60)
            ? 0 : [-24, -3, -1, 1, 2, 5, 24].randomElement(using: &random) ?? 1
        setClock(errorMilliseconds: hours * 3_600_000)
        note("the clock is wrong by \(hours) hours")
    }

    /// Sets the clock's error. The gauge wakes sleepers.
    func setClock(errorMilliseconds: Int64) {
        gauge.set(bySeconds: (errorMilliseconds - clockErrorMilliseconds) / 1000)
        clockErrorMilliseconds = errorMilliseconds
        wallMax = max(wallMax, clock.now)
        walls[step] = clock.now
        trouble(minutes: 3)
    }

    func changeWeather() {
        let weather = Weather.allCases.randomElement(using: &random) ?? .fair
        let seconds: Int64 = [60, 600, 3600, 10_000, 60_000].randomElement(using: &random) ?? 60
        set(weather, until: machineClock.now.advanced(bySeconds: seconds))
    }

    func set(_ weather: Weather, until moment: Moment?) {
        receiver.set(weather)
        weatherEndsAt = moment
        note("the sink is \(weather)")
    }

    /// Allows for the time until sends that failed in this weather are retried.
    func troubleOfWeather() {
        trouble(minutes: receiver.weather == .busy ? 360 : 30)
    }

    func troubleStore() {
        gate.set(percent: [5, 30, 100].randomElement(using: &random) ?? 5)
        gateEndsAt = machineClock.now.advanced(
            bySeconds: Int64.random(in: 1...40, using: &random))
        note("the store fails")
    }
}

/// Tells from inside a task that it has ended.
final class Flag: Sendable {
    private let state = Mutex(false)

    var isRaised: Bool { state.withLock(\.self) }

    func raise() {
        state.withLock { $0 = true }
    }
}
