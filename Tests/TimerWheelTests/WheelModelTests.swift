import TestKit
import Testing

@testable import TimerWheel

/// Random operations on the wheel and on the model, compared after each operation.
///
/// Both kinds of memory run through the same steps. The checked one proves that the wheel never
/// accesses memory out of bounds, which makes the fast one safe.
@Suite struct WheelModelTests {
    /// The last seed advances beyond the latest possible deadline.
    private static let seeds = [1, 2, 3, 4, 601_106_974_456_369_070]

    @Test(arguments: seeds)
    func `The wheel over pointers agrees with a sorted array`(seed: Int) {
        compare(PointerWords.self, seed: UInt64(seed), stepCount: 6_000)
    }

    @Test(arguments: seeds)
    func `The wheel over checked arrays agrees with a sorted array`(seed: Int) {
        compare(ArrayWords.self, seed: UInt64(seed), stepCount: 6_000)
    }

    @Test func `The wheel agrees with a sorted array for a random seed`() {
        let seed = UInt64.random(in: 0...UInt64.max)
        compare(PointerWords.self, seed: seed, stepCount: 6_000)
        compare(ArrayWords.self, seed: seed, stepCount: 6_000)
    }

    private func compare<Memory: Words & ~Copyable>(
        _: Memory.Type, seed: UInt64, stepCount: Int
    ) {
        print("wheel model: seed \(seed)")
        var pair = WheelAndModel<Memory>(seed: seed)
        for step in 0..<stepCount {
            pair.takeStep()
            if let difference = pair.difference {
                Issue.record("seed \(seed), step \(step): \(difference)")
                return
            }
        }
        pair.runDry()
        #expect(pair.difference == nil, "seed \(seed), at the end")
        #expect(pair.firedCount > stepCount / 10, "seed \(seed): too little has fired")
    }
}

