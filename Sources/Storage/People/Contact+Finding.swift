import Agenda
import GRDB
import Interchange
import Ledger

/// Finding the contact that a card describes.
extension Contact {
    /// The contact with a UID, in any of its spellings: see ``ContactCard/spellings(ofUID:)``.
    static func fetch(uid: String, of owner: PersonID, in db: Database) throws -> Contact? {
        try fetch(uids: [uid], of: owner, in: db)?.contact
    }

    /// The contact with the first of some UIDs that is known, in any of its spellings.
    static func fetch(
        uids: [String], of owner: PersonID, in db: Database
    ) throws -> (contact: Contact, uid: String)? {
        let spellings = uids.flatMap(ContactCard.spellings)
        var arguments: StatementArguments = ["owner": owner.text]
        let names = "abcdefghijklmnopqrstuvwxyz".prefix(spellings.count).map { "uid_\($0)" }
        for (name, spelling) in zip(names, spellings) { arguments += [name: spelling] }
        let list = names.map { ":\($0)" }.joined(separator: ", ")
        let rows = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT person_id, card, uid FROM contact
                    WHERE owner_id = :owner AND uid IN (\(list))
                    UNION ALL
                    SELECT c.person_id, c.card, a.uid FROM contact_alias a
                    JOIN contact c ON c.number = a.contact_number
                    WHERE a.owner_id = :owner AND a.uid IN (\(list))
                    """), arguments: arguments)
        for uid in uids {
            for spelling in ContactCard.spellings(ofUID: uid) {
                guard let row = rows.first(where: { ($0["uid"] as String) == spelling }) else {
                    continue
                }
                return (try Contact(row: row), uid)
            }
        }
        return nil
    }

    /// The contacts with this whole name or address, in the order in which they were added.
    static func fetchAll(
        key: String, limit: Int, of owner: PersonID, _ memory: ImportMemory, in db: Database
    ) throws -> [Contact] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND k.key = :key AND k.rank = 0
                    ORDER BY k.contact_number LIMIT :limit
                    """),
            arguments: ["owner": owner.text, "key": key, "limit": limit]
        ).map(memory.contact)
    }

    /// The contacts with both this whole name and this address.
    static func fetchAll(
        name: String, address: String, of owner: PersonID, _ memory: ImportMemory,
        in db: Database
    ) throws -> [Contact] {
        // Many people may have one name or one address: the rarer one is looked up first.
        let isShared = try isCommon(address, of: owner, in: db)
        let (key, other) = isShared ? (name, address) : (address, name)
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT c.person_id, c.card FROM contact_key k
                    JOIN contact c ON c.number = k.contact_number
                    WHERE k.owner_id = :owner AND k.key = :key AND k.rank = 0
                        AND EXISTS (
                            SELECT 1 FROM contact_key o
                            WHERE o.owner_id = k.owner_id AND o.key = :other AND o.rank = 0
                                AND o.contact_number = k.contact_number)
                    ORDER BY k.contact_number LIMIT :limit
                    """),
            arguments: [
                "owner": owner.text, "key": key, "other": other, "limit": CardCandidates.limit,
            ]
        ).map(memory.contact)
    }

    /// True if many contacts have a key.
    private static func isCommon(
        _ key: String, of owner: PersonID, in db: Database
    ) throws -> Bool {
        let found = try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT 1 FROM contact_key
                    WHERE owner_id = :owner AND key = :key AND rank = 0 LIMIT :limit
                    """),
            arguments: ["owner": owner.text, "key": key, "limit": CardCandidates.limit])
        return found.count == CardCandidates.limit
    }
}
