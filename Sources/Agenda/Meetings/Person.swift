public import Ledger

/// The permanent id of a person. It is never changed or reused.
public typealias PersonID = Identifier<Person>

/// A person known to this installation.
public struct Person: Equatable, Sendable {
    /// The longest name, in characters.
    public static let nameCharactersMax = 300

    /// The id of the person in meetings and in the ledger.
    public let id: PersonID
    /// The name to show.
    public var name: String
    /// The mail address to use; empty if unknown.
    public var address: String
    /// The address to which mail goes, if the organizer of a meeting must not learn any address
    /// of the person but ``address``, which may be the same; `nil` if they may know all.
    public private(set) var destination: String?
    /// The time zone in which the person reads times, if known.
    public var zone: String?
    /// The preferred language (BCP 47), if known.
    public var language: String?
    /// True if an organizer who does not know the person typed their address: the name is what they
    /// typed, and the person's own name, time zone and language stay hidden until they answer
    /// themselves.
    public var hasTypedName = false

    /// Creates a person.
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

    /// True if the person has no name other than their address.
    public var isCalledByAddress: Bool { name == address }

    /// The same person as an organizer sees them who knows only this address of theirs. Mail goes
    /// where it went.
    public func known(at address: String) -> Person {
        var person = self
        person.name = name.showing(only: address)
        person.destination = destination ?? self.address
        person.address = address
        return person
    }

    /// The same person for readers who may not see addresses. If the name is an address, it is
    /// replaced.
    public var withoutAddress: Person {
        Person(id: id, name: name.withoutAddress, zone: zone, language: language)
    }
}

/// The id of a circle.
public typealias CircleID = Identifier<Circle>

/// A named group of contacts, invited with one word.
public struct Circle: Equatable, Sendable {
    /// The id.
    public let id: CircleID
    /// The name.
    public let name: String
    /// The number of members.
    public let count: Int

    /// Creates a circle value.
    public init(id: CircleID, name: String, count: Int) {
        self.id = id
        self.name = name
        self.count = count
    }
}

/// The relation of an address book to a person in it.
public struct Acquaintance: Equatable, Sendable {
    /// True if the address book belongs to the owner of the installation.
    public let isOfOwner: Bool
    /// True if another address book has the person.
    public let isInOtherBook: Bool
    /// True if the person takes part in a meeting that somebody else organizes.
    public let isInOthersMeeting: Bool
    /// True if the person can sign in.
    public let hasAccount: Bool

    /// Creates a relation.
    public init(
        isOfOwner: Bool, isInOtherBook: Bool, isInOthersMeeting: Bool, hasAccount: Bool = false
    ) {
        self.hasAccount = hasAccount
        self.isOfOwner = isOfOwner
        self.isInOtherBook = isInOtherBook
        self.isInOthersMeeting = isInOthersMeeting
    }

    /// True if the book decides the person's name and address in meetings. The owner's book always
    /// does; another book does only for a person whom nobody else knows and who has no account,
    /// because otherwise anybody could redirect the mail of others.
    public var speaks: Bool {
        isOfOwner || !isInOtherBook && !isInOthersMeeting && !hasAccount
    }
}
