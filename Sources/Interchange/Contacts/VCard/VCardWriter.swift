/// Writes vCard 3.0 (RFC 2426) and 4.0 (RFC 6350).
public enum VCardWriter {
    /// The versions that can be written. Every address book reads 3.0.
    public enum Version: Sendable {
        /// RFC 2426.
        case v3
        /// RFC 6350.
        case v4
    }

    /// `cards` as one file with CRLF line ends and lines of at most 75 octets, folded between
    /// characters.
    ///
    /// Data for which a version has no property gets the customary one: in 3.0, groups use Apple's
    /// `X-ADDRESSBOOKSERVER-KIND`, and a birthday without a year uses Apple's year 1604. In both
    /// versions a type that is not a plain word becomes an `X-ABLabel`. Left out are dates that are
    /// not in the form of ``ContactCard/birthday``, and entries of ``ContactCard/extra`` that are
    /// not properties.
    public static func write(_ cards: [ContactCard], version: Version) -> String {
        var output = VCardOutput(version: version)
        for card in cards { output.append(card) }
        return String(decoding: output.bytes, as: UTF8.self)
    }
}

/// The part of the file written so far.
private struct VCardOutput {
    let version: VCardWriter.Version
    private(set) var bytes: [UInt8] = []
    /// The groups of the card's extra lines, which labels must not use.
    private var takenGroups: Set<String> = []
    private var groupNumber = 0

    init(version: VCardWriter.Version) {
        self.version = version
    }

    mutating func append(_ unnamed: ContactCard) {
        var card = unnamed
        card.deriveFormattedName()
        let extras = card.extra.compactMap(ExtraLine.property)
        takenGroups = Set(extras.map(\.group))
        groupNumber = 0
        line("BEGIN:VCARD")
        line(version == .v3 ? "VERSION:3.0" : "VERSION:4.0")
        appendIdentity(card)
        appendName(card)
        for email in card.emails {
            property("EMAIL", email.type, email.preferred, VCardText.escaped(email.address))
        }
        for phone in card.phones {
            property("TEL", phone.type, phone.preferred, VCardText.escaped(phone.number))
        }
        for address in card.addresses { append(address) }
        appendRest(card)
        appendMembers(card)
        for extra in extras { line(BinaryProperty.line(extra, for: version)) }
        line("END:VCARD")
    }

    private mutating func line(_ line: String) {
        LineFolding.append(line.utf8, to: &bytes)
    }

    private mutating func text(_ head: String, _ text: String) {
        if !text.isEmpty { line("\(head):\(VCardText.escaped(text))") }
    }

    private mutating func list(_ head: String, _ texts: [String], separator: String = ",") {
        guard texts.contains(where: { !$0.isEmpty }) else { return }
        line("\(head):\(texts.map(VCardText.escaped).joined(separator: separator))")
    }

    private mutating func appendIdentity(_ card: ContactCard) {
        let uid = card.uid ?? ""
        // A UID of 4.0 is a URI unless it is marked as text.
        text(version == .v4 && !uid.contains(":") ? "UID;VALUE=text" : "UID", uid)
        text("REV", card.revision ?? "")
        if card.groupMembers != nil {
            line(version == .v3 ? "X-ADDRESSBOOKSERVER-KIND:group" : "KIND:group")
        }
    }

    private mutating func appendName(_ card: ContactCard) {
        line("FN:\(VCardText.escaped(card.formattedName))")
        let parts = [card.family, card.given, card.additional, card.prefix, card.suffix]
        // 3.0 requires this property, 4.0 does not.
        if version == .v3 || parts.contains(where: { !$0.isEmpty }) {
            line("N:\(parts.map(VCardText.escaped).joined(separator: ";"))")
        }
        list("NICKNAME", card.nicknames)
        list(ContactCard.alsoProperty, card.also)
    }

