/// A line of a card as it is meant: folds undone, soft line breaks taken out.
struct LogicalLine {
    /// Where it begins, counted from 1.
    var number: Int
    var bytes: ArraySlice<UInt8>
    /// Whether it was longer than ``ContactLimits/lineBytesMax`` and lost its end.
    var isCut = false
}

/// The logical lines of a vCard file of any version, or of a calendar.
///
/// 3.0 and 4.0 fold by a line end and one blank. 2.1 folds before a blank that belongs to the
/// text, breaks quoted-printable lines with `=`, indented or not, and ends base64 with a blank
/// line or with whatever is no base64.
struct VCardLines {
    /// What becomes of the blanks around a fold.
    enum Folding {
        /// Its one blank is no text, and base64 has none (vCard 3.0 and 4.0).
        case card
        /// The blank is text (vCard 2.1).
        case oldCard
        /// Its one blank is no text; all others are kept (iCalendar).
        case calendar
    }

    /// How the lines at hand are folded.
    var folding: Folding
    private var lines: PhysicalLines

    init(_ bytes: [UInt8], folding: Folding = .card) {
        self.folding = folding
        lines = PhysicalLines(bytes)
    }

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
        from number: Int, _ first: ArraySlice<UInt8>
    ) -> LogicalLine {
        // Most lines stand alone, and whether they do is seen without a look at their parameters.
        guard let next = lines.upcoming, mayJoin(next, after: first.last) else {
            return LogicalLine(number: number, bytes: first)
        }
        var encoding = TransferEncoding(head: first)
        var looksLeft = Self.looksMax
        var bytes = Array(first)
        var isCut = false
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
        return LogicalLine(number: number, bytes: bytes[...], isCut: isCut)
    }

    /// So often the head of one line is looked at for where it ends.
    private static let looksMax = 32

    /// Whether `next` goes on with a line that ends with `last`, where the encoding allows it.
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
            // An URL may end with "=" by itself; the end of the card is not to be lost to it.
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
            // After an encoded octet or a blank, an indentation is a fold; between two words of
            // plain letters it is the blank between them ("operational=", " 0830 to 1715").
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

    static func isEnd(_ line: ArraySlice<UInt8>) -> Bool {
        guard line.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") else { return false }
        return line.trimmedOfBlanks.isASCII("END:VCARD")
    }

    static func isAny(_ line: ArraySlice<UInt8>) -> Bool {
        isBegin(line) || isEnd(line)
    }
}

/// How the value of a line is written over bytes, as far as joining lines must know.
private enum TransferEncoding {
    case identity
    case quotedPrintable
    case base64

    /// How far a line is looked at for what ends its head, in octets.
    private static let headMax = 1024

    /// Nil as long as the colon has not come, or a quote is open that may hide it.
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
