import Glibc
import StreamSafe
import Synchronization

/// A text encoding by its name in mails, cards and calendars.
///
/// Names mean what they mean to browsers (WHATWG Encoding Standard, 4.2), where programs write
/// characters that a standard of the same name does not have: Latin 1 is read as Windows-1252,
/// GB 2312 as GB 18030, and Shift_JIS as Windows-31J. Everything else is as in iconv(3).
struct Charset: Equatable {
    /// The name for iconv.
    let name: String

    static let utf8 = Charset(known: "UTF-8")
    static let windows1252 = Charset(known: "CP1252")

    private init(known name: String) { self.name = name }

    /// The encoding of this name, in any case; `nil` if it is unknown.
    init?(name: String) {
        let name = name.lowercased()
        if let known = Self.aliases[name] {
            self.init(known: known)
            return
        }
        // "iso-8859-8-i" is Hebrew in logical order, as it is stored today (RFC 1556).
        let isDirected =
            name.hasPrefix("iso-8859-") && ["-i", "-e"].contains { name.hasSuffix($0) }
        let spellings = [
            name, name.hasPrefix("x-") ? String(name.dropFirst(2)) : name,
            isDirected ? String(name.dropLast(2)) : name,
        ]
        guard Self.isName(name), let known = spellings.first(where: Self.isKnown) else {
            return nil
        }
        self.init(known: known)
    }

    /// The text in this encoding; `nil` if the bytes are not valid in it.
    func text(_ bytes: ArraySlice<UInt8>) -> String? {
        self == .windows1252 ? Windows1252.text(bytes) : Conversion(from: name)?.text(bytes)
    }

    /// The text in this encoding with U+FFFD in place of single invalid bytes; `nil` if more than
    /// one in twenty is invalid.
    func repairedText(_ bytes: ArraySlice<UInt8>) -> String? {
        Conversion(from: name)?.text(bytes, invalidMax: max(1, bytes.count / 20))
    }

    /// True if it has one byte for each letter of Europe, so that texts in it are hardly ever valid
    /// UTF-8.
    var isOfEurope: Bool {
        let name = name.lowercased()
        return ["iso-8859-", "iso8859-", "windows-125", "cp125"].contains { name.hasPrefix($0) }
    }

    /// True if every ASCII text means the same in this encoding.
    var extendsASCII: Bool { self == .utf8 || self == .windows1252 }

    /// The conversions that were found. They stay open: the system would load the code of an
    /// encoding again each time that its last conversion was closed.
    private static let opened = Mutex<[String: Conversion]>([:])
    /// The most conversions that stay open.
    private static let openedMax = 300

    private static func isKnown(_ name: String) -> Bool {
        opened.withLock { opened in
            guard opened[name] == nil else { return true }
            guard let conversion = Conversion(from: name) else { return false }
            if opened.count < openedMax { opened[name] = conversion }
            return true
        }
    }

    /// A name without the suffixes and the internal encodings of iconv.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.count <= 40 && !["char", "wchar_t", "internal"].contains(name)
            && name.utf8.allSatisfy {
                $0.isASCIILetter || $0.isASCIIDigit || "-_.:".utf8.contains($0)
            }
    }

    private static let aliases: [String: String] = {
        let names = [
            "UTF-8": "utf-8 utf8 us-ascii ascii ansi_x3.4-1968 unicode-1-1-utf-8 x-unicode20utf8",
            "CP1252":
                "iso-8859-1 iso8859-1 iso_8859-1 latin1 l1 windows-1252 cp1252 cp-1252 x-cp1252",
            "CP1254": "iso-8859-9 iso8859-9 latin5 windows-1254",
            "CP874": "iso-8859-11 tis-620 windows-874",
            "GB18030": "gb2312 gb_2312-80 gbk x-gbk cp936 gb18030 chinese",
            "CP932": "shift_jis shift-jis sjis x-sjis ms_kanji windows-31j ms932",
            "CP949": "euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 windows-949",
            "BIG5-HKSCS": "big5 big5-hkscs cn-big5 x-x-big5",
            "MACINTOSH": "macintosh mac x-mac-roman",
            "UTF-7": "utf-7 unicode-1-1-utf-7",
        ]
        return Dictionary(
            uniqueKeysWithValues: names.flatMap { known, aliases in
                aliases.split(separator: " ").map { (String($0), known) }
            })
    }()
}

/// A descriptor of iconv(3).
private final class Conversion {
    private let descriptor: iconv_t

    /// Opens a conversion to UTF-8; `nil` if there is none.
    init?(from name: String) {
        let descriptor = iconv_open("UTF-8", name)
        guard let descriptor, descriptor != iconv_t(bitPattern: -1) else { return nil }
        self.descriptor = descriptor
    }

    deinit { iconv_close(descriptor) }

    /// The most bytes that one byte becomes in UTF-8.
    private static let growthMax = 6

