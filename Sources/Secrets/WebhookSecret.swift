import Foundation

/// The shared secret of the two ends of a webhook (Standard Webhooks 1.0.0, "Signature scheme").
public struct WebhookSecret: Equatable, Sendable {
    /// The allowed lengths of a secret in bytes.
    public static let octetsRange = 24...64

    private static let prefix = "whsec_"
    private let key: [UInt8]

    /// Creates a secret from given bytes; `nil` if the length is wrong.
    public init?(octets: [UInt8]) {
        guard Self.octetsRange.contains(octets.count) else { return nil }
        key = octets
    }

    /// Creates a random secret.
    public init(using generator: inout some RandomNumberGenerator) {
        key = (0..<Self.madeOctets).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static let madeOctets = 32

    /// Parses a secret in its text form, `whsec_` and base64; `nil` if the text is not a secret.
    public init?(_ text: String) {
        let body = text.hasPrefix(Self.prefix) ? text.dropFirst(Self.prefix.count) : text[...]
        guard let data = Data(base64Encoded: String(body)) else { return nil }
        self.init(octets: Array(data))
    }

    /// The secret in its text form. Do not log it.
    public var text: String { Self.prefix + Data(key).base64EncodedString() }

    /// The signature of one attempt: `v1,` and base64.
    ///
    /// - Parameters:
    ///   - id: the delivery's name, the same for every attempt, without dots.
    ///   - seconds: the time of this attempt, in seconds since 1970.
    ///   - body: the exact bytes of the body.
    /// - Returns: one item of the header `webhook-signature`, whose items are separated by blanks.
    public func signature(id: String, seconds: Int64, body: [UInt8]) -> String {
        let code = AuthenticationKey(key).code(of: "\(id).\(seconds).".utf8 + body)
        return "v1," + Data(code).base64EncodedString()
    }
}

extension WebhookSecret: CustomStringConvertible, CustomReflectable {
    /// A fixed text that does not reveal the secret.
    public var description: String { "(set)" }

    /// An empty mirror, so that dumps and debuggers do not show the secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
