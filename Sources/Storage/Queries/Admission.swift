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

    /// The letter that goes now where this delivery is due: its own, or one that tells of it too.
    /// What does not go is held back or suppressed, and noted with the reason.
    ///
    /// - Returns: the letter with its delivery; `nil` where nothing goes.
    mutating func admit(
        _ draft: LetterDraft, of desk: inout LetterDesk, into begun: inout BegunAttempts,
        in db: Database
    ) throws -> (draft: LetterDraft, letter: Letter)? {
        let letter = try desk.letter(draft, in: db)
        if let shut = try suppressed(letter, in: db) {
            try LedgerChanges.suppress([shut], now: now, in: db)
            return nil
        }
        var row = try timed(letter, in: db)
        var companions: [Companion] = []
        if row.due <= now { (row, companions) = try flood.look(at: letter, draft, in: db) }
        guard row.due <= now else {
            try LedgerChanges.reschedule([row], now: now, in: db)
            begun.deferred.append(DueDelivery(id: letter.id, due: row.due))
            return nil
        }
        guard !companions.isEmpty else { return (draft, letter) }
        let all = companions + [Companion(id: letter.id, row: letter.row, body: letter.body)]
        let survivor = try LedgerChanges.unite(all.sorted { $0.id < $1.id }, now: now, in: db)
        begun.deferred.removeAll { deferred in all.contains { $0.id == deferred.id } }
        return try desk.draft(survivor, in: db).map { ($0, try desk.letter($0, in: db)) }
    }

    /// The letter's row where nothing is sent to its address; `nil` where it may be.
    private func suppressed(_ letter: Letter, in db: Database) throws -> LedgerRow? {
        let own = letter.row.key.address
        let entries = try list.entries(of: own.isEmpty ? letter.person.address : own, in: db)
        return letter.row.suppressed(by: entries, now: now)
    }

    /// The letter's row as its person's hours time it.
    private mutating func timed(_ letter: Letter, in db: Database) throws -> LedgerRow {
        guard hasHours else { return letter.row }
        let id = letter.person.id
        let own = try hours[id] ?? SendingHours.fetch(id, in: db)
        hours[id] = .some(own)
        guard let own else { return letter.row }
        let time = letter.meeting.time
        let zone = try letter.person.zone.flatMap { try? zones.zone($0) } ?? zones.zone(time.zone)
        return letter.row.timed(
            by: LocalHours(own, in: zone),
            starts: HurryingStarts(time.startsAt, told: letter.before?.time.startsAt), now: now)
    }
}
