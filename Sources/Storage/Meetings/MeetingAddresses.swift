public import Agenda
import GRDB
public import Ledger

/// By what mails of a meeting name its people.
public struct MeetingMailNames: Sendable {
    /// The mail addresses that they have or were told something of it at.
    public let addresses: [PersonID: Set<String>]
    /// Who they were before they were merged with somebody.
    public let formerIDs: [PersonID: [PersonID]]

    /// Describes them.
    public init(addresses: [PersonID: Set<String>], formerIDs: [PersonID: [PersonID]]) {
        self.addresses = addresses
        self.formerIDs = formerIDs
    }
}

extension Store {
    /// By what mails of a meeting name those who are or were in it.
    public func mailNames(in meeting: MeetingID) async throws -> MeetingMailNames {
        try await read { db in
            let addresses = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT p.person_id AS person_id, a.address AS address
                        FROM participant p JOIN person_address a ON a.person_id = p.person_id
                        WHERE p.meeting_id = :meeting
                        UNION
                        SELECT coalesce(r.merged_into, r.id), d.address
                        FROM delivery d JOIN person r ON r.id = d.person_id
                        WHERE d.meeting_id = :meeting AND d.channel = 'mail' AND d.address <> ''
                        """), arguments: ["meeting": meeting.text])
            let former = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT p.person_id AS person_id, r.id AS former_id
                        FROM participant p JOIN person r ON r.merged_into = p.person_id
                        WHERE p.meeting_id = :meeting
                        """), arguments: ["meeting": meeting.text])
            return MeetingMailNames(
                addresses: Dictionary(
                    addresses.map { (PersonID(text: $0["person_id"]), [$0["address"] as String]) },
                    uniquingKeysWith: { $0.union($1) }),
                formerIDs: Dictionary(
                    former.map {
                        (PersonID(text: $0["person_id"]), [PersonID(text: $0["former_id"])])
                    }, uniquingKeysWith: +))
        }
    }
}
