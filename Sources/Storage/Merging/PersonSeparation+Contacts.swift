import Agenda
import GRDB
import Interchange
import Ledger

extension PersonSeparation {
    /// Makes two cards of one in an address book.
    func separate(
        _ cards: MergeRecord.Cards, by decisions: UnmergeDecisions, in db: Database
    ) throws {
        let owner = PersonID(text: cards.owner)
        let united = try ContactCard(stored: cards.united)
        var theirs = try cards.other.map { try ContactCard(stored: $0) }
        var picture = cards.otherState ?? PictureState()
        if var current = try Contact.fetch(kept, of: owner, in: db) {
            for uid in cards.aliases { try current.removeAlias(uid, owner: owner, in: db) }
            if let before = try cards.kept.map({ try ContactCard(stored: $0) }) {
                current.card = decisions.card(current.card, united, before)
                try current.save(owner: owner, in: db)
                try returnPicture(cards, in: db)
            } else {
                // Only the other person was in this book: the card is theirs, with what was edited.
                theirs = theirs.map { decisions.card(current.card, united, $0) }
                picture = try PictureState.fetch(of: kept, owner: owner, in: db)
                try moveMemberships(owner: owner, in: db)
                try Contact.remove(kept, owner: owner, in: db)
            }
        }
        guard let theirs else { return }
        let contact = Contact(person: other, card: theirs)
        try contact.save(owner: owner, in: db)
        try picture.save(of: other, owner: owner, in: db)
        for uid in cards.aliases where uid != theirs.uid {
            try contact.addAlias(uid, owner: owner, in: db)
        }
        for source in cards.sources { try source.save(for: contact, in: db) }
    }

    /// Takes away the picture that the merge gave to the person who stayed. A picture that they
    /// were given since then stays.
    private func returnPicture(_ cards: MergeRecord.Cards, in db: Database) throws {
        let owner = PersonID(text: cards.owner)
        let present = try PictureState.fetch(of: kept, owner: owner, in: db)
        guard let before = cards.keptState, !before.isChosen, present == cards.otherState else {
            return
        }
        try before.save(of: kept, owner: owner, in: db)
    }

    /// Gives the other person the memberships in the circles of a book.
    private func moveMemberships(owner: PersonID, in db: Database) throws {
        try db.execute(
            sql: """
                UPDATE circle_member SET person_id = :other
                WHERE person_id = :kept
                    AND circle_id IN (SELECT id FROM circle WHERE owner_id = :owner)
                    AND circle_id NOT IN (
                        SELECT circle_id FROM circle_member WHERE person_id = :other)
                """,
            arguments: ["kept": kept.text, "other": other.text, "owner": owner.text])
    }

    /// Moves the contacts of the other person's book back to it.
    func moveAddressBook(in db: Database) throws {
        for contact in merge.record.moved {
            let arguments: StatementArguments = [
                "number": contact.number, "person": contact.person, "kept": kept.text,
                "other": other.text,
            ]
            try db.execute(
                sql: """
                    UPDATE contact SET owner_id = :other
                    WHERE number = :number AND person_id = :person AND owner_id = :kept
                        AND person_id NOT IN (
                            SELECT person_id FROM contact WHERE owner_id = :other)
                    """, arguments: arguments)
            guard db.changesCount > 0 else { continue }
            // Circles have contacts of their own book only.
            try db.execute(
                sql: """
                    DELETE FROM circle_member WHERE person_id = :person
                        AND circle_id IN (SELECT id FROM circle WHERE owner_id = :kept)
                    """, arguments: ["person": contact.person, "kept": kept.text])
            for table in ["contact_key", "contact_alias", "card_source"] {
                try db.execute(
                    sql: """
                        UPDATE \(table) SET owner_id = :other
                        WHERE owner_id = :kept AND contact_number = :number
                        """,
                    arguments: [
                        "number": contact.number, "kept": kept.text, "other": other.text,
                    ])
            }
        }
    }
}
