/// A parser that turns the bytes of a terminal into keys, however the bytes are split.
///
/// ```swift
/// var reader = KeyReader()
/// reader.read([0xC3]) == []
/// reader.read([0xA9, 0x0D]) == [.text("é"), .enter]
/// ```
///
/// Bytes that are not UTF-8 become U+FFFD. Control bytes and sequences without a meaning are
/// dropped.
package struct KeyReader {
    /// The most bytes of one paste that are kept.
    package static let pasteBytesMax = 65_536
    /// The most parameter bytes of a control sequence that are kept.
    private static let parameterBytesMax = 16
    private static let escapeByte: UInt8 = 0x1B
    private static let pasteEnd: [UInt8] = [escapeByte] + Array("[201~".utf8)

    private enum State {
        case ground
        case escape
        /// After ESC O.
        case single
        /// After ESC [, with the parameters read so far.
        case sequence([UInt8])
        /// Inside a bracketed paste, with the number of matched bytes of the end sequence.
        case paste(matched: Int)
    }

    private var state = State.ground
    /// Text bytes read so far; the last character may be incomplete.
    private var text: [UInt8] = []
    private var pasted: [UInt8] = []

    /// True if an escape byte was read and more bytes may belong to it.
    package var isAmidEscape: Bool {
        switch state {
        case .escape, .single, .sequence: true
        case .ground, .paste: false
        }
    }

    /// Reads bytes and returns the keys that are complete.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes { take(byte, into: &keys) }
        endText(isComplete: false, into: &keys)
        return keys
    }

    /// Ends an escape sequence for which no more bytes came: the escape byte was the Escape key.
    package mutating func settle() -> [Key] {
        guard isAmidEscape else { return [] }
        state = .ground
        return [.escape]
    }

    private mutating func take(_ byte: UInt8, into keys: inout [Key]) {
        switch state {
        case .ground: takeOnGround(byte, into: &keys)
        case .escape: takeAfterEscape(byte, into: &keys)
        case .single:
            state = .ground
            if let key = Key(sequence: "", final: byte) { keys.append(key) }
        case .sequence(let parameters): takeInSequence(byte, parameters, into: &keys)
        case .paste(let matched): takeInPaste(byte, matched, into: &keys)
        }
    }

    private mutating func takeOnGround(_ byte: UInt8, into keys: inout [Key]) {
        guard byte < 0x20 || byte == 0x7F else { return text.append(byte) }
        endText(isComplete: true, into: &keys)
        if byte == Self.escapeByte {
            state = .escape
        } else if let key = Key(controlByte: byte) {
            keys.append(key)
        }
    }

    private mutating func takeAfterEscape(_ byte: UInt8, into keys: inout [Key]) {
        state = .ground
        switch byte {
        case UInt8(ascii: "["): state = .sequence([])
        case UInt8(ascii: "O"): state = .single
        case UInt8(ascii: "b"): keys.append(.wordLeft)
        case UInt8(ascii: "f"): keys.append(.wordRight)
        case 0x7F, 0x08: keys.append(.killWord)
        case ..<0x20:
            keys.append(.escape)
            takeOnGround(byte, into: &keys)
        default: break
        }
    }

    private mutating func takeInSequence(
        _ byte: UInt8, _ parameters: [UInt8], into keys: inout [Key]
    ) {
        switch byte {
        case 0x20..<0x40:
            let isKept = parameters.count < Self.parameterBytesMax
            state = .sequence(isKept ? parameters + [byte] : parameters)
        case 0x40..<0x7F:
            state = .ground
            let words = String(decoding: parameters, as: UTF8.self)
            if byte == UInt8(ascii: "~"), words == "200" {
                pasted = []
                state = .paste(matched: 0)
            } else if let key = Key(sequence: words, final: byte) {
                keys.append(key)
            }
        default:
            state = .ground
            takeOnGround(byte, into: &keys)
        }
    }

    /// Reads a byte of a paste. Terminals remove Ctrl-C from pasted text, so this byte is the key
    /// itself; it also ends a paste whose end sequence never comes.
    private mutating func takeInPaste(_ byte: UInt8, _ matched: Int, into keys: inout [Key]) {
        guard byte != 0x03 else {
            state = .ground
            return keys.append(.interrupt)
        }
        guard byte == Self.pasteEnd[matched] else {
            let isEscape = byte == Self.escapeByte
            pasted += Self.pasteEnd.prefix(matched) + (isEscape ? [] : [byte])
            pasted.removeLast(max(0, pasted.count - Self.pasteBytesMax))
            state = .paste(matched: isEscape ? 1 : 0)
            return
        }
        guard matched + 1 == Self.pasteEnd.count else {
            state = .paste(matched: matched + 1)
            return
        }
        state = .ground
        keys.append(.paste(String(decoding: pasted, as: UTF8.self)))
    }

    /// Emits the text read so far, except for the bytes of an incomplete last character.
    private mutating func endText(isComplete: Bool, into keys: inout [Key]) {
        let openCount = isComplete ? 0 : Self.openBytes(of: text)
        guard text.count > openCount else { return }
        keys.append(.text(String(decoding: text.dropLast(openCount), as: UTF8.self)))
        text = Array(text.suffix(openCount))
    }

    /// The number of bytes at the end that belong to an incomplete UTF-8 character (RFC 3629).
    private static func openBytes(of text: [UInt8]) -> Int {
        for count in 1...3 where count <= text.count {
            let length: Int
            switch text[text.count - count] {
            case 0x80..<0xC0: continue
            case 0xC2..<0xE0: length = 2
            case 0xE0..<0xF0: length = 3
            case 0xF0..<0xF5: length = 4
            default: return 0
            }
            return length > count ? count : 0
        }
        return 0
    }
}
