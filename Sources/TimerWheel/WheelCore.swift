/// The limits for the work of one call and for the number of stale entries.
struct WheelLimits {
    /// The maximum number of entries that one advance looks at; at least as many as a chunk holds.
    var work = 4096
    /// The number of entries, in addition to three for each pending timer, above which stale
    /// entries are removed.
    var spareEntries = 65_536
}

/// The times that belong on level 1: after the two turns of level 0, within its own two turns.
@usableFromInline struct NearTimes {
    @usableFromInline let start: UInt64
    @usableFromInline let count: UInt64

    /// The end of the current turn of level 0.
    @inlinable var turnEnd: UInt64 { start &- 4096 }

    init(now: UInt64) {
        start = (now &>> 12 &+ 2) &<< 12
        let end = min((now &>> 24 &+ 2) &<< 24, Wheel.deadlineMax)
        count = max(end, start) &- start
    }

    @inlinable func contains(_ time: UInt64) -> Bool {
        time &- start < count
    }
}

/// The implementation of the wheel, over either kind of memory.
///
/// Six levels of 12 bits cover every deadline, so there is no list of far timers to search. A slot
/// of level 0 is one tick, and a slot of each level above is as wide as a *turn* of 4096 slots of
/// the level below (with milliseconds: 4.1 s, 4.7 h, 2.2 years...). The number of a slot on its
/// level, which is the shifted deadline, is called its *unit*.
///
/// Each level covers the turn of `now` and the next one, 8192 slots in all. So an upper slot can be
/// emptied downwards before its time comes, step by step, as advances have work to spare. If the
/// caller jumps ahead, it happens all at once, and the call then reports that there is more to do.
///
/// The record is authoritative. Moving and cancelling change the record and leave the old entry
/// behind. An entry is live if the deadline of its record belongs into the entry's slot; stale
/// entries are dropped when they are found. Two live entries of one timer (moved away and back) do
/// no harm, because the first one that fires frees the record.
@usableFromInline struct WheelCore<Memory: Words & ~Copyable>: ~Copyable {
    static var levelCount: Int { 6 }
    static var slotsPerLevel: Int { 8192 }
    static var slotCount: Int { levelCount * slotsPerLevel }

    @usableFromInline var records = Records<Memory>()
    @usableFromInline var chunks = Chunks<Memory>()
    /// The chain of each slot, level by level.
    @usableFromInline var slots = Memory(repeating: Chunks<Memory>.empty, count: slotCount)
    var occupancy = Occupancy<Memory>(turnCount: levelCount * 2)
    var compaction = Compaction()
    /// The latest visit of a compaction that put back an entry of a record, by record. Created by
    /// the first compaction.
    var visits = Memory(count: 0)
    /// Buffers for the states of the records of one chunk, and for the indexes of the live ones.
    var states = Memory(count: Chunks<Memory>.entriesMax)
    var live = Memory(count: Chunks<Memory>.entriesMax)
    /// Written and never read, so that the compiler keeps the loads that prefetch payloads.
    var fetched: UInt32 = 0

    @usableFromInline var now: UInt64
    @usableFromInline var near: NearTimes
    /// The time before which no advance has anything to do.
    @usableFromInline var next = UInt64.max
    /// The part of ``next`` that comes from the upper levels.
    var nextUpper = UInt64.max
    /// The part of ``next`` that comes from level 0: no earlier tick is occupied.
    var nextTick = UInt64.max
    /// The tick that a quick advance can reach: ``nextTick`` if nothing has to be done before it or
    /// together with it; otherwise a time that never comes.
    var quickTick = UInt64.max
    /// True if the upper slots that contain `now` are empty. It is false only while an advance
    /// empties them, and after an advance that had to stop there.
    var isSettled = true
    /// The number of entries that the latest advance has looked at.
    var work = 0

    let limits: WheelLimits

    init(now: UInt64, limits: WheelLimits = WheelLimits()) {
        self.now = min(now, Wheel.deadlineMax)
        self.limits = limits
        near = NearTimes(now: self.now)
    }

    var count: Int { records.count }

    @inlinable @inline(__always) mutating func cancel(_ handle: Wheel.Handle) -> Bool {
        guard records.holds(handle) else { return false }
        records.remove(handle.index)
        return true
    }

    func deadline(of handle: Wheel.Handle) -> UInt64? {
        records.holds(handle) ? records.deadline(handle.index, now: now) : nil
    }

    @inlinable func nextExpiry() -> UInt64? {
        records.count == 0 ? nil : next
    }
}

