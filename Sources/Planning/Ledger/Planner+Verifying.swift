import Agenda
import Ledger
import Storage
import Timekeeping

/// What holding the ledger against its rules showed.
public struct AuditReport: Encodable, Sendable {
    /// A row that breaks a rule.
    public struct Fault: Encodable, Sendable {
        /// The row's key.
        public let key: String
        /// The rule.
        public let rule: String
    }

    /// Whether every rule holds.
    public let holds: Bool
    /// How many rows there are.
    public let rows: Int
    /// The rows that break one.
    public let faults: [Fault]
}

extension Planner {
    /// The most faults that are named for each rule.
    private static let faultsMax = 100
    /// How many meetings are read at once.
    private static let pageRowsMax = 1000

    /// Holds the ledger against its rules: those that its rows show by themselves, and, for every
    /// meeting that is not over, that its open rows are what planning it anew would leave open.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`; ``StoreError/damaged(path:detail:)``.
    public func verifyLedger() async throws -> AuditReport {
        try checkIsOwner(to: "verify the ledger")
        try await store.checkWhole()
        var faults = try await store.ledgerFaults(limit: Self.faultsMax)
        faults += try await store.misnamedDeliveries(limit: Self.faultsMax)
        var last: MeetingID?
        repeat {
            let page = try await store.meetings(
                endingAfter: now, after: last, limit: Self.pageRowsMax)
            for id in page { faults += try await faultsOrRefusal(of: id) }
            last = page.count == Self.pageRowsMax ? page.last : nil
        } while last != nil
        return AuditReport(
            holds: faults.isEmpty, rows: try await store.deliveryCount(),
            faults: faults.map { AuditReport.Fault(key: $0.key, rule: $0.rule) })
    }

    /// A meeting that cannot be planned is a fault of its own, and keeps no other from being looked
    /// at.
    private func faultsOrRefusal(of id: MeetingID) async throws -> [LedgerFault] {
        do {
            return try await faults(of: id)
        } catch let fault where Self.isOfOneMeeting(fault) {
            return [
                LedgerFault(
                    key: id.text, rule: "a meeting that cannot be planned: \(Refusal(fault))")
            ]
        }
    }

    private static func isOfOneMeeting(_ error: any Error) -> Bool {
        switch error {
        case is Refusal, is ZoneError, StoreError.damaged: true
        default: false
        }
    }

    private func faults(of id: MeetingID) async throws -> [LedgerFault] {
        guard let bundle = try await store.meetingBundle(id) else { return [] }
        // What came too late for a clock that was ahead of this one is not missing.
        let now = max(self.now, try await store.latestAct(on: id) ?? self.now)
        let draft = MeetingDraft(bundle)
        let state = try state(of: draft)
        let directory = directory(of: draft)
        let difference = state.difference(from: bundle.rows, channels: directory, now: now)
        let lost = difference.added.filter { Self.isLost($0, among: bundle.rows) }
        // Whose hours have a say may have another time at any other moment.
        let mistimed = difference.rescheduled.filter { row in
            row.hold == nil && bundle.rows.contains { $0.name == row.name && $0.hold == nil }
        }
        return lost.map { LedgerFault(key: $0.name, rule: "a notification that nobody planned") }
            + mistimed.map { LedgerFault(key: $0.name, rule: "not at the time of its meeting") }
            + difference.superseded.map {
                LedgerFault(key: $0.name, rule: "open, though its meeting no longer wants it")
            }
            + state.heldTooLong(among: bundle.rows, now: now).map {
                LedgerFault(key: $0.name, rule: "held back for longer than anything asks for")
            }
    }

    /// Whether a row that planning would add is missing. A channel that was switched on later has
    /// no rows for what others have told, an audience that came later none at all, and what is kept
    /// from an address waits for its time.
    private static func isLost(_ row: LedgerRow, among rows: [LedgerRow]) -> Bool {
        if let own = rows.first(where: { $0.name == row.name }) { return own.hold == nil }
        // Where nobody but audiences was told anything, no way for people was on.
        let receiver = row.key.notification.receiver
        let wasOn = rows.contains { other in
            receiver.audience == nil
                ? other.key.notification.receiver.audience == nil
                : other.key.notification.receiver == receiver
        }
        guard wasOn || rows.isEmpty && receiver.audience == nil else { return false }
        return !rows.contains { $0.key.notification == row.key.notification }
    }
}
