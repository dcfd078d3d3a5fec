import Agenda
import GRDB
import Ledger

/// The picture of a contact, and where it comes from.
public struct PictureState: Codable, Equatable, Sendable {
    /// The name of the files; `nil` for none.
    public var name: String?
    /// The SHA-256 of the last photo of a card that was taken or left out, as 64 hexadecimal
    /// digits; `nil` for none.
    public var photo: String?
    /// True if the owner of the address book chose the picture, or chose none.
    public var isOwn = false

    /// The state of a contact without a picture.
    public init() {}

    init(name: String?, photo: String?, isOwn: Bool) {
        self.name = name
        self.photo = photo
        self.isOwn = isOwn
    }

    /// True if a merge must keep it: there is a picture, or there shall be none.
    var isChosen: Bool { name != nil || isOwn }
}

extension PictureState {
    /// The columns of a contact `c`.
    static let columns = "c.picture, c.photo, c.is_own_picture"

    init(row: Row) {
        self.init(name: row["picture"], photo: row["photo"], isOwn: row["is_own_picture"])
    }

    /// The state of a contact, also by the id of a person who was merged into it; that without a
    /// picture for other people.
    static func fetch(
        of person: PersonID, owner: PersonID, in db: Database
    ) throws -> PictureState {
        try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT \(columns) FROM contact c
                    WHERE c.owner_id = :owner AND c.person_id = (
                        SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                    """),
            arguments: ["owner": owner.text, "person": person.text]
        ).map(PictureState.init(row:)) ?? PictureState()
    }

    /// Records the state of a contact. The files must be there.
    func save(of person: PersonID, owner: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                UPDATE contact SET picture = :name, photo = :photo, is_own_picture = :own
                WHERE owner_id = :owner AND person_id = (
                    SELECT coalesce(merged_into, id) FROM person WHERE id = :person)
                """
        ).execute(arguments: [
            "name": name, "photo": photo, "own": isOwn ? 1 : 0, "owner": owner.text,
            "person": person.text,
        ])
    }
}
