/// A contact as an address book file describes it, whatever the format.
///
/// What ``VCardReader`` and ``ContactCSVReader`` return is trimmed and free of control characters;
/// only ``note`` and the parts of an address may have line breaks, as LF. Missing texts are empty.
///
/// ```swift
/// let reading = VCardReader.read(bytes)
/// reading.cards.first?.emails.first { $0.preferred }?.address
/// ```
public struct ContactCard: Equatable, Sendable {
    /// The name of the card itself, as its file has it (UID), by which a later file updates it.
    public var uid: String?
    /// The whole name, for showing (FN). Never empty after reading: where it is missing, it is
    /// made of the first that there is of name parts, nickname, organization, mail address, phone.
    public var formattedName: String
    /// The given name ("Ada").
    public var given = ""
    /// The family name ("Lovelace").
    public var family = ""
    /// Middle names.
    public var additional = ""
    /// What stands before the name ("Dr.").
    public var prefix = ""
    /// What stands after the name ("Jr.").
    public var suffix = ""
    /// Nicknames, each once.
    public var nicknames: [String] = []
    /// Other whole names, each once: of cards that turned out to be of the same person.
    public var also: [String] = []
    /// Mail addresses, each once; after reading at most one is preferred.
    public var emails: [Email] = []
    /// Phone numbers; after reading at most one is preferred.
    public var phones: [Phone] = []
    /// Postal addresses; after reading at most one is preferred.
    public var addresses: [PostalAddress] = []
    /// The name of the organization.
    public var organization = ""
    /// The units of the organization, the largest first.
    public var organizationUnits: [String] = []
    /// The job title.
    public var title = ""
    /// The time zone as the file has it: a name (`Europe/Paris`), an offset, or anything else.
    public var timeZone: String?
    /// `1990-04-12`, or `--04-12` where the year is not known.
    public var birthday: String?
    /// In the form of ``birthday``.
    public var anniversary: String?
    /// A note, of any number of lines.
    public var note = ""
    /// Categories, labels or groups, each once.
    public var categories: [String] = []
    /// Web addresses.
    public var urls: [String] = []
    /// For a group, the cards in it, each once: `urn:uuid:` or `mailto:` and what follows, or a
    /// plain uid. Compare them by ``memberKey(of:)``. Nil for a person.
    public var groupMembers: [String]?
    /// Properties that have no field here, pictures among them, as unfolded lines in the syntax of
    /// vCard 3.0 and 4.0 with their groups and parameters, kept for export.
    public var extra: [String] = []
    /// When the card was last changed (REV), as the file has it.
    public var revision: String?
    /// The first line of the card in its source, counted from 1, for messages.
    public var line: Int

    /// A card of which only the name is known.
    public init(formattedName: String, line: Int = 1) {
        self.formattedName = formattedName
        self.line = line
    }

    /// A card of somebody by a name that was typed, as ``takeName(_:)`` takes it.
    public init(typedName: String) {
        self.init(formattedName: "")
        takeName(typedName)
    }

    /// Takes a name that was typed: its first word is the given name, the others the family name.
    public mutating func takeName(_ name: String) {
        let words = name.split(separator: " ").map(String.init)
        formattedName = words.joined(separator: " ")
        given = words.first ?? ""
        family = words.dropFirst().joined(separator: " ")
    }

    /// The property for ``also``: vCard has none of its own.
    static let alsoProperty = "X-LETSMEET-ALSO"

    /// Whether the card has a picture, in ``extra``.
    public var hasPhoto: Bool {
        extra.contains { ExtraLine.name(of: $0) == "PHOTO" }
    }

    /// What a uid or an entry of ``groupMembers`` is to be compared by: lower case, without
    /// `urn:uuid:` and without the `:ABPerson` of macOS.
    ///
    /// ```swift
    /// ContactCard.memberKey(of: "urn:uuid:ED7A5AEC:ABPerson") == "ed7a5aec"
    /// ```
    public static func memberKey(of reference: String) -> String {
        var key = reference.lowercased()[...]
        if key.hasPrefix("urn:uuid:") { key = key.dropFirst(9) }
        if key.hasSuffix(":abperson") { key = key.dropLast(9) }
        return String(key)
    }
}

extension ContactCard {
    /// A mail address of a contact.
    public struct Email: Equatable, Sendable {
        /// The address alone, without `mailto:`.
        public var address: String
        /// `home`, `work` or another type, in lower case; or a label, as its author wrote it.
        public var type: String?
        /// Whether this is the address to write to.
        public var preferred: Bool

        /// An address as it is; nothing is checked.
        public init(address: String, type: String? = nil, preferred: Bool = false) {
            self.address = address
            self.type = type
            self.preferred = preferred
        }
    }

    /// A phone number of a contact.
    public struct Phone: Equatable, Sendable {
        /// The number as its author wrote it, without `tel:`.
        public var number: String
        /// As ``Email/type``; several types are joined by spaces (`work fax`).
        public var type: String?
        /// Whether this is the number to call.
        public var preferred: Bool

        /// A number as it is; nothing is checked.
        public init(number: String, type: String? = nil, preferred: Bool = false) {
            self.number = number
            self.type = type
            self.preferred = preferred
        }
    }

    /// A postal address of a contact. Its parts may have several lines.
    public struct PostalAddress: Equatable, Sendable {
        /// The post office box.
        public var poBox = ""
        /// What narrows the street down: an apartment, a floor.
        public var extended = ""
        /// Street and number.
        public var street = ""
        /// The town.
        public var locality = ""
        /// The state or province.
        public var region = ""
        /// The postal code.
        public var postcode = ""
        /// The country, as a name.
        public var country = ""
        /// As ``ContactCard/Email/type``.
        public var type: String?
        /// Whether this is the address to use.
        public var preferred = false
        /// The address as it is written on a letter, where the file has it.
        public var label: String?

        /// An address of which nothing is known.
        public init() {}

        /// Whether nothing at all is known.
        public var isEmpty: Bool {
            parts.allSatisfy(\.isEmpty) && label == nil
        }

        /// The seven parts in the order of vCard.
        var parts: [String] {
            [poBox, extended, street, locality, region, postcode, country]
        }
    }
}
