/// A key press, or text that was typed or pasted.
package enum Key: Equatable, Sendable {
    /// Typed text without control characters.
    case text(String)
    /// Pasted text, including its line breaks.
    case paste(String)
    case enter, tab, escape
    case backspace, delete
    case left, right, up, down, home, end
    case wordLeft, wordRight
    /// Deletes from the cursor to the end of the line, from its start to the cursor, or the word
    /// before the cursor.
    case killToEnd, killToStart, killWord
    /// Ctrl-C.
    case interrupt
    /// Ctrl-D.
    case endOfInput
}

extension Key {
    /// The key for a control byte; `nil` for a byte without a meaning here.
    package init?(controlByte byte: UInt8) {
        switch byte {
        case 0x01: self = .home
        case 0x02: self = .left
        case 0x03: self = .interrupt
        case 0x04: self = .endOfInput
        case 0x05: self = .end
        case 0x06: self = .right
        case 0x08, 0x7F: self = .backspace
        case 0x09: self = .tab
        case 0x0A, 0x0D: self = .enter
        case 0x0B: self = .killToEnd
        case 0x0E: self = .down
        case 0x10: self = .up
        case 0x15: self = .killToStart
        case 0x17: self = .killWord
        default: return nil
        }
    }

    /// The key for a control sequence (ECMA-48 CSI, or SS3) with these parameters and this final
    /// byte. The parameters for Ctrl and Alt are those of xterm and similar terminals.
    package init?(sequence parameters: String, final: UInt8) {
        let isWordwise = ["1;3", "1;5"].contains(parameters)
        switch (final, parameters) {
        case (UInt8(ascii: "A"), _), (UInt8(ascii: "Z"), _): self = .up
        case (UInt8(ascii: "B"), _): self = .down
        case (UInt8(ascii: "C"), _): self = isWordwise ? .wordRight : .right
        case (UInt8(ascii: "D"), _): self = isWordwise ? .wordLeft : .left
        case (UInt8(ascii: "H"), _), (UInt8(ascii: "~"), "1"), (UInt8(ascii: "~"), "7"):
            self = .home
        case (UInt8(ascii: "F"), _), (UInt8(ascii: "~"), "4"), (UInt8(ascii: "~"), "8"):
            self = .end
        case (UInt8(ascii: "M"), _): self = .enter
        case (UInt8(ascii: "~"), "3"): self = .delete
        default: return nil
        }
    }
}
