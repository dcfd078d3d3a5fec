public import Ledger

/// Names a person for ever: never changed, never used again.
public typealias PersonID = Identifier<Person>

/// Somebody known to this installation.
public struct Person: Equatable, Sendable {
    /// The longest name, in characters.
    public static let nameCharactersMax = 300

    /// The id, by which meetings and the ledger know the person.
    public let id: PersonID
    /// The name to show.
    public var name: String
    /// The mail address to use; empty when none is known.
    public var address: String
    /// The zone in which the person reads times, where it is known.
    public var zone: String?
    /// The language in which they like to read (BCP 47), where it is known.
    public var language: String?

    /// Describes a person.
    public init(
        id: PersonID, name: String, address: String = "", zone: String? = nil,
        language: String? = nil
    ) {
        self.id = id
        self.name = name
        self.address = address
        self.zone = zone
        self.language = language
    }

    /// Whether nothing is known to call them by but their address.
    public var isCalledByAddress: Bool { name == address }

    /// The same for those who are to see no address: who has no other name has none.
    public var withoutAddress: Person {
        Person(id: id, name: name.withoutAddress, zone: zone, language: language)
    }
}
