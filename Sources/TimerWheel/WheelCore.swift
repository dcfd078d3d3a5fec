/// How much the wheel does in one call, and how much it leaves lying about.
struct WheelLimits {
    /// The most entries that one advance looks at; at least as many as a chunk holds.
    var work = 4096
    /// How many entries there may be besides three for each pending timer, before the stale ones
    /// are looked for.
    var spareEntries = 65_536
}

/// The times that belong on level 1: behind the two turns of level 0, within its own two.
@usableFromInline struct NearTimes {
    @usableFromInline let start: UInt64
    @usableFromInline let count: UInt64

    /// Where the turn of level 0 that holds the time ends.
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

/// The wheel itself, over either kind of memory.
///
/// Six levels of 12 bits reach every deadline, so there is no list of far timers to search. A slot
/// of level 0 is one tick, and a slot of each level above is as wide as a *turn* of 4096 slots of
/// the level below (with milliseconds: 4.1 s, 4.7 h, 2.2 years...). A slot's number on its level,
/// the deadline shifted, is called its *unit*.
///
/// Each level covers the turn that `now` is in and the next one, 8192 slots in all. So an upper
/// slot can be emptied downwards before its time comes, bit by bit, as advances have work to spare.
/// For a caller who jumps it happens all at once, and then a call says that there is more to do.
///
/// The record is the truth. Moving and cancelling write it and leave the old entry behind; an entry
/// is live if its record has a deadline that belongs in the entry's slot, and stale ones are
/// dropped on sight. Two live entries of one timer (moved away and back) do no harm, since the
/// first that fires frees the record.
@usableFromInline struct WheelCore<Memory: Words & ~Copyable>: ~Copyable {
    static var levelCount: Int { 6 }
    static var slotsPerLevel: Int { 8192 }
    static var slotCount: Int { levelCount * slotsPerLevel }

    @usableFromInline var records = Records<Memory>()
    @usableFromInline var chunks = Chunks<Memory>()
    /// The chain of each slot; the levels follow one another.
    @usableFromInline var slots = Memory(repeating: Chunks<Memory>.empty, count: slotCount)
    var occupancy = Occupancy<Memory>(turnCount: levelCount * 2)
    var compaction = Compaction()
    /// By record: the latest visit of a compaction that has put back an entry of it. Made by the
    /// first compaction.
    var visits = Memory(count: 0)
    /// Room for the states of one chunk's records, and for the indexes of those that are live.
    var states = Memory(count: Chunks<Memory>.entriesMax)
    var live = Memory(count: Chunks<Memory>.entriesMax)
    /// Written and never read, so that the loads which fetch payloads ahead are not left out.
    var fetched: UInt32 = 0

    @usableFromInline var now: UInt64
    @usableFromInline var near: NearTimes
    /// No advance before this time has anything to do.
    @usableFromInline var next = UInt64.max
    /// The part of ``next`` that comes from the upper levels.
    var nextUpper = UInt64.max
    /// The part of ``next`` that comes from level 0: no tick before this one is occupied.
    var nextTick = UInt64.max
    /// The part of ``next`` that can be advanced to quickly: ``nextTick`` if nothing has to be done
    /// before it or with it; otherwise a time that never comes.
    var quickTick = UInt64.max
    /// Whether the upper slots that `now` lies in are empty. Not so only while an advance empties
    /// them, and after one that had to stop there.
    var isSettled = true
    /// How many entries the latest advance has looked at.
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

    /// When to begin to empty an upper slot: an eighth of its width before it starts.
    static func wake(_ level: Int, _ unit: UInt64) -> UInt64 {
        unit &<< shift(level) &- 1 &<< (shift(level) &- 3)
    }

    /// The lowest level whose two turns reach a time.
    @inline(__always)
    private func level(of due: UInt64) -> Int {
        var level = 0
        while due >> WheelCore.shift(level &+ 1) &- now >> WheelCore.shift(level &+ 1) > 1 {
            level &+= 1
        }
        return level
    }

    /// Makes a record and files it, if that is quickly done.
    @inlinable mutating func insert(
        deadline: UInt64, payload: UInt32
    ) -> (handle: Wheel.Handle, isFiled: Bool) {
        let handle = records.insert(deadline: deadline, payload: payload)
        return (handle, near.contains(deadline) && fileQuickly(handle.index, due: deadline))
    }

    /// Gives a pending record another deadline and files it, if that is quickly done; not so for a
    /// timer that is far, or that is not pending.
    @inlinable mutating func rewrite(_ handle: Wheel.Handle, deadline: UInt64) -> Bool {
        guard records.holdsNear(handle), near.contains(deadline) else { return false }
        let before = records[handle.index]
        let change = (before ^ deadline) & 0xFFFF_FFFF
        records[handle.index] = before ^ change
        // Within a slot the entry is still right: it lies there, or higher up, in a slot that this
        // one will be filled from.
        return change < 4096 || fileQuickly(handle.index, due: deadline)
    }

    /// Files what belongs on level 1, if its slot's last chunk has room, as most have.
    ///
    /// The path is short and free of calls: the processor then works at several adds or moves at
    /// once, while records arrive.
    @inlinable mutating func fileQuickly(_ index: UInt32, due: UInt64) -> Bool {
        let slot = Int(truncatingIfNeeded: due &>> 12) & 8191 &+ 8192
        let chain = slots[slot]
        guard Chunks<Memory>.hasRoom(chain) else { return false }
        slots[slot] = chunks.append(index, to: chain)
        return true
    }

    /// Gives a pending record a deadline, and files it.
    mutating func fileSlowly(_ handle: Wheel.Handle, deadline: UInt64) {
        let due = min(max(deadline, now), Wheel.deadlineMax)
        records.setDeadline(due, of: handle.index, now: now)
        chunks.reserve(slotCount: WheelCore.slotCount)
        file(handle.index, due: due, on: level(of: due))
        compactIfNeeded()
    }

    /// Files an entry on a level that reaches its deadline.
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

    /// Marks a slot as occupied. An upper slot asks to be emptied before it starts: if it waited
    /// for the timer's own deadline, a caller who jumps from expiry to expiry would never arrive.
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

    /// The first occupied slot of a level at `unit` or after it.
    ///
    /// A turn that is over is empty, so what the other turn holds lies ahead.
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
