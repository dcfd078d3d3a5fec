import Agenda
import GRDB
import Ledger

extension PersonErasure {
    /// Forgets the bounces of the person's addresses. Entries that people made stay in force for
    /// anyone who appears with the same address, in a form that cannot be read. Entries for an
    /// address that another person also has are not changed.
    func leaveSuppressions(in db: Database) throws {
        for id in ids {
            let addresses = try KnownAs.ever(of: PersonID(text: id), in: db).texts[.address] ?? []
            for address in addresses.sorted() {
                let forms = try SuppressionList.forms(of: address, in: db)
                guard try !isShared(forms.folded, in: db) else { continue }
                try db.execute(
                    sql: "DELETE FROM suppression WHERE folded = :folded AND origin = 'bounce'",
                    arguments: ["folded": forms.folded])
                try db.execute(
                    sql: """
                        UPDATE suppression SET folded = :digest, address = :name
                        WHERE folded = :folded AND channel NOT IN (
                            SELECT channel FROM suppression WHERE folded = :digest)
                        """,
                    arguments: [
                        "digest": forms.digest, "folded": forms.folded,
                        "name": Store.pseudonym(of: self.id),
                    ])
                try db.execute(
                    sql: "DELETE FROM suppression WHERE folded = :folded",
                    arguments: ["folded": forms.folded])
            }
        }
    }

    private func isShared(_ folded: String, in db: Database) throws -> Bool {
        let holders = try String.fetchAll(
            db, sql: "SELECT person_id FROM person_address WHERE folded = :folded",
            arguments: ["folded": folded])
        return holders.contains { !ids.contains($0) }
    }
}
