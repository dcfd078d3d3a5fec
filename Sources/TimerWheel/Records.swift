/// The slab of timers: what is true of each of them, whatever the slots still say.
///
/// A record is two words: the deadline, and the generation with the payload. A free record holds a
/// deadline that no timer can have and, in place of the payload, the next free record. The
/// generation rises when a record is taken and when it is freed, so it is odd while a timer is
/// pending; a handle has the odd one of its timer, and fits no other timer and no free record.
@usableFromInline struct Records<Memory: Words & ~Copyable>: ~Copyable {
    /// The deadline of a free record; its top bit is set, which no timer's is.
    @inlinable static var free: UInt64 { .max }
    /// No record has this index, since an entry has 31 bits for it.
    @inlinable static var none: UInt32 { 1 << 31 }

    @usableFromInline var words = Memory(count: 0)
    @usableFromInline var used: UInt32 = 0
    /// How many records the memory has room for.
    @usableFromInline var capacity: UInt32 = 0
    @usableFromInline var freeHead = Records.none

    /// How many timers are pending.
    @usableFromInline var count = 0

    /// Makes a record and returns its handle.
    @inlinable mutating func insert(deadline: UInt64, payload: UInt32) -> Wheel.Handle {
        var index = freeHead
        var generation: UInt64 = 1
        if index == Records.none {
            if used == capacity {
                grow()
            }
            index = used
            used &+= 1
        } else {
            let tag = words[tagAt(index)]
            freeHead = UInt32(truncatingIfNeeded: tag)
            generation = tag &>> 32 &+ 1
        }
        words[deadlineAt(index)] = deadline
        words[tagAt(index)] = generation &<< 32 | UInt64(payload)
        count &+= 1
        return Wheel.Handle(raw: generation &<< 32 | UInt64(index))
    }

    /// Frees a record that is pending, and returns its payload.
    @inlinable mutating func remove(_ index: UInt32) -> UInt32 {
        let tag = words[tagAt(index)]
        words[deadlineAt(index)] = Records.free
        words[tagAt(index)] = (tag &>> 32 &+ 1) &<< 32 | UInt64(freeHead)
        freeHead = index
        count &-= 1
        return UInt32(truncatingIfNeeded: tag)
    }

    /// Whether the handle's timer is still pending.
    @inlinable func holds(_ handle: Wheel.Handle) -> Bool {
        handle.index < used && words[tagAt(handle.index)] &>> 32 == UInt64(handle.generation)
    }

    /// The deadline of a pending record; a value above ``Wheel/deadlineMax`` for a free one.
    @inlinable subscript(index: UInt32) -> UInt64 {
        get { words[deadlineAt(index)] }
        set { words[deadlineAt(index)] = newValue }
    }

    /// Memory is set aside for many more: it costs nothing until it is written, and what there is
    /// need seldom be copied.
    @usableFromInline @inline(never)
    mutating func grow() {
        precondition(capacity < Records.none, "The wheel holds its maximum of timers.")
        let larger = min(max(UInt64(capacity) * 16, 1 << 16), UInt64(Records.none))
        words.grow(toCount: Int(larger) * 2, keeping: words.count)
        capacity = UInt32(larger)
    }

    @inlinable func deadlineAt(_ index: UInt32) -> Int { Int(index) &* 2 }

    @inlinable func tagAt(_ index: UInt32) -> Int { Int(index) &* 2 &+ 1 }
}
