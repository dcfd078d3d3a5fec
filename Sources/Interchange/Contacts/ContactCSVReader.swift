/// The reasons that a file cannot be read as contacts.
public enum ContactCSVError: Error, Equatable, CustomStringConvertible {
    /// The file is larger than ``ContactLimits/fileBytesMax``.
    case tooLong(bytes: Int)
    /// The file has only blank lines.
    case empty
    /// The first line, at `line`, has no column that could name a person.
    case unknownHeader(line: Int, found: [String])

    /// A sentence that says what to do.
    public var description: String {
        switch self {
        case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes)
        case .empty: "the file is empty"
        case .unknownHeader(_, let found):
            "the first line must name the columns, but none of "
                + "\(KeptText.quoted(found.joined(separator: ", "))) is known. Use the "
                + "headers of Google Contacts or Outlook, such as: "
                + ContactColumn.understoodHeaders.joined(separator: ", ")
        }
    }
}

/// Reads contacts from CSV. It accepts the headers of Google Contacts (old and new), those of
/// Outlook, and plain ones such as `name,email,phone`, in any order and case. Other columns are
/// ignored.
public enum ContactCSVReader {
    /// Parses the contacts in `bytes`, which may be in UTF-8, UTF-16 or Windows-1252, and separated
    /// by commas, semicolons or tabs.
    ///
    /// A row with more or fewer fields than the header is reported, and kept if it names a person.
    ///
    /// - Parameter bytes: The whole file, with or without a byte order mark.
    /// - Returns: A card for each row that has a name, a mail address or a phone number.
    /// - Throws: ``ContactCSVError`` if the file is too large or empty, or if its first line is not
    ///   a header of contacts.
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
        if names.count > ContactLimits.columnsMax {
            reading.warn(
                line: header.line,
                "the file has \(names.count) columns; only the first \(ContactLimits.columnsMax) "
                    + "are read")
        }
        var rowCount = 0
        while let row = nextFilled(&rows) {
            rowCount += 1
            guard rowCount <= ContactLimits.cardsMax else {
                reading.skip(
                    line: row.line,
                    "the file has more than \(ContactLimits.cardsMax) rows; the rest is skipped")
                break
            }
            guard !row.hasOpenQuote else {
                reading.skip(line: row.line, "the row has a quotation mark without a closing one")
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
        reading.sortUnused(by: layout.headers)
        if rowCount == 0 {
            reading.skip(line: header.line, "the file has column names but no rows")
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
