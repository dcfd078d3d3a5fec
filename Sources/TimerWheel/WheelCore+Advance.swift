extension WheelCore where Memory: ~Copyable {
    /// Moves the time forward if nothing is due until then and the turn stays the same. Returns
    /// false if that is not the case.
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

    /// Advances to the next tick if it has a single timer and the turn is in order, which is the
    /// usual case. Returns false in all other cases; then nothing has changed.
    @inline(__always)
    mutating func advanceQuickly(to time: UInt64, into batch: inout Wheel.Batch) -> Bool {
        guard time == quickTick, time <= Wheel.deadlineMax else { return false }
        let slot = WheelCore.slot(0, time)
        let chain = slots[slot]
        guard Chunks<Memory>.isSingle(chain) else { return false }
        slots[slot] = Chunks<Memory>.empty
        now = time
        work = 1
        fire(Chunks<Memory>.single(chain), at: time, into: &batch)
        if let following = occupancy.next(afterRemoving: slot) {
            nextTick = time &+ UInt64(truncatingIfNeeded: following &- slot)
        } else {
            nextTick = firstUnit(0, from: time) ?? .max
        }
        setNext()
        return true
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
            quickTick = .max
            return .more
        }
        go(to: target)
        isSettled = true
        if now >= nextUpper {
            emptyAhead()
        }
        setNext()
        return .done
    }

    /// Sets the time of the next work, and whether it can be done quickly.
    @inline(__always)
    private mutating func setNext() {
        next = min(nextUpper, nextTick)
        quickTick = nextTick < min(nextUpper, near.turnEnd) ? nextTick : .max
    }

    /// Fires and empties slots in order of their start. Returns false if the target was not
    /// reached.
    @inline(__always)
    private mutating func run(to target: UInt64, into batch: inout Wheel.Batch) -> Bool {
        while true {
            if isSettled {
                guard fireTurn(to: target, into: &batch) else { return false }
                guard target >= near.turnEnd else { return true }
            }
            guard let level = goToEarliestSlot(by: target) else { return true }
            isSettled = level == 0
            guard isSettled || empty(level, now &>> WheelCore.shift(level)) else { return false }
        }
    }

    /// Fires everything that is due in the turn of `now`. While the wheel is settled nothing else
    /// comes before it, because upper slots start where a turn starts. Returns false if it had to
    /// stop.
    @inline(__always)
    private mutating func fireTurn(to target: UInt64, into batch: inout Wheel.Batch) -> Bool {
        while nextTick <= target, nextTick < near.turnEnd {
            now = nextTick
            let slot = WheelCore.slot(0, now)
            guard fire(now, slot, into: &batch) else { return false }
            if let next = occupancy.next(afterRemoving: slot) {
                nextTick = now &+ UInt64(truncatingIfNeeded: next &- slot)
            } else {
                nextTick = firstUnit(0, from: now) ?? .max
            }
        }
        return true
    }

    /// Goes to the slot that starts next, and returns its level; nil if none starts up to the
    /// target.
    @inline(never)
    private mutating func goToEarliestSlot(by target: UInt64) -> Int? {
        let earliest = earliestSlot()
        nextTick = max(nextTick, earliest?.start ?? .max)
        guard let (level, start) = earliest, start <= target else { return nil }
        go(to: start)
        return level
    }

    /// The occupied slot that starts first. Of several, it is the one of the highest level, which
    /// may contain entries for the others.
    private mutating func earliestSlot() -> (level: Int, start: UInt64)? {
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

    /// Fires the timers of one tick. Returns false if the batch is full or the work limit is
    /// reached.
    @inline(__always)
    private mutating func fire(
        _ tick: UInt64, _ slot: Int, into batch: inout Wheel.Batch
    ) -> Bool {
        var chain = slots[slot]
        while chain != Chunks<Memory>.empty {
            guard !batch.isFull, work < limits.work else {
                slots[slot] = chain
                return false
            }
            let index = chunks.last(chain)
            chain = chunks.pop(chain)
            work &+= 1
            fire(index, at: tick, into: &batch)
        }
        slots[slot] = Chunks<Memory>.empty
        return true
    }

    /// Fires the timer of an entry if it is due at that tick.
    @inline(__always)
    private mutating func fire(
        _ index: UInt32, at tick: UInt64, into batch: inout Wheel.Batch
    ) {
        let due = Records<Memory>.generation | tick & 0xFFFF_FFFF
        if (records[index] ^ due) & Records<Memory>.liveMask == 0 {
            batch.append(deadline: tick, payload: records.payload(index))
            records.remove(index)
        }
    }

    /// Moves the live entries of an upper slot one level down, where the two turns of that level
    /// now cover the whole slot. Returns false if it had to stop.
    private mutating func empty(_ level: Int, _ unit: UInt64) -> Bool {
        let slot = WheelCore.slot(level, unit)
        var chain = slots[slot]
        while chain != Chunks<Memory>.empty {
            guard hasWorkForChunk else {
                slots[slot] = chain
                return false
            }
            if level == 1, !Chunks<Memory>.isSingle(chain) {
                chain = spreadChunk(chain, unit)
            } else {
                chain = sortChunk(chain, level, unit)
            }
        }
        slots[slot] = chain
        occupancy.remove(slot)
        return true
    }

    /// True if the remaining work is enough for a chunk.
    var hasWorkForChunk: Bool { work <= limits.work - Chunks<Memory>.entriesMax }

    /// Empties the upper slots that start soon, as far as the work limit allows, and determines
    /// when the next one must be emptied.
    @inline(never)
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

    /// Files the live entries of a chain's last chunk one level down, drops the stale ones, and
    /// returns the rest of the chain.
    private mutating func sortChunk(_ chain: UInt64, _ level: Int, _ unit: UInt64) -> UInt64 {
        guard !Chunks<Memory>.isSingle(chain) else {
            sort(Chunks<Memory>.single(chain), level, unit)
            work &+= 1
            return chunks.pop(chain)
        }
        let count = fetchStates(ofLast: chain)
        for index in 0..<count {
            sort(chunks.entry(index, inLast: chain), level, unit)
        }
        return chunks.dropLast(chain)
    }

    private mutating func sort(_ index: UInt32, _ level: Int, _ unit: UInt64) {
        let due = records.deadline(index, now: now)
        guard due &>> WheelCore.shift(level) == unit else { return }
        // A timer that was far may be near by now. On levels 0 and 1 it always is.
        records.setDeadline(due, of: index, now: now)
        file(index, due: due, on: level &- 1)
    }

    /// Does the same as ``sortChunk(_:_:_:)`` for a slot of level 1, through which every timer
    /// passes that is due within hours. Its loops have no unpredictable branches, and each loop
    /// waits for only one kind of memory access.
    private mutating func spreadChunk(_ chain: UInt64, _ unit: UInt64) -> UInt64 {
        let count = pickLive(fetchStates(ofLast: chain), of: chain, unit)
        fetchPayloads(count)
        let turn = WheelCore.slot(0, unit &<< 12)
        for index in 0..<count {
            let slot = turn | Int(truncatingIfNeeded: states[index]) & 4095
            let chain = slots[slot]
            if chain == Chunks<Memory>.empty {
                occupancy.insert(slot)
            }
            slots[slot] = chunks.insert(live[half: index], into: chain)
        }
        nextTick = min(nextTick, firstUnit(0, from: max(now, unit &<< 12)) ?? .max)
        return chunks.dropLast(chain)
    }

    /// Copies the states of a chain's last chunk from the records, and returns their number.
    ///
    /// Nearly all of the time is spent waiting for records, which can be anywhere in memory.
    /// Nothing in this loop depends on them, so that the processor fetches many at once, together
    /// with the next chunk.
    mutating func fetchStates(ofLast chain: UInt64) -> Int {
        let count = Chunks<Memory>.countInLast(chain)
        chunks.fetchBelow(chain)
        for index in 0..<count {
            states[index] = records[chunks.entry(index, inLast: chain)]
        }
        work &+= count
        return count
    }

    /// Lists the live entries of a chunk of level 1 and their states, and returns their number.
    /// Every entry is written to the list, and a stale one is overwritten by the next. A branch
    /// would be mispredicted every other time, because stale entries cannot be predicted.
    private mutating func pickLive(_ count: Int, of chain: UInt64, _ unit: UInt64) -> Int {
        let due = Records<Memory>.generation | unit &<< 12 & 0xFFFF_FFFF
        let unitMask = Records<Memory>.liveMask & ~4095
        var liveCount = 0
        for index in 0..<count {
            let state = states[index]
            states[liveCount] = state
            live[half: liveCount] = chunks.entry(index, inLast: chain)
            // 1 if there is no difference (differences are below 2³⁴), and 0 otherwise.
            let difference = (state ^ due) & unitMask
            liveCount &+= Int(truncatingIfNeeded: (difference &- 1) &>> 63)
        }
        return liveCount
    }

    /// Prefetches the payloads of the live entries, which are due soon, many at once.
    private mutating func fetchPayloads(_ count: Int) {
        var sum: UInt32 = 0
        for index in 0..<count {
            sum &+= records.payload(live[half: index])
        }
        fetched = sum
    }
}
