/// Why a file cannot be read as contacts.
public enum ContactCSVError: Error, Equatable, CustomStringConvertible {
    /// More than ``ContactLimits/fileBytesMax``.
    case tooLong(bytes: Int)
    /// Nothing but blank lines.
    case empty
    /// The first line, on `line`, has no header by which a row could name anybody.
    case unknownHeader(line: Int, found: [String])

    /// A sentence that says what to do.
    public var description: String {
        switch self {
        case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes)
        case .empty: "the file is empty"
        case .unknownHeader(_, let found):
            "the first line must name the columns, and none of "
                + "\(KeptText.quoted(found.joined(separator: ", "))) is known. Understood are "
                + "the headers of Google Contacts and of Outlook, among them: "
                + ContactColumn.understoodHeaders.joined(separator: ", ")
        }
    }
}

/// Reads contacts from CSV: Google Contacts' headers (of all years), Outlook's, and plain ones
/// such as `name,email,phone`, in any order and case. Other columns are ignored.
public enum ContactCSVReader {
    /// The contacts in `bytes`, in UTF-8, UTF-16 or Windows-1252, separated by comma, semicolon
    /// or tab.
    ///
    /// A row with more or fewer fields than the header is named, and kept if it names somebody.
    ///
    /// - Parameter bytes: The whole file, with or without a byte order mark.
    /// - Returns: A card for each row that has a name, a mail address or a phone number.
    /// - Throws: ``ContactCSVError`` where the first line is no header of contacts.
    public static func read(_ bytes: [UInt8]) throws(ContactCSVError) -> CardReading {
        guard bytes.count <= ContactLimits.fileBytesMax else {
            throw .tooLong(bytes: bytes.count)
        }
        var rows = CSVRows(SourceText.plain(bytes))
        guard let header = nextFilled(&rows) else { throw .empty }
        let names = header.fields.map { DecodedText($0, charset: nil).text }
        guard let layout = ContactLayout(headers: names) else {
            throw .unknownHeader(line: header.line, found: names.map(KeptText.line))
        }
        var reading = CardReading()
        var rowCount = 0
        while let row = nextFilled(&rows) {
            rowCount += 1
            guard rowCount <= ContactLimits.cardsMax else {
                reading.skip(
                    line: row.line,
                    "the file has more than \(ContactLimits.cardsMax) rows; the rest is left out")
                break
            }
            guard !row.hasOpenQuote else {
                reading.skip(line: row.line, "the row opens a quote that nothing closes")
                continue
            }
            var builder = ContactRow(row, layout: layout)
            if let card = builder.card(remarks: &reading) {
                reading.cards.append(card)
            } else {
                reading.skip(
                    line: row.line, "the row has no name, no mail address and no phone number")
            }
        }
        if rowCount == 0 {
            reading.skip(line: header.line, "no row follows the line that names the columns")
        }
        return reading
    }

    private static func nextFilled(_ rows: inout CSVRows) -> CSVRow? {
        while let row = rows.next() {
            if !row.isBlank { return row }
        }
        return nil
    }
}
