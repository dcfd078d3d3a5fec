/// Which slots hold entries: a bit for each slot, and a summary bit for each word of them.
///
/// A turn is 4096 slots: 64 words and one summary word. The first occupied slot of a turn is found
/// with two counts of trailing zeros.
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

    /// The first occupied slot of the turn that `start` belongs to, at `start` or after it.
    func first(from start: Int) -> Int? {
        let turn = start &>> 12
        let summary = summaries[turn]
        guard summary != 0 else { return nil }
        let here = words[start &>> 6] & (.max &<< UInt64(start & 63))
        guard here == 0 else { return start & ~63 | here.trailingZeroBitCount }
        // The bits above that of the word just looked at.
        let later = summary & (~1 &<< UInt64(start &>> 6 & 63))
        guard later != 0 else { return nil }
        let word = turn &<< 6 | later.trailingZeroBitCount
        return word &<< 6 | words[word].trailingZeroBitCount
    }

    private func bit(_ position: Int) -> UInt64 {
        1 &<< UInt64(position & 63)
    }
}
