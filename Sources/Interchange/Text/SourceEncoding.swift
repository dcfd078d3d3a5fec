/// The encoding of a file that is not UTF-8 and states no encoding.
///
/// A name that is read in a wrong encoding is worse than none, so an encoding of another script
/// counts only if its letters say so with certainty. Texts of Latin letters are read as
/// Windows-1252 unless another encoding fits better.
enum SourceEncoding: Equatable {
    /// UTF-8, or Windows-1252 where single texts are not UTF-8.
    case usual
    /// An encoding by its name for iconv, and its name for people.
    case other(name: String, words: String)
    /// Another script than Latin, but it is not certain in which encoding.
    case unclear

    /// The most octets of a file that are looked at closely.
    private static let sampleOctetsMax = 16 << 10

    /// The encoding of a whole file.
    init(of bytes: [UInt8]) {
        guard !bytes[...].isASCII else {
            self = Self.shifted(bytes)
            return
        }
        let foreign = Self(lines: Self.lines(of: bytes))
        self = foreign == .usual ? Self.older(bytes) : foreign
    }

    /// The encoding of the lines of a vCard file that state none.
    init(ofUnstatedIn bytes: [UInt8]) {
        guard !bytes[...].isASCII else {
            self = .usual
            return
        }
        let lines = Self.lines(of: bytes).lazy
            .filter { !$0.isASCII && !$0.statesCharset && !$0.isUTF8 }
        let foreign = Self(lines: lines)
        self = foreign == .usual ? Self.older(Array(lines.joined(separator: [.lineFeed]))) : foreign
    }

    /// An encoding of Latin letters that fits better than Windows-1252.
    private static func older(_ bytes: [UInt8]) -> SourceEncoding {
        OlderText.encoding(of: bytes).map { .other(name: $0.rawValue, words: $0.words) } ?? .usual
    }

    /// The encoding of lines, of which only those count that are not UTF-8.
    private init(lines: some Sequence<ArraySlice<UInt8>>) {
        var sample: [UInt8] = []
        for line in lines where !line.isASCII && !line.isUTF8 {
            guard sample.count < Self.sampleOctetsMax else { break }
            sample += line.prefix(Self.sampleOctetsMax)
            sample.append(.lineFeed)
        }
        guard !sample.isEmpty else {
            self = .usual
            return
        }
        switch ForeignScript.finding(in: sample) {
        case .encoding(let encoding): self = .other(name: encoding.name, words: encoding.words)
        case .unclear: self = .unclear
        case .latin: self = TurkishText.isLikely(sample) ? Self.turkish : .usual
        }
    }

    private static let turkish = SourceEncoding.other(name: "CP1254", words: "Windows-1254")

    /// The encoding of Japanese mails, whose octets are ASCII (RFC 1468).
    private static func shifted(_ bytes: [UInt8]) -> SourceEncoding {
        let escape: UInt8 = 0x1B
        let isShifted = bytes.indices.contains { place in
            bytes[place] == escape && bytes[place...].dropFirst().first == UInt8(ascii: "$")
        }
        guard isShifted, Charset(name: "ISO-2022-JP")?.text(bytes[...]) != nil else {
            return .usual
        }
        return .other(name: "ISO-2022-JP", words: "ISO-2022-JP")
    }

    /// The file in UTF-8. Where a good part of its lines is UTF-8 already, only the others are
    /// converted: files of several programs were joined. A few lines may look like UTF-8 by chance.
    func utf8(_ bytes: [UInt8]) -> [UInt8] {
        guard case .other(let name, _) = self, let charset = Charset(name: name) else {
            return bytes
        }
        var (count, validCount) = (0, 0)
        for line in Self.lines(of: bytes) where !line.isASCII {
            count += 1
            if line.isUTF8 { validCount += 1 }
        }
        guard validCount * Self.chanceMax > count else {
            return charset.converted(bytes[...])
        }
        var text: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: .lineFeed).map { $0 + 1 } ?? rest.endIndex
            let line = rest[..<end]
            text += line.isASCII || line.isUTF8 ? Array(line) : charset.converted(line)
            rest = rest[end...]
        }
        return text
    }

    /// One in so many lines may look like UTF-8 by chance.
    private static let chanceMax = 20

    private static func lines(of bytes: [UInt8]) -> some Sequence<ArraySlice<UInt8>> {
        sequence(state: bytes[...]) { rest -> ArraySlice<UInt8>? in
            guard !rest.isEmpty else { return nil }
            let line = rest.prefix { $0 != .lineFeed && $0 != .carriageReturn }
            rest = rest[line.endIndex...].dropFirst()
            return line
        }
    }
}

extension Charset {
    /// A text in UTF-8, without octets that this encoding does not have if they are few; the same
    /// octets if they are many.
    fileprivate func converted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        (text(bytes) ?? repairedText(bytes)).map { Array($0.utf8) } ?? Array(bytes)
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isUTF8: Bool { String(validating: self, as: UTF8.self) != nil }

    /// True for a line of a card whose head has the parameter CHARSET.
    fileprivate var statesCharset: Bool {
        let head = prefix { $0 != .colon }
        return head.split { $0 == .semicolon || $0 == .equals }.contains { $0.isASCII("CHARSET") }
    }
}
