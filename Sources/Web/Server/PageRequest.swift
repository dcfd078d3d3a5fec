import Foundation
import NIOHTTP1

/// A request to a page.
public struct PageRequest: Sendable {
    /// True if the method is POST, so that the request may change something.
    public let isPost: Bool
    /// The part of the path below the page's own path, still percent-encoded.
    public let rest: String
    /// The fields of the query.
    public let query: FormFields
    /// The fields of the submitted form.
    public let form: FormFields
    /// The header fields.
    let fields: HTTPHeaders
}

/// The fields of a form in the encoding that browsers send (WHATWG URL,
/// "application/x-www-form-urlencoded").
public struct FormFields: Sendable {
    /// The most fields to read.
    static let countMax = 50

    private let values: [String: String]

    /// Parses fields. An invalid percent-encoding is kept as it is; if a name occurs more than
    /// once, its first value counts.
    public init(_ text: some StringProtocol) {
        let pairs = text.split(separator: "&", maxSplits: Self.countMax).prefix(Self.countMax)
            .map { pair in
                let parts = pair.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
            }
        values = Dictionary(pairs) { first, _ in first }
    }

    /// The value of a field; empty if the field is missing.
    public subscript(name: String) -> String { values[name] ?? "" }

    private static func decoded(_ text: some StringProtocol) -> String {
        var octets: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let octet = rest.popFirst() {
            switch octet {
            case UInt8(ascii: "+"): octets.append(UInt8(ascii: " "))
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
        return String(decoding: octets, as: UTF8.self)
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
