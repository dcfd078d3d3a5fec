/// The reasons that a file cannot be read as contacts.
public enum ContactCSVError: Error, Equatable, CustomStringConvertible {
    /// The file is larger than ``ContactLimits/fileBytesMax``.
    case tooLong(bytes: Int)
    /// The file has only blank lines.
    case empty
    /// The file contains NUL characters, so it is no text: a picture, an archive or a workbook.
    case binary
    /// The text is in another script than Latin, and it is not certain in which encoding.
    case unclearEncoding
    /// The first line, at `line`, has no column that could name a person.
    case unknownHeader(line: Int, found: [String])

    /// A sentence that says what to do.
    public var description: String { words.description }

    /// A sentence that says what to do.
    public var words: RemarkText {
        switch self {
        case .tooLong(let bytes): ContactLimits.refusal(ofBytes: bytes)
        case .empty: "the file is empty"
        case .binary:
            "the file is not text, so it has no contacts in the form of vCard or CSV. From a "
                + "spreadsheet, save it as CSV"
        case .unclearEncoding:
            "the text is not UTF-8, and its encoding is not certain, so names could become "
                + "unreadable. Save the file as \"CSV UTF-8\""
        case .unknownHeader(_, let found): Self.unknown(found)
        }
    }

    private static func unknown(_ names: [String]) -> RemarkText {
        let shown = KeptText.shown(showable(names).joined(separator: ", "))
        let known = ContactColumn.understoodHeaders.joined(separator: ", ")
        return shown.isEmpty
            ? "the first line must name the columns. Use the headers of Google Contacts or "
                + "Outlook, such as: \(known)"
            : "the first line must name the columns, but none of \"\(shown)\" is known. Use the "
                + "headers of Google Contacts or Outlook, such as: \(known)"
    }

    /// The names, if they are surely names of columns. The file may hold a password or a key, which
    /// must not get into messages: these are one text without separators, or have digits and signs,
    /// or stand behind one that does, as in "password = correct, horse".
    private static func showable(_ names: [String]) -> [String] {
        names.count > 1 && names.allSatisfy(isPlain) ? names : []
    }

    /// True for a text without the signs of other files than tables.
    fileprivate static func isPlain(_ name: String) -> Bool {
        name.count <= nameCharactersMax
            && name.allSatisfy { $0.isLetter || $0.isNumber || " -_/().".contains($0) }
            && name.count(where: \.isNumber) <= nameDigitsMax
    }

    /// The longest name of a column that is shown.
    private static let nameCharactersMax = 40
    /// The most digits in a name that is shown, as in "Phone 10".
    private static let nameDigitsMax = 2
}

/// Reads contacts from CSV. It accepts the headers of Google Contacts (old and new), those of
/// Outlook, and plain ones such as `name,email,phone`, in any order and case. Other columns are
/// ignored.
public enum ContactCSVReader {
    /// Parses the contacts in `bytes`, which may be in UTF-8, UTF-16, Windows-1252 or another
    /// encoding that its letters show, and separated by commas, semicolons, tabs or bars.
    ///
    /// A row with more or fewer fields than the header is reported, and kept if it names a person.
    ///
    /// - Parameters:
    ///   - bytes: The whole file, with or without a byte order mark.
    ///   - isStopped: Asked every few rows. If it is true, the reading ends early.
    /// - Returns: A card for each row that has a name, a mail address or a phone number.
    /// - Throws: ``ContactCSVError`` if the file is too large, empty or not text, or if its first
    ///   line is not a header of contacts.
    public static func read(
        _ bytes: [UInt8], isStopped: @escaping () -> Bool = { false }
    ) throws(ContactCSVError) -> CardReading {
        var tries = headerTriesMax
        return try read(bytes, triesLeft: &tries, ReadingPace(isStopped))
    }

