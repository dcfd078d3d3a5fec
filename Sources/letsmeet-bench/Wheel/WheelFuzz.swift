import TimerWheel

/// A wheel and its model, which perform the same operations, chosen by a string of bytes.
struct WheelFuzz: ~Copyable {
    private static let boundaryBits: [UInt64] = [12, 12, 13, 24, 24, 25, 26, 32, 36, 37, 48, 60]
    private static let distances: [UInt64] = [2, 100, 5_000, 20_000, 1_000_000, 40_000_000]

    private var bytes: FuzzBytes
    private var wheel: Wheel
    private var model: WheelModel
    private var batch: Wheel.Batch
    private let timersMax: Int
    /// In some runs, most timers have the same delay, as heartbeats do.
    private let crowdDistance: UInt64?
    /// The latest handle of each timer, by the timer's number.
    private var handles: [Wheel.Handle] = []
    private var freeIDs: [UInt32] = []
    private var stale: [Wheel.Handle] = []
    private(set) var operationCount = 0
    private(set) var fault: String?

    init(_ source: FuzzBytes) {
        var bytes = source
        let starts: [UInt64] = [
            0, 1, 4095, 1 << 24 - 1, 1 << 36 - 3, 1_800_000_000_000, 1 << 60, UInt64(Int64.max) - 9,
        ]
        let start = bytes.element(starts)
        let (work, spareEntries) = bytes.element([
            (4096, 65_536), (128, 100), (127, 0), (300, 2_000),
        ])
        wheel = Wheel(now: start, work: work, spareEntries: spareEntries)
        model = WheelModel(now: start)
        batch = Wheel.Batch(capacity: bytes.element([1, 2, 7, 100, 1000]))
        timersMax = bytes.element([4, 60, 500, 3_000])
        crowdDistance = bytes.element([nil, nil, 9_000, 60_000, 20_000_000])
        self.bytes = bytes
    }

    /// Runs to the end of the bytes, and then until no timer is pending.
    mutating func run() {
        while !bytes.isEmpty, fault == nil {
            operationCount += 1
            takeStep()
            check()
        }
        var jumpCount = 0
        while fault == nil, let time = wheel.nextExpiry() {
            advance(to: time, untilDone: true)
            jumpCount += 1
            expect(jumpCount < 1_000_000, "the jumps do not end")
        }
        check()
    }

    private mutating func takeStep() {
        switch bytes.number(below: 100) {
        case 0..<36: add()
        case 36..<52: cancel()
        case 52..<80: move()
        case 80..<84: useStaleHandle()
        case 84..<92:
            advance(to: wheel.nextExpiry() ?? model.now, untilDone: bytes.number(below: 4) > 0)
        default: advance(to: model.now &+ near(), untilDone: bytes.number(below: 4) > 0)
        }
    }

    private mutating func add() {
        guard model.timers.count < timersMax else { return cancel() }
        let deadline = someDeadline()
        let id = freeIDs.popLast() ?? UInt32(handles.count)
        let handle = wheel.add(deadline: deadline, payload: id)
        if Int(id) == handles.count {
            handles.append(handle)
        } else {
            handles[Int(id)] = handle
        }
        model.insert(.init(deadline: model.taken(deadline), id: id))
    }

    private mutating func cancel() {
        guard let timer = someTimer() else { return }
        expect(wheel.cancel(handles[Int(timer.id)]), "a pending timer was not cancelled")
        _ = model.remove(timer)
        retire(timer.id)
    }

    private mutating func move() {
        guard let timer = someTimer() else { return }
        var deadline = someDeadline()
        if bytes.number(below: 8) == 0 {
            // The low bits, which distinguish entries, stay the same.
            deadline = timer.deadline &+ 1 << bytes.element(Self.boundaryBits)
        }
        let handle = handles[Int(timer.id)]
        expect(wheel.move(handle, to: deadline), "a pending timer was not moved")
        expect(wheel.deadline(of: handle) == model.taken(deadline), "a wrong deadline was stored")
        _ = model.remove(timer)
        model.insert(.init(deadline: model.taken(deadline), id: timer.id))
    }

