extension WheelCore where Memory: ~Copyable {
    /// Goes to a time at which nothing is due and the turn is the same, and returns whether it is
    /// such a time.
    @inlinable mutating func idle(to time: UInt64) -> Bool {
        guard time < next, time >= now, time < near.turnEnd else { return false }
        now = time
        return true
    }

    private mutating func go(to time: UInt64) {
        now = time
        if time >= near.turnEnd {
            near = NearTimes(now: time)
        }
    }

    mutating func advance(to time: UInt64, into batch: inout Wheel.Batch) -> Wheel.Progress {
        batch.timerCount = 0
        work = 0
        let target = min(max(time, now), Wheel.deadlineMax)
        guard target >= next else {
            go(to: target)
            return .done
        }
        guard finishCompaction(), run(to: target, into: &batch) else {
            next = now
            return .more
        }
        go(to: target)
        isSettled = true
        if now >= nextUpper {
            emptyAhead()
            nextTick = firstUnit(0, from: now) ?? .max
        }
        next = min(nextUpper, nextTick)
        return .done
    }

    /// Fires and empties slots in order of their start. Returns whether it got to the target, and
    /// leaves in ``nextTick`` what comes after it.
    private mutating func run(to target: UInt64, into batch: inout Wheel.Batch) -> Bool {
        while true {
            if isSettled, let tick = firstTickOfTurn() {
                nextTick = tick
                guard tick <= target else { return true }
                go(to: tick)
                guard fire(tick, into: &batch) else { return false }
            } else {
                guard let (level, start) = earliestSlot(), start <= target else { break }
                go(to: start)
                isSettled = level == 0
                guard isSettled || empty(level, start &>> WheelCore.shift(level)) else {
                    return false
                }
            }
        }
        nextTick = firstUnit(0, from: target) ?? .max
        return true
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
    private func earliestSlot() -> (level: Int, start: UInt64)? {
        var earliest: (level: Int, start: UInt64)?
        for level in 0..<WheelCore.levelCount {
            let shift = WheelCore.shift(level)
            guard let unit = firstUnit(level, from: now &>> shift) else { continue }
            let start = max(now, unit &<< shift)
            if start <= earliest?.start ?? .max {
                earliest = (level, start)
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
                batch.append(deadline: tick, payload: records.remove(index))
            }
        }
        slots[slot] = chain
        occupancy.remove(slot)
        return true
    }

    /// Moves the live entries of an upper slot one level down, where two turns reach all of it by
    /// now. Returns false if it had to stop.
    private mutating func empty(_ level: Int, _ unit: UInt64) -> Bool {
        let slot = WheelCore.slot(level, unit)
        var chain = slots[slot]
        while chain != Chunks<Memory>.empty {
            guard hasWorkForChunk else {
                slots[slot] = chain
                return false
            }
            chain = sortChunk(chain, level, unit, to: level &- 1)
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

    /// Files the live entries of a chain's last chunk on another level or again on theirs, drops
    /// the others, and returns the rest of the chain.
    mutating func sortChunk(
        _ chain: UInt64, _ level: Int, _ unit: UInt64, to target: Int
    ) -> UInt64 {
        guard !Chunks<Memory>.isSingle(chain) else {
            sortSingle(chain, level, unit, to: target)
            return Chunks<Memory>.empty
        }
        let count = fetchRecords(ofLast: chain)
        work &+= count
        for index in 0..<count {
            let entry = chunks[Chunks<Memory>.position(index, inLast: chain)]
            if isLive(entry, due: dues[index], level, unit) {
                refile(entry, due: dues[index], on: target)
            }
        }
        return chunks.dropLast(chain)
    }

    private mutating func sortSingle(
        _ entry: UInt64, _ level: Int, _ unit: UInt64, to target: Int
    ) {
        let due = records[Chunks<Memory>.index(of: entry)]
        work &+= 1
        _ = chunks.pop(entry)
        if isLive(entry, due: due, level, unit) {
            refile(entry, due: due, on: target)
        }
    }

    /// Copies the deadlines of a chain's last chunk from the records, and returns how many there
    /// are.
    ///
    /// Nearly all of the time goes into waiting for records, which lie anywhere in memory. This
    /// loop does nothing that depends on them, so that the processor fetches many at once, and the
    /// next chunk with them.
    private mutating func fetchRecords(ofLast chain: UInt64) -> Int {
        let count = Int(truncatingIfNeeded: chain & Chunks<Memory>.placeMask)
        for index in 0..<count {
            let entry = chunks[Chunks<Memory>.position(index, inLast: chain)]
            dues[index] = records[Chunks<Memory>.index(of: entry)]
        }
        chunks.fetchBelow(chain)
        return count
    }

    /// Whether the record still has the deadline under which the entry was filed in that slot.
    @inline(__always)
    private func isLive(_ entry: UInt64, due: UInt64, _ level: Int, _ unit: UInt64) -> Bool {
        let difference = Chunks<Memory>.difference(of: entry, from: due)
        return difference | (due &>> WheelCore.shift(level) ^ unit) == 0
    }
}
