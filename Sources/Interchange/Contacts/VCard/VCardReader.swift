/// Reads vCard 2.1, 3.0 (RFC 2426) and 4.0 (RFC 6350), also mixed in one file.
public enum VCardReader {
    /// Parses the cards in `bytes`, which may be in UTF-8, UTF-16 or an 8-bit encoding.
    ///
    /// Reading never fails: good cards are kept, and damaged ones are reported with their line. A
    /// line that is not a property is skipped without its card.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - isStopped: Asked every few lines. If it is true, the reading ends early.
    /// - Returns: The cards and the skipped parts.
    public static func read(
        _ bytes: [UInt8], isStopped: @escaping () -> Bool = { false }
    ) -> CardReading {
        var session = VCardSession(bytes, ReadingPace(isStopped))
        return session.read()
    }
}

/// A single pass over a file, line by line.
private struct VCardSession {
    private var lines: VCardLines
    private var reading = CardReading()
    private var open: OpenCard?
    private var nested: NestedCard?
    private var isTextOutsideNamed = false
    private var boundaryErrorCount = 0
    private var damagedLineCount = 0
    private let byteCount: Int
    /// The encoding of texts that state none.
    private let encoding: SourceEncoding
    private var pace: ReadingPace

    init(_ bytes: [UInt8], _ pace: ReadingPace) {
        self.pace = pace
        byteCount = bytes.count
        let isTooLong = byteCount > ContactLimits.fileBytesMax
        let plain = isTooLong ? [] : SourceText.plain(bytes)
        encoding = SourceEncoding(ofUnstatedIn: plain)
        lines = VCardLines(plain)
    }

    mutating func read() -> CardReading {
        guard byteCount <= ContactLimits.fileBytesMax else {
            reading.skip(line: 1, ContactLimits.refusal(ofBytes: byteCount))
            return reading
        }
        while pace.mayGoOn(), let line = lines.next() {
            if let excess {
                reading.skip(line: line.number, excess)
                open = nil
                break
            }
            take(line)
        }
        if let open { reading.skip(line: open.line, "the card has no END:VCARD") }
        if reading.cards.isEmpty, reading.skipped.isEmpty {
            reading.skip(line: 1, "the file has no BEGIN:VCARD")
        }
        reading.skipped.sort()
        reading.warnings.sort()
        return reading
    }

    /// The limit that the file exceeds, in words; `nil` if it exceeds none.
    private var excess: RemarkText? {
        if reading.cards.count >= ContactLimits.cardsMax {
            return "the file has more than \(ContactLimits.cardsMax) cards; the rest is skipped"
        }
        if boundaryErrorCount > ContactLimits.boundaryErrorsMax {
            return """
                the file has more than \(ContactLimits.boundaryErrorsMax) cards that do not begin \
                or end; the rest is skipped
                """
        }
        guard damagedLineCount > ContactLimits.damagedLinesMax else { return nil }
        return """
            the file has more than \(ContactLimits.damagedLinesMax) lines that are not properties \
            of a card; the rest is skipped
            """
    }

    private mutating func skipBoundary(line: Int, _ reason: RemarkText) {
        boundaryErrorCount += 1
        reading.skip(line: line, reason)
    }

    private mutating func skipLine(_ line: LogicalLine, _ reason: RemarkText) {
        damagedLineCount += 1
        reading.skip(line: line.number, reason)
    }

    /// Takes a line.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - mayBeJoined: true if a line end may be missing in it, so that a boundary follows a
    ///     property. A part of such a line is not divided again: a line of boundaries alone would
    ///     be divided without end.
    private mutating func take(_ line: LogicalLine, mayBeJoined: Bool = true) {
        if nested != nil {
            takeNested(line)
        } else if CardBoundary.isBegin(line.bytes) {
            begin(line)
        } else if CardBoundary.isEnd(line.bytes) {
            end(line)
        } else if open != nil {
            takeProperty(line, mayBeJoined)
        } else {
            noteOutside(line)
            if CardBoundary.isBeginWithText(line.bytes) { begin(line) }
        }
    }

    private mutating func noteOutside(_ line: LogicalLine) {
        guard !isTextOutsideNamed else { return }
        isTextOutsideNamed = true
        reading.warn(
            line: line.number, "text outside the cards is skipped: \(KeptText.quoted(line.bytes))")
    }

    private mutating func begin(_ line: LogicalLine) {
        if let open {
            // An AGENT of 2.1 has a whole card as its value.
            if open.awaitsNestedCard {
                nested = NestedCard(line)
                return
            }
            skipBoundary(
                line: open.line,
                "the card has no END:VCARD before the BEGIN:VCARD in line \(line.number)")
        }
        open = OpenCard(line: line.number)
        isTextOutsideNamed = false
        lines.folding = .card
    }

    private mutating func end(_ line: LogicalLine) {
        guard let ended = open else {
            return skipBoundary(line: line.number, "END:VCARD without a BEGIN:VCARD")
        }
        open = nil
        guard ended.versionCount < 2 || ended.isOfOne else {
            return reading.skip(
                line: ended.line,
                "the card has a second VERSION, so it is probably two cards with a damaged line "
                    + "between them")
        }
        var builder = CardBuilder(line: ended.line, encoding: encoding)
        if let card = builder.card(from: ended.properties, remarks: &reading) {
            reading.cards.append(card)
        } else {
            reading.skip(line: ended.line, builder.fault)
        }
    }

