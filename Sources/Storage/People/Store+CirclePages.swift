public import Agenda
import GRDB
public import Ledger

/// A member of a circle.
public struct CircleMember: Sendable {
    /// The person, without an address.
    public let person: Person
    /// Their contact in the address book of the circle's owner; `nil` if there is none.
    public let contact: Contact?
}

/// Pages of circles and of their members.
extension Store {
    /// The circles of an owner, sorted by name.
    ///
    /// - Parameters:
    ///   - owner: the owner.
    ///   - offset: the number of circles before the first one that is returned.
    ///   - limit: the most circles.
    /// - Returns: the circles.
    /// - Throws: ``StoreError``.
    public func circles(
        of owner: PersonID, from offset: Int, limit: Int
    ) async throws -> [Circle] {
        try await read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        \(Circle.select) WHERE c.owner_id = :owner
                        ORDER BY c.folded LIMIT :limit OFFSET :offset
                        """),
                arguments: ["owner": owner.text, "limit": limit, "offset": offset]
            ).map(Circle.init(row:))
        }
    }

    /// The circles of an owner, sorted by name, each with whether a person is in it.
    ///
    /// - Parameters:
    ///   - owner: the owner.
    ///   - person: the person.
    ///   - limit: the most circles.
    /// - Returns: the circles; `isIn` is true for those with the person.
    /// - Throws: ``StoreError``.
    public func circles(
        of owner: PersonID, marking person: PersonID, limit: Int
    ) async throws -> [(circle: Circle, isIn: Bool)] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        SELECT c.id, c.name,
                            (SELECT count(*) FROM circle_member m WHERE m.circle_id = c.id)
                                AS count,
                            EXISTS (
                                SELECT 1 FROM circle_member n
                                WHERE n.circle_id = c.id AND n.person_id = :person) AS is_in
                        FROM circle c WHERE c.owner_id = :owner
                        ORDER BY c.folded LIMIT :limit
                        """),
                arguments: ["owner": owner.text, "person": person.text, "limit": limit]
            ) { (circle: Circle(row: $0), isIn: $0["is_in"]) }
        }
    }

    /// The members of a circle, sorted as in the address book of its owner.
    ///
    /// - Parameters:
    ///   - circle: the circle.
    ///   - owner: its owner.
    ///   - offset: the number of members before the first one that is returned.
    ///   - limit: the most members.
    /// - Returns: the members.
    /// - Throws: ``StoreError``.
    public func members(
        of circle: CircleID, owner: PersonID, from offset: Int, limit: Int
    ) async throws -> [CircleMember] {
        try await read { db in
            try Row.read(
                db.cachedStatement(
                    sql: """
                        \(CircleMember.select) WHERE m.circle_id = :circle
                        ORDER BY coalesce(c.sort_key, p.name), p.id
                        LIMIT :limit OFFSET :offset
                        """),
                arguments: [
                    "circle": circle.text, "owner": owner.text, "limit": limit,
                    "offset": offset,
                ], as: CircleMember.init(row:))
        }
    }

    /// A member of a circle; `nil` if the person is not in it.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - circle: the circle.
    ///   - owner: its owner.
    /// - Returns: the member.
    /// - Throws: ``StoreError``.
    public func member(
        _ person: PersonID, of circle: CircleID, owner: PersonID
    ) async throws -> CircleMember? {
        try await read { db in
            try Row.fetchOne(
                db.cachedStatement(
                    sql: """
                        \(CircleMember.select)
                        WHERE m.circle_id = :circle AND m.person_id = :person
                        """),
                arguments: [
                    "circle": circle.text, "person": person.text, "owner": owner.text,
                ]
            ).map(CircleMember.init(row:))
        }
    }
}

extension CircleMember {
    fileprivate static let select = """
        SELECT p.id AS person_id, p.name, c.card, c.picture
        FROM circle_member m JOIN person p ON p.id = m.person_id
        LEFT JOIN contact c ON c.person_id = m.person_id AND c.owner_id = :owner
        """

    fileprivate init(row: Row) throws {
        let hasCard = (row["card"] as String?) != nil
        self.init(
            person: Person(
                id: PersonID(text: row["person_id"]), name: row["name"], address: ""),
            contact: hasCard ? try Contact(row: row) : nil)
    }
}
