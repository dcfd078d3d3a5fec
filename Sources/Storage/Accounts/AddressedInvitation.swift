public import Agenda
import GRDB
public import Ledger
public import Timekeeping

/// A coming meeting to which somebody else is invited whose mail goes to a proven address of an
/// account: a guest or a contact of a member, whom nobody knows to be the person of the account.
public struct AddressedInvitation: Sendable {
    /// The meeting.
    public let meeting: ListedMeeting
    /// The guest.
    public let guest: PersonID
    /// The address, as it was proven.
    public let address: String
}

extension AddressedInvitation {
    /// The SQL condition that mail to other people goes to a proven address of a person.
    ///
    /// - Parameter person: the SQL of the person's id.
    /// - Returns: the condition.
    static func sharesMail(of person: String) -> String {
        """
        EXISTS (
            SELECT 1 FROM person_address v JOIN person_address f ON f.folded = v.folded
            WHERE v.person_id = \(person) AND v.is_verified = 1 AND f.person_id <> v.person_id
                AND \(PersonAddresses.isForMail("f")))
        """
    }
}

extension Store {
    /// The coming meetings to which somebody else is invited whose mail goes to a proven address of
    /// an account, the earliest first.
    ///
    /// - Parameters:
    ///   - account: the person with the account.
    ///   - now: the current time.
    ///   - guest: only invitations of this guest; `nil` for all.
    ///   - meeting: only invitations to this meeting; `nil` for all.
    ///   - limit: the maximum number to return.
    /// - Returns: the invitations.
    /// - Throws: ``StoreError``.
    public func invitations(
        addressedTo account: PersonID, after now: Moment, of guest: PersonID? = nil,
        to meeting: MeetingID? = nil, limit: Int
    ) async throws -> [AddressedInvitation] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT \(ListedMeeting.columns), f.person_id, v.address
                        FROM person_address v JOIN person_address f ON f.folded = v.folded
                        JOIN participant g ON g.person_id = f.person_id
                        JOIN meeting m ON m.id = g.meeting_id
                        WHERE v.person_id = :account AND v.is_verified = 1
                            AND f.person_id <> v.person_id AND \(PersonAddresses.isForMail("f"))
                            AND m.status = 'confirmed' AND m.ends_at > :now
                            AND m.organizer_id <> f.person_id
                            AND EXISTS (
                                SELECT 1 FROM answer a WHERE a.meeting_id = m.id
                                    AND a.person_id = f.person_id AND a.is_removed = 0)
                            AND (:guest = '' OR f.person_id = :guest)
                            AND (:meeting = '' OR m.id = :meeting)
                        ORDER BY m.starts_at, m.id, f.person_id LIMIT :limit
                        """),
                arguments: [
                    "account": account.text, "now": now.milliseconds,
                    "guest": guest?.text ?? "", "meeting": meeting?.text ?? "", "limit": limit,
                ]
            ).map { row in
                AddressedInvitation(
                    meeting: try ListedMeeting(row: row), guest: PersonID(text: row["person_id"]),
                    address: row["address"])
            }
        }
    }
}
