public import Agenda
import GRDB
import Interchange
public import Ledger
public import Timekeeping

/// The owner of this installation, as configured.
public struct OwnerProfile: Equatable, Sendable {
    /// The name that others see.
    public let name: String
    /// The mail address; empty when none is set.
    public let address: String
    /// The time zone, if one is set.
    public let zone: String?

    /// Creates a profile.
    public init(name: String, address: String, zone: String?) {
        self.name = name
        self.address = address
        self.zone = zone
    }
}

extension OwnerProfile {
    /// The owner that is stored in the database; `nil` if there is none yet.
    static func fetch(_ db: Database) throws -> OwnerProfile? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: "\(Person.select) JOIN installation i ON i.owner_id = p.id")
        ).map { row in
            let person = Person(row: row)
            return OwnerProfile(name: person.name, address: person.address, zone: person.zone)
        }
    }
}

extension Store {
    /// Returns the owner, created with `newID` on first use and updated to match the profile.
    /// `isElsewhere` is true if the owner's time zone or address has changed, because this may move
    /// their notifications. `sinks` is stored on first use: the sinks with which meetings are
    /// planned from then on.
    public func owner(
        profile: OwnerProfile, newID: PersonID, sinks: String, now: Moment
    ) async throws -> (owner: Person, isElsewhere: Bool) {
        let known = try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: "\(Person.select) JOIN installation i ON i.owner_id = p.id")
            ).map(Person.init(row:))
        }
        if let known, known.hasProfile(profile) { return (known, false) }
        return try await write { db in
            let id = try PersonID.fetchOwner(db) ?? newID
            try db.cachedStatement(
                sql: """
                    INSERT INTO person (id, name, zone, created_at)
                    VALUES (:id, :name, :zone, :now)
                    ON CONFLICT (id) DO UPDATE SET name = :name, zone = :zone
                    """
            ).execute(
                arguments: [
                    "id": id.text, "name": profile.name, "zone": profile.zone,
                    "now": now.milliseconds,
                ])
            try db.cachedStatement(
                sql: """
                    INSERT INTO installation (id, owner_id, sinks) VALUES (1, :id, :sinks)
                    ON CONFLICT (id) DO NOTHING
                    """
            ).execute(
                arguments: ["id": id.text, "sinks": sinks])
            let addresses = profile.address.isEmpty ? [] : [profile.address]
            try db.cachedStatement(
                sql: "UPDATE person_address SET is_verified = 0 WHERE person_id = :id"
            ).execute(arguments: ["id": id.text])
            try PersonAddresses.replace(of: id, with: addresses, in: db)
            // Who writes the configuration decides about the owner's address.
            for address in addresses { try PersonAddresses.verify(address, of: id, in: db) }
            let owner = Person(
                id: id, name: profile.name, address: profile.address, zone: profile.zone)
            let isSame = known.map { $0.zone == owner.zone && $0.address == owner.address }
            return (owner, isSame == false)
        }
    }

    /// Replans the coming meetings of a person.
    ///
    /// - Parameters:
    ///   - person: the person whose meetings are replanned.
    ///   - now: the current time.
    ///   - replanning: plans a meeting.
    /// - Returns: the meetings that could not be replanned, with the reasons.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func replanMeetings(
        of person: PersonID, now: Moment, replanning: @escaping Replanning
    ) async throws -> [ReplanFailure] {
        try await write { db in
            try MeetingBundle.replanEach(
                MeetingID.coming(of: person, now: now, in: db), by: replanning, in: db)
        }
    }

    /// The person with this id, or the person into whom they were merged.
    public func person(_ id: PersonID) async throws -> Person? {
        try await read { db in try Person.fetch(id, in: db) }
    }

    /// The persons outside this address book whose names match a text best, with the match quality,
    /// at most `limit`.
    ///
    /// This scans all such persons, because their names have no index and the query is rare.
    public func persons(
        fitting text: String, outside owner: PersonID, limit: Int
    ) async throws -> [(person: Person, quality: MatchQuality)] {
        try await read { db in
            let rows = try Row.fetchCursor(
                db,
                sql: """
                    \(Person.select)
                    WHERE p.merged_into IS NULL AND p.is_erased = 0
                        AND NOT EXISTS (SELECT 1 FROM installation i WHERE i.owner_id = p.id)
                        AND NOT EXISTS (
                            SELECT 1 FROM contact c
                            WHERE c.owner_id = :owner AND c.person_id = p.id)
                    """, arguments: ["owner": owner.text])
            var found: [(person: Person, quality: MatchQuality)] = []
            while let row = try rows.next() {
                let person = Person(row: row)
                let card = ContactCard(formattedName: person.name)
                guard let quality = MatchQuality(of: text, on: card) else { continue }
                if let best = found.first?.quality, quality != best {
                    guard quality <= best else { continue }
                    found = []
                }
                if found.count < limit { found.append((person, quality)) }
            }
            return found
        }
    }
}

