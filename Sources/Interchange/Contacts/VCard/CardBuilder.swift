/// Builds a card from its properties, in any version of vCard.
struct CardBuilder {
    var card: ContactCard
    /// The problems found so far.
    var remarks = CardReading()
    var preferredEmail = Preference()
    var preferredPhone = Preference()
    var preferredAddress = Preference()
    var emailIndexByKey: [String: Int] = [:]
    /// The indices of addresses that have no LABEL yet, by type; the nearest one is the last.
    var unlabelledByType: [String?: [Int]] = [:]
    var labelsWithoutAddress: [VCardProperty] = []
    /// The name that is written with an address, as in "Jo Doe <jo@example.org>".
    var nameOfAddress = ""
    /// The reason why there is no card.
    private(set) var fault: RemarkText =
        "the card has no name, no mail address and no phone number"
    private var hasUnreadableName = false
    private var isGroup = false
    /// True for a list of addresses, as Evolution writes it.
    private var isList = false
    private var members: [VCardProperty] = []
    private var labelByGroup: [String: String] = [:]
    private var usedLabelGroups: Set<String> = []
    private var extras: [(line: String, labelGroup: String?)] = []

    /// The encoding of texts that are not UTF-8 and state none.
    private let encoding: SourceEncoding

    init(line: Int, encoding: SourceEncoding = .usual) {
        self.encoding = encoding
        card = ContactCard(formattedName: "", line: line)
    }

    /// The card built from `properties`; `nil` if they contain nothing that could serve as a name.
    mutating func card(
        from properties: [VCardProperty], remarks: inout CardReading
    ) -> ContactCard? {
        swap(&self.remarks, &remarks)
        defer { swap(&self.remarks, &remarks) }
        readLabels(properties)
        for property in Self.withPreferredName(properties) { take(property) }
        finishAddresses()
        finishMembers()
        if let index = preferredEmail.index { card.emails[index].preferred = true }
        if let index = preferredPhone.index { card.phones[index].preferred = true }
        if let index = preferredAddress.index { card.addresses[index].preferred = true }
        card.nicknames = card.nicknames.withoutRepeats
        card.also = card.also.withoutRepeats
        card.categories = card.categories.withoutRepeats
        card.urls = card.urls.withoutRepeats
        card.extra = extras.filter { extra in
            extra.labelGroup.map { !usedLabelGroups.contains($0) } ?? true
        }.map(\.line)
        card.deriveFormattedName(besides: nameOfAddress)
        return card.formattedName.isEmpty || hasUnreadableName ? nil : card
    }

    private mutating func take(_ property: VCardProperty) {
        switch property.name {
        case "FN", "N", "NICKNAME", "ORG", "TITLE": takeName(property)
        case ContactCard.alsoProperty: card.also += list(property)
        case "EMAIL": takeEmail(property)
        case "TEL": takePhone(property)
        case "ADR": takeAddress(property)
        case "LABEL": takeAddressLabel(property)
        case "BDAY": card.birthday = date(property, known: card.birthday)
        case "ANNIVERSARY", "X-ANNIVERSARY", "X-EVOLUTION-ANNIVERSARY":
            card.anniversary = date(property, known: card.anniversary)
        case "X-ABDATE":
            if labelByGroup[property.group]?.lowercased() == "anniversary" {
                card.anniversary = date(property, known: card.anniversary)
            } else {
                keep(property)
            }
        case "UID", "REV", "TZ": takeIdentity(property)
        case "NOTE": takeNote(property)
        case "URL":
            _ = label(of: property)
            let url = line(property)
            if !url.isEmpty { card.urls.append(url) }
        case "CATEGORIES": takeCategories(property)
        case "KIND", "X-ADDRESSBOOKSERVER-KIND": takeKind(property)
        case "MEMBER", "X-ADDRESSBOOKSERVER-MEMBER": members.append(property)
        case "X-EVOLUTION-LIST": isList = line(property).lowercased() == "true"
        case "X-ABLABEL":
            extras.append((extraLine(property), property.group))
        default: keep(property)
        }
    }

    /// Takes the categories. Google's own are kept for export, and are no circles.
    private mutating func takeCategories(_ property: VCardProperty) {
        let names = list(property)
        card.categories += names
        for name in names where GoogleGroup.isOwn(name) {
            remarks.leaveOut(.group, name, line: property.line)
        }
    }

    /// Keeps `property` unchanged, for export.
    mutating func keep(_ property: VCardProperty) {
        if !Self.quiet.contains(property.name) {
            remarks.leaveOut(.property, property.name, line: property.line)
        }
        extras.append((extraLine(property), nil))
    }

    /// The properties that say nothing about a person, or that others repeat.
    private static let quiet: Set<String> = [
        "PRODID", "SORT-STRING", "MAILER", "SOURCE", "CLIENTPIDMAP", "CLASS", "PROFILE", "KIND",
        "X-ADDRESSBOOKSERVER-KIND", "XML", "REV", "UID", "LANG",
    ]

    private mutating func extraLine(_ property: VCardProperty) -> String {
        ExtraLine.line(property, value: decoded(property))
    }
}

extension CardBuilder {
    /// The value of `property` in UTF-8, with its escapes.
    mutating func decoded(_ property: VCardProperty) -> ArraySlice<UInt8> {
        let decoded = property.decodedValue()
        if decoded.isUTF8Instead, let charset = property.parameter("CHARSET") {
            remarks.warn(
                line: property.line,
                "the text is UTF-8, and was not read in the stated encoding "
                    + "\(KeptText.quoted(charset))")
        }
        guard decoded.isGuess else { return decoded.bytes }
        guard let charset = property.parameter("CHARSET") else {
            return decodedWithoutCharset(property, decoded)
        }
        return refuse(
            property, "the text cannot be read in its encoding \(KeptText.quoted(charset))")
    }

