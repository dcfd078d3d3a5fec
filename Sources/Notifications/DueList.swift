import Storage
import Timekeeping
import TimerWheel

/// What falls due within the horizon, in a timer wheel.
///
/// It may hold what waits no more: who takes a delivery out asks the store whether it still does.
struct DueList: ~Copyable {
    private var wheel: Wheel
    private var batch = Wheel.Batch(capacity: DeliveryEngine.batchRowsMax)
    /// The delivery behind each payload of the wheel.
    private var deliveries: [Int64] = []
    private var freePayloads: [UInt32] = []
    private var known: [Int64: Timer] = [:]

    private struct Timer {
        let handle: Wheel.Handle
        let payload: UInt32
        var due: Moment
    }

    /// The latest tick that the wheel was told.
    private var turnedTo: UInt64

    init(now: Moment) {
        turnedTo = Self.tick(now)
        wheel = Wheel(now: turnedTo)
    }

    var count: Int { wheel.count }

    /// Whether the clock shows a time that the wheel has left behind. A wheel never turns back: a
    /// new list has to take its place, or nothing would be due before the old clock's time.
    func isAhead(of now: Moment) -> Bool {
        Self.tick(now) < turnedTo
    }

    /// Takes up deliveries; one that is there gets the time that it has now.
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

    /// Takes up deliveries again that this process gave another time: somebody else may have given
    /// one that is there another since, and the earlier one stands. Who comes too early is told.
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

    /// Takes out what is due, the earliest first, at most a batch; empty when nothing is.
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
        // Within a tick the wheel keeps no order; people expect the one of planning.
        return due.sorted { $0 < $1 }.map(\.1)
    }

    /// When to look again; `nil` when nothing is pending.
    func nextDue() -> Moment? {
        wheel.nextExpiry().map { Moment(milliseconds: Int64(min($0, UInt64(Int64.max)))) }
    }

    /// A moment before 1970 is due at once, like every other one in the past.
    private static func tick(_ moment: Moment) -> UInt64 {
        UInt64(max(0, moment.milliseconds))
    }
}
