extension Wheel {
    /// A timer that has fired.
    public struct Expired: Hashable, Sendable {
        /// The deadline in ticks, as the wheel stored it: see ``Wheel/add(deadline:payload:)``.
        public let deadline: UInt64
        /// The payload that the caller gave when it added the timer.
        public let payload: UInt32

        @inlinable init(deadline: UInt64, payload: UInt32) {
            self.deadline = deadline
            self.payload = payload
        }
    }

    /// The timers that one call of ``Wheel/advance(to:into:)`` has fired, in a buffer that is
    /// reused.
    ///
    /// There are no callbacks: the caller processes the batch after the wheel is consistent again,
    /// and may add, move and cancel timers while doing so. A batch is also a good size for a
    /// transaction.
    public struct Batch: ~Copyable {
        /// The maximum number of timers that one call fires.
        public let capacity: Int

        /// The number of timers in the batch.
        @inlinable public var count: Int { timerCount }

        @usableFromInline var timerCount = 0

        /// Two words for each timer: deadline and payload.
        @usableFromInline var words: PointerWords

        /// Creates an empty batch and reserves its memory.
        ///
        /// - Parameter capacity: The maximum number of timers that one call fires, at least 1.
        public init(capacity: Int) {
            precondition(capacity >= 1, "A batch holds at least one timer.")
            self.capacity = capacity
            words = PointerWords(count: 2 * capacity)
        }

        /// True if no timer has fired.
        public var isEmpty: Bool { count == 0 }

        /// A copy of the fired timers, in order of deadline; timers of the same tick are in any
        /// order.
        public var timers: [Expired] { (0..<count).map { self[$0] } }

        /// One of ``timers``, without a copy, for loops in which every nanosecond counts.
        ///
        /// - Parameter index: The position, from 0 to ``count`` - 1.
        @inlinable public subscript(index: Int) -> Expired {
            precondition(index >= 0 && index < count, "The index is out of range.")
            return Expired(
                deadline: words[index &* 2],
                payload: UInt32(truncatingIfNeeded: words[index &* 2 &+ 1]))
        }

        var isFull: Bool { timerCount == capacity }

        @inline(__always)
        mutating func append(deadline: UInt64, payload: UInt32) {
            words[timerCount &* 2] = deadline
            words[timerCount &* 2 &+ 1] = UInt64(payload)
            timerCount &+= 1
        }
    }

    /// The result of ``Wheel/advance(to:into:)``.
    public enum Progress: Sendable {
        /// The wheel has reached the requested time. Everything that was due is in this batch or in
        /// earlier ones.
        case done
        /// The batch is full, or the call has used up its share of work. Call again, with the same
        /// time or a later one, for the rest.
        case more
    }
}
