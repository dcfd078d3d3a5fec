import Agenda
import Ledger
import Storage
import Timekeeping

/// The result of checking the ledger.
public struct AuditReport: Encodable, Sendable {
    /// A delivery that breaks a rule.
    public struct Fault: Encodable, Sendable {
        /// The key of the delivery, or the id of a meeting that cannot be planned.
        public let key: String
        /// The broken rule, in words.
        public let rule: String
    }

    /// True if no rule is broken.
    public let holds: Bool
    /// The number of deliveries.
    public let rows: Int
    /// The deliveries that break a rule.
    public let faults: [Fault]
}

extension Planner {
    /// The maximum number of faults reported for each rule.
    private static let faultsMax = 100
    /// The number of meetings that are loaded at once.
    private static let pageRowsMax = 1000

    /// Checks the ledger: first the rules for single rows, then, for every meeting that is not
    /// over, that replanning it would leave the same rows open.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`; ``StoreError/damaged(path:detail:)``.
    public func verifyLedger() async throws -> AuditReport {
        try checkIsOwner(to: "check the ledger")
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

    /// The faults of a meeting. A meeting that cannot be planned is a fault itself, and does not
    /// stop the check of other meetings.
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
        // A notification that was too late by a clock ahead of this one is not missing. If people
        // chose other reminders by that clock, the daemon plans them when it sees the step.
        let now = max(self.now, try await store.latestAct(on: id) ?? self.now)
        let draft = MeetingDraft(bundle)
        let state = try drafting.state(of: draft)
        let directory = drafting.directory(of: draft)
        let difference = state.difference(from: bundle.rows, channels: directory, now: now)
        let lost = difference.added.filter { Self.isLost($0, among: bundle.rows) }
        // Held rows are not compared: sending hours can give another time at any other moment.
        let mistimed = difference.rescheduled.filter { row in
            row.hold == nil && bundle.rows.contains { $0.name == row.name && $0.hold == nil }
        }
        return lost.map { LedgerFault(key: $0.name, rule: "a notification is missing") }
            + mistimed.map { LedgerFault(key: $0.name, rule: "due at the wrong time") }
            + difference.superseded.map {
                LedgerFault(key: $0.name, rule: "open, but its meeting no longer needs it")
            }
            + state.heldTooLong(among: bundle.rows, now: now).map {
                LedgerFault(key: $0.name, rule: "held back for longer than necessary")
            }
    }

    /// True if a row that replanning would add is missing. A sink that was enabled later has no
    /// rows for notifications that went through others, an audience that was added later has no
    /// rows at all, and a suppressed row waits for the end of the suppression.
    private static func isLost(_ row: LedgerRow, among rows: [LedgerRow]) -> Bool {
        if let own = rows.first(where: { $0.name == row.name }) { return own.hold == nil }
        // If only audiences have rows, no sink for people was enabled.
        let receiver = row.key.notification.receiver
        // What was only printed is sent when letsmeetd sees the new sinks.
        guard
            !rows.contains(where: {
                $0.isOnlyPrinted && $0.key.notification.receiver == receiver
            })
        else { return false }
        let wasOn = rows.contains { other in
            receiver.audience == nil
                ? other.key.notification.receiver.audience == nil
                : other.key.notification.receiver == receiver
        }
        guard wasOn || rows.isEmpty && receiver.audience == nil else { return false }
        return !rows.contains { $0.key.notification == row.key.notification }
    }
}
