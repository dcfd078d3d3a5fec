/// The slot that is being rid of stale entries.
struct Compaction {
    /// What is left of the slot's chain, taken out of the slot. Its entries are put back one chunk
    /// at a time, and all of them before anything fires.
    var chain = Chunks<PointerWords>.empty
    var level = 0
    var unit: UInt64 = 0
    /// The slot after it.
    var cursor = 0
    /// The number of this visit to a slot; the first is 1.
    var visit: UInt32 = 0
}

/// Timers that are moved again and again leave a stale entry behind each time. When there are too
/// many, adds and moves look through a few chunks now and then. So the number of entries is bounded
/// by that of timers, and no single call has to clean up.
///
/// A timer that was moved away and back, or whose record was another's before, may have several
/// entries in one slot, and all look live. So each record that a visit puts back is marked with the
/// visit's number, and not put back again.
extension WheelCore where Memory: ~Copyable {
    /// Called when a slot needs a chunk or is no longer empty. Full chunks are what is counted, so
    /// there may be another chunk in each slot.
    mutating func compactIfNeeded() {
        let entryCount = chunks.fullCount &* Chunks<Memory>.entriesMax
        guard entryCount > 3 &* count &+ limits.spareEntries else { return }
        for _ in 0..<4 {
            if compaction.chain == Chunks<Memory>.empty {
                takeNextSlot()
            }
            compactChunk()
        }
    }

    /// Puts back what a compaction has out. Returns false if the work is used up.
    @inline(__always)
    mutating func finishCompaction() -> Bool {
        while compaction.chain != Chunks<Memory>.empty {
            guard hasWorkForChunk else { return false }
            compactChunk()
        }
        return true
    }

    @inline(never)
    private mutating func compactChunk() {
        let chain = compaction.chain
        guard !Chunks<Memory>.isSingle(chain) else {
            work &+= 1
            putBack(Chunks<Memory>.single(chain))
            compaction.chain = chunks.pop(chain)
            return
        }
        for index in 0..<fetchStates(ofLast: chain) {
            putBack(chunks.entry(index, inLast: chain))
        }
        compaction.chain = chunks.dropLast(chain)
    }

    private mutating func putBack(_ index: UInt32) {
        let due = records.deadline(index, now: now)
        guard due &>> WheelCore.shift(compaction.level) == compaction.unit,
            visits[half: Int(index)] != compaction.visit
        else { return }
        visits[half: Int(index)] = compaction.visit
        file(index, due: due, on: compaction.level)
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
            cursor: (slot + 1) % WheelCore.slotCount, visit: nextVisit())
        slots[slot] = Chunks<Memory>.empty
        occupancy.remove(slot)
        quickTick = .max
    }

    /// The number of a visit, which no record is marked with.
    private mutating func nextVisit() -> UInt32 {
        let isWorn = compaction.visit == .max
        if isWorn || visits.count * 2 < records.used {
            visits = Memory(repeating: 0, count: Int(records.used))
        }
        return isWorn ? 1 : compaction.visit + 1
    }
}
