/// A hierarchical timing wheel for millions of timers. Each timer is added, moved, cancelled and
/// fired in constant time, and no call takes long.
///
/// The wheel has no clock and no thread. The caller passes the current time, in ticks of any length
/// (letsmeet uses milliseconds), and receives the timers that have become due:
/// ```swift
/// var wheel = Wheel(now: clock.milliseconds)
/// let handle = wheel.add(deadline: clock.milliseconds + 60_000, payload: 7)
/// var batch = Wheel.Batch(capacity: 1000)
/// while let wake = wheel.nextExpiry() {
///     clock.sleep(until: wake)
///     var progress = Wheel.Progress.more
///     while progress == .more {
///         progress = wheel.advance(to: clock.milliseconds, into: &batch)
///         for timer in batch.timers { ring(timer.payload) }
///     }
/// }
/// ```
/// Timers fire in order of deadline and never early. They are late only by the time until the
/// caller asks. Timers of the same tick fire in any order.
///
/// **Costs.** Adding, moving and cancelling take a few dozen instructions and one memory access to
/// the timer's record. Firing takes two accesses, and one more for each level that the timer had to
/// come down (with milliseconds: none within 4 s, one within 4.6 h, two within 2.2 years, five at
/// most). One advance looks at 4096 entries at most.
///
/// **Limits.** There can be ``countMax`` timers at a time. Each takes 16 bytes, and 4 more bytes
/// for each move to another slot until its old time comes (with milliseconds, a slot is 4 s wide
/// for timers due within 4.6 h). The wheel itself takes 0.4 MB. Address space is reserved in
/// advance. Memory is used as timers are added, reused for later timers, and freed with the wheel.
/// Stale entries of moved timers are removed when they take more than a quarter of a megabyte and
/// more than three times as much as the pending timers need. Now and then an add or a move has to
/// copy the existing data; an advance never does. Deadlines go up to ``deadlineMax``. The wheel has
/// one owner: it cannot be copied, and two threads need a lock around it.
public struct Wheel: ~Copyable {
    /// The latest possible deadline, 2⁶³ - 1; later ones are replaced by it. In milliseconds it is
    /// 292 million years ahead.
    public static let deadlineMax = UInt64(Int64.max)

    /// The maximum number of pending timers, 2³¹. One more stops the program.
    public static let countMax = 1 << 31

    @usableFromInline var core: WheelCore<PointerWords>

    /// Creates an empty wheel.
    ///
    /// - Parameter now: The current time in ticks. Times above ``deadlineMax`` are replaced by it.
    public init(now: UInt64 = 0) {
        core = WheelCore(now: now)
    }

    /// Creates an empty wheel with lower limits, so that a test often sees it stop and remove stale
    /// entries.
    ///
    /// - Parameters:
    ///   - now: As in ``init(now:)``.
    ///   - work: The maximum number of entries that one advance looks at, at least 127.
    ///   - spareEntries: The number of stale entries that may remain before they are removed.
    package init(now: UInt64, work: Int, spareEntries: Int) {
        core = WheelCore(now: now, limits: WheelLimits(work: work, spareEntries: spareEntries))
    }

    /// The time that the wheel has reached, in ticks; it never goes back.
    public var now: UInt64 { core.now }

    /// The number of pending timers.
    public var count: Int { core.count }

    /// True if no timer is pending.
    public var isEmpty: Bool { core.count == 0 }

    /// Adds a timer.
    ///
    /// - Parameters:
    ///   - deadline: The time at which the timer is due, in ticks. A time before ``now`` is
    ///     replaced by ``now``, so that the timer fires at the next advance. A time above
    ///     ``deadlineMax`` is replaced by ``deadlineMax``.
    ///   - payload: A number that is returned when the timer fires, such as an index into a table.
    ///     It has 32 bits so that a timer's record fits into 12 bytes.
    /// - Returns: The handle for moving or cancelling the timer while it is pending.
    @inlinable public mutating func add(deadline: UInt64, payload: UInt32) -> Handle {
        let (handle, isFiled) = core.insert(deadline: deadline, payload: payload)
        if !isFiled {
            fileSlowly(handle, deadline: deadline)
        }
        return handle
    }