    private mutating func useStaleHandle() {
        guard !stale.isEmpty else { return }
        let handle = bytes.element(stale)
        expect(!wheel.cancel(handle), "a stale handle was cancelled")
        expect(!wheel.move(handle, to: someDeadline()), "a stale handle was moved")
        expect(wheel.deadline(of: handle) == nil, "a stale handle has a deadline")
    }

    /// Advances with one call, or until done. Other operations may come between two calls.
    private mutating func advance(to time: UInt64, untilDone: Bool) {
        let target = model.taken(time)
        var progress = Wheel.Progress.more
        repeat {
            progress = wheel.advance(to: time, into: &batch)
            takeFired(by: target)
        } while untilDone && progress == .more && fault == nil
        if progress == .done {
            expect(wheel.now == target, "the wheel did not reach its target time")
            expect(model.first?.deadline ?? .max > target, "a timer is late")
        } else {
            expect(wheel.now >= model.now && wheel.now <= target, "the time is out of range")
        }
        model.go(to: wheel.now)
    }

    private mutating func takeFired(by time: UInt64) {
        var index = 0
        while index < batch.count, fault == nil {
            let timer = batch[index]
            index += 1
            expect(timer.deadline <= time, "a timer fired early")
            expect(model.first?.deadline == timer.deadline, "a timer fired out of order")
            let isKnown = model.remove(.init(deadline: timer.deadline, id: timer.payload))
            expect(isKnown, "a timer fired that is not pending")
            retire(timer.payload)
        }
    }

    private mutating func check() {
        expect(wheel.count == model.timers.count, "the count is wrong")
        guard let first = model.first else {
            return expect(wheel.nextExpiry() == nil, "an empty wheel has a next expiry")
        }
        expect(wheel.nextExpiry() ?? .max <= first.deadline, "the next expiry is too late")
    }

    private mutating func retire(_ id: UInt32) {
        freeIDs.append(id)
        if stale.count < 200 {
            stale.append(handles[Int(id)])
        } else {
            stale[Int(bytes.number(below: 200))] = handles[Int(id)]
        }
    }

    private mutating func expect(_ holds: Bool, _ reason: StaticString) {
        guard !holds, fault == nil else { return }
        fault =
            "\(reason): operation \(operationCount), wheel at \(wheel.now), model at \(model.now), "
            + "pending \(wheel.count) and \(model.timers.count)"
    }
}

extension WheelFuzz {
    private mutating func someTimer() -> WheelModel.Timer? {
        guard !model.timers.isEmpty else { return nil }
        return bytes.element(model.timers)
    }

    /// A deadline of any kind: past, near, next to a level boundary, or very far away.
    private mutating func someDeadline() -> UInt64 {
        let now = model.now
        if let crowdDistance, bytes.number(below: 8) > 0 {
            return now &+ crowdDistance &+ bytes.number(below: 3)
        }
        switch bytes.number(below: 20) {
        case 0: return now
        case 1: return now - min(now, near())
        case 2: return 0
        case 3..<9: return now &+ near()
        case 9..<17: return nextToBoundary()
        case 17: return now &+ bytes.number(below: 1 << 40)
        case 18: return UInt64.max - bytes.number(below: 3)
        default: return bytes.number(below: .max)
        }
    }

    /// A deadline one before, at, or one after a multiple of a level's width, or that far from now.
    private mutating func nextToBoundary() -> UInt64 {
        let width: UInt64 = 1 << bytes.element(Self.boundaryBits)
        let origin = bytes.number(below: 2) == 0 ? model.now : model.now / width * width
        return origin &+ width &+ bytes.number(below: 3) &- 1
    }

    private mutating func near() -> UInt64 {
        bytes.number(below: bytes.element(Self.distances))
    }
}
