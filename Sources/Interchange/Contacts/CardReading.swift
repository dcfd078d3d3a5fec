/// The result of reading an address book file.
public struct CardReading: Equatable, Sendable {
    /// The cards that could be read, in the order of the file.
    public var cards: [ContactCard] = []
    /// The skipped parts, in the order of the file.
    public var skipped: RemarkList<SkippedPart> = []
    /// The parts that were read, but perhaps not as intended.
    public var warnings: RemarkList<ReadingWarning> = []

    /// The kinds of data that were not used, in the order of the file, and columns in the order of
    /// its header. The first ``ContactLimits/unusedMax`` are named, and the last entry counts the
    /// others.
    public var unused: [UnusedData] { unusedKinds.all }
    private var unusedKinds = UnusedKinds()

    /// An empty result.
    public init() {}

    /// Counts a piece of data that is not used.
    mutating func leaveOut(_ kind: UnusedData.Kind, _ name: String, line: Int) {
        unusedKinds.add(kind, name, line: line)
    }

    /// Puts the columns that are not used into the order of `headers`.
    mutating func sortUnused(by headers: [String]) { unusedKinds.sort(by: headers) }

    mutating func skip(line: Int, _ reason: RemarkText) {
        skipped.add(SkippedPart(line: line, words: reason))
    }

    mutating func warn(line: Int, _ message: RemarkText, kind: String? = nil) {
        warnings.add(ReadingWarning(line: line, words: message, kind: kind))
    }
}

/// A skipped part of a file: a card, or one line of a card that was kept.
public struct SkippedPart: FileRemark {
    /// The line, counted from 1. For a card, its first line.
    public let line: Int
    /// The reason.
    public let words: RemarkText

    /// Creates a skipped part.
    public init(line: Int, words: RemarkText) {
        self.line = line
        self.words = words
    }

    /// The reason, as text for people.
    public var reason: String { words.description }

    /// The reason without what it quotes.
    public var kind: String { reason.withoutParticulars }
}

/// Data of one kind that was not used.
public struct UnusedData: Equatable, Sendable {
    /// The kind of data.
    public enum Kind: Sendable {
        /// A column of a table.
        case column
        /// A property of a card or an event.
        case property
        /// A group that Google has in every address book.
        case group
    }

    /// The kind.
    public let kind: Kind
    /// The name of the column or property, shortened.
    public let name: String
    /// The number of values that were not used.
    public internal(set) var count = 1
    /// The line of the first one, counted from 1.
    public let line: Int
    /// The number of kinds, if the entry stands for those that are not named; otherwise 0.
    public fileprivate(set) var kindCount = 0

    /// Data that was found once.
    init(_ kind: Kind, _ name: String, line: Int) {
        self.kind = kind
        self.name = name
        self.line = line
    }

    /// The kind and the name, as text for people.
    public var what: String {
        guard kindCount == 0 else {
            let words = kind == .column ? ("column", "columns") : ("property", "properties")
            return "\(kindCount) more \(kindCount == 1 ? words.0 : words.1)"
        }
        return switch kind {
        case .column: "the column \"\(name)\""
        case .property: "the property \(name)"
        case .group: "Google's own group \"\(name)\""
        }
    }
}

/// Counts all kinds of data that are not used, and names the first ones.
private struct UnusedKinds: Equatable, Sendable {
    private struct Key: Hashable {
        let kind: UnusedData.Kind
        let name: String
    }

    private var named: [UnusedData] = []
    private var places: [Key: Int] = [:]
    private var rest: UnusedData?
    /// The hash values of the kinds that are not named: their names could fill the memory.
    private var others: Set<Int> = []

    var all: [UnusedData] { named + [rest].compactMap(\.self) }

    mutating func add(_ kind: UnusedData.Kind, _ name: String, line: Int) {
        let key = Key(kind: kind, name: name)
        if let place = places[key] {
            named[place].count += 1
        } else if named.count < ContactLimits.unusedMax {
            places[key] = named.count
            named.append(UnusedData(kind, name, line: line))
        } else {
            others.insert(key.hashValue)
            if rest == nil {
                rest = UnusedData(kind, name, line: line)
            } else {
                rest?.count += 1
            }
            rest?.kindCount = others.count
        }
    }

    /// Sorts the named kinds. Nothing is added after that.
    mutating func sort(by headers: [String]) {
        let order = Dictionary(
            headers.enumerated().map { ($0.element, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        named.sort { (order[$0.name] ?? Int.max) < (order[$1.name] ?? Int.max) }
        places = [:]
    }
}

/// A part that was read, but perhaps not as intended.
public struct ReadingWarning: FileRemark {
    /// The line, counted from 1.
    public let line: Int
    /// The assumption that was made.
    public let words: RemarkText

    /// The message without what it quotes and without numbers, unless these matter.
    public let kind: String

    /// Creates a warning.
    ///
    /// - Parameters:
    ///   - line: the line.
    ///   - words: the assumption that was made.
    ///   - kind: a text for all warnings of the kind; `nil` for the message without particulars.
    public init(line: Int, words: RemarkText, kind: String? = nil) {
        self.line = line
        self.words = words
        self.kind = kind ?? words.description.withoutParticulars
    }

    /// The assumption that was made, as text for people.
    public var message: String { words.description }
}

/// The limits for reading one file. Parts beyond a limit are skipped and reported.
public enum ContactLimits {
    /// The largest size of a file: 64 MiB.
    public static let fileBytesMax = 64 << 20
    /// The most cards of a file, or rows below its header.
    public static let cardsMax = 200_000
    /// The largest size of one unfolded line: 16 MiB, to allow pictures.
    public static let lineBytesMax = 16 << 20
    /// The most properties of a card; a group has one for each member.
    public static let propertiesMax = 50_000
    /// The most cards of a file without an end, and ends without a card.
    public static let boundaryErrorsMax = 10_000
    /// The most lines of a file that are not properties of a card.
    public static let damagedLinesMax = 100_000
    /// The most columns of a table that are read.
    public static let columnsMax = 500
    /// The most kinds of data that ``CardReading/unused`` names.
    public static let unusedMax = 50
    /// The longest mail address in bytes (RFC 5321, 4.5.3.1.3, without the angle brackets).
    public static let mailAddressBytesMax = 254

    /// The error message for a file that is larger than ``fileBytesMax``.
    public static func refusal(ofBytes count: Int) -> RemarkText {
        "the file has \(count) bytes; at most \(fileBytesMax) can be read"
    }
}
