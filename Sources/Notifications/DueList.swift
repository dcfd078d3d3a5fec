import Storage
import Timekeeping
import TimerWheel

/// What falls due within the horizon, in a timer wheel: a picture of the store that is brought up
/// to date after each change.
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

    /// Takes over what the store says now. A wheel never turns back: when the clock was set back,
    /// a new one takes its place, or nothing would be due before the old clock's time.
    mutating func update(_ rows: [DueDelivery], now: Moment) {
        if Self.tick(now) < turnedTo { self = DueList(now: now) }
        var seen: Set<Int64> = []
        for row in rows {
            seen.insert(row.id)
            guard let timer = known[row.id] else {
                add(row)
                continue
            }
            guard timer.due != row.due else { continue }
            _ = wheel.move(timer.handle, to: Self.tick(row.due))
            known[row.id]?.due = row.due
        }
        for (id, timer) in known where !seen.contains(id) {
            _ = wheel.cancel(timer.handle)
            forget(id, timer.payload)
        }
    }

    private mutating func add(_ row: DueDelivery) {
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

    private mutating func forget(_ id: Int64, _ payload: UInt32) {
        known[id] = nil
        freePayloads.append(payload)
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
            forget(id, timer.payload)
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