/// A wheel and its model, and the steps that both take.
struct WheelAndModel<Memory: Words & ~Copyable>: ~Copyable {
    private var wheel: WheelCore<Memory>
    private var model: ModelWheel
    private var random: SeededRandom
    private var handles: [UInt32: Wheel.Handle] = [:]
    private var staleHandles: [Wheel.Handle] = []
    private var payload: UInt32 = 0
    private(set) var firedCount = 0
    private(set) var difference: String?

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let starts: [UInt64] = [0, 1, 4095, 1 << 24 - 1, 1 << 36 - 3, 1_800_000_000_000, 1 << 60]
        let start = starts.randomElement(using: &random) ?? 0
        // Small limits, so that advances often stop halfway and stale entries are often removed.
        let limits = [(4096, 65_536), (128, 100), (127, 0)].randomElement(using: &random)
        wheel = WheelCore(
            now: start, limits: .init(work: limits?.0 ?? 127, spareEntries: limits?.1 ?? 0))
        model = ModelWheel(now: start)
    }

    mutating func takeStep() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<40: add()
        case 40..<52: cancel()
        case 52..<70: move()
        case 70..<74: useStaleHandle()
        case 74..<90: jump()
        default: advance(to: model.now + near())
        }
        check()
    }

    /// Jumps from expiry to expiry until nothing is left.
    mutating func runDry() {
        var jumpCount = 0
        while let time = wheel.nextExpiry(), difference == nil {
            advance(to: time)
            jumpCount += 1
            if jumpCount > 100_000 {
                difference = "the jumps come to no end at \(time)"
            }
        }
        check()
        if wheel.count != 0 {
            difference = "\(wheel.count) timers are left"
        }
    }

    private mutating func add() {
        payload += 1
        let deadline = someDeadline()
        handles[payload] = wheel.add(deadline: deadline, payload: payload)
        model.add(deadline: deadline, payload: payload)
    }

    private mutating func cancel() {
        guard let (payload, handle) = handles.randomElement(using: &random) else { return }
        agree(wheel.cancel(handle), model.cancel(payload: payload), "cancel")
        retire(payload)
    }

    private mutating func move() {
        guard let (payload, handle) = handles.randomElement(using: &random) else { return }
        let deadline = someDeadline()
        let hasMoved = wheel.move(handle, to: deadline)
        agree(hasMoved, model.move(payload: payload, to: deadline), "move")
        agree(wheel.deadline(of: handle), model.deadline(payload: payload), "deadline")
    }

    private mutating func useStaleHandle() {
        guard let handle = staleHandles.randomElement(using: &random) else { return }
        agree(wheel.cancel(handle), false, "cancel of a stale handle")
        agree(wheel.move(handle, to: someDeadline()), false, "move of a stale handle")
        agree(wheel.deadline(of: handle), nil, "deadline of a stale handle")
    }

    private mutating func jump() {
        guard let time = wheel.nextExpiry() else { return }
        advance(to: time)
    }

    private mutating func advance(to time: UInt64) {
        let capacities = [1, 2, 3, 1000]
        var batch = Wheel.Batch(capacity: capacities.randomElement(using: &random) ?? 1)
        var fired: [ModelWheel.Timer] = []
        var progress = Wheel.Progress.more
        while progress == .more {
            progress = wheel.advance(to: time, into: &batch)
            for timer in batch.timers {
                fired.append(.init(deadline: timer.deadline, payload: timer.payload))
                retire(timer.payload)
            }
        }
        firedCount += fired.count
        let expected = model.advance(to: time)
        // Within a tick the order is free: deadlines must be in order, and the timers must be the
        // same.
        agree(fired.map(\.deadline), expected.map(\.deadline), "fired deadlines")
        agree(Set(fired), Set(expected), "fired timers")
    }

    private mutating func check() {
        agree(wheel.now, model.now, "now")
        agree(wheel.count, model.timers.count, "count")
        let next = wheel.nextExpiry()
        agree(next == nil, model.timers.isEmpty, "whether there is a next expiry")
        if let next, let first = model.timers.first, next > first.deadline {
            difference = "next expiry \(next) is later than the deadline \(first.deadline)"
        }
    }

    private mutating func retire(_ payload: UInt32) {
        guard let handle = handles.removeValue(forKey: payload) else { return }
        staleHandles.append(handle)
    }

    private mutating func agree<Value: Equatable>(_ found: Value, _ expected: Value, _ name: String)
    {
        guard difference == nil, found != expected else { return }
        difference = "\(name) at \(model.now): \(found), the model says \(expected)"
    }

    /// Deadlines of every kind: past, near, and next to the start of a level.
    private mutating func someDeadline() -> UInt64 {
        let now = model.now
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return now
        case 1: return now - min(now, near())
        case 2: return 0
        case 3..<9: return now + near()
        case 9..<17: return nextToBoundary()
        case 17: return now + UInt64.random(in: 0..<1 << 40, using: &random)
        case 18: return UInt64.max - UInt64.random(in: 0..<3, using: &random)
        default: return UInt64.random(in: 0...UInt64.max, using: &random)
        }
    }

    /// A time one before, at, or one after a multiple of a level's width, up to two turns ahead; or
    /// at that distance from now.
    private mutating func nextToBoundary() -> UInt64 {
        let shifts: [UInt64] = [12, 12, 13, 24, 24, 25, 32, 36, 37, 48, 60]
        let width = UInt64(1) << (shifts.randomElement(using: &random) ?? 12)
        let origin = Bool.random(using: &random) ? model.now / width * width : model.now
        let offset = UInt64.random(in: 0...2, using: &random)
        let (deadline, hasOverflown) = origin.addingReportingOverflow(width + offset)
        return hasOverflown ? UInt64.max : deadline - 1
    }

    private mutating func near() -> UInt64 {
        let bounds: [UInt64] = [2, 100, 5_000, 20_000, 1_000_000, 40_000_000]
        return UInt64.random(in: 0..<(bounds.randomElement(using: &random) ?? 2), using: &random)
    }
}
