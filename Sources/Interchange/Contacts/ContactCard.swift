import Foundation
/// A contact as an address book file describes it, in any format.
///
/// Texts from ``VCardReader`` and ``ContactCSVReader`` are trimmed and free of control characters.
/// Only ``note`` and the parts of an address may contain line breaks, as LF. Missing texts are
/// empty.
///
/// ```swift
/// let reading = VCardReader.read(bytes)
/// reading.cards.first?.emails.first { $0.preferred }?.address
/// ```
public struct ContactCard: Equatable, Sendable {
    /// The identifier of the card (UID), by which a later file updates it.
    public var uid: String?
    /// The full name for display (FN). Never empty after reading: if it is missing, the first of
    /// these is used: name parts, nickname, organization, mail address, phone number.
    public var formattedName: String
    /// The given name ("Ada").
    public var given = ""
    /// The family name ("Lovelace").
    public var family = ""
    /// Middle names.
    public var additional = ""
    /// The prefix of the name ("Dr.").
    public var prefix = ""
    /// The suffix of the name ("Jr.").
    public var suffix = ""
    /// Nicknames, each once.
    public var nicknames: [String] = []
    /// Other full names, each once, from merged cards of the same person.
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
    /// The time zone as the file states it: a name (`Europe/Paris`), an offset, or any other text.
    public var timeZone: String?
    /// The birthday: `1990-04-12`, or `--04-12` if the year is unknown.
    public var birthday: String?
    /// The anniversary, in the form of ``birthday``.
    public var anniversary: String?
    /// A note, which may have several lines.
    public var note = ""
    /// Categories, labels or groups, each once.
    public var categories: [String] = []
    /// Web addresses.
    public var urls: [String] = []
    /// For a group, the references to its members, each once: a plain UID, or text that begins with
    /// `urn:uuid:` or `mailto:`. Compare them by ``memberKey(of:)``. `nil` for a person.
    public var groupMembers: [String]?
    /// Properties without a field here, including pictures, kept for export. They are unfolded
    /// lines in the syntax of vCard 3.0 and 4.0 with their groups and parameters.
    public var extra: [String] = []
    /// The time of the last change (REV), as the file states it.
    public var revision: String?
    /// The first line of the card in its source, counted from 1, for messages.
    public var line: Int

    /// A card with only a name.
    public init(formattedName: String, line: Int = 1) {
        self.formattedName = formattedName
        self.line = line
    }

    /// A card with a typed name, read as in ``takeName(_:)``.
    public init(typedName: String) {
        self.init(formattedName: "")
        takeName(typedName)
    }

    /// Sets a typed name: its first word becomes the given name, the rest the family name.
    public mutating func takeName(_ name: String) {
        let words = name.split(separator: " ").map(String.init)
        formattedName = words.joined(separator: " ")
        given = words.first ?? ""
        family = words.dropFirst().joined(separator: " ")
    }

    /// The mail addresses in the order in which they are used: the preferred one first.
    public var emailsByPreference: [Email] {
        emails.filter(\.preferred) + emails.filter { !$0.preferred }
    }

    /// The property for ``also``, because vCard has none.
    static let alsoProperty = "X-LETSMEET-ALSO"

    /// True if ``extra`` contains a picture.
    public var hasPhoto: Bool {
        extra.contains { ExtraLine.name(of: $0) == "PHOTO" }
    }

    /// The key by which to compare a UID or an entry of ``groupMembers``: in lower case, without
    /// `urn:uuid:` and without the `:ABPerson` of macOS.
    ///
    /// ```swift
    /// ContactCard.memberKey(of: "urn:uuid:ED7A5AEC:ABPerson") == "ed7a5aec"
    /// ```
    public static func memberKey(of reference: String) -> String {
        if reference.prefix(7).lowercased() == "mailto:" {
            return "mailto:" + MailAddress.folded(String(reference.dropFirst(7)))
        }
        var key = reference.lowercased()[...]
        if key.hasPrefix("urn:uuid:") { key = key.dropFirst(9) }
        if key.hasSuffix(":abperson") { key = key.dropLast(9) }
        return String(key)
    }

    /// A UID in the spellings of different programs: a UUID in lower and upper case (RFC 9562, 4),
    /// and with `urn:uuid:` (RFC 6350, 6.7.6).
    ///
    /// - Parameter uid: the UID.
    /// - Returns: the UID itself, and the others if it is a UUID.
    public static func spellings(ofUID uid: String) -> [String] {
        let key = memberKey(of: uid)
        guard UUID(uuidString: key) != nil else {
            let isMarked = uid.prefix(9).lowercased() == "urn:uuid:"
            return isMarked ? [uid, String(uid.dropFirst(9))] : [uid]
        }
        return [uid, key, key.uppercased(), "urn:uuid:\(key)", "urn:uuid:\(key.uppercased())"]
            .withoutRepeats
    }

    /// Members of a group, given as in ``groupMembers``, as text for people: the first three, and
    /// the number of the others.
    ///
    /// ```swift
    /// ContactCard.names(ofMembers: ["mailto:a@x.example", "tel:+1"]) == "a@x.example, tel:+1"
    /// ```
    public static func names(ofMembers members: [String]) -> String {
        let names = members.prefix(3).map { member in
            KeptText.shown(member.hasPrefix("mailto:") ? String(member.dropFirst(7)) : member)
        }
        let rest = members.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}

extension ContactCard {
    /// A mail address of a contact.
    public struct Email: Equatable, Sendable {
        /// The address alone, without `mailto:`.
        public var address: String
        /// `home`, `work` or another type, in lower case; or a label, as its author wrote it.
        public var type: String?
        /// True if this is the preferred address.
        public var preferred: Bool

        /// Creates an address without checking it.
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
        /// The type, as in ``Email/type``; several types are joined by spaces (`work fax`).
        public var type: String?
        /// True if this is the preferred number.
        public var preferred: Bool

        /// Creates a number without checking it.
        public init(number: String, type: String? = nil, preferred: Bool = false) {
            self.number = number
            self.type = type
            self.preferred = preferred
        }
    }

    /// A postal address of a contact. Its parts may contain several lines.
    public struct PostalAddress: Equatable, Sendable {
        /// The post office box.
        public var poBox = ""
        /// An addition to the street: an apartment, a floor.
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
        /// The type, as in ``ContactCard/Email/type``.
        public var type: String?
        /// True if this is the preferred address.
        public var preferred = false
        /// The complete address as printed on a letter, if the file states it.
        public var label: String?

        /// An empty address.
        public init() {}

        /// True if all parts are empty and there is no label.
        public var isEmpty: Bool {
            parts.allSatisfy(\.isEmpty) && label == nil
        }

        /// The seven parts in the order of vCard.
        var parts: [String] {
            [poBox, extended, street, locality, region, postcode, country]
        }
    }
}