extension Person {
    /// The guests who have one of these addresses. A guest is in no address book, and is neither
    /// the owner of the installation nor the owner of the book that asks. Guests who take part in
    /// meetings of others are returned only to the owner of the installation.
    static func guests(
        at addresses: [String], besides owner: PersonID, in db: Database
    ) throws -> [Person] {
        // The asking book is checked first because it has an index for this, and most people in an
        // import are already in it.
        let statement = try db.cachedStatement(
            sql: """
                \(select)
                WHERE p.id IN (
                        SELECT person_id FROM person_address WHERE folded = :address LIMIT :sharers)
                    AND p.merged_into IS NULL AND p.id <> :owner
                    AND NOT EXISTS (SELECT 1 FROM installation i WHERE i.owner_id = p.id)
                    AND NOT EXISTS (
                        SELECT 1 FROM contact c
                        WHERE c.owner_id = :owner AND c.person_id = p.id)
                    AND NOT EXISTS (SELECT 1 FROM contact c WHERE c.person_id = p.id)
                LIMIT :limit
                """)
        var found: [Person] = []
        for address in addresses {
            let rows = try Row.fetchAll(
                statement,
                arguments: [
                    "address": PersonAddresses.folded(address), "owner": owner.text,
                    "limit": CardCandidates.limit, "sharers": CardCandidates.sharersMax,
                ])
            found += try rows.map(Person.init(row:)).filter { person in
                guard !found.contains(where: { $0.id == person.id }) else { return false }
                return try owner.speaks(for: person.id, in: db)
            }
        }
        return found
    }

    /// Selects persons with their first address.
    static let select = """
        SELECT p.id, p.name, p.zone, p.language, coalesce((
            SELECT a.address FROM person_address a WHERE a.person_id = p.id
            ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1), '') AS address
        FROM person p
        """

    init(row: Row) {
        self.init(
            id: PersonID(text: row["id"]), name: row["name"], address: row["address"],
            zone: row["zone"], language: row["language"])
    }

    /// Adds guests who have no more than an address and a name.
    ///
    /// - Throws: ``StoreError/peopleChanged`` if another process has created the same guest since
    ///   the request was read: two persons with the same address and name would stay ambiguous.
    static func insertGuests(_ guests: [Person], now: Moment, in db: Database) throws {
        for guest in guests {
            let known = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(select) WHERE p.merged_into IS NULL AND p.id IN (
                            SELECT f.person_id FROM person_address f
                            WHERE f.folded = :address AND (f.is_verified = 1 OR NOT EXISTS (
                                SELECT 1 FROM contact c WHERE c.person_id = f.person_id)))
                        """),
                arguments: ["address": PersonAddresses.folded(guest.address)]
            ).map(Person.init(row:))
            let isKnown = known.contains {
                $0.isCalledByAddress || SearchKey.isSameName($0.name, guest.name)
            }
            guard !isKnown else { throw StoreError.peopleChanged }
            try guest.insert(in: db, now: now)
        }
    }

    /// Checks that the people who are about to be invited still exist.
    ///
    /// - Throws: ``StoreError/peopleChanged`` if one of them has been erased or merged into
    ///   somebody else.
    static func checkAreThere(_ people: [PersonID], in db: Database) throws {
        guard try !PeopleBatches.isAnyGone(people, in: db) else { throw StoreError.peopleChanged }
    }

    static func fetch(_ id: PersonID, in db: Database) throws -> Person? {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    \(select) WHERE p.id = (
                        SELECT coalesce(merged_into, id) FROM person WHERE id = :id)
                    """),
            arguments: ["id": id.text]
        ).map(Person.init(row:))
    }

    func hasProfile(_ profile: OwnerProfile) -> Bool {
        name == profile.name && address == profile.address && zone == profile.zone
    }

    /// Inserts a person who is new to this installation: a guest with an address or a name.
    func insert(in db: Database, now: Moment) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO person (id, name, zone, created_at)
                VALUES (:id, :name, :zone, :now)
                """
        ).execute(arguments: [
            "id": id.text, "name": name, "zone": zone, "now": now.milliseconds,
        ])
        guard !address.isEmpty else { return }
        try PersonAddresses.replace(of: id, with: [address], in: db)
    }
}

extension PersonID {
    static func fetchOwner(_ db: Database) throws -> PersonID? {
        try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT owner_id FROM installation")
        ).map { PersonID(text: $0) }
    }

    /// True if this owner's address book decides about a person: see ``Acquaintance/speaks``.
    func speaks(for person: PersonID, in db: Database) throws -> Bool {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (SELECT 1 FROM installation WHERE owner_id = :speaker),
                        EXISTS (
                            SELECT 1 FROM contact
                            WHERE person_id = :person AND owner_id <> :speaker),
                        EXISTS (
                            SELECT 1 FROM participant p JOIN meeting m ON m.id = p.meeting_id
                            WHERE p.person_id = :person AND m.organizer_id <> :speaker),
                        EXISTS (SELECT 1 FROM account WHERE person_id = :person)
                    """), arguments: ["speaker": text, "person": person.text])
        guard let row else { return false }
        return Acquaintance(
            isOfOwner: row[0], isInOtherBook: row[1], isInOthersMeeting: row[2],
            hasAccount: row[3]
        ).speaks
    }
}

