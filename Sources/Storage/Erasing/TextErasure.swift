import Agenda
import Foundation
import GRDB
import Interchange
import Ledger

/// Replaces a person's names, addresses and phone numbers in texts that others wrote.
struct TextErasure {
    /// A text column that may name a person.
    struct Column {
        let table: String
        let name: String
        /// True if the ledger itself writes the sentences. One-word names are replaced in these,
        /// too.
        var isLedger = false
        /// True if the values of the column must be unique.
        var isUnique = false
        /// True if programs wrote the texts, such as keys and links, where words may be joined in
        /// any way.
        var isJoined = false
        /// The SQL condition that selects the rows of a meeting; `nil` if the rows do not belong to
        /// meetings.
        var ofMeeting: String?
        /// True if users can see and change the text.
        var isShown = true
    }

    static let columns = [
        Column(table: "delivery", name: "reason", isLedger: true),
        Column(table: "delivery_turn", name: "reason", isLedger: true),
        Column(table: "attempt", name: "code", isLedger: true),
        Column(table: "attempt", name: "reply", isLedger: true),
        Column(table: "delivery", name: "address", isLedger: true),
        Column(table: "suppression", name: "reason", isLedger: true),
        Column(table: "open_breaker", name: "reason", isLedger: true),
        Column(table: "channel", name: "target"),
        Column(table: "channel_trouble", name: "code", isLedger: true),
        Column(table: "channel_trouble", name: "reply", isLedger: true),
        Column(table: "cron_run", name: "detail", isLedger: true),
        Column(table: "ignored_mail", name: "sender", isLedger: true),
        Column(table: "ignored_mail", name: "subject", isLedger: true),
        Column(table: "ignored_mail", name: "reason", isLedger: true),
        Column(table: "ignored_mail", name: "note", ofMeeting: "meeting_id = :meeting"),
        Column(table: "participant", name: "typed_name", ofMeeting: "meeting_id = :meeting"),
        Column(table: "participant", name: "known_address", ofMeeting: "meeting_id = :meeting"),
        Column(table: "answer", name: "note", ofMeeting: "meeting_id = :meeting"),
        Column(table: "seat_request", name: "note", ofMeeting: "meeting_id = :meeting"),
        Column(
            table: "body", name: "text",
            ofMeeting: "id IN (SELECT body_id FROM delivery WHERE meeting_id = :meeting)"),
        Column(table: "meeting", name: "title", ofMeeting: "id = :meeting"),
        Column(table: "meeting", name: "note", ofMeeting: "id = :meeting"),
        Column(table: "meeting", name: "link", isJoined: true, ofMeeting: "id = :meeting"),
        Column(table: "meeting", name: "place_text", ofMeeting: "id = :meeting"),
        Column(
            table: "meeting", name: "request_key", isUnique: true, isJoined: true,
            ofMeeting: "id = :meeting"),
        Column(
            table: "meeting_override", name: "place_text", ofMeeting: "meeting_id = :meeting"),
        Column(
            table: "meeting_history", name: "title", ofMeeting: "meeting_id = :meeting",
            isShown: false),
        Column(
            table: "meeting_history", name: "place_text", ofMeeting: "meeting_id = :meeting",
            isShown: false),
        Column(
            table: "peck", name: "title", ofMeeting: "meeting_id = :meeting", isShown: false),
        Column(table: "calendar_object", name: "text", isJoined: true),
        Column(table: "account", name: "about"),
        Column(table: "draft", name: "fields", isJoined: true),
        Column(table: "task", name: "subject"),
        Column(table: "task", name: "result", isJoined: true),
        Column(table: "saved_place", name: "address"),
        Column(table: "dataset", name: "name", isUnique: true),
    ]
    /// Tables whose rows have a `name` that their owner chose, and a `folded` form for searching.
    static let namedTables = ["circle", "saved_place"]

    let ids: [String]
    let pseudonym: String
    /// The terms that are replaced everywhere.
    private let terms: [ErasureTerm]
    /// One-word names, which are replaced everywhere in the ledger's own texts.
    private let ledgerTerms: [ErasureTerm]
    /// One-word names and nicknames, which are replaced in the person's own meetings.
    let ownWords: [String]
    /// Parts of names with several words. They may refer to other people, so they stay.
    let parts: [String]

    /// Collects the current and earlier names, addresses and phone numbers of these ids, without
    /// those that other people share: families share addresses and phones.
    init(of ids: [String], pseudonym: String, in db: Database) throws {
        self.ids = ids
        self.pseudonym = pseudonym
        let known = try ids.reduce(into: KnownAs()) {
            $0.formUnion(try KnownAs.ever(of: PersonID(text: $1), in: db))
        }
        func texts(_ kind: KnownAs.Kind) -> [String] {
            known.texts[kind, default: []]
                .filter { $0 != pseudonym && ErasureTerm.isSought($0) }
                .sorted { $0.count > $1.count }
        }
        let names = texts(.name).filter { $0.count >= Self.wordCharactersMin }
        let whole = names.filter { $0.contains(" ") }
        let single = names.filter { !$0.contains(" ") }
        terms =
            try Self.addresses(texts(.address), but: ids, in: db)
            + Self.names(whole, but: ids, in: db) + Self.phones(texts(.phone), but: ids, in: db)
        ledgerTerms = try Self.names(single, but: ids, in: db)
        ownWords =
            (single + texts(.nickname).filter { $0.count >= Self.wordCharactersMin })
            .withoutRepeats
        parts =
            whole.flatMap { $0.split(separator: " ").map(String.init) }
            .filter { $0.count >= Self.wordCharactersMin && $0.contains(where: \.isLetter) }
            .withoutRepeats
    }

