import Foundation

/// The form in which names are compared: without case, accents and punctuation.
///
/// ```swift
/// SearchKey.fold("  Łódź, São-Paulo ") == "lodz sao paulo"
/// ```
///
/// The rule, which `make-gazetteer.py` also follows, so that its keys are found here:
/// 1. The text is decomposed canonically (NFD).
/// 2. Nonspacing and enclosing marks and invisible format characters are removed.
/// 3. Each scalar is converted to lower case on its own.
/// 4. Letters without a decomposition are spelled in plain letters: ø o, ł l, đ d, ð d, þ th,
///    ß ss, æ ae, œ oe, ı i, and the final sigma is a sigma.
/// 5. Letters, numbers and spacing marks (vowels of Indic scripts) are kept. Each run of anything
///    else becomes one space, and spaces at either end are removed.
///
/// Folding a key gives the same key.
public enum SearchKey {
    /// The key of a name or of a typed text; empty if it has no letter and no number.
    public static func fold(_ text: String) -> String {
        var text = text
        if let key = text.withUTF8(asciiKey) { return key }
        var key = KeyBuilder(capacity: text.utf8.count)
        for scalar in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            key.add(scalar)
        }
        return key.text
    }

    /// The key of a person's name regardless of the order of its words: "Virtanen, Anna" equals
    /// "Anna Virtanen".
    public static func name(_ name: String) -> String {
        fold(name).split(separator: " ").sorted().joined(separator: " ")
    }

    /// True if two names are spellings of the same name. Names without letters are compared as they
    /// are.
    public static func isSameName(_ one: String, _ other: String) -> Bool {
        let key = self.name(one)
        return key.isEmpty ? one == other : key == self.name(other)
    }

    /// The key of an ASCII text, which most names are; nil for any other text.
    private static func asciiKey(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        var key = KeyBuilder(capacity: bytes.count)
        for byte in bytes {
            key.add(ascii: byte)
        }
        return key.text
    }
}

/// Collects the bytes of a key, with one space for each run of separators between words.
private struct KeyBuilder {
    private var bytes: [UInt8] = []
    private var hasGap = false

    init(capacity: Int) {
        bytes.reserveCapacity(capacity)
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func add(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            append(CollectionOfOne(byte))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"):
            append(CollectionOfOne(byte | 0x20))
        default:
            hasGap = true
        }
    }

    mutating func add(_ scalar: Unicode.Scalar) {
        guard !scalar.isASCII else { return add(ascii: UInt8(truncatingIfNeeded: scalar.value)) }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format:
            return
        default:
            break
        }
        let lowered = scalar.properties.lowercaseMapping
        if let spelled = Self.spelling(of: lowered) {
            append(spelled.utf8)
        } else if lowered.unicodeScalars.allSatisfy(Self.isKept) {
            append(lowered.utf8)
        } else {
            hasGap = true
        }
    }

    private mutating func append(_ word: some Collection<UInt8>) {
        if hasGap && !bytes.isEmpty { bytes.append(UInt8(ascii: " ")) }
        hasGap = false
        bytes.append(contentsOf: word)
    }

    private static func spelling(of letter: String) -> String? {
        switch letter {
        case "ø": "o"
        case "ł": "l"
        case "đ", "ð": "d"
        case "þ": "th"
        case "ß": "ss"
        case "æ": "ae"
        case "œ": "oe"
        case "ı": "i"
        case "ς": "σ"
        default: nil
        }
    }

    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber, .spacingMark:
            true
        default:
            false
        }
    }
}