/// The addresses of persons, in order of preference.
enum PersonAddresses {
    /// The form in which addresses are compared.
    static func folded(_ address: String) -> String { MailAddress.folded(address) }

    /// True if an address is the one to which the mails of a person go.
    static func isFirst(_ folded: String, in db: Database) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM person_address f WHERE f.folded = :folded AND f.folded = (
                            SELECT a.folded FROM person_address a WHERE a.person_id = f.person_id
                            ORDER BY a.is_verified DESC, a.position, a.folded LIMIT 1))
                    """), arguments: ["folded": folded]) == true
    }

    /// Replaces the unverified addresses of a person. Verified addresses keep their place, whatever
    /// the address book says: their person decides to which of them mails go.
    static func replace(of person: PersonID, with addresses: [String], in db: Database) throws {
        try db.cachedStatement(
            sql: "DELETE FROM person_address WHERE person_id = :id AND is_verified = 0"
        ).execute(arguments: ["id": person.text])
        for (position, address) in addresses.enumerated() {
            try db.cachedStatement(
                sql: """
                    INSERT INTO person_address (person_id, folded, address, position)
                    VALUES (:id, :folded, :address, :position)
                    ON CONFLICT (person_id, folded) DO UPDATE SET position = :position
                        WHERE person_address.is_verified = 0
                    """
            ).execute(arguments: [
                "id": person.text, "folded": folded(address), "address": address,
                "position": position,
            ])
        }
    }
}

extension PeopleLookup {
    /// The person with this id, or the person into whom they were merged.
    public func person(_ id: PersonID) throws -> Person? { try Person.fetch(id, in: db) }

    /// The contact of a person in an owner's address book; `nil` if they are not in it.
    public func contact(_ person: PersonID, of owner: PersonID) throws -> Contact? {
        try Contact.fetch(person, of: owner, in: db)
    }

    /// The contact with this UID in an owner's address book; `nil` if there is none.
    public func contact(uid: String, of owner: PersonID) throws -> Contact? {
        try Contact.fetch(uid: uid, of: owner, in: db)
    }

    /// The persons whose id, or an id that was merged into theirs, starts with this prefix.
    /// Prefixes shorter than four characters match nobody.
    public func persons(idPrefix: String, limit: Int) throws -> [Person] {
        guard idPrefix.utf8.count >= 4 else { return [] }
        return try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    \(Person.select)
                    WHERE p.id IN (
                        SELECT coalesce(merged_into, id) FROM person
                        WHERE id >= :prefix AND id < :prefix || '~')
                    ORDER BY p.id LIMIT :limit
                    """), arguments: ["prefix": idPrefix, "limit": limit]
        ).map(Person.init(row:))
    }
}

/// A consistent view of people, contacts, circles and places for several queries in one read
/// transaction.
///
/// Resolving a text to a person takes several queries, and a list of names takes many. In separate
/// transactions, most of the time would be overhead, and the results might come from different
/// states of the database.
public struct PeopleLookup {
    let db: Database
}

extension Store {
    /// Runs `body` with a lookup that may query people, contacts, circles and places any number of
    /// times.
    ///
    /// - Throws: ``StoreError``, and any error that `body` throws.
    public func lookUp<Value: Sendable>(
        _ body: @escaping @Sendable (PeopleLookup) throws -> Value
    ) async throws -> Value {
        try await read { db in try body(PeopleLookup(db: db)) }
    }
}