    /// Converts a text.
    ///
    /// - Parameters:
    ///   - bytes: the text.
    ///   - invalidMax: the most bytes that are replaced by U+FFFD.
    /// - Returns: the text; `nil` if there are more invalid bytes.
    func text(_ bytes: ArraySlice<UInt8>, invalidMax: Int = 0) -> String? {
        var input = Array(bytes).map(CChar.init(bitPattern:))
        let capacity = input.count * Self.growthMax + 16
        let output = [CChar](unsafeUninitializedCapacity: capacity) { buffer, count in
            count = convert(&input, to: buffer, invalidMax: invalidMax) ?? 0
        }
        guard !output.isEmpty || bytes.isEmpty else { return nil }
        return String(validating: output.lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// U+FFFD in UTF-8.
    private static let replacement = "\u{FFFD}".utf8.map(CChar.init(bitPattern:))

    /// Converts everything, and returns the number of bytes written; `nil` if more than a number of
    /// bytes are not valid.
    private func convert(
        _ input: inout [CChar], to output: UnsafeMutableBufferPointer<CChar>, invalidMax: Int
    ) -> Int? {
        var left = output.count
        var next = output.baseAddress
        var unread = input.count
        var invalidLeft = invalidMax
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            var first = input.baseAddress
            while iconv(descriptor, &first, &unread, &next, &left) == -1 {
                guard invalidLeft > 0, unread > 0, left > Self.replacement.count else {
                    return false
                }
                invalidLeft -= 1
                for byte in Self.replacement {
                    next?.pointee = byte
                    next = next?.advanced(by: 1)
                }
                left -= Self.replacement.count
                first = first?.advanced(by: 1)
                unread -= 1
            }
            return iconv(descriptor, nil, nil, &next, &left) != -1
        }
        return isWhole && unread == 0 ? output.count - left : nil
    }
}

/// Windows-1252, which browsers take for Latin 1. It has a character for each byte, so it can read
/// everything.
private enum Windows1252 {
    static func text(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(scalar(byte)) }
        return String(text)
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return high[Int(byte - 0x80)]
    }

    /// The characters for 0x80 to 0x9F; the five undefined ones stay control characters.
    private static let high: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}",
        "\u{2C6}", "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}",
        "\u{90}", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}",
        "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}", "\u{153}", "\u{9D}", "\u{17E}",
        "\u{178}",
    ]
}

/// Bytes converted to UTF-8, with a flag for a guessed encoding.
struct DecodedText {
    /// Valid UTF-8 without long runs of combining marks.
    let bytes: ArraySlice<UInt8>
    /// True if the bytes are not valid in their stated encoding, or UTF-8 if none is stated, and
    /// were read as Windows-1252.
    let isGuess: Bool
    /// True if the bytes are UTF-8 and not in their stated encoding.
    private(set) var isUTF8Instead = false

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Converts bytes. If they are not valid in the stated encoding, they are read as UTF-8; or in
    /// the stated encoding without a few invalid bytes; or else as Windows-1252.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - charset: the stated encoding; `nil` for none.
    init(_ source: ArraySlice<UInt8>, charset: Charset?) {
        let stated = charset ?? .utf8
        let bytes: ArraySlice<UInt8>
        if stated.extendsASCII, source.isASCII {
            (bytes, isGuess) = (source, false)
        } else if stated != .utf8, let text = stated.text(source) {
            (bytes, isGuess) = (Array(text.utf8)[...], false)
        } else if String(validating: source, as: UTF8.self) != nil {
            (bytes, isGuess) = (source, false)
        } else if charset != nil, !stated.extendsASCII, let text = stated.repairedText(source) {
            (bytes, isGuess) = (Array(text.utf8)[...], true)
        } else {
            (bytes, isGuess) = (Array(Windows1252.text(source).utf8)[...], true)
        }
        self.bytes = StreamSafeText.limited(bytes)
    }

    /// Converts bytes, but as UTF-8 if they are valid in it and were stated to be in an encoding
    /// with one byte for each letter. Programs state it for each text that is not ASCII.
    ///
    /// - Parameters:
    ///   - source: the bytes.
    ///   - name: the name of the stated encoding; `nil` for none.
    init(checking source: ArraySlice<UInt8>, charsetNamed name: String?) {
        let charset = name.flatMap { Charset(name: $0) }
        let isUTF8 =
            charset?.isOfEurope == true && !source.isASCII
            && String(validating: source, as: UTF8.self) != nil
        self.init(source, charset: isUTF8 ? .utf8 : charset)
        isUTF8Instead = isUTF8
    }

    /// Converts bytes by the name of their encoding. If it is unknown, they are read as UTF-8, or
    /// else as Windows-1252.
    init(_ source: ArraySlice<UInt8>, charsetNamed name: String?) {
        self.init(source, charset: name.flatMap { Charset(name: $0) })
    }
}
