/// The slab of timers: what is true of each of them, whatever the slots still say.
///
/// A timer has a word of state, which is all that cancelling and moving look at, and a payload,
/// which lies elsewhere and is looked at when the timer fires.
/// ```
/// bits 33...63   the generation: odd while the timer is pending
/// bit 32         whether the timer is far: the deadline's high half lies elsewhere too
/// bits 0...31    the low half of the deadline; of a free record, the next free one
/// ```
/// A pending timer's deadline is not before the time, so the low half tells all of it within the
/// 2³² ticks ahead. The generation rises when a record is taken and when it is freed; a handle has
/// the odd one of its timer, and fits no other timer and no free record.
@usableFromInline struct Records<Memory: Words & ~Copyable>: ~Copyable {
    /// No record has this index.
    @inlinable static var none: UInt32 { 1 << 31 }
    /// The step between two generations, and the bit that says that a timer is pending.
    @inlinable static var generation: UInt64 { 1 << 33 }
    @inlinable static var farMark: UInt64 { 1 << 32 }
    /// All but the generation.
    @inlinable static var rest: UInt64 { generation &- 1 }
    /// What is the same in the states of all pending timers of one deadline that are not far.
    static var liveMask: UInt64 { generation | farMark | 0xFFFF_FFFF }
    /// What is given as the deadline of a free record; its top bit is set, which no timer's is.
    static var free: UInt64 { .max }

    @usableFromInline var states = Memory(count: 0)
    @usableFromInline var payloads = Memory(count: 0)
    /// The high halves of far deadlines. Where no timer is far, this memory is never touched.
    private var highs = Memory(count: 0)
    /// No record at this index or above has ever had a high half.
    private var highsEnd = 0
    @usableFromInline var used: UInt32 = 0
    /// How many records the memory has room for.
    @usableFromInline var capacity: UInt32 = 0
    @usableFromInline var freeHead = Records.none

    /// How many records are free that were in use before.
    @usableFromInline var freeCount: UInt32 = 0

    /// How many timers are pending.
    @inlinable var count: Int { Int(used &- freeCount) }

    /// Makes a record for a timer that is not far, and returns its handle.
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

    /// Frees a record that is pending.
    @inlinable @inline(__always) mutating func remove(_ index: UInt32) {
        self[index] =
            self[index] & ~Records.rest &+ Records.generation | UInt64(freeHead)
        freeHead = index
        freeCount &+= 1
    }

    /// Whether the handle's timer is still pending.
    @inlinable @inline(__always) func holds(_ handle: Wheel.Handle) -> Bool {
        handle.index < used && (self[handle.index] ^ handle.raw) &>> 33 == 0
    }

    /// Whether the handle's timer is still pending, and is not far.
    @inlinable @inline(__always) func holdsNear(_ handle: Wheel.Handle) -> Bool {
        handle.index < used && (self[handle.index] ^ handle.raw) &>> 32 == 0
    }

    /// A record's state.
    @inlinable subscript(index: UInt32) -> UInt64 {
        get { states[Int(index)] }
        set { states[Int(index)] = newValue }
    }

    func payload(_ index: UInt32) -> UInt32 {
        payloads[half: Int(index)]
    }

    /// The deadline of a pending record, ``free`` for another.
    func deadline(_ index: UInt32, now: UInt64) -> UInt64 {
        let state = self[index]
        guard state & Records.generation != 0 else { return Records.free }
        let low = UInt32(truncatingIfNeeded: state)
        guard state & Records.farMark == 0 else {
            return UInt64(highs[half: Int(index)]) &<< 32 | UInt64(low)
        }
        return now &+ UInt64(low &- UInt32(truncatingIfNeeded: now))
    }

    /// Gives a pending record a deadline that is not before `now`.
    mutating func setDeadline(_ due: UInt64, of index: UInt32, now: UInt64) {
        var state = self[index] & ~Records.rest | due & 0xFFFF_FFFF
        if (due &- now) &>> 32 != 0 {
            state |= Records.farMark
            highs[half: Int(index)] = UInt32(truncatingIfNeeded: due &>> 32)
            highsEnd = max(highsEnd, Int(index) &+ 1)
        }
        self[index] = state
    }

    /// Memory is set aside for many more: it costs nothing until it is written, and what there is
    /// need seldom be copied.
    @usableFromInline @inline(never)
    mutating func grow() {
        precondition(capacity < Records.none, "The wheel holds its maximum of timers.")
        let larger = Int(min(max(UInt64(capacity) * 16, 1 << 20), UInt64(Records.none)))
        states.grow(toCount: larger, keeping: Int(used))
        payloads.grow(toCount: larger / 2, keeping: Int(used) / 2)
        highs.grow(toCount: larger / 2, keeping: (highsEnd + 1) / 2)
        capacity = UInt32(larger)
    }
}
