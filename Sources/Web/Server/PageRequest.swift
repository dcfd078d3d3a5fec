import Foundation
import NIOHTTP1

/// What somebody asks of a page.
public struct PageRequest: Sendable {
    /// Whether something is to be done: else it is only to be shown.
    public let isPost: Bool
    /// What stands in the path below the page's own, as it was written.
    public let rest: String
    /// What stands behind the question mark.
    public let query: FormFields
    /// What was filled in.
    public let form: FormFields
    /// The fields of its head.
    let fields: HTTPHeaders
}

/// The fields of a form, as browsers write them (WHATWG URL,
/// "application/x-www-form-urlencoded").
public struct FormFields: Sendable {
    /// The most fields that are read.
    static let countMax = 50

    private let values: [String: String]

    /// Reads fields; what cannot be read is what it looks like, and of several of one name the
    /// first counts.
    public init(_ text: some StringProtocol) {
        let pairs = text.split(separator: "&", maxSplits: Self.countMax).prefix(Self.countMax)
            .map { pair in
                let parts = pair.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return (Self.decoded(parts[0]), parts.count > 1 ? Self.decoded(parts[1]) : "")
            }
        values = Dictionary(pairs) { first, _ in first }
    }

    /// The value of a field; empty where there is none.
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
    /// A sign would be read as part of a number.
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