    /// Cancels a timer.
    ///
    /// - Parameter handle: A handle that ``add(deadline:payload:)`` of this wheel returned.
    /// - Returns: False if the timer has already fired or was already cancelled.
    @inlinable @inline(__always) public mutating func cancel(_ handle: Handle) -> Bool {
        core.cancel(handle)
    }

    /// Changes the deadline of a timer to an earlier or a later one. Its handle and payload stay
    /// the same.
    ///
    /// - Parameters:
    ///   - handle: A handle that ``add(deadline:payload:)`` of this wheel returned.
    ///   - deadline: The new deadline, as in ``add(deadline:payload:)``.
    /// - Returns: False if the timer has already fired or was already cancelled.
    @inlinable public mutating func move(_ handle: Handle, to deadline: UInt64) -> Bool {
        core.rewrite(handle, deadline: deadline) || moveSlowly(handle, to: deadline)
    }

    @usableFromInline mutating func moveSlowly(_ handle: Handle, to deadline: UInt64) -> Bool {
        guard core.records.holds(handle) else { return false }
        fileSlowly(handle, deadline: deadline)
        return true
    }

    /// The slow part of adding and moving, which is not inlined into the caller's code. The fast
    /// part is.
    @usableFromInline mutating func fileSlowly(_ handle: Handle, deadline: UInt64) {
        core.fileSlowly(handle, deadline: deadline)
    }

    /// The deadline of a timer.
    ///
    /// - Parameter handle: A handle that ``add(deadline:payload:)`` of this wheel returned.
    /// - Returns: The deadline in ticks; nil if the timer has fired or was cancelled.
    public func deadline(of handle: Handle) -> UInt64? {
        core.deadline(of: handle)
    }

    /// The time of the next call of ``advance(to:into:)``, in ticks; nil if no timer is pending.
    ///
    /// It is never later than the earliest deadline, and it may be earlier: the wheel also wakes up
    /// to sort the timers of the near future, a few thousand at a time, so that no timer waits for
    /// that when it is due. An advance to this time always makes progress, so a loop that jumps
    /// from one such time to the next comes to an end.
    @inlinable public func nextExpiry() -> UInt64? {
        core.nextExpiry()
    }

    /// Moves the time forward and fires all due timers.
    ///
    /// One call fires at most as many timers as the batch can hold, and does a bounded amount of
    /// work, well below a millisecond, no matter how many timers there are.
    ///
    /// - Parameters:
    ///   - time: The current time in ticks. A time before ``now`` is replaced by ``now``, one above
    ///     ``deadlineMax`` by ``deadlineMax``.
    ///   - batch: The buffer for the fired timers; it is emptied first.
    /// - Returns: `done` if the wheel has reached the time, `more` if the call must be repeated.
    @inlinable public mutating func advance(
        to time: UInt64, into batch: inout Batch
    ) -> Progress {
        batch.timerCount = 0
        return core.idle(to: time) ? .done : advanceSlowly(to: time, into: &batch)
    }

    @usableFromInline mutating func advanceSlowly(
        to time: UInt64, into batch: inout Batch
    ) -> Progress {
        core.advanceQuickly(to: time, into: &batch)
            ? .done : core.advance(to: time, into: &batch)
    }
}

extension Wheel {
    /// The handle of a timer: the index of its record, and the generation of that record.
    ///
    /// A handle whose timer has fired or was cancelled is stale and refused, even if the record now
    /// belongs to another timer. That holds for 2³⁰ uses of one record.
    public struct Handle: Hashable, Sendable {
        @usableFromInline let raw: UInt64

        @inlinable init(raw: UInt64) {
            self.raw = raw
        }

        @inlinable var index: UInt32 { UInt32(truncatingIfNeeded: raw) }
    }
}