    /// Parses contacts with a number of tries to recognize a row as a header, of which one row may
    /// take the last ones and more.
    static func read(
        _ bytes: [UInt8], triesLeft: inout Int, _ pace: ReadingPace = ReadingPace { false }
    ) throws(ContactCSVError) -> CardReading {
        guard bytes.count <= ContactLimits.fileBytesMax else {
            throw .tooLong(bytes: bytes.count)
        }
        let plain = SourceText.plain(bytes)
        guard !plain.prefix(sniffedBytesMax).contains(0) else { throw .binary }
        let encoding = SourceEncoding(of: plain)
        guard encoding != .unclear else { throw .unclearEncoding }
        let text = encoding.utf8(plain)
        let (first, header, firstNames, firstLayout) = try Self.beginning(of: text)
        var (rows, names, layout) = (first, firstNames, firstLayout)
        layout.dateOrder = dateOrder(below: rows, layout)
        var reading = CardReading()
        warn(&reading, of: header, in: encoding)
        var (rowCount, headersLeft) = (0, headersMax)
        var pace = pace
        while pace.mayGoOn(), let row = nextFilled(&rows) {
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
            // Where files were joined, there are further headers.
            if headersLeft > 0, triesLeft > 0,
                let next = layout.next(for: row, after: names, triesLeft: &triesLeft)
            {
                headersLeft -= 1
                let order = layout.dateOrder
                (layout, names) = (next, Self.names(in: row))
                layout.dateOrder = order
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

    /// Warns of a file in another encoding, and of columns that are not read.
    private static func warn(
        _ reading: inout CardReading, of header: CSVRow, in encoding: SourceEncoding
    ) {
        if case .other(_, let words) = encoding {
            reading.warn(
                line: header.line,
                "the text is not UTF-8; it was read in the encoding \(words)")
        }
        if header.fieldCount > ContactLimits.columnsMax {
            reading.warn(
                line: header.line,
                "the file has \(header.fieldCount) columns; only the first "
                    + "\(ContactLimits.columnsMax) are read")
        }
    }

    /// The rows below the header, and the header. A line above it may have other separators.
    private static func beginning(of text: [UInt8]) throws(ContactCSVError) -> Beginning {
        var rows = CSVRows(text)
        let fault: ContactCSVError
        do throws(ContactCSVError) {
            let (header, names, layout) = try Self.layout(&rows)
            return (rows, header, names, layout)
        } catch {
            fault = error
        }
        for separator in CSVRows.separators {
            var rows = CSVRows(text, separator: separator)
            guard let (header, names, layout) = try? Self.layout(&rows), names.count > 1 else {
                continue
            }
            return (rows, header, names, layout)
        }
        throw fault
    }

    private typealias Beginning = (
        rows: CSVRows, header: CSVRow, names: [String], layout: ContactLayout
    )

    /// The header, the names of its columns, and the layout of the rows below it.
    private static func layout(
        _ rows: inout CSVRows
    ) throws(ContactCSVError) -> (header: CSVRow, names: [String], layout: ContactLayout) {
        guard let first = nextFilled(&rows) else { throw .empty }
        var (header, names) = (first, Self.names(in: first))
        // A single name with other signs begins a file of settings: "smtp:", "[mail]".
        let isTable = names.count > 1 || names.allSatisfy(ContactCSVError.isPlain)
        var found = isTable ? ContactLayout(headers: names) : nil
        // Some programs write a few lines of explanation above the header.
        for _ in 0..<headLinesMax where found == nil {
            guard let next = nextFilled(&rows) else { break }
            (header, names) = (next, Self.names(in: next))
            found = names.count > 1 ? ContactLayout(headers: names) : nil
        }
        guard let found else {
            throw .unknownHeader(line: first.line, found: Self.names(in: first).map(KeptText.line))
        }
        return (header, names, found)
    }

    /// The order of the numbers in the dates of all rows: one date such as `13/4/1990` tells it.
    private static func dateOrder(below rows: CSVRows, _ layout: ContactLayout) -> ColumnDate.Order?
    {
        let columns = [.birthday, .anniversary].flatMap { layout.columns[$0] ?? [] }
        guard !columns.isEmpty else { return nil }
        var rows = rows
        let texts = sequence(state: 0) { count -> [String]? in
            count += 1
            guard count <= ContactLimits.cardsMax, let row = rows.next() else { return nil }
            return columns.filter { $0 < row.fields.count }.map { row.fields[$0] }
                .filter {
                    $0.count <= dateOctetsMax
                        && $0.contains { [.hyphen, UInt8(ascii: "/")].contains($0) }
                }
                .map { String(decoding: $0, as: UTF8.self) }
        }
        return ColumnDate.order(of: texts.joined())
    }

    /// The longest text that may be a date, in octets.
    private static let dateOctetsMax = 40
    /// The number of bytes searched for NUL characters.
    private static let sniffedBytesMax = 64 << 10
    /// The number of bytes of a header that are read.
    private static let headerBytesMax = 1000
    /// The most headers of joined files.
    private static let headersMax = 100
    /// The most tries to recognize a row as a header. Comparing the first field of a row with the
    /// names of columns takes one try, and comparing the other fields takes
    /// `ContactLayout.wholeRowTries` more.
    static let headerTriesMax = 20_000
    /// The most lines above the header.
    private static let headLinesMax = 5

    fileprivate static func names(in header: CSVRow) -> [String] {
        header.fields.enumerated().map { place, field in
            let text = DecodedText(field.prefix(headerBytesMax), charset: nil).text
            // Some programs mark the header as a comment.
            let plain = place == 0 ? text.drop { $0 == "#" || $0 == "\u{FEFF}" } : text[...]
            return plain.count > 1 && plain.first == "\"" && plain.last == "\""
                ? String(plain.dropFirst().dropLast()) : String(plain)
        }
    }

    private static func nextFilled(_ rows: inout CSVRows) -> CSVRow? {
        while let row = rows.next() {
            if !row.isBlank { return row }
        }
        return nil
    }
}

extension ContactLayout {
    /// The layout of the rows after another header; `nil` if a row is none.
    fileprivate func next(
        for row: CSVRow, after names: [String], triesLeft: inout Int
    ) -> ContactLayout? {
        // Recognizing a header takes long, and no header contains an address or a number.
        guard row.fields.allSatisfy(Self.mayBeHeader) else { return nil }
        let texts = ContactCSVReader.names(in: row)
        if texts.map({ $0.lowercased() }) == names.map({ $0.lowercased() }) { return self }
        let named = texts.filter { !$0.allSatisfy(\.isWhitespace) }
        guard named.count > 1 else { return nil }
        triesLeft -= 1
        guard ContactColumn(header: named[0]) != nil else { return nil }
        triesLeft -= Self.wholeRowTries
        guard named.allSatisfy({ ContactColumn(header: $0) != nil }) else {
            return nil
        }
        return ContactLayout(headers: texts)
    }

    /// The number of tries that comparing a whole row takes.
    private static let wholeRowTries = 40

    /// The most digits in a header, such as "Phone 10 - Type".
    private static let digitsMax = 4

    private static func mayBeHeader(_ field: ArraySlice<UInt8>) -> Bool {
        var digits = 0
        for byte in field {
            if byte == UInt8(ascii: "@") { return false }
            if byte.isASCIIDigit { digits += 1 }
        }
        return digits <= digitsMax
    }
}
