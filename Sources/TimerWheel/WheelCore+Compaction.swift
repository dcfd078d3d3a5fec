/// The slot that is being rid of stale entries.
struct Compaction {
    /// What is left of the slot's chain, taken out of the slot. Its entries are put back one chunk
    /// at a time, and all of them before anything fires.
    var chain = Chunks<PointerWords>.empty
    var level = 0
    var unit: UInt64 = 0
    /// The slot after it.
    var cursor = 0
}

/// Timers that are moved again and again, as heartbeats are, leave a stale entry behind each time.
/// When there are too many, adds and moves look through a few chunks now and then. So the number of
/// entries is bounded by that of timers, and no single call has to clean up.
extension WheelCore where Memory: ~Copyable {
    /// Called when a slot needs a chunk or is no longer empty, so after at most a chunk of entries
    /// in each.
    mutating func compactIfNeeded() {
        guard chunks.entryCount > 3 &* count &+ limits.spareEntries else { return }
        for _ in 0..<4 {
            if compaction.chain == Chunks<Memory>.empty {
                takeNextSlot()
            }
            compaction.chain = sortChunk(
                compaction.chain, compaction.level, compaction.unit, to: compaction.level)
        }
    }

    /// Puts back what a compaction has out. Returns false if the work is used up.
    mutating func finishCompaction() -> Bool {
        while compaction.chain != Chunks<Memory>.empty {
            guard hasWorkForChunk else { return false }
            compaction.chain = sortChunk(
                compaction.chain, compaction.level, compaction.unit, to: compaction.level)
        }
        return true
    }

    /// Takes the chain out of the first occupied slot from the cursor on, round the wheel. There is
    /// one: an entry was filed just before.
    private mutating func takeNextSlot() {
        var start = compaction.cursor
        while true {
            if let slot = occupancy.first(from: start) {
                take(slot)
                return
            }
            start = (start | 4095) + 1
            if start == WheelCore.slotCount {
                start = 0
            }
        }
    }

    private mutating func take(_ slot: Int) {
        let level = slot / WheelCore.slotsPerLevel
        let current = now &>> WheelCore.shift(level)
        // Of the units that share this slot, the one in this turn or the next.
        let turnStart = current & ~4095
        let distance = (UInt64(slot) &- turnStart) & UInt64(WheelCore.slotsPerLevel - 1)
        compaction = Compaction(
            chain: slots[slot], level: level, unit: turnStart &+ distance,
            cursor: (slot + 1) % WheelCore.slotCount)
        slots[slot] = Chunks<Memory>.empty
        occupancy.remove(slot)
    }
}
