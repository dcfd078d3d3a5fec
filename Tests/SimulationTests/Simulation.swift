import Agenda
import Foundation
import Ledger
import Logging
import Planning
import Settings
import Storage
import TestKit
import Timekeeping

@testable import Notifications

/// A broken promise.
struct Violation: Error, CustomStringConvertible {
    let seed: UInt64
    let step: Int
    let wall: Moment
    let words: String
    let last: [String]

    var description: String {
        """
        seed \(seed), step \(step), \(wall.utcText): \(words)
        To reproduce: LETSMEET_SEED=\(seed) swift test --filter SimulationTests
        Events before it:
        \(last.map { "    \($0)" }.joined(separator: "\n"))
        """
    }
}

/// The trace of a simulation: a digest that another run with the same seed has to reproduce, and
/// the last events as text.
struct Trace {
    /// The number of events that are kept: all of them if a single seed is given.
    private static let lastMax =
        ProcessInfo.processInfo.environment["LETSMEET_SEED"] == nil ? 40 : Int.max
    private(set) var digest: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var last: [String] = []

    mutating func note(_ line: String) {
        digest = line.utf8.reduce(digest) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        if last.count == Self.lastMax { last.removeFirst() }
        last.append(line)
    }
}

/// A year of meetings in one installation: people plan and answer, the engine delivers, the clocks
/// and the machine cause problems, and after each step the promises are checked.
///
/// Nothing runs by itself: time moves from one event to the next, and all tasks run on a
/// ``SteppedExecutor``, so that the seed decides everything.
final class Simulation {
    static let start = "2027-01-01T00:00:00Z"
    static let days: Int64 = 365
    static let zoneNames = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"]

    /// A running engine, as in one process.
    struct Running {
        let engine: DeliveryEngine
        let task: Task<Void, any Error>
        let store: Store
        let isOver: Flag
    }

    let seed: UInt64
    var random: SeededRandom
    let executor: SteppedExecutor
    let home: TestWorld
    /// The clock that is never set.
    let machineClock: ManualClock
    /// Tells the engine that a clock was set.
    let gauge: ManualGauge
    let receiver: Receiver
    let gate: Gate
    let parts: DeliveryEngine.Parts
    let planners: [Planner]
    let oracle: Oracle
    /// A folder in which nothing changes.
    let quietFolder: String
    var world = World()
    var trace = Trace()
    var step = 0
    /// The wall clock at each step.
    var walls: [Moment]
    /// The latest time that the wall clock ever showed.
    var wallMax: Moment
    /// The difference between the wall clock and the machine's clock, in milliseconds.
    var clockErrorMilliseconds: Int64 = 0
    var running: Running?
    /// The next times of these events, on the machine's clock.
    var nextActAt: Moment
    var startAt: Moment?
    var weatherEndsAt: Moment?
    var gateEndsAt: Moment?
    /// Deliveries may be late until this moment.
    var troubledUntil: Moment
    /// The attempt at each delivery under way, with the step in which it was begun.
    var begun: [String: (attempt: Int, step: Int)] = [:]
    var deathSteps: [Int] = []
    let judge = Judge()

    var clock: ManualClock { home.clock }
    var end: Moment { walls[0].advanced(bySeconds: Self.days * 86_400) }
    var isCalm: Bool { machineClock.now >= troubledUntil }

    init(seed: UInt64, folder: String) throws {
        self.seed = seed
        random = SeededRandom(seed: seed)
        executor = SteppedExecutor(seed: seed &+ 1)
        home = try TestWorld(folder: folder + "/home", now: Self.start, seed: seed &+ 2)
        let now = home.clock.now
        machineClock = ManualClock(now)
        gauge = ManualGauge(home.clock)
        receiver = Receiver(seed: seed, clock: home.clock, machineClock: machineClock)
        gate = Gate(executor: executor, seed: seed &+ 3)
        parts = try home.parts([])
        planners = try Self.planners(of: home, on: executor)
        oracle = try Oracle(path: home.home.database)
        quietFolder = folder + "/quiet"
        try FileManager.default.createDirectory(
            atPath: quietFolder, withIntermediateDirectories: true)
        walls = [now]
        wallMax = now
        nextActAt = now.advanced(bySeconds: 60)
        troubledUntil = now
    }

