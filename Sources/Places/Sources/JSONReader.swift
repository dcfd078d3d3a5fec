import StreamSafe

/// Parses one JSON text (RFC 8259) from bytes. Only white space may surround it.
///
/// Invalid UTF-8 and unpaired surrogate escapes become U+FFFD, so that one damaged name does not
/// spoil the rest.
struct JSONReader {
    /// The deepest nesting of values. A multipolygon needs seven levels.
    static let depthMax = 64

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// The field of the whole object whose elements are passed on, and not kept.
    private let passing: (name: String, element: (JSONValue) -> Void)?

    /// Parses the bytes.
    ///
    /// - Throws: ``JSONError``, with its position counted from the first byte of `bytes`.
    static func read(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> JSONValue {
        try read(bytes, passing: nil)
    }

    /// Parses an object with one long array. Its elements are passed on one by one, so that only
    /// one of them is in memory; in the value, the array is empty.
    ///
    /// - Throws: ``JSONError``, perhaps after some elements were passed on.
    static func read(
        _ bytes: ArraySlice<UInt8>, elementsOf name: String,
        _ element: @escaping (JSONValue) -> Void
    ) throws(JSONError) -> JSONValue {
        try read(bytes, passing: (name, element))
    }

    private static func read(
        _ bytes: ArraySlice<UInt8>, passing: (name: String, element: (JSONValue) -> Void)?
    ) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes, passing)
        let value = try reader.value(depth: 0)
        reader.skipSpace()
        guard reader.next == nil else { throw reader.error("there is more text after its end") }
        return value
    }

    private init(
        _ bytes: ArraySlice<UInt8>, _ passing: (name: String, element: (JSONValue) -> Void)?
    ) {
        self.bytes = bytes
        self.passing = passing
        position = bytes.startIndex
    }

    private var next: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private func error(_ reason: String) -> JSONError {
        JSONError(reason: reason, position: position - bytes.startIndex)
    }

    /// The error for an unexpected byte or an early end.
    private var unexpected: JSONError {
        guard let next else { return error("it ends too early") }
        let isShowable = (0x21...0x7E).contains(next)
        return error(isShowable ? "unexpected \"\(Unicode.Scalar(next))\"" : "unexpected byte")
    }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    /// Skips `byte` if it comes next.
    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < JSONReader.depthMax else { throw error("it is nested too deeply") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return try object(depth: depth)
        case UInt8(ascii: "["): return try array(depth: depth)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(
        _ word: StaticString, _ value: JSONValue
    ) throws(JSONError) -> JSONValue {
        guard bytes[position...].starts(with: word.description.utf8) else { throw unexpected }
        position += word.utf8CodeUnitCount
        return value
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        position += 1
        var fields: [String: JSONValue] = [:]
        skipSpace()
        if take("}") { return .object(fields) }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw unexpected }
            let name = try string()
            skipSpace()
            guard take(":") else { throw unexpected }
            let isPassed = depth == 0 && name == passing?.name
            fields[name] = try isPassed ? passedArray() : value(depth: depth + 1)
            skipSpace()
        } while take(",")
        guard take("}") else { throw unexpected }
        return .object(fields)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        try eachElement(depth: depth) { elements.append($0) }
        return .array(elements)
    }

    /// The array whose elements are passed on; any other value as it is.
    private mutating func passedArray() throws(JSONError) -> JSONValue {
        skipSpace()
        guard next == UInt8(ascii: "["), let passing else { return try value(depth: 1) }
        try eachElement(depth: 1, passing.element)
        return .array([])
    }

    private mutating func eachElement(
        depth: Int, _ element: (JSONValue) -> Void
    ) throws(JSONError) {
        position += 1
        skipSpace()
        if take("]") { return }
        repeat {
            element(try value(depth: depth + 1))
            skipSpace()
        } while take(",")
        guard take("]") else { throw unexpected }
    }
}

/// Numbers.
extension JSONReader {
    private mutating func number() throws(JSONError) -> Double {
        let start = position
        _ = take("-")
        let isZero = take("0")
        if !isZero { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard let number = Double(text), number.isFinite else {
            throw error("the number \(text.prefix(20)) is too large")
        }
        return number
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            position += 1
        }
        guard position > start else { throw unexpected }
    }
}

/// Strings.
extension JSONReader {
    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        try skipPlain()
        if take("\"") {
            return String(decoding: bytes[start..<(position - 1)], as: UTF8.self).streamSafe
        }
        var units = Array(bytes[start..<position])
        while take("\\") {
            units.append(contentsOf: String(try escape()).utf8)
            let plain = position
            try skipPlain()
            units.append(contentsOf: bytes[plain..<position])
        }
        guard take("\"") else { throw unexpected }
        return String(decoding: units, as: UTF8.self).streamSafe
    }

    /// Skips to the next quote or backslash.
    private mutating func skipPlain() throws(JSONError) {
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else {
                throw error("a string contains a line break or a control character")
            }
            position += 1
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        guard let byte = next else { throw unexpected }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            position += 1
            return Unicode.Scalar(byte)
        case UInt8(ascii: "u"):
            position += 1
            return try unicodeEscape()
        default:
            guard let control = JSONReader.controls[byte] else { throw unexpected }
            position += 1
            return control
        }
    }

    private static let controls: [UInt8: Unicode.Scalar] = [
        UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "n"): "\n",
        UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    ]

    /// Decodes an escape. A character beyond U+FFFF takes two of them; half of such a pair becomes
    /// U+FFFD.
    private mutating func unicodeEscape() throws(JSONError) -> Unicode.Scalar {
        let first = try fourDigits()
        guard (0xD800...0xDBFF).contains(first) else {
            return Unicode.Scalar(first) ?? "\u{FFFD}"
        }
        let afterFirst = position
        if take("\\"), take("u") {
            let second = try fourDigits()
            if (0xDC00...0xDFFF).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
                    ?? "\u{FFFD}"
            }
        }
        position = afterFirst
        return "\u{FFFD}"
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
                throw unexpected
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
