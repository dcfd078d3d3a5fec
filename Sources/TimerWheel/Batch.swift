extension Wheel {
    /// A timer that has fired.
    public struct Expired: Hashable, Sendable {
        /// When it was due, in ticks, as the wheel held it: see ``Wheel/add(deadline:payload:)``.
        public let deadline: UInt64
        /// What the caller gave with it.
        public let payload: UInt32

        @inlinable init(deadline: UInt64, payload: UInt32) {
            self.deadline = deadline
            self.payload = payload
        }
    }

    /// The timers that one call of ``Wheel/advance(to:into:)`` has fired, in a buffer used again
    /// and again.
    ///
    /// There are no callbacks: the caller goes through the batch when the wheel is in order again,
    /// and may add, move and cancel while doing so. A batch is also a good size for a transaction.
    public struct Batch: ~Copyable {
        /// The most timers that one call fires.
        public let capacity: Int

        /// How many timers there are.
        @inlinable public var count: Int { timerCount }

        @usableFromInline var timerCount = 0

        /// Two words for each timer, deadline and payload.
        @usableFromInline var words: PointerWords

        /// Makes an empty batch and reserves its memory.
        ///
        /// - Parameter capacity: The most timers that one call fires, at least 1.
        public init(capacity: Int) {
            precondition(capacity >= 1, "A batch holds at least one timer.")
            self.capacity = capacity
            words = PointerWords(count: 2 * capacity)
        }

        /// Whether nothing has fired.
        public var isEmpty: Bool { count == 0 }

        /// A copy of what has fired, in order of deadline; timers of the same tick come in any
        /// order.
        public var timers: [Expired] { (0..<count).map { self[$0] } }

        /// One of ``timers``, without a copy: for a loop in which every nanosecond counts.
        ///
        /// - Parameter index: Its place, from 0, below ``count``.
        @inlinable public subscript(index: Int) -> Expired {
            precondition(index >= 0 && index < count, "The batch has fewer timers.")
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

    /// Whether ``Wheel/advance(to:into:)`` got to the time that was asked for.
    public enum Progress: Sendable {
        /// All that was due is in this batch or in earlier ones.
        case done
        /// The batch is full, or the call has done its share of work: call again, with the same
        /// time or a later one, for the rest.
        case more
    }
}
