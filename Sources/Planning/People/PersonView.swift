package import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping
import Wording

/// A person in one line: enough to tell them from others.
public struct PersonLine: Encodable, Sendable {
    /// The person's id.
    public let id: String
    /// The name.
    public let name: String
    /// The mail address to use; empty if it is unknown, or if the actor may not see it.
    public let address: String

    /// The line of a person. The address is left out if it is private.
    package init(_ person: Person, isPrivate: Bool = false) {
        self.init(
            person.id, name: person.name, address: person.address, isPrivate: isPrivate)
    }

    /// The line of a contact. The address is left out if it is private.
    init(_ contact: Contact, isPrivate: Bool = false) {
        self.init(
            contact.person, name: contact.card.formattedName,
            address: contact.card.emailsByPreference.first?.address ?? "", isPrivate: isPrivate)
    }

    /// A line from its parts. If the address is private and the name is an address, the name is cut
    /// before the "@".
    private init(_ person: PersonID, name: String, address: String, isPrivate: Bool) {
        // The name may be an earlier address of the person.
        let isCalledByAddress = name == address || MailAddress.plausible(name) != nil
        id = person.text
        self.name = isPrivate && isCalledByAddress ? String(name.prefix { $0 != "@" }) : name
        self.address = isPrivate ? "" : address
    }
}

/// A contact as `people show` prints it.
public struct PersonView: Encodable, Sendable {
    /// A mail address.
    public struct Email: Encodable, Sendable {
        /// The address.
        public let address: String
        /// `home`, `work`, or a label.
        @Null public var type: String?
        /// True if this is the address to write to.
        public let preferred: Bool
    }
    /// A phone number.
    public struct Phone: Encodable, Sendable {
        /// The number.
        public let number: String
        /// `mobile`, `work`, or a label.
        @Null public var type: String?
    }
    /// A postal address.
    public struct Address: Encodable, Sendable {
        /// Street and number.
        public let street: String
        /// The town.
        public let locality: String
        /// The state or province.
        public let region: String
        /// The postal code.
        public let postcode: String
        /// The country.
        public let country: String
        /// `home`, `work`, or a label.
        @Null public var type: String?
    }

    /// The person's id.
    public let id: String
    /// The full name.
    public let name: String
    /// The given name.
    public let given: String
    /// The family name.
    public let family: String
    /// Nicknames.
    public let nicknames: [String]
    /// Full names of other contacts that were merged into this one.
    public let also: [String]
    /// Mail addresses, the one to write to first.
    public let emails: [Email]
    /// Phone numbers.
    public let phones: [Phone]
    /// The organization.
    public let organization: String
    /// Postal addresses.
    public let addresses: [Address]
    /// The time zone.
    @Null public var tz: String?
    /// The preferred language (BCP 47); `null` if it is unknown.
    @Null public var language: String?
    /// The birthday: `1990-04-12`, or `--04-12`.
    @Null public var birthday: String?
    /// A note.
    public let note: String

    /// The town where the person lives: that of the first postal address at home, or else of the
    /// first one without a type. Empty if it is unknown.
    public var town: String {
        (addresses.first { $0.type == "home" } ?? addresses.first { $0.type == nil })?.locality
            ?? ""
    }

    /// Describes a contact. A time zone that is unknown and a language without texts are not
    /// shown, because they are not used.
    init(_ contact: Contact, zones: ZoneDirectory) {
        let card = contact.card
        id = contact.person.text
        name = card.formattedName
        given = card.given
        family = card.family
        nicknames = card.nicknames
        also = card.also
        emails = card.emailsByPreference.map {
            Email(address: $0.address, type: $0.type, preferred: $0.preferred)
        }
        phones = card.phones.map { Phone(number: $0.number, type: $0.type) }
        organization = card.organization
        addresses = card.addresses.map {
            Address(
                street: $0.street, locality: $0.locality, region: $0.region,
                postcode: $0.postcode, country: $0.country, type: $0.type)
        }
        tz = card.timeZone.flatMap { zones.zoneIfKnown($0) == nil ? nil : $0 }
        language = card.language.flatMap { Language(tag: $0) == nil ? nil : $0 }
        birthday = card.birthday
        note = card.note
    }
}

/// A circle with the number of its people.
public struct CircleView: Encodable, Sendable {
    /// The id.
    public let id: String
    /// The name.
    public let name: String
    /// The number of people in the circle.
    public let count: Int

    init(_ circle: Circle) {
        id = circle.id.text
        name = circle.name
        count = circle.count
    }
}
