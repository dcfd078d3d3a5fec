/// A line of text being edited, with its cursor.
///
/// ```swift
/// var line = LineEditor("Lunch")
/// line.take(.killToStart)
/// line.take(.text("Dinner"))
/// line.text == "Dinner"
/// ```
package struct LineEditor: Equatable, Sendable {
    /// The longest line, in characters; excess characters are dropped.
    package static let charactersMax = 2000
    /// The longest line in UTF-8 bytes, because one character can consist of any number of scalars.
    private static let bytesMax = 4 * charactersMax

    /// The characters of the line, as a person sees them.
    private(set) var characters: [Character] = []
    /// The index of the character after the cursor, from 0 to the count of characters.
    private(set) var cursor = 0

    /// Makes a line with the cursor at its end.
    package init(_ text: String = "") {
        insert(text)
    }

    package var text: String { String(characters) }
    package var isEmpty: Bool { characters.isEmpty }

    /// Applies a key. Keys that do not edit are ignored.
    package mutating func take(_ key: Key) {
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

    /// Inserts text at the cursor. Its ends may combine with the neighbouring characters, as an
    /// accent with its letter or the parts of an emoji.
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
        // The characters on both sides of the gap may combine.
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
