/// A row of a CSV file.
struct CSVRow: Equatable {
    /// The line on which the row begins, counted from 1.
    var line: Int
    /// The fields, at most ``fieldsMax``.
    var fields: [ArraySlice<UInt8>]
    /// The number of all fields.
    var fieldCount = 0
    /// True if a quotation mark is never closed; it was then read as text.
    var hasOpenQuote = false

    /// The most fields of a row that are kept.
    static let fieldsMax = 1000

    var isBlank: Bool {
        fields.allSatisfy { $0.allSatisfy(\.isBlank) }
    }
}

/// The rows of a CSV file (RFC 4180), one after the other.
///
/// Beyond the RFC, lines may end with LF or CR alone, spaces may precede an opening quotation mark,
/// and text after a closing one on the same line belongs to the field. An unclosed quotation mark
/// is read as text, so that it affects only its own row, which is marked, and not the rest of the
/// file.
struct CSVRows {
    private let bytes: [UInt8]
    private let separator: UInt8
    private var position = 0
    private var line = 1

    /// Reads the separator from the first line: the most frequent one of comma, semicolon, tab and
    /// vertical bar, or the one named by a first line such as `sep=;`, which spreadsheets write.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - chosen: the separator, if it is not read.
    init(_ bytes: [UInt8], separator chosen: UInt8? = nil) {
        self.bytes = bytes
        let first = bytes.prefix(CSVRows.headerBytesMax).prefix { !CSVRows.endsLine($0) }
        let bare = first.count <= 7 ? first.filter { $0 != .quote } : []
        if let chosen {
            separator = chosen
        } else if bare.count == 5, bare[...].prefix(4).isASCII("SEP="), let named = bare.last,
            CSVRows.separators.contains(named)
        {
            separator = named
            position = first.count
            takeLineEnd()
        } else {
            separator = CSVRows.separator(in: first)
        }
    }

    /// The octets that may separate fields.
    static let separators: [UInt8] = [.comma, .semicolon, .tab, UInt8(ascii: "|")]

    /// The number of bytes of the first line in which separators are counted.
    private static let headerBytesMax = 64 << 10

    /// The next row, blank or not; `nil` at the end.
    mutating func next() -> CSVRow? {
        guard position < bytes.count else { return nil }
        var row = CSVRow(line: line, fields: [])
        while true {
            let next = field(&row)
            row.fieldCount += 1
            if row.fields.count < CSVRow.fieldsMax { row.fields.append(next) }
            guard position < bytes.count, bytes[position] == separator else { break }
            position += 1
        }
        takeLineEnd()
        return row
    }

    private mutating func field(_ row: inout CSVRow) -> ArraySlice<UInt8> {
        var start = position
        while start < bytes.count, bytes[start] == .space { start += 1 }
        if start < bytes.count, bytes[start] == .quote {
            if let quoted = quotedField(from: start + 1) { return quoted }
            row.hasOpenQuote = true
        }
        return plainField()
    }

    private mutating func plainField() -> ArraySlice<UInt8> {
        let start = position
        while position < bytes.count, bytes[position] != separator,
            !CSVRows.endsLine(bytes[position])
        {
            position += 1
        }
        return bytes[start..<position]
    }

    /// The quoted field that begins at `start`, after its opening quotation mark; `nil`, without
    /// taking anything, if it is never closed.
    private mutating func quotedField(from start: Int) -> ArraySlice<UInt8>? {
        var field: [UInt8] = []
        var index = start
        var lineEnds = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == .quote {
                guard index < bytes.count, bytes[index] == .quote else {
                    // Text follows on a later line, so this quotation mark opens another field.
                    guard lineEnds == 0 || endsField(at: index) else { return nil }
                    position = index
                    line += lineEnds
                    return (field + plainField())[...]
                }
                index += 1
            } else if byte == .lineFeed || byte == .carriageReturn {
                let isPair = byte == .carriageReturn && index < bytes.count
                if isPair, bytes[index] == .lineFeed { index += 1 }
                lineEnds += 1
                field.append(.lineFeed)
                continue
            }
            field.append(byte)
        }
        return nil
    }

    private func endsField(at index: Int) -> Bool {
        let rest = bytes[index...].drop { $0 == .space }
        return rest.first.map { $0 == separator || CSVRows.endsLine($0) } ?? true
    }

    private mutating func takeLineEnd() {
        guard position < bytes.count else { return }
        let isReturn = bytes[position] == .carriageReturn
        position += 1
        line += 1
        if isReturn, position < bytes.count, bytes[position] == .lineFeed { position += 1 }
    }

    private static func endsLine(_ byte: UInt8) -> Bool {
        byte == .lineFeed || byte == .carriageReturn
    }

    private static func separator(in header: ArraySlice<UInt8>) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for byte in header {
            if byte == .quote { isQuoted.toggle() }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        return [.semicolon, .tab, UInt8(ascii: "|")].reduce(.comma) { best, next in
            counts[next, default: 0] > counts[best, default: 0] ? next : best
        }
    }
}
