import Foundation

/// The secret that the two ends of a webhook share (Standard Webhooks 1.0.0, "Signature scheme").
public struct WebhookSecret: Equatable, Sendable {
    /// How many octets one has.
    public static let octetsRange = 24...64

    private static let prefix = "whsec_"
    private let key: [UInt8]

    /// A secret of one's own octets; `nil` where they are too few or too many.
    public init?(octets: [UInt8]) {
        guard Self.octetsRange.contains(octets.count) else { return nil }
        key = octets
    }

    /// Makes a secret by chance.
    public init(using generator: inout some RandomNumberGenerator) {
        key = (0..<Self.madeOctets).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static let madeOctets = 32

    /// Reads a secret as it is written down: `whsec_` and base64; `nil` where it is none.
    public init?(_ text: String) {
        let body = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        guard let data = Data(base64Encoded: String(body)) else { return nil }
        self.init(octets: Array(data))
    }

    /// The secret as it is written down. Do not log it.
    public var text: String { Self.prefix + Data(key).base64EncodedString() }

    /// The signature of one attempt: `v1,` and base64.
    ///
    /// - Parameters:
    ///   - id: the delivery's name, the same for every attempt, without dots.
    ///   - seconds: when this attempt is made, in seconds since 1970.
    ///   - body: what is sent, octet by octet.
    /// - Returns: one item of the header `webhook-signature`, which holds them with blanks between.
    public func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let code = SHA256.code(of: "\(id).\(seconds).".utf8 + body, key: key)
        return "v1," + Data(code).base64EncodedString()
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    /// Says only that there is one.
    public var description: String { "(set)" }

    /// Keeps dumps and debuggers' mirrors from showing it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
