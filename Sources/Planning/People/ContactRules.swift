import Agenda
import Interchange

/// The limits of contacts, for typed and for imported ones.
///
/// Names are limited by ``Person/nameCharactersMax``. Mail addresses are limited by
/// ``ContactLimits/mailAddressBytesMax``, which the readers of files check.
enum ContactRules {
    /// The maximum length of a phone number, organization, title or time zone, in characters.
    static let lineCharactersMax = 300
    /// The maximum length of a note, in characters.
    static let noteCharactersMax = 20_000
    /// The maximum number of mail addresses of one contact. The same limit applies to phone
    /// numbers, postal addresses, nicknames, other names, web addresses and categories.
    static let entriesMax = 100

    /// Checks a card against the limits. The card of a group is checked like a circle.
    static func check(_ card: ContactCard) throws {
        guard card.groupMembers == nil else {
            return try checkCircle(named: card.formattedName)
        }
        try MeetingRules.checkLine(
            card.formattedName, named: "name", of: "person",
            charactersMax: Person.nameCharactersMax)
        let names = [card.given, card.family, card.additional, card.prefix, card.suffix]
        try check(
            names + card.nicknames + card.also, named: "name",
            charactersMax: Person.nameCharactersMax)
        try check(card.phones.map(\.number), named: "phone")
        try check([card.organization] + card.organizationUnits, named: "organization")
        try check([card.title], named: "title")
        try check([card.timeZone ?? ""], named: "zone")
        try MeetingRules.checkText(
            card.note, named: "note", charactersMax: noteCharactersMax)
        let counts = [
            ("mail addresses", card.emails.count), ("phone numbers", card.phones.count),
            ("postal addresses", card.addresses.count), ("nicknames", card.nicknames.count),
            ("other names", card.also.count), ("web addresses", card.urls.count),
            ("categories", card.categories.count),
        ]
        for (things, count) in counts where count > entriesMax {
            throw RuleViolation(
                code: "too_many_entries",
                message: "A contact can have at most \(entriesMax) \(things). This one has "
                    + "\(count).")
        }
    }

    /// Checks that the name of a circle can be used where people are named: it may not look like
    /// a list or an address.
    static func checkCircle(named name: String) throws {
        try MeetingRules.checkLine(
            name, named: "name", of: "circle", charactersMax: Person.nameCharactersMax)
        guard !SearchKey.fold(name).isEmpty, !name.contains(","), !name.contains("@") else {
            throw Refusal(
                .invalid, code: "bad_name",
                "The name of a circle needs a letter or a digit, and no comma and no @.")
        }
        // Where people are named, it would stand in front of the person with this id.
        guard !looksLikeID(name) else {
            throw Refusal(
                .invalid, code: "bad_name", "The name of a circle may not look like an id.")
        }
    }

    private static func looksLikeID(_ name: String) -> Bool {
        let word = name.lowercased().utf8
        return word.count == idOctets && word.contains { $0 < 0x3A }
            && word.allSatisfy { (0x61...0x7A).contains($0) || (0x32...0x39).contains($0) }
    }

    /// The length of the id of a person.
    private static let idOctets = 16

    private static func check(
        _ lines: [String], named name: String, charactersMax: Int = lineCharactersMax
    ) throws(RuleViolation) {
        for line in lines {
            try MeetingRules.checkLine(
                line, named: name, charactersMax: charactersMax, mayShowNothing: true)
        }
    }
}