    /// The value of a property that is not UTF-8 and states no encoding.
    private mutating func decodedWithoutCharset(
        _ property: VCardProperty, _ decoded: DecodedText
    ) -> ArraySlice<UInt8> {
        switch encoding {
        case .usual:
            remarks.warn(line: property.line, "the text is not UTF-8; it was read as Windows-1252")
            return decoded.bytes
        case .other(let name, let words):
            remarks.warn(
                line: property.line,
                "the text is not UTF-8; it was read in the encoding \(words)")
            return property.decodedValue(unlessStated: name).bytes
        case .unclear:
            return refuse(
                property, "the text is not UTF-8, and its encoding is not certain")
        }
    }

    /// Leaves a property out. A card whose name cannot be read is left out whole.
    private mutating func refuse(
        _ property: VCardProperty, _ reason: RemarkText
    ) -> ArraySlice<UInt8> {
        if ["FN", "N", "ORG", "NICKNAME"].contains(property.name) {
            hasUnreadableName = true
            fault = reason
        } else {
            remarks.skip(line: property.line, reason)
        }
        return []
    }

    /// The value of `property` as one line of text.
    mutating func line(_ property: VCardProperty) -> String {
        KeptText.line(VCardText.unescaped(decoded(property)))
    }

    /// The values of a list property, without empty ones.
    mutating func list(_ property: VCardProperty) -> [String] {
        VCardText.split(decoded(property), at: .comma)
            .map { KeptText.line(VCardText.unescaped($0)) }
            .filter { !$0.isEmpty }
    }

    /// The value of a property that may appear once; `nil` if it is empty or if the field is
    /// already set.
    mutating func first(_ property: VCardProperty, isTaken: Bool) -> String? {
        let text = line(property)
        if text.isEmpty { return nil }
        guard isTaken else { return text }
        keep(property)
        return nil
    }

    /// The date in `property`. A date that is already known is never replaced.
    private mutating func date(_ property: VCardProperty, known: String?) -> String? {
        let text = line(property)
        if text.isEmpty || ContactDate.isUnset(text) { return known }
        let omitted = property.parameter("X-APPLE-OMIT-YEAR")
        let written =
            ContactDate.stated(text, omittedYear: omitted) ?? ColumnDate(text).stated
        guard let stated = written else {
            remarks.warn(line: property.line, "\(KeptText.quoted(text)) is not a valid date")
            keep(property)
            return known
        }
        if let fault = stated.fault {
            remarks.warn(line: property.line, fault.words(on: text))
        }
        guard let known, known != stated.date else {
            _ = label(of: property)
            return stated.date
        }
        keep(property)
        return known
    }

    private mutating func takeIdentity(_ property: VCardProperty) {
        switch property.name {
        case "UID": card.uid = first(property, isTaken: card.uid != nil) ?? card.uid
        case "REV": card.revision = first(property, isTaken: card.revision != nil) ?? card.revision
        default: card.timeZone = first(property, isTaken: card.timeZone != nil) ?? card.timeZone
        }
    }

    private mutating func takeNote(_ property: VCardProperty) {
        let text = KeptText.block(VCardText.unescaped(decoded(property)))
        if text.isEmpty { return }
        card.note += card.note.isEmpty ? text : "\n\(text)"
    }
}

extension CardBuilder {
    /// The label that Apple and Google attach to a property through its group.
    mutating func label(of property: VCardProperty) -> String? {
        guard !property.group.isEmpty, let label = labelByGroup[property.group] else { return nil }
        usedLabelGroups.insert(property.group)
        return label
    }

    private mutating func readLabels(_ properties: [VCardProperty]) {
        for property in properties where property.name == "X-ABLABEL" {
            var label = line(property)
            // Apple's built-in labels are keys, which its programs translate. Some programs mark
            // them twice.
            for _ in 0..<2
            where label.hasPrefix("_$!<")
                && label.hasSuffix(">!$_") && label.count > 8
            {
                label = KeptText.line(label.dropFirst(4).dropLast(4).lowercased())
            }
            if !label.isEmpty { labelByGroup[property.group] = label }
        }
    }

    private mutating func takeKind(_ property: VCardProperty) {
        if line(property).lowercased() == "group" {
            isGroup = true
        } else {
            keep(property)
        }
    }

    private mutating func finishMembers() {
        if isList {
            card.groupMembers = card.emails.map { "mailto:\($0.address)" }
            card.emails = []
            preferredEmail = Preference()
            return
        }
        guard isGroup else {
            for property in members { keep(property) }
            return
        }
        var seen: Set<String> = []
        var names: [String] = []
        for property in members {
            let name = ContactCard.memberName(line(property))
            if !name.isEmpty, seen.insert(ContactCard.memberKey(of: name)).inserted {
                names.append(name)
            }
        }
        card.groupMembers = names
    }
}

/// The preferred one of several values: the one with the lowest rank number, and the first among
/// equals.
struct Preference {
    private(set) var index: Int?
    private var rank = Int.max

    mutating func offer(_ index: Int, rank: Int?) {
        guard let rank, rank < self.rank else { return }
        self.rank = rank
        self.index = index
    }
}

extension [String] {
    /// The array without duplicates; the first of each is kept.
    var withoutRepeats: [String] {
        guard count > 1 else { return self }
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
