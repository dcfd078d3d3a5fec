import StreamSafe

/// A logical line of a card, with folds and soft line breaks removed.
struct LogicalLine {
    /// The number of its first line, counted from 1.
    var number: Int
    var bytes: ArraySlice<UInt8>
    /// True if the line was longer than ``ContactLimits/lineBytesMax`` and lost its end.
    var isCut = false
}

/// The logical lines of a vCard file of any version, or of a calendar.
///
/// vCard 3.0 and 4.0 fold with a line end and one space or tab. vCard 2.1 folds before a space that
/// belongs to the text, breaks quoted-printable lines with `=`, indented or not, and ends base64
/// with a blank line or with any line that is not base64.
struct VCardLines {
    /// The treatment of whitespace around a fold.
    enum Folding {
        /// The one space of a fold is removed, and base64 has no spaces (vCard 3.0 and 4.0).
        case card
        /// The space is text (vCard 2.1).
        case oldCard
        /// The one space of a fold is removed, and all others are kept (iCalendar).
        case calendar
    }

    /// The folding of the current lines.
    var folding: Folding
    private var lines: PhysicalLines

    init(_ bytes: [UInt8], folding: Folding = .card) {
        self.folding = folding
        lines = PhysicalLines(bytes)
    }

    /// The next physical line; `nil` at the end of the file.
    var upcoming: ArraySlice<UInt8>? { lines.upcoming.map { lines.bytes[$0.range] } }

    /// The next line that is not blank.
    mutating func next() -> LogicalLine? {
        while let first = lines.next() {
            let slice = lines.bytes[first.range]
            guard !slice.allSatisfy(\.isBlank) else { continue }
            return logicalLine(from: first.number, slice)
        }
        return nil
    }

    private mutating func logicalLine(
        from number: Int, _ whole: ArraySlice<UInt8>
    ) -> LogicalLine {
        let first = Self.bounded(whole)
        var isCut = first.count < whole.count
        // Most lines are not folded, and this check does not need to parse their parameters.
        guard let next = lines.upcoming, mayJoin(next, after: whole.last) else {
            return LogicalLine(
                number: number, bytes: StreamSafeText.limited(first), isCut: isCut)
        }
        var encoding = TransferEncoding(head: first)
        var looksLeft = Self.looksMax
        var bytes = Array(first)
        while let next = lines.upcoming, joins(next, encoding, after: bytes.last) {
            _ = lines.next()
            guard bytes.count + next.range.count <= ContactLimits.lineBytesMax else {
                isCut = true
                continue
            }
            join(next, encoding, to: &bytes)
            let mayEnd = lines.bytes[next.range].contains { $0 == .colon || $0 == .quote }
            guard encoding == nil, mayEnd else { continue }
            looksLeft -= 1
            encoding = looksLeft > 0 ? TransferEncoding(head: bytes[...]) : .identity
        }
        return LogicalLine(
            number: number, bytes: StreamSafeText.limited(bytes[...]), isCut: isCut)
    }

    /// A line without its end, if it is longer than ``ContactLimits/lineBytesMax``. A character of
    /// UTF-8 is not divided, because the line would be read in another encoding.
    private static func bounded(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.count > ContactLimits.lineBytesMax else { return line }
        let start = line.prefix(ContactLimits.lineBytesMax)
        let divided = start.suffix(3).reversed().prefix { $0 & 0xC0 == 0x80 }.count
        let end = start.dropLast(divided)
        return end.last.map { $0 >= 0xC0 } == true ? end.dropLast() : end
    }

    /// The most attempts to find the end of one line's head.
    private static let looksMax = 32

    /// True if `next` may continue a line that ends with `last`, depending on the encoding.
    private func mayJoin(_ next: PhysicalLine, after last: UInt8?) -> Bool {
        let slice = lines.bytes[next.range]
        return slice.first.isBlank || last == .equals || slice.allSatisfy(VCardLines.isBase64Byte)
    }