extension WheelCore where Memory: ~Copyable {
    static func shift(_ level: Int) -> UInt64 { UInt64(truncatingIfNeeded: 12 &* level) }

    static func slot(_ level: Int, _ unit: UInt64) -> Int {
        level &* slotsPerLevel &+ Int(truncatingIfNeeded: unit) & (slotsPerLevel - 1)
    }

    /// The time to begin emptying an upper slot: an eighth of its width before it starts.
    static func wake(_ level: Int, _ unit: UInt64) -> UInt64 {
        unit &<< shift(level) &- 1 &<< (shift(level) &- 3)
    }

    /// The lowest level whose two turns contain a time.
    @inline(__always)
    private func level(of due: UInt64) -> Int {
        var level = 0
        while due >> WheelCore.shift(level &+ 1) &- now >> WheelCore.shift(level &+ 1) > 1 {
            level &+= 1
        }
        return level
    }

    /// Creates a record, and files it if that is quick.
    @inlinable mutating func insert(
        deadline: UInt64, payload: UInt32
    ) -> (handle: Wheel.Handle, isFiled: Bool) {
        let handle = records.insert(deadline: deadline, payload: payload)
        return (handle, near.contains(deadline) && fileQuickly(handle.index, due: deadline))
    }

    /// Changes the deadline of a pending record, and files it if that is quick. It fails for a
    /// timer that is far or not pending.
    @inlinable mutating func rewrite(_ handle: Wheel.Handle, deadline: UInt64) -> Bool {
        guard records.holdsNear(handle), near.contains(deadline) else { return false }
        let before = records[handle.index]
        let change = (before ^ deadline) & 0xFFFF_FFFF
        records[handle.index] = before ^ change
        // Within the same slot the entry is still right: it is in this slot, or in a higher one
        // from which this slot will be filled.
        return change < 4096 || fileQuickly(handle.index, due: deadline)
    }

    /// Files an entry that belongs on level 1 if the last chunk of its slot has room, which is the
    /// usual case.
    ///
    /// The path is short and without calls, so that the processor works on several adds or moves at
    /// once while it waits for records.
    @inlinable mutating func fileQuickly(_ index: UInt32, due: UInt64) -> Bool {
        let slot = Int(truncatingIfNeeded: due &>> 12) & 8191 &+ 8192
        let chain = slots[slot]
        guard Chunks<Memory>.hasRoom(chain) else { return false }
        slots[slot] = chunks.append(index, to: chain)
        return true
    }

    /// Sets the deadline of a pending record, and files it.
    mutating func fileSlowly(_ handle: Wheel.Handle, deadline: UInt64) {
        let due = min(max(deadline, now), Wheel.deadlineMax)
        records.setDeadline(due, of: handle.index, now: now)
        chunks.reserve(slotCount: WheelCore.slotCount)
        file(handle.index, due: due, on: level(of: due))
        compactIfNeeded()
    }

    /// Files an entry on a level that covers its deadline.
    @inline(__always)
    mutating func file(_ index: UInt32, due: UInt64, on level: Int) {
        let unit = due &>> WheelCore.shift(level)
        let slot = WheelCore.slot(level, unit)
        let chain = slots[slot]
        if chain == Chunks<Memory>.empty {
            open(slot, level: level, unit: unit)
        }
        slots[slot] = chunks.insert(index, into: chain)
    }

    /// Marks a slot as occupied. An upper slot must be emptied before it starts: if it waited for
    /// the timer's own deadline, a caller who jumps from expiry to expiry would never finish.
    private mutating func open(_ slot: Int, level: Int, unit: UInt64) {
        occupancy.insert(slot)
        quickTick = .max
        if level == 0 {
            nextTick = min(nextTick, unit)
            next = min(next, unit)
        } else {
            nextUpper = min(nextUpper, WheelCore.wake(level, unit))
            next = min(next, nextUpper)
        }
    }

    /// The first occupied slot of a level, at `unit` or after it.
    ///
    /// A turn that is over is empty, so the entries of the other turn are ahead.
    mutating func firstUnit(_ level: Int, from unit: UInt64) -> UInt64? {
        let start = WheelCore.slot(level, unit)
        if let slot = occupancy.first(from: start) {
            return unit &+ UInt64(slot &- start)
        }
        let following = (unit | 4095) &+ 1
        let other = WheelCore.slot(level, following)
        guard let slot = occupancy.first(from: other) else { return nil }
        return following &+ UInt64(slot &- other)
    }
}