    private mutating func appendRest(_ card: ContactCard) {
        list("ORG", [card.organization] + card.organizationUnits, separator: ";")
        text("TITLE", card.title)
        if let zone = card.timeZone {
            // A TZ of 3.0 is an offset unless it is marked as text.
            let isOffset = zone.first == "+" || zone.first == "-"
            text(version == .v3 && !isOffset ? "TZ;VALUE=text" : "TZ", zone)
        }
        date("BDAY", card.birthday)
        date(version == .v3 ? "X-ANNIVERSARY" : "ANNIVERSARY", card.anniversary)
        text("NOTE", card.note)
        list("CATEGORIES", card.categories)
        for url in card.urls where !url.isEmpty {
            // A comma in a URI is not escaped, and our reader expects that.
            line("URL:\(VCardText.escapedBackslashes(url))")
        }
    }

    private mutating func appendMembers(_ card: ContactCard) {
        let head = version == .v3 ? "X-ADDRESSBOOKSERVER-MEMBER" : "MEMBER"
        for member in card.groupMembers ?? [] { text(head, member) }
    }

    private mutating func date(_ head: String, _ date: String?) {
        guard let date = date.flatMap({ ContactDate.normalised($0) }) else { return }
        switch version {
        case .v3 where date.hasPrefix("--"):
            let year = ContactDate.unknownYear
            line("\(head);X-APPLE-OMIT-YEAR=\(year):\(year)\(date.dropFirst())")
        case .v3: line("\(head):\(date)")
        case .v4: line("\(head):\(ContactDate.basic(date))")
        }
    }
}

extension VCardOutput {
    private mutating func append(_ address: ContactCard.PostalAddress) {
        var parameters = ""
        if version == .v4, let label = address.label {
            parameters = ";LABEL=\(ParameterEscapes.encoded(label))"
        }
        let value = address.parts.map(VCardText.escaped).joined(separator: ";")
        // In 3.0 the label is a property of its own, which our reader expects right after the
        // address.
        let label = version == .v3 ? address.label.map(VCardText.escaped) : nil
        property(
            "ADR", address.type, address.preferred, value, parameters: parameters,
            follower: label.map { ("LABEL", $0) })
    }

    /// Writes a property with its type, and `follower`, if any, with the same type.
    private mutating func property(
        _ name: String, _ type: String?, _ isPreferred: Bool, _ value: String,
        parameters: String = "", follower: (name: String, value: String)? = nil
    ) {
        let type = type ?? ""
        let words = TypeWords.words(of: type)
        let group = words == nil ? nextGroup() : ""
        let plainTypes = words ?? []
        let types = version == .v3 && isPreferred ? plainTypes + ["pref"] : plainTypes
        let preference = version == .v4 && isPreferred ? ";PREF=1" : ""
        line("\(group)\(name)\(typeParameter(types))\(preference)\(parameters):\(value)")
        if let follower {
            line("\(group)\(follower.name)\(typeParameter(plainTypes)):\(follower.value)")
        }
        if !group.isEmpty { line("\(group)X-ABLabel:\(VCardText.escaped(type))") }
    }

    private func typeParameter(_ types: [String]) -> String {
        types.isEmpty ? "" : ";TYPE=\(types.joined(separator: ","))"
    }

    private mutating func nextGroup() -> String {
        repeat { groupNumber += 1 } while takenGroups.contains("item\(groupNumber)")
        return "item\(groupNumber)."
    }
}

/// Types that can be written as TYPE and are read back as the same text.
private enum TypeWords {
    /// The words of `type`, empty for an empty type; `nil` if it must be written as a label.
    static func words(of type: String) -> [String]? {
        let words = type.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        if type.isEmpty { return [] }
        guard words.allSatisfy(isWord), words.count == 1 || words.allSatisfy(known.contains) else {
            return nil
        }
        return words
    }

    private static func isWord(_ word: String) -> Bool {
        !word.isEmpty && !TypeNoise.all.contains(word)
            && word.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
            }
    }

    /// Known words. Two known words are two types; other combinations, such as "boat phone", are
    /// one label.
    private static let known: Set<String> = [
        "home", "work", "cell", "fax", "pager", "car", "video", "textphone", "main", "other",
        "iphone", "isdn", "bbs", "modem", "pcs", "mobile", "school",
    ]
}
