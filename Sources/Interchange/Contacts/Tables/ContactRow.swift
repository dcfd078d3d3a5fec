/// Builds a card from a row of a contacts file.
struct ContactRow {
    private let row: CSVRow
    private let layout: ContactLayout
    private var card: ContactCard
    private var remarks = CardReading()
    private var isGuessNamed = false
    /// The name that is written with an address.
    private var nameOfAddress = ""

    init(_ row: CSVRow, layout: ContactLayout) {
        self.row = row
        self.layout = layout
        card = ContactCard(formattedName: "", line: row.line)
    }

    /// The card; `nil` if the row names nobody.
    mutating func card(remarks: inout CardReading) -> ContactCard? {
        swap(&self.remarks, &remarks)
        defer { swap(&self.remarks, &remarks) }
        checkShape()
        noteUnused()
        takeTexts()
        takeEmails()
        takePhones()
        takeAddresses()
        takeRest()
        card.deriveFormattedName(besides: nameOfAddress)
        return card.formattedName.isEmpty ? nil : card
    }

    private mutating func noteUnused() {
        for column in layout.unused where column < row.fields.count {
            if !row.fields[column].allSatisfy(\.isBlank) { leaveOut(column) }
        }
    }

    private mutating func leaveOut(_ column: Int) {
        remarks.leaveOut(.column, layout.headers[column], line: row.line)
    }

    private mutating func checkShape() {
        // A header may have more columns than are kept.
        guard layout.columnCount < CSVRow.fieldsMax else { return }
        let excess = row.fields.dropFirst(layout.columnCount)
        let isRagged =
            row.fields.count < layout.columnCount
            || excess.contains { !$0.allSatisfy(\.isBlank) }
        if isRagged {
            let count = row.fieldCount
            let message: RemarkText =
                count == 1
                ? "the row has 1 field, but the header has \(layout.columnCount)"
                : "the row has \(count) fields, but the header has \(layout.columnCount)"
            // Rows with another number of fields are another kind.
            remarks.warn(line: row.line, message, kind: message.description)
        }
    }

    private mutating func takeTexts() {
        card.formattedName = text(.formattedName)
        card.given = text(.given)
        card.additional = text(.additional)
        card.family = text(.family)
        takeBareName()
        card.prefix = text(.prefix)
        card.suffix = text(.suffix)
        takeWrittenName()
        card.nicknames = MultiValue.split(text(.nickname)).withoutRepeats
        card.organization = text(.organization)
        let department = text(.department)
        if !department.isEmpty { card.organizationUnits = [department] }
        card.title = text(.jobTitle)
        card.note = blocks(layout.columns[.note]).withoutRepeats.joined(separator: "\n")
        let zone = text(.timeZone)
        if !zone.isEmpty { card.timeZone = zone }
    }

    /// A column "Name" beside one for the given name is the family name, as in German, and beside
    /// one for the family name the given name, as in Spanish.
    private mutating func takeBareName() {
        let name = text(.bareName)
        if name.isEmpty { return }
        let isWhole = [card.given, card.family].contains { part in
            !part.isEmpty && name.split(separator: " ").contains { $0 == part }
        }
        if isWhole {
            takeWholeName(name)
        } else if layout.columns[.family] == nil, layout.columns[.given] != nil {
            card.family = name
        } else if layout.columns[.given] == nil, layout.columns[.family] != nil {
            card.given = name
        } else {
            takeWholeName(name)
        }
    }

    /// Takes a whole name from the column "Name" unless another column has it.
    private mutating func takeWholeName(_ name: String) {
        if card.formattedName.isEmpty {
            card.formattedName = name
        } else if card.formattedName != name, let column = layout.columns[.bareName]?.first {
            leaveOut(column)
        }
    }

    /// Takes the parts of a whole name that has the family name first, and says so where a name is
    /// the name of two people.
    private mutating func takeWrittenName() {
        let familyFirst = text(.familyFirstName)
        var name = WrittenName(familyFirst: familyFirst)
        if card.formattedName.isEmpty { card.formattedName = familyFirst }
        if name == nil { name = WrittenName(withComma: card.formattedName) }
        if let name, card.given.isEmpty, card.family.isEmpty,
            card.formattedName != card.organization
        {
            card.formattedName = name.formatted
            (card.given, card.family) = (name.given, name.family)
            if card.prefix.isEmpty { card.prefix = name.prefix }
            if card.suffix.isEmpty { card.suffix = name.suffix }
        }
        if card.formattedName.isEmpty, WrittenName.isEastAsian(card.family, card.given) {
            card.formattedName = "\(card.family) \(card.given)"
        }
        let names = [card.formattedName, card.given].first { WrittenName.isPair($0) }
        if let names, names != card.organization {
            remarks.warn(
                line: row.line,
                "\(KeptText.quoted(names)) may be two people; they are one contact now")
        }
    }

