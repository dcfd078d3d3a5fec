/// An error in the bytes of a time zone file (RFC 8536 and, for version 4, RFC 9636).
public enum TZifFault: Error, Hashable, Sendable {
    /// The first bytes are not "TZif" and a version.
    case notTZif
    /// The file is shorter than its counts require.
    case truncated
    /// A count is not allowed, for example a file without any local time type.
    case badCount
    /// A transition refers to a missing local time type, or a type to a missing abbreviation.
    case badIndex
    /// An offset from UTC is below -25 or above +26 hours.
    case badOffset
    /// The transitions are not in ascending order.
    case unsorted
    /// The rule in the last line cannot be parsed.
    case badFooter
}

extension TZifFault: CustomStringConvertible {
    /// The error as the end of a sentence.
    public var description: String {
        switch self {
        case .notTZif: "it is not a TZif file"
        case .truncated: "it ends too early"
        case .badCount: "a count in its header is wrong"
        case .badIndex: "an index is out of range"
        case .badOffset: "an offset from UTC is too large"
        case .unsorted: "its transitions are not in order"
        case .badFooter: "the rule in its last line cannot be read"
        }
    }
}

/// A parser for the bytes of a time zone file. No input causes a trap: each count is checked before
/// it is used.
struct TZifReader {
    /// The maximum number of leap seconds, enough for several centuries: there were 27 in the first
    /// fifty years.
    private static let leapSecondsMax = 1000

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The counts in the order of the header. All come from 32 bits, so that their sums fit into
    /// `Int`.
    private struct Header {
        let version: UInt8
        let universalMarks: Int
        let standardMarks: Int
        let leapSeconds: Int
        let transitions: Int
        let types: Int
        let abbreviationBytes: Int

        func dataBytes(timeBytes: Int) -> Int {
            transitions * (timeBytes + 1) + types * 6 + abbreviationBytes
                + leapSeconds * (timeBytes + 4) + standardMarks + universalMarks
        }
    }

    /// Parses the file: version 1 from its 32-bit block, later versions from the 64-bit block and
    /// the footer.
    mutating func read() throws(TZifFault) -> ZoneRules {
        let header = try header()
        guard header.version >= UInt8(ascii: "2") else {
            return try block(header, timeBytes: 4)
        }
        try skip(header.dataBytes(timeBytes: 4))
        return try block(try self.header(), timeBytes: 8)
    }

    private mutating func header() throws(TZifFault) -> Header {
        guard try take(4).elementsEqual("TZif".utf8) else { throw .notTZif }
        let version = try take(1).first ?? 0
        guard version == 0 || version >= UInt8(ascii: "2") else { throw .notTZif }
        try skip(15)
        let header = Header(
            version: version, universalMarks: try count(), standardMarks: try count(),
            leapSeconds: try count(), transitions: try count(), types: try count(),
            abbreviationBytes: try count())
        let marksFit = [header.universalMarks, header.standardMarks].allSatisfy {
            $0 == 0 || $0 == header.types
        }
        guard (1...256).contains(header.types), header.abbreviationBytes > 0, marksFit,
            header.leapSeconds <= TZifReader.leapSecondsMax
        else { throw .badCount }
        return header
    }

    /// Parses the tables that a header announces, and the footer after the 64-bit tables.
    private mutating func block(
        _ header: Header, timeBytes: Int
    ) throws(TZifFault) -> ZoneRules {
        guard header.dataBytes(timeBytes: timeBytes) <= bytes.count - position else {
            throw .truncated
        }
        var times: [Int64] = []
        for _ in 0..<header.transitions { times.append(try integer(bytes: timeBytes)) }
        let indexes = Array(try take(header.transitions))
        let records = try take(header.types * 6)
        let names = Array(try take(header.abbreviationBytes))
        var leaps = LeapSeconds()
        for _ in 0..<header.leapSeconds {
            leaps.append(at: try integer(bytes: timeBytes), total: try integer(bytes: 4))
        }
        try skip(header.standardMarks + header.universalMarks)
        times = times.map(leaps.withoutLeapSeconds)
        guard zip(times, times.dropFirst()).allSatisfy(<) else { throw .unsorted }
        guard indexes.allSatisfy({ $0 < header.types }) else { throw .badIndex }
        return ZoneRules(
            transitions: times, typeIndexes: indexes,
            types: try types(Array(records), names: names),
            footer: try timeBytes == 8 ? footer() : nil)
    }

    /// Parses records of six bytes: the offset, the flag for daylight saving time, and the start of
    /// the abbreviation.
    private func types(
        _ records: [UInt8], names: [UInt8]
    ) throws(TZifFault) -> [LocalTimeType] {
        var types: [LocalTimeType] = []
        for start in stride(from: 0, to: records.count, by: 6) {
            let offset = Int(TZifReader.signed(records[start..<start + 4]))
            guard LocalTimeType.offsetSecondsRange.contains(offset) else { throw .badOffset }
            let name = names.dropFirst(Int(records[start + 5]))
            guard let end = name.firstIndex(of: 0) else { throw .badIndex }
            types.append(
                LocalTimeType(
                    offsetSeconds: offset, isDaylight: records[start + 4] != 0,
                    abbreviation: String(decoding: name[..<end], as: UTF8.self)))
        }
        return types
    }

    /// The rule between two newlines; nil if it is empty.
    private mutating func footer() throws(TZifFault) -> PosixRule? {
        guard try take(1).first == UInt8(ascii: "\n") else { throw .badFooter }
        let line = bytes[position...].prefix { $0 != UInt8(ascii: "\n") }
        guard line.endIndex < bytes.endIndex else { throw .truncated }
        guard !line.isEmpty else { return nil }
        guard let rule = PosixRule(String(decoding: line, as: UTF8.self)) else { throw .badFooter }
        return rule
    }
}

extension TZifReader {
    private mutating func take(_ count: Int) throws(TZifFault) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .truncated }
        defer { position += count }
        return bytes[position..<position + count]
    }

    private mutating func skip(_ count: Int) throws(TZifFault) {
        _ = try take(count)
    }

    private mutating func count() throws(TZifFault) -> Int {
        try take(4).reduce(0) { $0 << 8 | Int($1) }
    }

    private mutating func integer(bytes count: Int) throws(TZifFault) -> Int64 {
        TZifReader.signed(try take(count))
    }

    /// A signed number with the highest byte first.
    private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
        let negative = bytes.first.map { $0 >= 0x80 } ?? false
        return bytes.reduce(negative ? -1 : 0) { $0 << 8 | Int64($1) }
    }
}

/// A table of leap seconds. Files in the folder "right" count leap seconds, but ``Moment`` does
/// not.
private struct LeapSeconds {
    private var records: [(time: Int64, total: Int64)] = []

    mutating func append(at time: Int64, total: Int64) {
        records.append((time, total))
    }

    /// The time of a transition without the leap seconds before it.
    func withoutLeapSeconds(_ time: Int64) -> Int64 {
        time.subtractingSaturated(records.last { $0.time <= time }?.total ?? 0)
    }
}
