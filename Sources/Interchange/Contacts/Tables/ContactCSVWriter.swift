/// Writes contacts as CSV with the headers of Google Contacts.
public enum ContactCSVWriter {
    /// The most mail addresses, phones, postal addresses and web addresses written for one contact.
    public static let slotsMax = 20

    /// `cards` as a table: one row each, lines ending with CRLF, quoted where needed (RFC 4180).
    ///
    /// The table holds names, mail addresses, phone numbers, postal and web addresses,
    /// organization, dates, note and categories. Other properties and all groups are left out,
    /// because CSV has no place for them. A cell that a spreadsheet would take for a formula begins
    /// with an apostrophe, which ``ContactCSVReader`` removes; phone numbers stay as they are.
    public static func write(_ cards: [ContactCard]) -> String {
        let people = cards.filter { $0.groupMembers == nil }
        let widths = SlotWidths(people)
        var output: [UInt8] = []
        append(header(widths), to: &output)
        for card in people { append(row(card, widths), to: &output) }
        return String(decoding: output, as: UTF8.self)
    }

    private static func header(_ widths: SlotWidths) -> [String] {
        var header = [
            "First Name", "Middle Name", "Last Name", "Name Prefix", "Name Suffix", "Nickname",
            "Organization Name", "Organization Title", "Organization Department",
            "Birthday", "Notes", "Labels", "Time Zone", "Name",
        ]
        header += numbered("E-mail", widths.emails, ["Label", "Value"])
        header += numbered("Phone", widths.phones, ["Label", "Value"])
        header += numbered(
            "Address", widths.addresses,
            [
                "Label", "Formatted", "Street", "City", "PO Box", "Region", "Postal Code",
                "Country", "Extended Address",
            ])
        header += numbered("Website", widths.urls, ["Label", "Value"])
        header += numbered("Event", widths.events, ["Label", "Value"])
        return header
    }

    private static func numbered(_ name: String, _ count: Int, _ parts: [String]) -> [String] {
        (0..<count).flatMap { index in parts.map { "\(name) \(index + 1) - \($0)" } }
    }

    private static func row(_ unnamed: ContactCard, _ widths: SlotWidths) -> [String] {
        var card = unnamed
        card.deriveFormattedName()
        var row = [
            card.given, card.additional, card.family, card.prefix, card.suffix,
            card.nicknames.joined(separator: MultiValue.separator), card.organization, card.title,
            card.organizationUnits.joined(separator: ", "),
            card.birthday ?? "", card.note,
            card.categories.joined(separator: MultiValue.separator), card.timeZone ?? "",
            card.formattedName,
        ]
        row += padded(card.emails, widths.emails, 2) { email in
            [label(email.type, email.preferred), email.address]
        }
        row += padded(card.phones, widths.phones, 2) { phone in
            [label(phone.type, phone.preferred), phone.number]
        }
        row += padded(card.addresses, widths.addresses, 9) { address in
            [
                label(address.type, address.preferred), address.label ?? address.formatted,
                address.street, address.locality, address.poBox, address.region,
                address.postcode, address.country, address.extended,
            ]
        }
        row += padded(card.urls, widths.urls, 2) { ["", $0] }
        row += padded(card.anniversary.map { [$0] } ?? [], widths.events, 2) {
            ["Anniversary", $0]
        }
        return row
    }

    private static func padded<Value>(
        _ values: [Value], _ count: Int, _ width: Int, fields: (Value) -> [String]
    ) -> [String] {
        let filled = values.prefix(count).flatMap(fields)
        return filled + Array(repeating: "", count: count * width - filled.count)
    }

    private static func label(_ type: String?, _ isPreferred: Bool) -> String {
        let name = ColumnType.name(of: type)
        return isPreferred ? "* \(name)" : name
    }

    private static func append(_ row: [String], to output: inout [UInt8]) {
        for (index, text) in row.enumerated() {
            if index > 0 { output.append(.comma) }
            appendCell(FormulaGuard.with(text), to: &output)
        }
        output += [.carriageReturn, .lineFeed]
    }

    private static func appendCell(_ text: String, to output: inout [UInt8]) {
        let needsQuotes = text.utf8.contains { byte in
            byte == .comma || byte == .quote || byte == .lineFeed || byte == .carriageReturn
        }
        guard needsQuotes else {
            output += text.utf8
            return
        }
        output.append(.quote)
        for byte in text.utf8 {
            if byte == .quote { output.append(.quote) }
            output.append(byte)
        }
        output.append(.quote)
    }
}

/// The number of columns of each kind that the widest contact needs.
private struct SlotWidths {
    let emails: Int
    let phones: Int
    let addresses: Int
    let urls: Int
    let events: Int

    init(_ cards: [ContactCard]) {
        func widest(_ count: (ContactCard) -> Int) -> Int {
            min(cards.map(count).max() ?? 0, ContactCSVWriter.slotsMax)
        }
        emails = widest(\.emails.count)
        phones = widest(\.phones.count)
        addresses = widest(\.addresses.count)
        urls = widest(\.urls.count)
        events = widest { $0.anniversary == nil ? 0 : 1 }
    }
}
