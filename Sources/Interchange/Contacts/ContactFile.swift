/// An address book file of any format that is understood here.
public enum ContactFile {
    /// What a file is.
    public enum Format: Equatable, Sendable {
        /// vCard of any version.
        case vCard
        /// A table with a header.
        case csv
    }

    /// What `bytes` are. A line `BEGIN:VCARD` decides; where there is none, the end of `name`.
    ///
    /// - Parameters:
    ///   - bytes: The whole file, in UTF-8, UTF-16 or an 8-bit encoding.
    ///   - name: The file's name, or an empty text where it has none.
    /// - Returns: ``Format/csv`` for what is no vCard.
    public static func format(of bytes: [UInt8], name: String) -> Format {
        var lines = PhysicalLines(SourceText.plain(Array(bytes.prefix(sniffedBytesMax))))
        while let line = lines.next() {
            if CardBoundary.isBegin(lines.bytes[line.range]) { return .vCard }
        }
        let ending = name.lowercased()
        return ending.hasSuffix(".vcf") || ending.hasSuffix(".vcard") ? .vCard : .csv
    }

    /// The contacts in `bytes`, whatever the format; a file that cannot be read at all is one
    /// skipped part.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: As for ``format(of:name:)``.
    /// - Returns: The good cards, and what was left out.
    public static func read(_ bytes: [UInt8], name: String) -> CardReading {
        switch format(of: bytes, name: name) {
        case .vCard: return VCardReader.read(bytes)
        case .csv:
            do {
                return try ContactCSVReader.read(bytes)
            } catch {
                var reading = CardReading()
                reading.skip(line: error.line, error.description)
                return reading
            }
        }
    }

    /// As far as a first card is sought.
    private static let sniffedBytesMax = 64 << 10
}

extension ContactCSVError {
    /// Where the file is wrong, counted from 1.
    fileprivate var line: Int {
        switch self {
        case .tooLong, .empty: 1
        case .unknownHeader(let line, _): line
        }
    }
}
