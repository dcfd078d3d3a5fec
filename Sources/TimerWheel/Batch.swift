extension Wheel {
    /// A timer that has fired.
    public struct Expired: Hashable, Sendable {
        /// When it was due, in ticks, as the wheel held it: see ``Wheel/add(deadline:payload:)``.
        public let deadline: UInt64
        /// What the caller gave with it.
        public let payload: UInt32
    }

    /// The timers that one call of ``Wheel/advance(to:into:)`` has fired, in a buffer used again
    /// and again.
    ///
    /// There are no callbacks: the caller goes through ``timers`` when the wheel is in order again,
    /// and may add, move and cancel while doing so. A batch is also a good size for a transaction.
    public struct Batch: Sendable {
        /// The most timers that one call fires.
        public let capacity: Int

        /// In order of deadline; timers of the same tick come in any order.
        public private(set) var timers: [Expired] = []

        /// Makes an empty batch and reserves its memory.
        ///
        /// - Parameter capacity: The most timers that one call fires, at least 1.
        public init(capacity: Int) {
            precondition(capacity >= 1, "A batch holds at least one timer.")
            self.capacity = capacity
            timers.reserveCapacity(capacity)
        }

        var isFull: Bool { timers.count == capacity }

        mutating func append(_ timer: Expired) {
            timers.append(timer)
        }

        mutating func removeAll() {
            guard !timers.isEmpty else { return }
            timers.removeAll(keepingCapacity: true)
        }
    }

    /// Whether ``Wheel/advance(to:into:)`` got to the time that was asked for.
    public enum Progress: Sendable {
        /// All that was due is in this batch or in earlier ones.
        case done
        /// The batch is full, or the call has done its share of work: call again, with the same
        /// time or a later one, for the rest.
        case more
    }
}
