/// A line of text while somebody edits it: what stands in it, and where the cursor is.
///
/// ```swift
/// var line = LineEditor("Lunch")
/// line.take(.killToStart)
/// line.take(.text("Dinner"))
/// line.text == "Dinner"
/// ```
struct LineEditor: Equatable, Sendable {
    /// The longest line, in characters; what comes beyond it is dropped.
    static let charactersMax = 2000
    /// A character may be made of any number of scalars: bytes are limited too.
    private static let bytesMax = 4 * charactersMax

    /// What a person sees as characters.
    private(set) var characters: [Character] = []
    /// Before which character the cursor stands: from 0 to their count.
    private(set) var cursor = 0

    /// A line with the cursor at its end.
    init(_ text: String = "") {
        insert(text)
    }

    var text: String { String(characters) }
    var isEmpty: Bool { characters.isEmpty }

    /// Does what the key says; a key that edits nothing is left alone.
    mutating func take(_ key: Key) {
        switch key {
        case .text(let text): insert(text)
        case .paste(let text):
            insert(text.split(whereSeparator: \.isNewline).joined(separator: " "))
        case .backspace: remove(from: max(0, cursor - 1), to: cursor)
        case .delete: remove(from: cursor, to: min(characters.count, cursor + 1))
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = 0
        case .end: cursor = characters.count
        case .wordLeft: cursor = wordStart
        case .wordRight: cursor = wordEnd
        case .killToEnd: remove(from: cursor, to: characters.count)
        case .killToStart: remove(from: 0, to: cursor)
        case .killWord: remove(from: wordStart, to: cursor)
        case .enter, .tab, .escape, .up, .down, .interrupt, .endOfInput: break
        }
    }

    /// What is inserted may join with what stands before and behind it: an accent with its letter,
    /// the parts of an emoji.
    private mutating func insert(_ text: String) {
        let room = Self.bytesMax - self.text.utf8.count
        var bytes = 0
        let kept = RowText.of(text).unicodeScalars.prefix { scalar in
            bytes += UTF8.width(scalar)
            return bytes <= room
        }
        var before = Array(String(characters[..<cursor]) + String(kept))
        let after = characters[cursor...]
        before.removeLast(
            min(before.count, max(0, before.count + after.count - Self.charactersMax)))
        characters = Array(String(before) + String(after))
        cursor = min(before.count, characters.count)
    }

    private mutating func remove(from start: Int, to end: Int) {
        characters.removeSubrange(start..<end)
        cursor = start
        // What is left may join across the gap.
        characters = Array(text)
        cursor = min(cursor, characters.count)
    }

    private var wordStart: Int {
        let before = characters[..<cursor]
        let end = before.lastIndex { !$0.isWhitespace } ?? 0
        return before[..<end].lastIndex(where: \.isWhitespace).map { $0 + 1 } ?? 0
    }

    private var wordEnd: Int {
        let after = characters[cursor...]
        let start = after.firstIndex { !$0.isWhitespace } ?? characters.count
        return characters[start...].firstIndex(where: \.isWhitespace) ?? characters.count
    }
}
