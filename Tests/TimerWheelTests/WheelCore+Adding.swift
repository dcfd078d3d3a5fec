@testable import TimerWheel

/// What ``Wheel`` puts together from the quick and the slow half, over any memory.
extension WheelCore where Memory: ~Copyable {
    mutating func add(deadline: UInt64, payload: UInt32) -> Wheel.Handle {
        let (handle, isFiled) = insert(deadline: deadline, payload: payload)
        if !isFiled {
            fileSlowly(handle)
        }
        return handle
    }

    mutating func move(_ handle: Wheel.Handle, to deadline: UInt64) -> Bool {
        guard records.holds(handle) else { return false }
        if !rewrite(handle, deadline: deadline) {
            fileSlowly(handle)
        }
        return true
    }
}
