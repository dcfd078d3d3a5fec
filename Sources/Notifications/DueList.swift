import Storage
import Timekeeping
import TimerWheel

/// The deliveries that fall due within the horizon, in a timer wheel.
///
/// It may contain deliveries that no longer wait: the caller checks each with the store.
struct DueList: ~Copyable {
    private var wheel: Wheel
    private var batch = Wheel.Batch(capacity: DeliveryEngine.batchRowsMax)
    /// The delivery ID for each payload of the wheel.
    private var deliveries: [Int64] = []
    private var freePayloads: [UInt32] = []
    private var known: [Int64: Timer] = [:]

    private struct Timer {
        let handle: Wheel.Handle
        let payload: UInt32
        var due: Moment
    }

    /// The latest tick that the wheel has reached.
    private var turnedTo: UInt64

    init(now: Moment) {
        turnedTo = Self.tick(now)
        wheel = Wheel(now: turnedTo)
    }

    var count: Int { wheel.count }

    /// True if the wheel is ahead of the clock. A wheel cannot turn back: it must be replaced by a
    /// new list, or nothing would be due before the clock reaches the old time.
    func isAhead(of now: Moment) -> Bool {
        Self.tick(now) < turnedTo
    }

    /// Adds deliveries; one that is already in the list gets its new due time.
    mutating func add(_ rows: some Sequence<DueDelivery>) {
        for row in rows {
            guard let timer = known[row.id] else {
                insert(row)
                continue
            }
            guard timer.due != row.due else { continue }
            _ = wheel.move(timer.handle, to: Self.tick(row.due))
            known[row.id]?.due = row.due
        }
    }

    /// Adds deliveries that this process rescheduled. Another process may have rescheduled one of
    /// them since, so the earlier time wins: the store corrects a delivery that is offered too
    /// early.
    mutating func take(back rows: [DueDelivery]) {
        add(rows.filter { row in known[row.id].map { row.due < $0.due } ?? true })
    }

    private mutating func insert(_ row: DueDelivery) {
        let payload: UInt32
        if let free = freePayloads.popLast() {
            payload = free
            deliveries[Int(payload)] = row.id
        } else {
            payload = UInt32(deliveries.count)
            deliveries.append(row.id)
        }
        let handle = wheel.add(deadline: Self.tick(row.due), payload: payload)
        known[row.id] = Timer(handle: handle, payload: payload, due: row.due)
    }

    /// Takes out the due deliveries, earliest first, at most one batch; empty when nothing is due.
    mutating func takeDue(now: Moment) -> [Int64] {
        turnedTo = max(turnedTo, Self.tick(now))
        var progress = Wheel.Progress.more
        repeat {
            progress = wheel.advance(to: turnedTo, into: &batch)
        } while progress == .more && batch.timers.isEmpty
        let due = batch.timers.map { timer in
            let id = deliveries[Int(timer.payload)]
            known[id] = nil
            freePayloads.append(timer.payload)
            return (timer.deadline, id)
        }
        // The wheel keeps no order within a tick; people expect the order of planning.
        return due.sorted { $0 < $1 }.map(\.1)
    }

    /// The time of the next check; `nil` when nothing is pending.
    func nextDue() -> Moment? {
        wheel.nextExpiry().map { Moment(milliseconds: Int64(min($0, UInt64(Int64.max)))) }
    }

    /// The tick of a moment. A moment before 1970 is due at once, like every other past moment.
    private static func tick(_ moment: Moment) -> UInt64 {
        UInt64(max(0, moment.milliseconds))
    }
}
