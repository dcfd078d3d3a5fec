public import Agenda
import GRDB
public import Ledger

/// People who come into a circle by an import.
public struct CircleAddition: Sendable {
    let circle: Circle
    let members: [PersonID]

    /// Describes people who come into a circle.
    ///
    /// - Parameters:
    ///   - circle: the circle to create, unless the owner has one with its name.
    ///   - members: the people.
    public init(_ circle: Circle, members: [PersonID]) {
        self.circle = circle
        self.members = members
    }
}

/// The result of adding people to a circle.
public struct CircleExtension: Sendable {
    let circle: CircleID
    /// The name of the circle, perhaps in other case than it was saved.
    public let name: String
    /// True if the circle was created.
    public private(set) var isNew: Bool
    /// The number of people who became members.
    public private(set) var added: Int
    /// The people who became members.
    private(set) var newMembers: [PersonID]
    /// The number of people who were left out, because they had been taken out of the circle.
    public private(set) var leftOut: Int

    /// Adds the result of adding further people.
    public mutating func add(_ other: CircleExtension) {
        isNew = isNew || other.isNew
        added += other.added
        newMembers += other.newMembers
        leftOut += other.leftOut
    }
}

extension CircleAddition {
    /// Creates the circle with the people, or adds them to the owner's circle with the same name.
    func save(owner: PersonID, in db: Database) throws -> CircleExtension {
        guard try !circle.insert(owner: owner, in: db) else {
            return try circle.id.extend(by: members, as: circle.name, isNew: true, in: db)
        }
        let known = try String.fetchOne(
            db.cachedStatement(
                sql: "SELECT id FROM circle WHERE owner_id = :owner AND folded = :folded"),
            arguments: ["owner": owner.text, "folded": SearchKey.fold(circle.name)])
        let id = known.map { CircleID(text: $0) } ?? circle.id
        return try id.extend(by: members, as: circle.name, in: db)
    }
}

extension CircleID {
    /// Adds people to the circle, apart from those who were taken out of it by hand.
    func extend(
        by members: [PersonID], as name: String, isNew: Bool = false, in db: Database
    ) throws -> CircleExtension {
        let (there, left) = try (everybody(in: db), leavers(in: db))
        let new = Set(members).subtracting(there)
        let added = new.subtracting(left).sorted { $0.text < $1.text }
        try Circle.add(added, to: self, in: db)
        return CircleExtension(
            circle: self, name: name, isNew: isNew, added: added.count, newMembers: added,
            leftOut: new.intersection(left).count)
    }
}
