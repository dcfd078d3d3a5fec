/// The table of timers: the authoritative state of each timer, even if slots still contain old
/// entries.
///
/// A timer has a word of state, which is all that cancelling and moving need, and a payload, which
/// is stored separately and read only when the timer fires.
/// ```
/// bits 33...63   the generation: odd while the timer is pending
/// bit 32         whether the timer is far: the deadline's high half lies elsewhere too
/// bits 0...31    the low half of the deadline; of a free record, the next free one
/// ```
/// The deadline of a pending timer is never before the current time, so the low half is enough
/// within the next 2³² ticks. The generation increases when a record is taken and when it is freed.
/// A handle contains the odd generation of its timer, and so it matches no other timer and no free
/// record.
@usableFromInline struct Records<Memory: Words & ~Copyable>: ~Copyable {
    /// An index that no record has.
    @inlinable static var none: UInt32 { 1 << 31 }
    /// The step between two generations, and the bit that marks a pending timer.
    @inlinable static var generation: UInt64 { 1 << 33 }
    @inlinable static var farMark: UInt64 { 1 << 32 }
    /// All bits except the generation.
    @inlinable static var rest: UInt64 { generation &- 1 }
    /// The bits that are equal in the states of all pending timers with the same deadline, if they
    /// are not far.
    static var liveMask: UInt64 { generation | farMark | 0xFFFF_FFFF }
    /// The deadline that is reported for a free record. Its top bit is set, unlike that of any
    /// timer.
    static var free: UInt64 { .max }

    @usableFromInline var states = Memory(count: 0)
    @usableFromInline var payloads = Memory(count: 0)
    /// The high halves of far deadlines. If no timer is far, this memory is never touched.
    private var highs = Memory(count: 0)
    /// The end of the records that have ever had a high half.
    private var highsEnd = 0
    @usableFromInline var used: UInt32 = 0
    /// The number of records for which there is memory.
    @usableFromInline var capacity: UInt32 = 0
    @usableFromInline var freeHead = Records.none

    /// The number of records that were used before and are free now.
    @usableFromInline var freeCount: UInt32 = 0

    /// The number of pending timers.
    @inlinable var count: Int { Int(used &- freeCount) }

    /// Creates a record for a timer that is not far, and returns its handle.
    @inlinable mutating func insert(deadline: UInt64, payload: UInt32) -> Wheel.Handle {
        var index = freeHead
        var tag = Records.generation
        if index == Records.none {
            if used == capacity {
                grow()
            }
            index = used
            used &+= 1
        } else {
            let state = self[index]
            freeHead = UInt32(truncatingIfNeeded: state)
            freeCount &-= 1
            tag = state & ~Records.rest &+ Records.generation
        }
        self[index] = tag | deadline & 0xFFFF_FFFF
        payloads[half: Int(index)] = payload
        return Wheel.Handle(raw: tag | UInt64(index))
    }

    /// Frees the record of a pending timer.
    @inlinable @inline(__always) mutating func remove(_ index: UInt32) {
        self[index] =
            self[index] & ~Records.rest &+ Records.generation | UInt64(freeHead)
        freeHead = index
        freeCount &+= 1
    }

    /// True if the timer of the handle is still pending.
    @inlinable @inline(__always) func holds(_ handle: Wheel.Handle) -> Bool {
        handle.index < used && (self[handle.index] ^ handle.raw) &>> 33 == 0
    }

    /// True if the timer of the handle is still pending and is not far.
    @inlinable @inline(__always) func holdsNear(_ handle: Wheel.Handle) -> Bool {
        handle.index < used && (self[handle.index] ^ handle.raw) &>> 32 == 0
    }

    /// The state of a record.
    @inlinable subscript(index: UInt32) -> UInt64 {
        get { states[Int(index)] }
        set { states[Int(index)] = newValue }
    }

    func payload(_ index: UInt32) -> UInt32 {
        payloads[half: Int(index)]
    }

    /// The deadline of a pending record; ``free`` for any other record.
    func deadline(_ index: UInt32, now: UInt64) -> UInt64 {
        let state = self[index]
        guard state & Records.generation != 0 else { return Records.free }
        let low = UInt32(truncatingIfNeeded: state)
        guard state & Records.farMark == 0 else {
            return UInt64(highs[half: Int(index)]) &<< 32 | UInt64(low)
        }
        return now &+ UInt64(low &- UInt32(truncatingIfNeeded: now))
    }

    /// Sets the deadline of a pending record; it must not be before `now`.
    mutating func setDeadline(_ due: UInt64, of index: UInt32, now: UInt64) {
        var state = self[index] & ~Records.rest | due & 0xFFFF_FFFF
        if (due &- now) &>> 32 != 0 {
            state |= Records.farMark
            highs[half: Int(index)] = UInt32(truncatingIfNeeded: due &>> 32)
            highsEnd = max(highsEnd, Int(index) &+ 1)
        }
        self[index] = state
    }

    /// Reserves memory for many more records. Memory costs nothing until it is written, and this
    /// way the existing records seldom have to be copied.
    @usableFromInline @inline(never)
    mutating func grow() {
        precondition(capacity < Records.none, "The wheel holds the maximum number of timers.")
        let larger = Int(min(max(UInt64(capacity) * 16, 1 << 20), UInt64(Records.none)))
        states.grow(toCount: larger, keeping: Int(used))
        payloads.grow(toCount: larger / 2, keeping: Int(used) / 2)
        highs.grow(toCount: larger / 2, keeping: (highsEnd + 1) / 2)
        capacity = UInt32(larger)
    }
}