    private mutating func takeEmails() {
        var seen: Set<String> = []
        var hasPreferred = false
        for entry in entries(of: .emails, .email) {
            if nameOfAddress.isEmpty { nameOfAddress = MultiValue.nameOfAddress(in: entry.value) }
            for text in MultiValue.addresses(entry.value) {
                guard let address = MailAddress.plausible(text) else {
                    remarks.skip(
                        line: row.line, "\(KeptText.quoted(text)) is not a valid mail address")
                    continue
                }
                guard seen.insert(MailAddress.folded(address)).inserted else { continue }
                card.emails.append(
                    ContactCard.Email(
                        address: address, type: entry.type,
                        preferred: entry.isPreferred && !hasPreferred))
                hasPreferred = hasPreferred || entry.isPreferred
            }
        }
    }

    private mutating func takePhones() {
        var hasPreferred = false
        for entry in entries(of: .phones, .phone) {
            for found in PhoneList.entries(entry.value) {
                let isPreferred = entry.isPreferred && !hasPreferred
                guard takePhone(found, entry.type, isPreferred: isPreferred) else { continue }
                hasPreferred = hasPreferred || entry.isPreferred
            }
        }
        takeWays()
    }

    /// Takes a number; false if it is none.
    private mutating func takePhone(
        _ found: PhoneList.Entry, _ type: String?, isPreferred: Bool
    ) -> Bool {
        let number = PhoneNumber.withoutScheme(found.number)
        if number.isEmpty { return false }
        guard number.contains(where: \.isNumber), !PhoneList.isShortened(number) else {
            remarks.skip(line: row.line, "\(KeptText.quoted(number)) is not a phone number")
            return false
        }
        card.phones.append(
            ContactCard.Phone(
                number: number, type: type ?? found.type, preferred: isPreferred))
        return true
    }

    /// Takes the values under headers that are only a place, "Privat" or "Büro", which may be phone
    /// numbers, mail addresses or something else.
    private mutating func takeWays() {
        for slot in layout.slots[.phones] ?? [] {
            for column in slot.columns[.way] ?? [] {
                let value = KeptText.line(field(column))
                if value.isEmpty { continue }
                if let address = MailAddress.plausible(value) {
                    let isNew = card.emails.allSatisfy {
                        MailAddress.folded($0.address) != MailAddress.folded(address)
                    }
                    guard isNew else { continue }
                    card.emails.append(ContactCard.Email(address: address, type: slot.headerType))
                } else if PhoneList.isBareNumber(value) {
                    let phone = ContactCard.Phone(number: value, type: slot.headerType)
                    card.phones.append(phone)
                } else {
                    leaveOut(column)
                }
            }
        }
    }

    private mutating func takeAddresses() {
        for slot in layout.slots[.addresses] ?? [] {
            let parts = Dictionary(
                uniqueKeysWithValues: slot.columns.keys.map { kind in
                    (kind, MultiValue.split(block(kind, slot)))
                })
            for index in 0..<max(1, parts.values.map(\.count).max() ?? 0) {
                takeAddress(slot, parts.mapValues { $0.count > index ? $0[index] : "" })
            }
        }
    }

    private mutating func takeAddress(
        _ slot: ContactLayout.Slot, _ parts: [ContactColumn.Kind: String]
    ) {
        var address = ContactCard.PostalAddress()
        address.poBox = parts[.poBox] ?? ""
        address.extended = parts[.extended] ?? ""
        address.street = Self.street(parts)
        let town = TownLine(parts[.postcodeAndTown] ?? "")
        address.locality = parts[.locality] ?? town.town
        address.region = parts[.region] ?? ""
        address.postcode = parts[.postcode] ?? town.postcode
        address.country = parts[.country] ?? ""
        let formatted = parts[.formattedAddress] ?? ""
        // Google writes every address twice, the second time as several lines.
        if address.isEmpty {
            let lines = formatted.split(whereSeparator: \.isNewline).map(String.init)
            address.street = lines.joined(separator: ", ")
        } else if !formatted.isEmpty, formatted != address.formatted {
            address.label = formatted
        }
        guard !address.isEmpty else { return }
        let mark = GoogleMark(parts[.type] ?? "")
        address.type = slot.headerType ?? ColumnType.type(of: mark.text)
        address.preferred = mark.isMarked && !card.addresses.contains(where: \.preferred)
        card.addresses.append(address)
    }

    /// The street with the number of the house, which may have columns of its own.
    private static func street(_ parts: [ContactColumn.Kind: String]) -> String {
        let street = parts[.street] ?? ""
        let number = [parts[.houseNumber] ?? "", parts[.houseAddition] ?? ""]
            .filter { !$0.isEmpty }.joined(separator: " ")
        let isThere = number.isEmpty || street.hasSuffix(" \(number)")
        return isThere ? street : street.isEmpty ? number : "\(street) \(number)"
    }

