/// A hierarchical timing wheel: millions of timers, each added, moved, cancelled and fired in
/// constant time, and no call that takes long.
///
/// The wheel has no clock and no thread. The caller tells it the time, in ticks of any length
/// (letsmeet's are milliseconds), and is given what has become due:
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
/// Timers fire in order of deadline, never early, and never late but for the time the caller takes
/// to ask; timers of the same tick fire in any order.
///
/// **Costs.** Adding, moving and cancelling take a few dozen instructions and one visit to the
/// timer's record, wherever in memory that is. Firing takes two, and another for each level
/// that the timer had to come down (with milliseconds: none within 4 s, one within 4.6 h, two
/// within 2.2 years, five at most). One advance looks at 4096 entries at most.
///
/// **Limits.** At most ``countMax`` timers at a time. Each takes 16 bytes, and 4 more for each time
/// it is moved to another slot (with milliseconds: 4 s wide, where it is due within 4.6 h) until
/// its old time comes; the wheel itself takes 0.4 MB. Address space for more is
/// set aside ahead, and memory is used as timers come, then used again for others, and given back
/// when the wheel ends. What moves leave behind is cleared away when it is more than three times
/// as much as the timers that are pending need, and a quarter of a megabyte.
/// Now and then an add or a move has to copy what there is; no advance ever does. Deadlines go up
/// to ``deadlineMax``. The wheel belongs to one owner: it cannot be copied, and two threads need a
/// lock around it.
public struct Wheel: ~Copyable {
    /// The latest deadline there is, 2⁶³ - 1; later ones are taken as this one. In milliseconds it
    /// lies 292 million years ahead.
    public static let deadlineMax = UInt64(Int64.max)

    /// The most timers that can be pending, 2³¹. One more ends the program.
    public static let countMax = 1 << 31

    @usableFromInline var core: WheelCore<PointerWords>

    /// Makes an empty wheel.
    ///
    /// - Parameter now: The time, in ticks. Times above ``deadlineMax`` are taken as that.
    public init(now: UInt64 = 0) {
        core = WheelCore(now: now)
    }

    /// Makes an empty wheel that stops and clears up earlier than others, so that a test sees it
    /// do so often.
    ///
    /// - Parameters:
    ///   - now: As in ``init(now:)``.
    ///   - work: The most entries that one advance looks at, at least 127.
    ///   - spareEntries: How many stale entries may lie about before they are looked for.
    package init(now: UInt64, work: Int, spareEntries: Int) {
        core = WheelCore(now: now, limits: WheelLimits(work: work, spareEntries: spareEntries))
    }

    /// The time that the wheel has got to, in ticks; it never goes back.
    public var now: UInt64 { core.now }

    /// How many timers are pending.
    public var count: Int { core.count }

    /// Whether no timer is pending.
    public var isEmpty: Bool { core.count == 0 }

    /// Adds a timer.
    ///
    /// - Parameters:
    ///   - deadline: When it is due, in ticks. A time before ``now`` is taken as ``now``: the timer
    ///     fires at the next advance. A time above ``deadlineMax`` is taken as that.
    ///   - payload: What to give back when the timer fires: a number of the caller's, such as an
    ///     index into a table. It has 32 bits so that a timer's record fits in 12 bytes.
    /// - Returns: The name by which the timer can be moved or cancelled while it is pending.
    @inlinable public mutating func add(deadline: UInt64, payload: UInt32) -> Handle {
        let (handle, isFiled) = core.insert(deadline: deadline, payload: payload)
        if !isFiled {
            fileSlowly(handle, deadline: deadline)
        }
        return handle
    }

    /// Cancels a timer.
    ///
    /// - Parameter handle: As returned by ``add(deadline:payload:)`` of this wheel.
    /// - Returns: False if the timer has fired or was cancelled before.
    @inlinable @inline(__always) public mutating func cancel(_ handle: Handle) -> Bool {
        core.cancel(handle)
    }

    /// Gives a timer another deadline, earlier or later. Its handle and payload stay.
    ///
    /// - Parameters:
    ///   - handle: As returned by ``add(deadline:payload:)`` of this wheel.
    ///   - deadline: As in ``add(deadline:payload:)``.
    /// - Returns: False if the timer has fired or was cancelled before.
    @inlinable public mutating func move(_ handle: Handle, to deadline: UInt64) -> Bool {
        core.rewrite(handle, deadline: deadline) || moveSlowly(handle, to: deadline)
    }

    @usableFromInline mutating func moveSlowly(_ handle: Handle, to deadline: UInt64) -> Bool {
        guard core.records.holds(handle) else { return false }
        fileSlowly(handle, deadline: deadline)
        return true
    }

    /// The quick half of adding and moving becomes part of the caller's code; this half stays here.
    @usableFromInline mutating func fileSlowly(_ handle: Handle, deadline: UInt64) {
        core.fileSlowly(handle, deadline: deadline)
    }

    /// Looks up the deadline of a timer.
    ///
    /// - Parameter handle: As returned by ``add(deadline:payload:)`` of this wheel.
    /// - Returns: The deadline in ticks, or nil if the timer has fired or was cancelled.
    public func deadline(of handle: Handle) -> UInt64? {
        core.deadline(of: handle)
    }

    /// When to call ``advance(to:into:)`` next, in ticks, or nil if no timer is pending.
    ///
    /// It is never later than the earliest deadline, and may be earlier: the wheel asks to be woken
    /// to sort what comes near, a few thousand timers at a time, so that no timer waits for that
    /// when it is due. An advance to this time always gets something done, so a loop that jumps
    /// from one such time to the next comes to an end.
    @inlinable public func nextExpiry() -> UInt64? {
        core.nextExpiry()
    }

    /// Moves the time forward and fires what is due.
    ///
    /// One call fires at most the batch's capacity and does a bounded amount of work, well below a
    /// millisecond, however many timers there are.
    ///
    /// - Parameters:
    ///   - time: The time, in ticks. A time before ``now`` is taken as ``now``, one above
    ///     ``deadlineMax`` as that.
    ///   - batch: Emptied first, then filled with the timers that fired.
    /// - Returns: Whether the wheel got to that time, or the call must be repeated.
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
    /// The name of a timer: which record it has, and how often that record had been used before.
    ///
    /// A handle whose timer has fired or was cancelled is stale and refused, even when the record
    /// belongs to another timer; that holds for 2³⁰ uses of one record.
    public struct Handle: Hashable, Sendable {
        @usableFromInline let raw: UInt64

        @inlinable init(raw: UInt64) {
            self.raw = raw
        }

        @inlinable var index: UInt32 { UInt32(truncatingIfNeeded: raw) }
    }
}
