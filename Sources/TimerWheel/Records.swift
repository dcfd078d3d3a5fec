/// The slab of timers: what is true of each of them, whatever the slots still say.
///
/// A record is two words: the deadline, and the generation with the payload. A free record holds a
/// deadline that no timer can have and, in place of the payload, the next free record. The
/// generation rises when a record is taken and when it is freed, so it is odd while a timer is
/// pending; a handle has the odd one of its timer, and fits no other timer and no free record.
struct Records<Memory: Words & ~Copyable>: ~Copyable {
    /// The deadline of a free record; its top bit is set, which no timer's is.
    private static var free: UInt64 { .max }
    /// No record has this index, since an entry has 31 bits for it.
    private static var none: UInt32 { UInt32(Wheel.countMax) }

    private var words = Memory(count: 0)
    private var used: UInt32 = 0
    private var freeHead = Records.none

    /// How many timers are pending.
    private(set) var count = 0

    /// Makes a record and returns its handle.
    mutating func insert(deadline: UInt64, payload: UInt32) -> Wheel.Handle {
        let index = freeHead == Records.none ? extend() : takeFree()
        let generation = words[tagAt(index)] &>> 32 &+ 1
        words[deadlineAt(index)] = deadline
        words[tagAt(index)] = generation &<< 32 | UInt64(payload)
        count &+= 1
        return Wheel.Handle(raw: generation &<< 32 | UInt64(index))
    }

    /// Frees a record that is pending, and returns its payload.
    mutating func remove(_ index: UInt32) -> UInt32 {
        let tag = words[tagAt(index)]
        words[deadlineAt(index)] = Records.free
        words[tagAt(index)] = (tag &>> 32 &+ 1) &<< 32 | UInt64(freeHead)
        freeHead = index
        count &-= 1
        return UInt32(truncatingIfNeeded: tag)
    }

    /// Whether the handle's timer is still pending.
    func holds(_ handle: Wheel.Handle) -> Bool {
        handle.index < used && words[tagAt(handle.index)] &>> 32 == UInt64(handle.generation)
    }

    /// The deadline of a pending record; a value above ``Wheel/deadlineMax`` for a free one.
    subscript(index: UInt32) -> UInt64 {
        get { words[deadlineAt(index)] }
        set { words[deadlineAt(index)] = newValue }
    }

    private mutating func takeFree() -> UInt32 {
        let index = freeHead
        freeHead = UInt32(truncatingIfNeeded: words[tagAt(index)])
        return index
    }

    /// Makes a free record. Memory is set aside for many more: it costs nothing until it is
    /// written, and what there is need seldom be copied.
    private mutating func extend() -> UInt32 {
        precondition(used < Records.none, "The wheel holds its maximum of timers.")
        let index = used
        if tagAt(index) >= words.count {
            words.grow(toCount: max(words.count * 16, 1 << 17), keeping: words.count)
        }
        words[tagAt(index)] = 0
        used += 1
        return index
    }

    private func deadlineAt(_ index: UInt32) -> Int { Int(index) &* 2 }

    private func tagAt(_ index: UInt32) -> Int { Int(index) &* 2 &+ 1 }
}
