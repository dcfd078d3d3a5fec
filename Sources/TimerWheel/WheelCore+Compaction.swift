/// The slot from which stale entries are being removed.
struct Compaction {
    /// The rest of the slot's chain, which was taken out of the slot. Its entries are put back one
    /// chunk at a time, and all of them before anything fires.
    var chain = Chunks<PointerWords>.empty
    var level = 0
    var unit: UInt64 = 0
    /// The slot after it.
    var cursor = 0
    /// The number of this visit to a slot; the first visit is 1.
    var visit: UInt32 = 0
}

/// Removal of stale entries. Each move of a timer to another slot leaves a stale entry behind. If
/// there are too many, adds and moves check a few chunks now and then. This bounds the number of
/// entries by the number of timers, and no single call has to clean up everything.
///
/// A timer that was moved away and back, or whose record belonged to another timer before, may have
/// several entries in one slot, which all look live. So each record that a visit puts back is
/// marked with the number of the visit, and is not put back again.
extension WheelCore where Memory: ~Copyable {
    /// Removes some stale entries if there are too many. It is called when a slot needs a chunk or
    /// stops being empty. Only full chunks are counted, so each slot may have one more chunk.
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

    /// Puts back all entries that a compaction has taken out. Returns false if the work limit is
    /// reached.
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

    /// Takes the chain out of the first occupied slot from the cursor on, wrapping around at the
    /// end. Such a slot exists, because an entry was filed just before.
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

    /// The number of a new visit, with which no record is marked.
    private mutating func nextVisit() -> UInt32 {
        let isWorn = compaction.visit == .max
        if isWorn || visits.count * 2 < records.used {
            visits = Memory(repeating: 0, count: Int(records.used))
        }
        return isWorn ? 1 : compaction.visit + 1
    }
}