    /// The command line: one planner for each time zone in which people enter times.
    private static func planners(
        of home: TestWorld, on executor: SteppedExecutor
    ) throws -> [Planner] {
        try zoneNames.map { name in
            var surroundings = try home.surroundings()
            surroundings.zoneOption = name
            let described = surroundings
            return try Store.$hook.withValue(executor) {
                try executor.value { try await Planner(described) }
            }
        }
    }

    // MARK: The year

    func run() throws {
        try invitePeople()
        try startEngine()
        while machineClock.now < end {
            try turn()
        }
        try endYear()
    }

    func turn() throws {
        try advance(to: nextMoment())
        let now = machineClock.now
        if let moment = weatherEndsAt, now >= moment {
            // After a sleep of the machine, sends that began in this weather end only now, with its
            // results.
            troubleOfWeather()
            set(.fair, until: nil)
        }
        if let moment = gateEndsAt, now >= moment {
            gate.set(percent: 0)
            gateEndsAt = nil
        }
        if let moment = startAt, now >= moment { try startEngine() }
        if now >= nextActAt {
            nextActAt = now.advanced(byMilliseconds: gapMilliseconds())
            try act()
            hear()
        }
        try settle()
    }

    /// Advances both clocks, so that waiting tasks can continue.
    func advance(to moment: Moment) {
        step += 1
        receiver.begin(step: step)
        machineClock.set(moment)
        clock.set(moment.advanced(byMilliseconds: clockErrorMilliseconds))
        walls.append(clock.now)
        wallMax = max(wallMax, clock.now)
    }

    /// Short gaps and long ones: simultaneous events are as interesting as distant ones.
    private func gapMilliseconds() -> Int64 {
        switch Int.random(in: 0..<10, using: &random) {
        case ..<3: Int64.random(in: 1...120_000, using: &random)
        case ..<6: Int64.random(in: 120_000...14_400_000, using: &random)
        default: Int64.random(in: 14_400_000...400_000_000, using: &random)
        }
    }

    /// The next moment at which anything can happen.
    private func nextMoment() throws -> Moment {
        let now = machineClock.now
        var moments = [nextActAt, startAt, weatherEndsAt, gateEndsAt].compactMap(\.self)
        if running != nil {
            let wall = clock.now
            let dues = [try oracle.nextDue(after: wall), world.nextReminder(after: wall)]
            moments += dues.compactMap(\.self).map {
                $0.advanced(byMilliseconds: -clockErrorMilliseconds)
            }
            moments += machineClock.deadlines.prefix(1)
            if try !oracle.overdue(wall).isEmpty {
                moments.append(
                    now.advanced(bySeconds: Int64.random(in: 60...600, using: &random)))
            }
        }
        let next = moments.reduce(end, min)
        if running != nil, random.chance(percent: 1) {
            note("the machine sleeps")
            let wake = next.advanced(bySeconds: Int64.random(in: 60...100_000, using: &random))
            // A send that hung before ends only then, and may open the circuit breaker of its
            // destination.
            trouble(minutes: 30, from: wake)
            return wake
        }
        return max(next, now.advanced(byMilliseconds: 1))
    }

    /// Runs the engine until it is idle or crashes, and checks the results.
    func settle() throws {
        let isBusy = try !oracle.overdue(clock.now).isEmpty
        if running != nil, random.chance(percent: isBusy ? 8 : 1) {
            executor.run(stepsMax: Int.random(in: 1...80, using: &random))
            try crash()
        }
        guard executor.run(stepsMax: 1_000_000) else {
            throw violation("a task does not end")
        }
        try lookAround()
        try judgeStep()
    }

    // MARK: Logging

    func note(_ line: String) {
        trace.note("\(step) \(clock.now.utcText) \(line)")
    }

    func trouble(minutes: Int64, from moment: Moment? = nil) {
        let begin = moment ?? machineClock.now
        troubledUntil = max(troubledUntil, begin.advanced(bySeconds: minutes * 60))
    }

    func violation(_ words: String) -> Violation {
        Violation(seed: seed, step: step, wall: clock.now, words: words, last: trace.last)
    }
}
