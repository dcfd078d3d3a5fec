/// A remark about a part of a file.
public protocol FileRemark: Equatable, Sendable {
    /// The line, counted from 1.
    var line: Int { get }
    /// A text that is the same for all remarks of a kind.
    var kind: String { get }
}

/// Remarks about a file. All are counted by kind; the first thousand are listed, and the first one
/// of each kind in any case, so that trivial remarks never hide others.
public struct RemarkList<Item: FileRemark>: Equatable, Sendable {
    /// The number of remarks of a kind that are not listed.
    public struct Rest: Equatable, Sendable {
        /// The first remark of the kind.
        public let first: Item
        /// The number of those that are not listed, at least 1.
        public let count: Int
    }

    private struct Kind: Equatable {
        let first: Item
        var count = 1
        var listed = 1
    }

    /// The listed remarks, in the order in which they were added.
    private var listed: [Item] = []
    private var kinds: [Kind] = []
    private var places: [String: Int] = [:]
    private var othersCount = 0

    /// The number of remarks up to which all are listed.
    public static var listedMax: Int { 1000 }
    /// The most kinds of which the first remark is listed in any case.
    public static var kindsMax: Int { 500 }

    /// An empty list.
    public init() {}

    /// Counts a remark, and lists it if there is room.
    public mutating func add(_ item: Item) {
        let kind = item.kind
        guard let place = places[kind] else {
            guard kinds.count < Self.kindsMax else {
                othersCount += 1
                return
            }
            places[kind] = kinds.count
            kinds.append(Kind(first: item))
            return listed.append(item)
        }
        kinds[place].count += 1
        guard listed.count < Self.listedMax else { return }
        kinds[place].listed += 1
        listed.append(item)
    }

    /// Puts the listed remarks into the order of their lines.
    public mutating func sort() {
        listed.sort { $0.line < $1.line }
    }

    /// The kinds of which remarks are not listed.
    public var rests: [Rest] {
        kinds.filter { $0.count > $0.listed }.map {
            Rest(first: $0.first, count: $0.count - $0.listed)
        }
    }

    /// The number of remarks of further kinds, beyond ``kindsMax``.
    public var furtherCount: Int { othersCount }

    /// The number of all remarks.
    public var total: Int { kinds.reduce(othersCount) { $0 + $1.count } }
}

extension RemarkList: RandomAccessCollection {
    /// The place of the first listed remark.
    public var startIndex: Int { listed.startIndex }
    /// The place after the last listed remark.
    public var endIndex: Int { listed.endIndex }
    /// The listed remark at a place.
    public subscript(index: Int) -> Item { listed[index] }
}

extension RemarkList: ExpressibleByArrayLiteral {
    /// A list of these remarks.
    public init(arrayLiteral items: Item...) {
        for item in items { add(item) }
    }
}

extension String {
    /// A text without its quoted parts and its digits, which is the same for all remarks of a kind.
    public var withoutParticulars: String {
        var isQuoted = false
        var kept: [UInt8] = []
        kept.reserveCapacity(utf8.count)
        for byte in utf8 {
            if byte == .quote { isQuoted.toggle() }
            if !isQuoted, !byte.isASCIIDigit { kept.append(byte) }
        }
        return String(decoding: kept, as: UTF8.self)
    }
}
