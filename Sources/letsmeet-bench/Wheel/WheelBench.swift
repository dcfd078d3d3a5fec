import TimerWheel

/// A wheel that is measured while timers of ``WheelKeys`` are added, cancelled, moved and fired.
struct WheelBench: ~Copyable {
    enum Mode: String, CaseIterable {
        /// From one expiry to the next, over the whole span.
        case jump
        /// Tick by tick, over an hour.
        case tick
    }

    private let keys: WheelKeys
    private var wheel = Wheel()
    private var batch = Wheel.Batch(capacity: 1000)
    private var handles: [Wheel.Handle] = []
    private(set) var record: FiringRecord
    /// The number of handles that were refused although their timers were pending.
    private(set) var refusalCount = 0

    init(_ keys: WheelKeys) {
        self.keys = keys
        record = FiringRecord(capacity: keys.deadlines.count)
        // Allocate the caller's own memory before the memory of the wheel is measured.
        let spare = wheel.add(deadline: 0, payload: 0)
        _ = wheel.cancel(spare)
        handles = Array(repeating: spare, count: keys.deadlines.count)
    }

    mutating func add() {
        // A span avoids the uniqueness check that an array makes at each write.
        var filled = exchange(&handles, with: [])
        var span = filled.mutableSpan
        for (timer, deadline) in keys.deadlines.enumerated() {
            span[timer] = wheel.add(
                deadline: deadline, payload: UInt32(truncatingIfNeeded: timer))
        }
        handles = filled
    }

    mutating func cancel() {
        let handles = handles
        let timers = keys.cancelled
        refusalCount += wheel.cancel(timers.span, of: handles.span)
    }

    mutating func move() {
        let handles = handles
        let timers = keys.moved
        let deadlines = keys.newDeadlines
        refusalCount += wheel.move(timers.span, of: handles.span, to: deadlines.span)
    }

    /// Cancels the timers that ``move()`` would move, and adds others at their new deadlines.
    mutating func replace() {
        let handles = handles
        let timers = keys.moved
        let deadlines = keys.newDeadlines
        refusalCount += wheel.replace(timers.span, of: handles.span, at: deadlines.span)
    }

    mutating func fire(_ mode: Mode) {
        var filled = exchange(&record, with: FiringRecord(capacity: 0))
        var payloads = exchange(&filled.payloads, with: [])
        var span = payloads.mutableSpan
        switch mode {
        case .jump:
            while let time = wheel.nextExpiry() {
                fire(at: time, &filled, &span)
            }
        case .tick:
            for time in 1...WheelKeys.hourTicks {
                fire(at: time, &filled, &span)
            }
        }
        filled.payloads = payloads
        record = filled
    }

    @inline(__always)
    private mutating func fire(
        at time: UInt64, _ record: inout FiringRecord, _ payloads: inout MutableSpan<UInt32>
    ) {
        var progress = Wheel.Progress.more
        while progress == .more {
            progress = wheel.advance(to: time, into: &batch)
            for index in 0..<batch.count {
                let timer = batch[index]
                record.note(
                    payload: timer.payload, deadline: timer.deadline, at: time, in: &payloads)
            }
        }
    }

    /// Fires like ``fire(_:)``, and returns the duration of the longest advance.
    mutating func longestAdvanceNanoseconds(_ mode: Mode) -> UInt64 {
        var longest: UInt64 = 0
        var time: UInt64 = 0
        while let next = wheel.nextExpiry(), mode == .jump || next <= WheelKeys.hourTicks {
            time = next
            var progress = Wheel.Progress.more
            while progress == .more {
                let start = Meter.threadNanoseconds
                progress = wheel.advance(to: time, into: &batch)
                longest = max(longest, Meter.threadNanoseconds - start)
            }
        }
        return longest
    }
}

/// Loops that touch only what they need, as a caller's own loops would. They return the number of
/// refused handles.
extension Wheel {
    fileprivate mutating func cancel(_ timers: Span<UInt32>, of handles: Span<Handle>) -> Int {
        var refusalCount = 0
        for index in timers.indices where !cancel(handles[Int(timers[index])]) {
            refusalCount &+= 1
        }
        return refusalCount
    }

    fileprivate mutating func move(
        _ timers: Span<UInt32>, of handles: Span<Handle>, to deadlines: Span<UInt64>
    ) -> Int {
        var refusalCount = 0
        for index in timers.indices
        where !move(handles[Int(timers[index])], to: deadlines[index]) {
            refusalCount &+= 1
        }
        return refusalCount
    }

    fileprivate mutating func replace(
        _ timers: Span<UInt32>, of handles: Span<Handle>, at deadlines: Span<UInt64>
    ) -> Int {
        var refusalCount = 0
        for index in timers.indices {
            refusalCount &+= cancel(handles[Int(timers[index])]) ? 0 : 1
            _ = add(deadline: deadlines[index], payload: timers[index])
        }
        return refusalCount
    }
}
