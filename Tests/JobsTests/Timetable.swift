import Foundation
import Ledger
import Planning
import Settings
import Storage
import Synchronization
import TestKit
import Testing
import Timekeeping

@testable import Jobs

/// A home with a crontab, and a scheduler whose turns the test triggers.
struct Timetable {
    let world: TestWorld
    let gauge: ManualGauge
    let planner: Planner
    let scheduler: JobScheduler
    let book: LogBook

    init(
        _ world: TestWorld, _ crontab: String?, settings: [SettingName: String] = [:],
        boot: String = "boot 1"
    ) async throws {
        self.world = world
        gauge = ManualGauge(world.clock)
        book = LogBook()
        let planner = try await world.planner(settings: settings)
        self.planner = planner
        let machine = Machine(
            clock: HastyClock(clock: world.clock), chance: world.chance,
            uptime: { .milliseconds(MachineClock().now.milliseconds) }, gauge: gauge, boot: boot)
        scheduler = JobScheduler(
            runner: JobRunner(machine: machine, planner: { planner }), planner: { planner },
            machine: machine, logger: book.logger)
        if let crontab { try write(crontab) }
    }

    func write(_ crontab: String) throws {
        try crontab.write(toFile: world.home.crontab, atomically: true, encoding: .utf8)
    }

    /// Performs turns until no more runs start, and carries out the runs.
    ///
    /// - Returns: the time of the next turn.
    @discardableResult
    func iterate() async throws -> Moment {
        while true {
            var begun: [JobScheduler.Beginning] = []
            let next = try await scheduler.iterate { begun.append($0) }
            for run in begun { await scheduler.carryOut(run) }
            guard begun.isEmpty, next > world.clock.now else { continue }
            return next
        }
    }

    /// Sets the clock to a time on 1 December, or to any full timestamp, and performs a turn.
    @discardableResult
    func iterate(at time: String) async throws -> Moment {
        world.clock.set(try Moment.parse(time.contains("T") ? time : "2026-12-01T\(time)Z"))
        return try await iterate()
    }

    /// Steps the clock by this many seconds and performs a turn.
    func step(seconds: Int64) async throws {
        gauge.set(bySeconds: seconds)
        try await iterate()
    }

    /// Performs turns until a run starts, and returns it without carrying it out.
    func begin() async throws -> JobScheduler.Beginning {
        var begun: [JobScheduler.Beginning] = []
        while begun.isEmpty { _ = try await scheduler.iterate { begun.append($0) } }
        return begun[0]
    }

    /// Starts a run in the store, as a daemon does that crashes right afterwards.
    func beginAndDie() async throws {
        let run = try await begin().run
        let isBegun = try await planner.store.beginRun(run.id, now: world.clock.now)
        #expect(isBegun)
    }

    /// The scheduled times and states of a line's runs, in order: "12:15 done".
    func runs(_ line: String) async throws -> [String] {
        try await planner.store.lastRuns(ofLine: line, limit: 1000).reversed().map { run in
            "\(run.nominal.utcText.dropFirst(11).prefix(5)) \(run.state.rawValue)"
        }
    }
}

/// A manual clock whose `sleep` returns at once.
private struct HastyClock: WallClock {
    let clock: ManualClock

    var now: Moment { clock.now }

    func sleep(until deadline: Moment) async throws(CancellationError) {
        await Task.yield()
        guard !Task.isCancelled else { throw CancellationError() }
    }
}

/// Runs a test in a home whose clock shows 12:00:30 UTC.
func withTimetable(
    _ crontab: String?, settings: [SettingName: String] = [:],
    _ body: (Timetable) async throws -> Void
) async throws {
    try await withTemporaryHome(now: "2026-12-01T12:00:30Z") { world in
        try await body(try await Timetable(world, crontab, settings: settings))
    }
}
