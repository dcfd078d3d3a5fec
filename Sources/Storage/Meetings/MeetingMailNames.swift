public import Agenda
import GRDB
public import Ledger

/// The addresses and ids that mails about a meeting may use for its people.
public struct MeetingMailNames: Sendable {
    /// The mail addresses of each person: current ones, and those to which something about the
    /// meeting was sent.
    public let addresses: [PersonID: Set<String>]
    /// The ids that each person had before they were merged into another person.
    public let formerIDs: [PersonID: [PersonID]]

    /// Creates the value.
    public init(addresses: [PersonID: Set<String>], formerIDs: [PersonID: [PersonID]]) {
        self.addresses = addresses
        self.formerIDs = formerIDs
    }
}

extension Store {
    /// The addresses and ids that mails about a meeting may use for its present and former
    /// participants.
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
