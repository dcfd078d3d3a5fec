/// A check that bytes are one JSON text (RFC 8259), without keeping its values.
///
/// Foundation also accepts what RFC 8259 forbids and many services refuse, such as a comma before a
/// closing bracket.
struct JSONCheck {
    /// The first byte that cannot be part of a JSON text is at ``position``.
    private struct Mistake: Error {}

    private let bytes: [UInt8]
    private var position = 0
    /// The closing brackets of the objects and arrays that are open, the innermost last.
    private var closers: [Unicode.Scalar] = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The number of bytes before the first mistake; `nil` if there is none. If the text is
    /// unfinished, all its bytes are before the mistake.
    static func mistake(in bytes: [UInt8]) -> Int? {
        var check = JSONCheck(bytes)
        do throws(Mistake) {
            try check.readText()
            return nil
        } catch {
            return check.position
        }
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Skips a character if it comes next.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func require(_ character: Unicode.Scalar) throws(Mistake) {
        guard take(character) else { throw Mistake() }
    }
}

/// Objects and arrays. The list of open ones replaces recursion, which deep nesting could exhaust.
extension JSONCheck {
    private mutating func readText() throws(Mistake) {
        var isValueNext = true
        while isValueNext || !closers.isEmpty {
            skipSpace()
            isValueNext = try isValueNext ? readValue() : readSeparator()
        }
        skipSpace()
        guard next == nil else { throw Mistake() }
    }

    /// Reads a value, or the beginning of an object or array. Returns true if the first value in it
    /// comes next.
    private mutating func readValue() throws(Mistake) -> Bool {
        switch next {
        case UInt8(ascii: "{"): return try readOpening(closedBy: "}")
        case UInt8(ascii: "["): return try readOpening(closedBy: "]")
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "t"): try readWord("true")
        case UInt8(ascii: "f"): try readWord("false")
        case UInt8(ascii: "n"): try readWord("null")
        default: try readNumber()
        }
        return false
    }

    private mutating func readOpening(
        closedBy closer: Unicode.Scalar
    ) throws(Mistake) -> Bool {
        position += 1
        skipSpace()
        guard !take(closer) else { return false }
        closers.append(closer)
        if closer == "}" { try readName() }
        return true
    }

    /// Reads a comma or a closing bracket. Returns true if a value comes next.
    private mutating func readSeparator() throws(Mistake) -> Bool {
        guard let closer = closers.last else { return false }
        guard !take(closer) else {
            closers.removeLast()
            return false
        }
        try require(",")
        if closer == "}" { try readName() }
        return true
    }

    /// Reads the name of a field and the colon after it.
    private mutating func readName() throws(Mistake) {
        skipSpace()
        try readString()
        skipSpace()
        try require(":")
    }
}

/// Words and numbers.
extension JSONCheck {
    private mutating func readWord(_ word: String) throws(Mistake) {
        for letter in word.unicodeScalars { try require(letter) }
    }

    private mutating func readNumber() throws(Mistake) {
        _ = take("-")
        if !take("0") { try readDigits() }
        if take(".") { try readDigits() }
        guard take("e") || take("E") else { return }
        if !take("+") { _ = take("-") }
        try readDigits()
    }

    private mutating func readDigits() throws(Mistake) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw Mistake() }
    }
}

/// Strings.
extension JSONCheck {
    private mutating func readString() throws(Mistake) {
        try require("\"")
        while !take("\"") {
            if next == UInt8(ascii: "\\") {
                try readEscape()
            } else {
                try readCharacter()
            }
        }
    }

    /// Reads one character in valid UTF-8 that is not a control character.
    private mutating func readCharacter() throws(Mistake) {
        var decoder = UTF8()
        var rest = bytes[position...].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&rest), scalar.value >= 0x20 else {
            throw Mistake()
        }
        position += UTF8.width(scalar)
    }

    private mutating func readEscape() throws(Mistake) {
        let start = position
        position += 1
        guard take("u") else {
            guard let byte = next, "\"\\/bfnrt".utf8.contains(byte) else { throw Mistake() }
            position += 1
            return
        }
        let unit = try readUnit()
        guard (0xD800...0xDFFF).contains(unit) else { return }
        // A character beyond U+FFFF takes two escapes. Half of such a pair is no character.
        guard unit < 0xDC00, take("\\"), take("u"), (0xDC00...0xDFFF).contains(try readUnit())
        else {
            position = start
            throw Mistake()
        }
    }

    /// Reads the four hexadecimal digits of an escape.
    private mutating func readUnit() throws(Mistake) -> Int {
        var unit = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw Mistake()
            }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}