    /// A single letter is an initial, or means something else.
    private static let wordCharactersMin = 2

    /// Replaces the person in all texts of a column.
    func replace(in column: Column, in db: Database) throws {
        let bare = ErasureTerm.bareSQL(column.name)
        for term in column.isLedger ? terms + ledgerTerms : terms {
            let texts = try String.fetchAll(
                db,
                sql: """
                    SELECT DISTINCT \(column.name) FROM \(column.table)
                    WHERE \(bare) LIKE '%' || :needle || '%'
                    """, arguments: ["needle": term.needle])
            for text in texts {
                try rewrite(
                    text, to: term.replaced(in: text, by: pseudonym, isJoined: column.isJoined),
                    in: column, in: db)
            }
        }
    }

    /// Replaces one text with another, in all rows of a column or in those of one meeting.
    func rewrite(
        _ text: String, to new: String, in column: Column, of meeting: String? = nil,
        in db: Database
    ) throws {
        guard new != text else { return }
        var new = new
        if column.isUnique {
            new = try Self.numbered(new) { text in
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (SELECT 1 FROM \(column.table) WHERE \(column.name) = :text)
                        """, arguments: ["text": text]) ?? false
            }
        }
        var arguments: StatementArguments = ["old": text, "new": new]
        var rows = "TRUE"
        if let meeting, let ofMeeting = column.ofMeeting {
            rows = ofMeeting
            arguments += ["meeting": meeting]
        }
        try db.execute(
            sql: """
                UPDATE \(column.table) SET \(column.name) = :new
                WHERE \(column.name) = :old AND \(rows)
                """, arguments: arguments)
    }

    /// Replaces the person in the names of a table, in any spelling.
    func rename(_ table: String, in db: Database) throws {
        func replaced(_ text: String) -> String {
            terms.reduce(text) { $1.replaced(in: $0, by: pseudonym, isJoined: false) }
        }
        for row in try Row.fetchAll(db, sql: "SELECT id, owner_id, name FROM \(table)") {
            let name: String = row["name"]
            var changed = replaced(name)
            let folded = SearchKey.fold(changed)
            if replaced(folded) != folded { changed = replaced(folded) }
            guard changed != name else { continue }
            changed = try Self.numbered(changed) { text in
                try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT EXISTS (
                            SELECT 1 FROM \(table)
                            WHERE owner_id = :owner AND folded = :folded AND id <> :id)
                        """,
                    arguments: [
                        "owner": row["owner_id"] as String, "folded": SearchKey.fold(text),
                        "id": row["id"] as String,
                    ]) ?? false
            }
            try db.execute(
                sql: "UPDATE \(table) SET name = :name, folded = :folded WHERE id = :id",
                arguments: [
                    "name": changed, "folded": SearchKey.fold(changed), "id": row["id"] as String,
                ])
        }
    }

    /// A text that is not taken yet: the given one, if necessary with a number appended.
    private static func numbered(
        _ text: String, unless isTaken: (String) throws -> Bool
    ) rethrows -> String {
        var (found, number) = (text, 1)
        while try isTaken(found) {
            number += 1
            found = "\(text) \(number)"
        }
        return found
    }
}

extension TextErasure {
    private static func addresses(
        _ texts: [String], but ids: [String], in db: Database
    ) throws -> [ErasureTerm] {
        try texts.filter { text in
            try !isOthers(
                "folded", "person_address", of: PersonAddresses.folded(text), "person_id",
                but: ids, in: db)
        }.flatMap(ErasureTerm.spellings(ofAddress:)).map(ErasureTerm.address)
    }

    private static func names(
        _ texts: [String], but ids: [String], in db: Database
    ) throws -> [ErasureTerm] {
        try texts.filter { try !isOthers("name", "person", of: $0, "id", but: ids, in: db) }
            .flatMap(ErasureTerm.spellings(of:)).map { try ErasureTerm.name($0) }
    }

    private static func phones(
        _ texts: [String], but ids: [String], in db: Database
    ) throws -> [ErasureTerm] {
        try texts.compactMap(ErasureTerm.phone).filter { term in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT person_id, card FROM contact
                    WHERE \(ErasureTerm.bareSQL("card")) LIKE '%' || :needle || '%'
                    """, arguments: ["needle": term.needle])
            return try !rows.map(Contact.init).contains { contact in
                !ids.contains(contact.person.text)
                    && contact.card.phones.contains { term.stands(in: $0.number) }
            }
        }
    }

    private static func isOthers(
        _ column: String, _ table: String, of value: String, _ key: String, but ids: [String],
        in db: Database
    ) throws -> Bool {
        let owners = try String.fetchAll(
            db, sql: "SELECT \(key) FROM \(table) WHERE \(column) = :value",
            arguments: ["value": value])
        return owners.contains { !ids.contains($0) }
    }
}

extension [String] {
    /// The array without repetitions; the first of equal elements stays.
    fileprivate var withoutRepeats: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