    private func joins(
        _ next: PhysicalLine, _ encoding: TransferEncoding?, after last: UInt8?
    ) -> Bool {
        let slice = lines.bytes[next.range]
        if slice.first.isBlank { return true }
        switch encoding {
        case .quotedPrintable:
            // A URL may end with "=" without being a soft line break, so the end of a card is never
            // joined to it.
            return last == .equals && !CardBoundary.isAny(slice)
        case .base64:
            return !slice.isEmpty && slice.allSatisfy(VCardLines.isBase64Byte)
        case .identity, nil:
            return false
        }
    }

    private func join(
        _ next: PhysicalLine, _ encoding: TransferEncoding?, to bytes: inout [UInt8]
    ) {
        var slice = lines.bytes[next.range]
        if encoding == .quotedPrintable, bytes.last == .equals {
            bytes.removeLast()
            // After an encoded octet or whitespace, an indentation belongs to the fold. Between two
            // plain words it is the space between them ("operational=", " 0830 to 1715").
            let followsWord = !(QuotedPrintable.endsWithEncodedOctet(bytes) || bytes.last.isBlank)
            if slice.first.isBlank, !followsWord { slice = slice.drop(while: \.isBlank) }
        } else if encoding == .base64, folding != .calendar {
            slice = slice.trimmedOfBlanks
        } else if folding != .oldCard, slice.first.isBlank {
            slice = slice.dropFirst()
        }
        bytes += slice
    }

    private static func isBase64Byte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte.isBlank || byte == .equals
            || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
    }
}

extension UInt8? {
    fileprivate var isBlank: Bool { self?.isBlank ?? false }
}

/// The lines that begin and end a card.
enum CardBoundary {
    static func isBegin(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first.map({ $0 | 0x20 }) == UInt8(ascii: "b") else { return false }
        return line.trimmedOfBlanks.isASCII("BEGIN:VCARD")
    }

    /// True for the beginning of a card behind other text, as where files were joined.
    static func isBeginWithText(_ line: ArraySlice<UInt8>) -> Bool {
        line.trimmedOfBlanks.suffix(11).isASCII("BEGIN:VCARD")
    }

    static func isEnd(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") else { return false }
        let (end, rest) = (line.prefix(9), line.dropFirst(9))
        guard end.isASCII("END:VCARD") else { return false }
        // Punctuation or a byte order mark behind it, as some programs write, belongs to no card.
        return rest.first.map { !($0.isASCIILetter || $0.isASCIIDigit || $0 == .hyphen) } ?? true
    }

    /// The place of a boundary behind a property of the same line, where a line end is missing;
    /// `nil` if there is none. The value of AGENT is a card itself.
    static func atEnd(of line: ArraySlice<UInt8>) -> Int? {
        let text = line.trimmedOfBlanks
        guard text.last.map({ $0 | 0x20 }) == UInt8(ascii: "d"), !line.prefix(5).isASCII("AGENT")
        else { return nil }
        let lengths =
            [isBeginWithText(text) ? 11 : 0, text.suffix(9).isASCII("END:VCARD") ? 9 : 0]
        return lengths.first { $0 > 0 && $0 < text.count }.map { text.endIndex - $0 }
    }

    static func isAny(_ line: ArraySlice<UInt8>) -> Bool {
        isBegin(line) || isEnd(line)
    }
}

/// The transfer encoding of a value, as far as it matters for joining lines.
private enum TransferEncoding {
    case identity
    case quotedPrintable
    case base64

    /// The number of octets searched for the end of a line's head.
    private static let headMax = 1024

    /// Reads the encoding from the start of a line; `nil` if the colon has not been found yet, or
    /// if an open quotation mark may hide it.
    init?(head bytes: ArraySlice<UInt8>) {
        let head = bytes.prefix(Self.headMax)
        let mayGoOn = head.count == bytes.count
        guard head.contains(.colon),
            let property = VCardProperty(LogicalLine(number: 0, bytes: head)),
            !property.hasOpenQuote
        else {
            guard !mayGoOn else { return nil }
            self = .identity
            return
        }
        switch property.encoding {
        case "QUOTED-PRINTABLE": self = .quotedPrintable
        case "BASE64", "B": self = .base64
        default: self = .identity
        }
    }
}
