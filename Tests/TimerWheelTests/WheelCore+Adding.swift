@testable import TimerWheel

/// The operations that ``Wheel`` combines from a fast and a slow part, for any memory.
extension WheelCore where Memory: ~Copyable {
    mutating func add(deadline: UInt64, payload: UInt32) -> Wheel.Handle {
        let (handle, isFiled) = insert(deadline: deadline, payload: payload)
        if !isFiled {
            fileSlowly(handle, deadline: deadline)
        }
        return handle
    }

    mutating func move(_ handle: Wheel.Handle, to deadline: UInt64) -> Bool {
        guard records.holds(handle) else { return false }
        if !rewrite(handle, deadline: deadline) {
            fileSlowly(handle, deadline: deadline)
        }
        return true
    }
}

extension WheelCore where Memory: ~Copyable {
    /// The number of entries in all chains, live or stale.
    var entryCount: Int {
        var count = chunks.entryCount(of: compaction.chain)
        for slot in 0..<WheelCore.slotCount {
            count += chunks.entryCount(of: slots[slot])
        }
        return count
    }
}

extension Chunks where Memory: ~Copyable {
    fileprivate func entryCount(of chain: UInt64) -> Int {
        guard !Chunks.isSingle(chain) else { return 1 }
        var rest = chain
        var count = 0
        while rest != Chunks.empty {
            count += Chunks.countInLast(rest)
            rest = UInt64(self[rest | Chunks.placeMask]) << Chunks.placeBits
        }
        return count
    }
}
