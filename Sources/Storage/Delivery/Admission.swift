import Agenda
import GRDB
import Ledger
import Timekeeping

/// Decides, right before a send is begun, whether it may begin: policies may have changed since the
/// row was planned, and a next attempt was planned by nobody.
struct Admission {
    private let zones: ZoneDirectory
    private let now: Moment
    /// Most homes know nobody with hours of their own.
    private let hasHours: Bool
    private var hours: [PersonID: SendingHours?] = [:]
    private var flood: FloodWatch
    private let list: SuppressionList

    init(zones: ZoneDirectory, now: Moment, in db: Database) throws {
        self.zones = zones
        self.now = now
        list = try SuppressionList(in: db)
        flood = FloodWatch(zones: zones, now: now)
        hasHours = try SendingHours.areSet(in: db)
    }

    /// The letter of a delivery that goes now. What does not go is held back or suppressed, or
    /// superseded by what tells of it too, and noted with the reason.
    ///
    /// - Returns: the letter; `nil` where nothing goes.
    mutating func admit(
        _ draft: DeliveryHead, of loader: inout DeliveryLoader, into begun: inout BegunAttempts,
        in db: Database
    ) throws -> Delivery? {
        let delivery = try loader.delivery(draft, in: db)
        if let shut = try suppressed(delivery, in: db) {
            try LedgerChanges.suppress([shut], now: now, in: db)
            begun.suppressed.append((shut.name, shut.reason))
            return nil
        }
        if let later = try laterReminder(than: delivery, draft, in: db) {
            begun.expired.append(
                try LedgerChanges.expire(
                    delivery.row, because: delivery.row.reasonFor(later), now: now, in: db))
            return nil
        }
        var row = try timed(delivery, in: db)
        var companions: [Companion] = []
        if row.due <= now { (row, companions) = try flood.look(at: delivery, draft, in: db) }
        guard row.due <= now else {
            guard row.due < row.deadline else {
                begun.expired.append(
                    try LedgerChanges.expire(
                        delivery.row, because: "it would come too late: \(row.reason)", now: now,
                        in: db))
                return nil
            }
            try LedgerChanges.reschedule([row], now: now, in: db)
            begun.deferred.append(DeferredDelivery(id: delivery.id, row: row))
            return nil
        }
        guard !companions.isEmpty else {
            flood.note(delivery)
            return delivery
        }
        let all = companions + [Companion(id: delivery.id, row: delivery.row, body: delivery.body)]
        loader.forgetDrafts()
        let survivor = try LedgerChanges.unite(all.sorted { $0.id < $1.id }, now: now, in: db)
        // Another one goes for it when it is its turn, which may be in this very round.
        guard survivor == delivery.id else { return nil }
        flood.note(delivery)
        return try loader.draft(survivor, in: db).map { try loader.delivery($0, in: db) }
    }

    /// The letter's row where nothing is sent to its address; `nil` where it may be.
    private func suppressed(_ delivery: Delivery, in db: Database) throws -> LedgerRow? {
        let key = delivery.row.key
        let isMail = key.channel == SinkKind.mail.name && !key.address.isEmpty
        let entries = try list.entries(of: isMail ? key.address : delivery.person.address, in: db)
        return delivery.row.suppressed(by: entries, now: now)
    }

    /// The reminder that stands in the place of this one, where its person is to get a later one
    /// now, or got it.
    private func laterReminder(
        than delivery: Delivery, _ draft: DeliveryHead, in db: Database
    ) throws -> LedgerRow? {
        guard draft.isOneOfSeveral, delivery.row.key.notification.kind == .reminder else {
            return nil
        }
        // What is sent for the first time, and at its time, has nothing behind it yet.
        let isPunctual =
            draft.tried == 0 && delivery.row.hold == nil
            && now.milliseconds(since: delivery.row.due) < 1000
        guard !isPunctual, let meeting = delivery.facts?.meeting,
            let zone = try? zones.zone(meeting.time.zone)
        else { return nil }
        return delivery.row.overtaker(
            among: try Reminders.siblings(of: delivery, in: db), of: meeting, in: zone, now: now)
    }

    /// The letter's row as its person's hours time it.
    private mutating func timed(_ delivery: Delivery, in db: Database) throws -> LedgerRow {
        guard hasHours else { return delivery.row }
        let id = delivery.person.id
        let own = try hours[id] ?? SendingHours.fetch(id, in: db)
        hours[id] = .some(own)
        guard let own else { return delivery.row }
        let time = delivery.facts?.meeting.time
        let zone = delivery.person.zone.flatMap { try? zones.zone($0) }
        // Who has no zone of their own, and is told of no meeting, is told by the clock of nobody.
        guard let zone = try zone ?? time.map({ try zones.zone($0.zone) }) else {
            return delivery.row
        }
        return delivery.row.timed(
            by: LocalHours(own, in: zone),
            starts: time.map {
                UrgentStarts($0.startsAt, told: delivery.before?.time.startsAt)
            }, now: now)
    }
}
