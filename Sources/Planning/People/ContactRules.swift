import Agenda
import Interchange

/// The limits within which contacts are kept, whether somebody types them or a file brings them.
///
/// The longest name is ``Person/nameCharactersMax``; that of a mail address is
/// ``ContactLimits/mailAddressBytesMax``, which the readers hold.
enum ContactRules {
    /// The longest phone number, organization, title or zone, in characters.
    static let lineCharactersMax = 300
    /// The longest note, in characters.
    static let noteCharactersMax = 20_000
    /// The most mail addresses, phone numbers, postal addresses, nicknames or other names of one
    /// contact.
    static let entriesMax = 100

    /// Holds a card to the limits; a group to those of a circle.
    static func check(_ card: ContactCard) throws {
        guard card.groupMembers == nil else {
            return try checkCircle(named: card.formattedName)
        }
        try MeetingRules.checkLine(
            card.formattedName, named: "name", charactersMax: Person.nameCharactersMax)
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
            ("other names", card.also.count),
        ]
        for (things, count) in counts where count > entriesMax {
            throw RuleViolation(
                code: "too_many_entries",
                message: "A contact has at most \(entriesMax) \(things); that would be \(count).")
        }
    }

    /// The name of a circle can be written as a WHO.
    static func checkCircle(named name: String) throws {
        try MeetingRules.checkLine(name, named: "name", charactersMax: Person.nameCharactersMax)
        guard !SearchKey.fold(name).isEmpty, !name.contains(","), !name.contains("@") else {
            throw Refusal(
                .invalid, code: "bad_name", "A circle's name needs letters, no comma and no @.")
        }
    }

    private static func check(
        _ lines: [String], named name: String, charactersMax: Int = lineCharactersMax
    ) throws(RuleViolation) {
        for line in lines {
            try MeetingRules.checkLine(
                line, named: name, charactersMax: charactersMax, mayShowNothing: true)
        }
    }
}
