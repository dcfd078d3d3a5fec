extension WheelCore where Memory: ~Copyable {
    mutating func advance(to time: UInt64, into batch: inout Wheel.Batch) -> Wheel.Progress {
        batch.removeAll()
        work = 0
        let target = min(max(time, now), Wheel.deadlineMax)
        guard target >= next else {
            now = target
            return .done
        }
        guard finishCompaction(), run(to: target, into: &batch) else {
            next = now
            return .more
        }
        now = target
        isSettled = true
        if now >= nextUpper {
            emptyAhead()
        }
        next = min(nextUpper, firstUnit(0, from: now) ?? .max)
        return .done
    }

    /// Fires and empties slots in order of their start. Returns whether it got to the target.
    private mutating func run(to target: UInt64, into batch: inout Wheel.Batch) -> Bool {
        while true {
            if isSettled, let tick = firstTickOfTurn() {
                guard tick <= target else { return true }
                now = tick
                guard fire(tick, into: &batch) else { return false }
            } else {
                guard let (level, unit) = earliestSlot() else { return true }
                let start = max(now, unit &<< WheelCore.shift(level))
                guard start <= target else { return true }
                now = start
                isSettled = level == 0
                guard isSettled || empty(level, unit) else { return false }
            }
        }
    }

    /// The first occupied tick of the turn that `now` is in. While the wheel is settled nothing
    /// comes before it, since upper slots start where a turn starts.
    private func firstTickOfTurn() -> UInt64? {
        let start = WheelCore.slot(0, now)
        guard let slot = occupancy.first(from: start) else { return nil }
        return now &+ UInt64(slot &- start)
    }

    /// The occupied slot that starts first; of several, the one of the highest level, which may
    /// hold entries for the others.
    private func earliestSlot() -> (level: Int, unit: UInt64)? {
        var earliest: (level: Int, unit: UInt64)?
        var earliestStart = UInt64.max
        for level in 0..<WheelCore.levelCount {
            let shift = WheelCore.shift(level)
            guard let unit = firstUnit(level, from: now &>> shift) else { continue }
            let start = max(now, unit &<< shift)
            if start <= earliestStart {
                earliest = (level, unit)
                earliestStart = start
            }
        }
        return earliest
    }

    /// Fires the timers of one tick. Returns false if the batch is full or the work is used up.
    private mutating func fire(_ tick: UInt64, into batch: inout Wheel.Batch) -> Bool {
        let slot = WheelCore.slot(0, tick)
        var chain = slots[slot]
        while chain != Chunks<Memory>.empty {
            guard !batch.isFull, work < limits.work else {
                slots[slot] = chain
                return false
            }
            let index = Chunks<Memory>.index(of: chunks.last(chain))
            chain = chunks.pop(chain)
            work &+= 1
            if records[index] == tick {
                batch.append(Wheel.Expired(deadline: tick, payload: records.remove(index)))
            }
        }
        slots[slot] = chain
        occupancy.remove(slot)
        return true
    }

    /// Moves the live entries of an upper slot to lower levels. Returns false if it had to stop.
    private mutating func empty(_ level: Int, _ unit: UInt64) -> Bool {
        let slot = WheelCore.slot(level, unit)
        var chain = slots[slot]
        while chain != Chunks<Memory>.empty {
            guard hasWorkForChunk else {
                slots[slot] = chain
                return false
            }
            chain = sortChunk(chain, level, unit)
        }
        slots[slot] = chain
        occupancy.remove(slot)
        return true
    }

    /// Whether what is left of the work suffices for a chunk.
    var hasWorkForChunk: Bool { work <= limits.work - Chunks<Memory>.entriesMax }

    /// Empties, with the work that is left, the upper slots that start soon, and finds out when the
    /// next one will.
    private mutating func emptyAhead() {
        nextUpper = .max
        for level in stride(from: WheelCore.levelCount - 1, through: 1, by: -1) {
            let ahead = now &>> WheelCore.shift(level) &+ 1
            let isSoon = now >= WheelCore.wake(level, ahead)
            if isSoon, occupancy[WheelCore.slot(level, ahead)], !empty(level, ahead) {
                nextUpper = now &+ 1
            } else if let unit = firstUnit(level, from: ahead) {
                nextUpper = min(nextUpper, WheelCore.wake(level, unit))
            }
        }
    }

    /// Files the live entries of a chain's last chunk again, drops the others, and returns the rest
    /// of the chain.
    ///
    /// Nearly all of the time goes into waiting for records, which lie anywhere in memory. The
    /// first loop does nothing that depends on them, so that the processor fetches many at once.
    mutating func sortChunk(_ chain: UInt64, _ level: Int, _ unit: UInt64) -> UInt64 {
        var rest = chain
        let entryCount = chunks.popChunk(&rest, to: &scratch)
        work &+= entryCount
        let dueStart = Chunks<Memory>.entriesMax
        for index in 0..<entryCount {
            scratch[dueStart &+ index] = records[Chunks<Memory>.index(of: scratch[index])]
        }
        let shift = WheelCore.shift(level)
        for index in 0..<entryCount {
            let entry = scratch[index]
            let due = scratch[dueStart &+ index]
            if (due ^ entry) & 0xFFFF_FFFF | (due &>> shift ^ unit) == 0 {
                refile(entry, due: due)
            }
        }
        return rest
    }
}
