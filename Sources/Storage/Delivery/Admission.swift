import Agenda
import GRDB
import Ledger
import Timekeeping

/// Decides, right before an attempt is begun, whether it may begin: policies may have changed since
/// the row was planned, and retries are not planned by the planner.
struct Admission {
    private let zones: ZoneDirectory
    private let now: Moment
    /// False in most installations: nobody has sending hours.
    private let hasHours: Bool
    private var hours: [PersonID: ReaderHours?] = [:]
    private var flood: FloodWatch
    private var quota: ReminderQuota
    private let list: SuppressionList

    init(zones: ZoneDirectory, now: Moment, in db: Database) throws {
        self.zones = zones
        self.now = now
        list = try SuppressionList(in: db)
        flood = FloodWatch(zones: zones, now: now)
        quota = ReminderQuota(now: now)
        hasHours = try SendingHours.areSet(in: db)
    }

    /// The full delivery, if it may be sent now. Otherwise it is deferred, suppressed, expired or
    /// superseded by a delivery that covers it too, and recorded in `begun` with the reason.
    ///
    /// - Returns: the delivery; `nil` if nothing is sent.
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
        if try quota.isUsedUp(by: delivery, in: db) {
            begun.expired.append(
                try LedgerChanges.expire(
                    delivery.row, because: ReminderQuota.reason, now: now, in: db))
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
            note(delivery)
            return delivery
        }
        let all = companions + [Companion(id: delivery.id, row: delivery.row, body: delivery.body)]
        loader.forgetDrafts()
        let survivor = try LedgerChanges.unite(all.sorted { $0.id < $1.id }, now: now, in: db)
        // The surviving delivery is sent in its own turn, which may be in this same batch.
        guard survivor == delivery.id else { return nil }
        note(delivery)
        return try loader.draft(survivor, in: db).map { try loader.delivery($0, in: db) }
    }

    /// Counts a delivery that is about to be sent.
    private mutating func note(_ delivery: Delivery) {
        flood.note(delivery)
        quota.note(delivery)
    }

    /// The delivery's row as suppressed, if its address is on the suppression list; else `nil`.
    private func suppressed(_ delivery: Delivery, in db: Database) throws -> LedgerRow? {
        let key = delivery.row.key
        let isMail = key.channel == SinkKind.mail.name && !key.address.isEmpty
        let entries = try list.entries(of: isMail ? key.address : delivery.person.address, in: db)
        return delivery.row.suppressed(by: entries, now: now)
    }

    /// The later reminder that replaces this one: the person is due to get it now, or already has
    /// it.
    private func laterReminder(
        than delivery: Delivery, _ draft: DeliveryHead, in db: Database
    ) throws -> LedgerRow? {
        guard draft.isOneOfSeveral, delivery.row.key.notification.kind == .reminder else {
            return nil
        }
        // No later reminder can be due yet for a first attempt that is on time.
        let isPunctual =
            draft.tried == 0 && delivery.row.hold == nil
            && now.milliseconds(since: delivery.row.due) < 1000
        guard !isPunctual, let meeting = delivery.facts?.meeting,
            let zone = try? zones.zone(meeting.time.zone)
        else { return nil }
        return delivery.row.overtaker(
            among: try Reminders.siblings(of: delivery, in: db), of: meeting, in: zone, now: now)
    }

    /// The delivery's row with the due time that the person's sending hours allow.
    private mutating func timed(_ delivery: Delivery, in db: Database) throws -> LedgerRow {
        guard hasHours else { return delivery.row }
        let id = delivery.person.id
        let own = try hours[id] ?? ReaderHours.fetch(id, in: db)
        hours[id] = .some(own)
        guard let own else { return delivery.row }
        let time = delivery.facts?.meeting.time
        let zone = (own.zone ?? delivery.person.zone).flatMap { try? zones.zone($0) }
        // A person without a time zone gets a notification about no meeting at any time: no zone is
        // known for their hours.
        guard let zone = try zone ?? time.map({ try zones.zone($0.zone) }) else {
            return delivery.row
        }
        return delivery.row.timed(
            by: LocalHours(own.hours, in: zone),
            starts: time.map {
                UrgentStarts($0.startsAt, told: delivery.before?.time.startsAt)
            }, now: now)
    }
}