    private mutating func takeProperty(_ line: LogicalLine, _ mayBeJoined: Bool) {
        if mayBeJoined, let boundary = boundary(in: line) { return divide(line, at: boundary) }
        guard !line.isCut else {
            return skipLine(
                line, "the line is longer than \(ContactLimits.lineBytesMax) bytes")
        }
        guard let property = VCardProperty(line) else {
            return skipLine(line, "\(KeptText.quoted(line.bytes)) is not a property of a card")
        }
        switch property.name {
        case "BEGIN", "END":
            skipLine(line, "\(KeptText.quoted(line.bytes)) is not allowed inside a card")
        case "VERSION":
            takeVersion(property)
        case "AGENT" where CardBoundary.isBegin(property.value):
            // The card of the agent begins behind the colon.
            var agent = property
            agent.value = []
            open?.append(agent, remarks: &reading)
            nested = NestedCard(LogicalLine(number: line.number, bytes: property.value))
        default:
            open?.append(property, remarks: &reading)
        }
    }

    /// The place of a boundary behind a property of the same line; `nil` if there is none. The next
    /// line shows whether the words are a part of the value. A mail address never contains them.
    private func boundary(in line: LogicalLine) -> Int? {
        guard let place = CardBoundary.atEnd(of: line.bytes) else { return nil }
        let boundary = line.bytes[place...]
        let next = lines.upcoming ?? []
        let isCertain =
            line.bytes.prefix(5).isASCII("EMAIL")
            || (CardBoundary.isBegin(boundary)
                ? next.prefix(7).isASCII("VERSION")
                : next.isEmpty || CardBoundary.isBegin(next))
        return isCertain ? place : nil
    }

    /// Takes a property and the boundary behind it, where the line end between them is missing.
    private mutating func divide(_ line: LogicalLine, at boundary: Int) {
        let before = line.bytes[..<boundary]
        let end =
            CardBoundary.isBegin(line.bytes[boundary...]) ? CardBoundary.atEnd(of: before) : nil
        let parts =
            (end.map { [before[..<$0], before[$0...]] } ?? [before]) + [line.bytes[boundary...]]
        for part in parts {
            take(LogicalLine(number: line.number, bytes: part), mayBeJoined: false)
        }
    }

    private mutating func takeVersion(_ property: VCardProperty) {
        open?.versionCount += 1
        let version = property.value.trimmedOfBlanks
        lines.folding = version.isASCII("2.1") ? .oldCard : .card
        guard !["2.1", "3.0", "4.0"].contains(where: { version.isASCII($0) }) else { return }
        reading.warn(
            line: property.line,
            "\(KeptText.quoted(version)) is not a version of vCard; the card was read as 3.0")
    }

    private mutating func takeNested(_ line: LogicalLine) {
        if CardBoundary.isBegin(line.bytes), nested?.awaitsNestedCard == false {
            nested = nil
            open?.awaitsNestedCard = false
            begin(line)
            return
        }
        nested?.append(line)
        guard let ended = nested, ended.depth == 0 else { return }
        open?.setValueOfLast(ended.text)
        nested = nil
    }
}

/// A card whose end has not been read yet.
private struct OpenCard {
    let line: Int
    private(set) var properties: [VCardProperty] = []
    /// True if the last property is an AGENT without a value.
    var awaitsNestedCard = false
    /// The number of lines with a VERSION.
    var versionCount = 0
    private var isFull = false

    init(line: Int) {
        self.line = line
    }

    /// True if the card has the properties of one person: each name once.
    var isOfOne: Bool {
        ["FN", "N", "UID"].allSatisfy { name in properties.count { $0.name == name } < 2 }
    }

    mutating func append(_ property: VCardProperty, remarks: inout CardReading) {
        awaitsNestedCard = property.awaitsNestedCard
        if properties.count < ContactLimits.propertiesMax {
            properties.append(property)
        } else if !isFull {
            isFull = true
            remarks.skip(
                line: property.line,
                "the card has more than \(ContactLimits.propertiesMax) lines; the rest is skipped")
        }
    }

    mutating func setValueOfLast(_ value: [UInt8]) {
        awaitsNestedCard = false
        guard !properties.isEmpty else { return }
        properties[properties.count - 1].value = value[...]
    }
}

/// The card inside an AGENT of vCard 2.1, collected as escaped text for vCard 3.0.
private struct NestedCard {
    /// The number of open cards; 0 when the last one has ended.
    private(set) var depth = 0
    private(set) var text: [UInt8] = []
    private(set) var awaitsNestedCard = true

    init(_ begin: LogicalLine) {
        append(begin)
    }

    mutating func append(_ line: LogicalLine) {
        if CardBoundary.isBegin(line.bytes) { depth += 1 }
        if CardBoundary.isEnd(line.bytes) { depth -= 1 }
        awaitsNestedCard = VCardProperty(line)?.awaitsNestedCard ?? false
        guard text.count + line.bytes.count <= ContactLimits.lineBytesMax else { return }
        for byte in line.bytes {
            if byte == .backslash || byte == .semicolon || byte == .comma {
                text.append(.backslash)
            }
            text.append(byte)
        }
        text += Array("\\n".utf8)
    }
}

extension VCardProperty {
    fileprivate var awaitsNestedCard: Bool { name == "AGENT" && value.allSatisfy(\.isBlank) }
}
