import Foundation
public import Interchange
import Ledger

/// A card of an address book, with its file.
public struct ImportedCard: Sendable {
    /// The file.
    public let file: String
    /// The card.
    public let card: ContactCard

    /// Names the file of a card.
    public init(file: String, card: ContactCard) {
        self.file = file
        self.card = card
    }
}

/// The cards without a UID in the files of an import. A card that an earlier import found in one
/// of these files, and that is no longer there, was changed or removed since.
public struct FileContents: Sendable {
    private var marks: [String: String] = [:]
    /// The keys of the cards, by the mark of their file.
    private var cards: [String: Set<String>] = [:]

    /// No files.
    public init() {}

    /// Adds a file that may be imported again under its name.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - cards: all cards in it.
    public mutating func add(_ path: String, with cards: [ContactCard]) {
        let place = URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
        let mark = SipHash.digest(of: place)
        marks[path] = mark
        let keys = cards.filter { $0.uid == nil }.map { CardSource.key(of: $0) }
        self.cards[mark, default: []].formUnion(keys)
    }

    /// The mark by which a later import recognizes a file; empty for a file that was not added.
    func mark(of path: String) -> String { marks[path] ?? "" }

    /// True if the file with a mark no longer has the card with a key.
    func lacks(_ key: String, in mark: String) -> Bool {
        cards[mark].map { !$0.contains(key) } ?? false
    }
}
