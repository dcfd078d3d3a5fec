extension CardBuilder {
    /// Reads name, nicknames, organization and title. A value for a field that is already set goes
    /// to ``ContactCard/extra``.
    mutating func takeName(_ property: VCardProperty) {
        switch property.name {
        case "FN":
            let isTaken = !card.formattedName.isEmpty
            let name = first(property, isTaken: isTaken).map(EncodedWord.decoded)
            card.formattedName = name.map { KeptText.line($0) } ?? card.formattedName
        case "TITLE":
            card.title = first(property, isTaken: !card.title.isEmpty) ?? card.title
        case "NICKNAME": card.nicknames += list(property)
        case "N": takeNameParts(property)
        default: takeOrganization(property)
        }
    }

    /// The properties with the most preferred name before the others, because a card keeps one.
    static func withPreferredName(_ properties: [VCardProperty]) -> [VCardProperty] {
        let names = properties.indices.filter { properties[$0].name == "FN" }
        func rank(_ place: Int) -> Int { properties[place].preferenceRank([]) ?? Int.max }
        guard names.count > 1, let best = names.min(by: { rank($0) < rank($1) }) else {
            return properties
        }
        var ordered = properties
        ordered.swapAt(names[0], best)
        return ordered
    }

    private mutating func takeNameParts(_ property: VCardProperty) {
        let parts = components(property, count: 5, joinedBy: " ") {
            KeptText.line(EncodedWord.decoded($0))
        }
        if parts.allSatisfy(\.isEmpty) { return }
        guard card.family.isEmpty, card.given.isEmpty, card.additional.isEmpty,
            card.prefix.isEmpty, card.suffix.isEmpty
        else { return keep(property) }
        card.family = parts[0]
        card.given = parts[1]
        card.additional = parts[2]
        card.prefix = parts[3]
        card.suffix = parts[4]
    }

    private mutating func takeOrganization(_ property: VCardProperty) {
        let parts = VCardText.split(decoded(property), at: .semicolon)
            .map { KeptText.line(VCardText.unescaped($0)) }
        let units = parts.dropFirst().filter { !$0.isEmpty }
        if parts[0].isEmpty, units.isEmpty { return }
        guard card.organization.isEmpty, card.organizationUnits.isEmpty else {
            return keep(property)
        }
        card.organization = parts[0]
        card.organizationUnits = units
    }

    /// The parts of a structured value, exactly `count` of them. A part that is a list is joined to
    /// one text.
    private mutating func components(
        _ property: VCardProperty, count: Int, joinedBy separator: String,
        clean: (String) -> String
    ) -> [String] {
        var components: [String] = []
        for part in VCardText.split(decoded(property), at: .semicolon).prefix(count) {
            guard part.contains(.comma) else {
                components.append(clean(VCardText.unescaped(part)))
                continue
            }
            let texts = VCardText.split(part, at: .comma)
                .map { clean(VCardText.unescaped($0)) }
                .filter { !$0.isEmpty }
            components.append(texts.joined(separator: separator))
        }
        while components.count < count { components.append("") }
        return components
    }
}

extension CardBuilder {
    /// Reads an EMAIL, in which some programs write a name with the address, or several addresses.
    mutating func takeEmail(_ property: VCardProperty) {
        let text = VCardText.unescaped(decoded(property)).trimmedOfWhitespace
        if text.isEmpty { return }
        if nameOfAddress.isEmpty { nameOfAddress = MultiValue.nameOfAddress(in: text) }
        for part in MultiValue.certainAddresses(text) {
            if let address = MailAddress.plausible(part) {
                takeEmail(address, property)
            } else {
                remarks.skip(
                    line: property.line, "\(KeptText.quoted(part)) is not a valid mail address")
            }
        }
    }

    private mutating func takeEmail(_ address: String, _ property: VCardProperty) {
        let types = property.types
        let type = type(of: property, types, noise: TypeNoise.email)
        let key = MailAddress.folded(address)
        let index = emailIndexByKey[key] ?? card.emails.count
        if index == card.emails.count {
            emailIndexByKey[key] = index
            card.emails.append(ContactCard.Email(address: address, type: type))
        } else if card.emails[index].type == nil {
            card.emails[index].type = type
        }
        preferredEmail.offer(index, rank: property.preferenceRank(types))
    }

    mutating func takePhone(_ property: VCardProperty) {
        let number = PhoneNumber.withoutScheme(line(property))
        if number.isEmpty { return }
        let types = property.types
        let type = type(of: property, types, noise: TypeNoise.phone)
        preferredPhone.offer(card.phones.count, rank: property.preferenceRank(types))
        card.phones.append(ContactCard.Phone(number: number, type: type))
    }

