/// A bitmap of the slots that hold entries: one bit for each slot, and one summary bit for each
/// word of the bitmap.
///
/// A turn has 4096 slots: 64 words and one summary word. Finding the first occupied slot of a turn
/// takes two counts of trailing zeros.
struct Occupancy<Memory: Words & ~Copyable>: ~Copyable {
    private var words: Memory
    private var summaries: Memory

    init(turnCount: Int) {
        words = Memory(repeating: 0, count: turnCount * 64)
        summaries = Memory(repeating: 0, count: turnCount)
    }

    subscript(slot: Int) -> Bool {
        words[slot &>> 6] & bit(slot) != 0
    }

    mutating func insert(_ slot: Int) {
        words[slot &>> 6] |= bit(slot)
        summaries[slot &>> 12] |= bit(slot &>> 6)
    }

    mutating func remove(_ slot: Int) {
        let word = words[slot &>> 6] & ~bit(slot)
        words[slot &>> 6] = word
        if word == 0 {
            summaries[slot &>> 12] &= ~bit(slot &>> 6)
        }
    }

    /// Removes a slot, and returns the next occupied slot in its turn.
    @inline(__always)
    mutating func next(afterRemoving slot: Int) -> Int? {
        let word = words[slot &>> 6] & ~bit(slot)
        words[slot &>> 6] = word
        let later = word & (.max &<< UInt64(slot & 63))
        guard later == 0 else { return slot & ~63 | later.trailingZeroBitCount }
        if word == 0 {
            summaries[slot &>> 12] &= ~bit(slot &>> 6)
        }
        return first(after: slot &>> 6)
    }

    /// The first occupied slot in the turn of `start`, at `start` or after it.
    func first(from start: Int) -> Int? {
        let here = words[start &>> 6] & (.max &<< UInt64(start & 63))
        guard here == 0 else { return start & ~63 | here.trailingZeroBitCount }
        return first(after: start &>> 6)
    }

    /// The first occupied slot after a word of the bitmap, in the same turn.
    private func first(after word: Int) -> Int? {
        let later = summaries[word &>> 6] & (~1 &<< UInt64(word & 63))
        guard later != 0 else { return nil }
        let word = word & ~63 | later.trailingZeroBitCount
        return word &<< 6 | words[word].trailingZeroBitCount
    }

    private func bit(_ position: Int) -> UInt64 {
        1 &<< UInt64(position & 63)
    }
}
