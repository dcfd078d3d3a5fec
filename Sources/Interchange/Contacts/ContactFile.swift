/// An address book file in any supported format.
public enum ContactFile {
    /// The format of an address book file.
    public enum Format: Equatable, Sendable {
        /// A vCard file of any version.
        case vCard
        /// A table with a header.
        case csv
    }

    /// The format of `bytes`: vCard if there is a line `BEGIN:VCARD`, otherwise as the file
    /// extension says.
    ///
    /// - Parameters:
    ///   - bytes: The whole file, in UTF-8, UTF-16 or an 8-bit encoding.
    ///   - name: The file's name, or an empty text if it has none.
    /// - Returns: ``Format/csv`` for everything that is not a vCard file.
    public static func format(of bytes: [UInt8], name: String) -> Format {
        var lines = PhysicalLines(SourceText.plain(Array(bytes.prefix(sniffedBytesMax))))
        while let line = lines.next() {
            if CardBoundary.isBegin(lines.bytes[line.range]) { return .vCard }
        }
        let ending = name.lowercased()
        return ending.hasSuffix(".vcf") || ending.hasSuffix(".vcard") ? .vCard : .csv
    }

    /// Parses the contacts in `bytes` in any supported format. A file that cannot be read at all is
    /// reported as one skipped part.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: As for ``format(of:name:)``.
    ///   - isStopped: Asked every few lines. If it is true, the reading ends early, and its result
    ///     is of no use.
    /// - Returns: The contacts and the skipped parts.
    public static func read(
        _ bytes: [UInt8], name: String, isStopped: @escaping () -> Bool = { false }
    ) -> CardReading {
        switch format(of: bytes, name: name) {
        case .vCard: return VCardReader.read(bytes, isStopped: isStopped)
        case .csv:
            do {
                return try ContactCSVReader.read(bytes, isStopped: isStopped)
            } catch {
                var reading = CardReading()
                reading.skip(line: error.line, error.words)
                return reading
            }
        }
    }

    /// The number of bytes searched for the first card.
    private static let sniffedBytesMax = 64 << 10
}

extension ContactCSVError {
    /// The line with the error, counted from 1.
    fileprivate var line: Int {
        switch self {
        case .tooLong, .empty, .binary, .unclearEncoding: 1
        case .unknownHeader(let line, _): line
        }
    }
}