    mutating func takeAddress(_ property: VCardProperty) {
        let parts = components(property, count: 8, joinedBy: ", ") { KeptText.block($0) }
        var address = ContactCard.PostalAddress()
        address.poBox = parts[0]
        address.extended = parts[1]
        address.street = parts[2]
        address.locality = parts[3]
        address.region = parts[4]
        address.postcode = parts[5]
        address.country = parts[6]
        let types = property.types
        address.type = type(of: property, types, noise: TypeNoise.address)
        if let label = property.parameter("LABEL"), !label.isEmpty { address.label = label }
        // Google writes the whole address behind its parts.
        if address.isEmpty, !parts[7].isEmpty { address.label = parts[7] }
        let index = card.addresses.count
        if address.label == nil { unlabelledByType[address.type, default: []].append(index) }
        preferredAddress.offer(index, rank: property.preferenceRank(types))
        card.addresses.append(address)
    }

    /// Reads a LABEL (2.1, 3.0). It belongs to the nearest address before it that has the same
    /// type, otherwise to any address of that type, otherwise to a new one.
    mutating func takeAddressLabel(_ property: VCardProperty) {
        guard let index = unlabelledAddress(like: property) else {
            labelsWithoutAddress.append(property)
            return
        }
        card.addresses[index].label = labelText(property)
    }

    mutating func finishAddresses() {
        for property in labelsWithoutAddress {
            let index = unlabelledAddress(like: property) ?? appendAddress(like: property)
            card.addresses[index].label = labelText(property)
        }
        guard card.addresses.contains(where: \.isEmpty) else { return }
        let preferred = preferredAddress.index
        preferredAddress = Preference()
        var kept: [ContactCard.PostalAddress] = []
        for (index, address) in card.addresses.enumerated() where !address.isEmpty {
            if index == preferred { preferredAddress.offer(kept.count, rank: 1) }
            kept.append(address)
        }
        card.addresses = kept
    }

    private mutating func unlabelledAddress(like property: VCardProperty) -> Int? {
        let type = type(of: property, property.types, noise: TypeNoise.address)
        return unlabelledByType[type]?.popLast()
    }

    private mutating func appendAddress(like property: VCardProperty) -> Int {
        var address = ContactCard.PostalAddress()
        address.type = type(of: property, property.types, noise: TypeNoise.address)
        card.addresses.append(address)
        return card.addresses.count - 1
    }

    private mutating func labelText(_ property: VCardProperty) -> String? {
        let text = KeptText.block(VCardText.unescaped(decoded(property)))
        return text.isEmpty ? nil : text
    }

    /// The label of `property`, otherwise its types without those in `noise`.
    private mutating func type(
        of property: VCardProperty, _ types: [String], noise: [String]
    ) -> String? {
        if let label = label(of: property) { return label }
        let telling = types.filter {
            !$0.isEmpty && $0 != TypeNoise.preferred && !noise.contains($0)
        }.map(ColumnType.translated)
        return telling.isEmpty ? nil : telling.joined(separator: " ")
    }
}

extension VCardProperty {
    /// The rank from 1, the most preferred, to 100 (RFC 6350, 5.3); `nil` if the property is not
    /// preferred.
    fileprivate func preferenceRank(_ types: [String]) -> Int? {
        if let rank = parameter("PREF") { return min(max(Int(rank) ?? 1, 1), 100) }
        return types.contains(TypeNoise.preferred) ? 1 : nil
    }
}

/// Types that carry no information, or that do not describe the kind of a property.
enum TypeNoise {
    static let email = ["internet", "x400"]
    static let phone = ["voice", "msg", "text"]
    static let address = ["dom", "intl", "postal", "parcel"]
    static let preferred = "pref"
    static let all = email + phone + address + [preferred]
}

/// Phone numbers as URIs (RFC 3966).
enum PhoneNumber {
    /// `text` without `tel:`. An extension is kept as text, other parameters are dropped.
    static func withoutScheme(_ text: String) -> String {
        guard text.prefix(4).lowercased() == "tel:" else { return text }
        var number = ""
        for (index, part) in text.dropFirst(4).split(separator: ";").enumerated() {
            if index == 0 {
                number = String(part)
            } else if part.prefix(4).lowercased() == "ext=" {
                number += " ext. \(part.dropFirst(4))"
            }
        }
        return KeptText.line(number)
    }
}

extension ContactCard {
    /// Fills an empty ``formattedName`` from the name parts. Without name parts, it takes the
    /// nickname, the organization, the mail address or the phone number, in this order.
    ///
    /// - Parameter nameOfAddress: a name that is written with an address; may be empty.
    mutating func deriveFormattedName(besides nameOfAddress: String = "") {
        guard formattedName.isEmpty else { return }
        let wholeName = [prefix, given, additional, family, suffix].filter { !$0.isEmpty }
            .joined(separator: " ")
        let names =
            [wholeName] + nicknames + [organization] + organizationUnits + [nameOfAddress]
        let ways = emails.map(\.address) + phones.map(\.number)
        formattedName = (names + ways).first { !$0.isEmpty } ?? ""
    }

    /// A reference to a group member, in the form of ``groupMembers``.
    static func memberName(_ reference: String) -> String {
        let scheme = reference.prefix(9).lowercased()
        if scheme == "urn:uuid:" { return scheme + reference.dropFirst(9) }
        if let address = MailAddress.plausible(reference) { return "mailto:\(address)" }
        return reference
    }
}

extension String {
    /// The text without whitespace and line breaks at both ends; control characters stay.
    fileprivate var trimmedOfWhitespace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
