import StreamSafe

/// The fields of a form in the encoding that browsers send (WHATWG URL,
/// "application/x-www-form-urlencoded").
public struct FormFields: Sendable {
    /// The most fields to read.
    static let countMax = 500

    private let values: [String: [String]]

    /// Parses fields. An invalid percent-encoding is kept as it is.
    public init(_ text: some StringProtocol) {
        let pairs = text.split(separator: "&", maxSplits: Self.countMax).prefix(Self.countMax)
            .map { pair in
                let parts = pair.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (decode(parts[0]), parts.count > 1 ? decode(parts[1]) : "")
            }
        values = Dictionary(pairs.map { ($0.0, [$0.1]) }, uniquingKeysWith: +)
        func decode(_ text: some StringProtocol) -> String {
            PercentText.decoded(text, plusIsSpace: true)
        }
    }

    /// Fields by name.
    init(_ pairs: [(String, String)]) {
        values = Dictionary(
            pairs.prefix(Self.countMax).map { ($0.0.streamSafe, [$0.1.streamSafe]) },
            uniquingKeysWith: +)
    }

    /// The first value of a field; empty if the field is missing.
    public subscript(name: String) -> String { values[name]?.first ?? "" }

    /// The whole number in a field, from 0 to a million; 0 if the field has none, because anybody
    /// can send any number.
    func count(_ name: String) -> Int { min(max(Int(self[name]) ?? 0, 0), 1_000_000) }

    /// All values of a field.
    public func all(_ name: String) -> [String] { values[name] ?? [] }

    /// All fields and values as one text, the same for the same form.
    var text: String {
        values.sorted { $0.key < $1.key }
            .map { name, values in ([name] + values).joined(separator: "\0") }
            .joined(separator: "\0\0")
    }

    /// True if the field was sent.
    public func has(_ name: String) -> Bool { values[name] != nil }
}

/// Text with percent-encoded bytes (RFC 3986, 2.1).
enum PercentText {
    /// The decoded text. An invalid encoding is kept as it is; bytes that are not UTF-8 are
    /// replaced.
    static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String {
        guard text.utf8.contains(where: { $0 == 0x25 || plusIsSpace && $0 == 0x2B }) else {
            return String(text).streamSafe
        }
        var octets: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "+") where plusIsSpace: octets.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let value = hexadecimal(rest.prefix(2)) else {
                    octets.append(octet)
                    continue
                }
                octets.append(value)
                rest = rest.dropFirst(2)
            default: octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self).streamSafe
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        guard digits.count == 2, digits.allSatisfy(\.isHexadecimalDigit) else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}

extension UInt8 {
    /// `UInt8(_:radix:)` would also accept a sign.
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