    private mutating func takeRest() {
        card.urls = entries(of: .urls, .url).map { KeptText.line($0.value) }.withoutRepeats
        card.categories = labels() + categories()
        card.categories = card.categories.withoutRepeats
        card.birthday = date(text(.birthday)) ?? birthdayInParts()
        card.anniversary = date(text(.anniversary))
        for entry in entries(of: .events, .event)
        where entry.type?.lowercased() == "anniversary" && card.anniversary == nil {
            card.anniversary = date(entry.value)
        }
    }
}

extension ContactRow {
    /// The birthday of Thunderbird, in a column for each of its parts.
    private mutating func birthdayInParts() -> String? {
        let parts = [ContactColumn.Kind.birthYear, .birthMonth, .birthDay].map { kind in
            let part = text(kind)
            return part.allSatisfy { $0 == "0" } ? "" : part
        }
        guard !parts[1].isEmpty, !parts[2].isEmpty else { return nil }
        let numbers = parts.map { Int($0) }
        let date =
            if let month = numbers[1], let day = numbers[2], parts[0].isEmpty || numbers[0] != nil {
                ContactDate.stated(year: numbers[0], month: month, day: day)
            } else {
                ContactDate.Stated?.none
            }
        let given = parts.filter { !$0.isEmpty }.joined(separator: "-")
        if let fault = date?.fault { remarks.warn(line: row.line, fault.words(on: given)) }
        if date == nil {
            remarks.warn(line: row.line, "\(KeptText.quoted(given)) is not a valid date")
        }
        return date?.date
    }

    private mutating func labels() -> [String] {
        var names: [String] = []
        for mark in MultiValue.split(text(.labels)).map(GoogleMark.init) where !mark.text.isEmpty {
            // Google marks its own groups: "* myContacts", "* friends".
            if mark.isMarked || GoogleGroup.isOwn(mark.text) {
                remarks.leaveOut(.group, mark.text, line: row.line)
            } else {
                names.append(mark.text)
            }
        }
        return names
    }

    private mutating func categories() -> [String] {
        // Mailchimp puts each name into quotation marks.
        text(.categories).split { $0 == ";" || $0 == "," }
            .map { KeptText.line($0.filter { $0 != "\"" }) }.filter { !$0.isEmpty }
    }

    /// A value in a slot with its type.
    private struct Entry {
        var value: String
        var type: String?
        var isPreferred: Bool
    }

    /// The values of a family. Lists separated by ` ::: ` are split, and columns with the same
    /// header have a value each.
    private mutating func entries(
        of family: ContactColumn.Family, _ kind: ContactColumn.Kind
    ) -> [Entry] {
        var entries: [Entry] = []
        for slot in layout.slots[family] ?? [] {
            let values = blocks(slot.columns[kind]).flatMap(MultiValue.split)
            let types = blocks(slot.columns[.type]).flatMap(MultiValue.split)
            for (index, value) in values.enumerated() where !value.isEmpty {
                let mark = GoogleMark(index < types.count ? types[index] : types.first ?? "")
                let type = slot.headerType ?? ColumnType.type(of: mark.text)
                entries.append(Entry(value: value, type: type, isPreferred: mark.isMarked))
            }
        }
        return entries
    }

    /// The first value of a kind that is not blank. Columns with other values are reported.
    private mutating func text(_ kind: ContactColumn.Kind) -> String {
        var first = ""
        for column in layout.columns[kind] ?? [] {
            let text = KeptText.line(field(column))
            if first.isEmpty {
                first = text
            } else if !text.isEmpty, text != first {
                leaveOut(column)
            }
        }
        return first
    }

    private mutating func block(_ kind: ContactColumn.Kind, _ slot: ContactLayout.Slot) -> String {
        blocks(slot.columns[kind]).joined(separator: "\n")
    }

    /// The values in some columns, without blank ones.
    private mutating func blocks(_ columns: [Int]?) -> [String] {
        var texts: [String] = []
        for column in columns ?? [] {
            let text = KeptText.block(field(column))
            if !text.isEmpty { texts.append(text) }
        }
        return texts
    }

    private mutating func field(_ column: Int) -> String {
        guard column < row.fields.count else { return "" }
        let decoded = DecodedText(row.fields[column], charset: nil)
        if decoded.isGuess, !isGuessNamed {
            isGuessNamed = true
            remarks.warn(
                line: row.line, "the text is not UTF-8; it was read as Windows-1252")
        }
        return FormulaGuard.without(decoded.text)
    }

    private mutating func date(_ text: String) -> String? {
        switch ColumnDate(text, order: layout.dateOrder) {
        case .none: return nil
        case .day(let date, let fault):
            if let fault {
                remarks.warn(line: row.line, fault.words(on: text))
            }
            return date
        case .ambiguous:
            remarks.warn(
                line: row.line,
                "\(KeptText.quoted(text)) is ambiguous and was skipped; write it as 1990-04-12")
        case .unreadable:
            remarks.warn(line: row.line, "\(KeptText.quoted(text)) is not a valid date")
        }
        return nil
    }
}
