import Ledger

/// The secret part of a private link: 160 bits that nobody can guess, in 32 letters and digits.
public struct AccessToken: Equatable, Sendable {
    /// The number of characters of a token.
    public static let characters = 32

    /// The token as it appears in the link. Do not log it.
    public let text: String

    /// Wraps the text from a link; `nil` if it cannot be a token.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characters,
            text.utf8.allSatisfy(Base32.Alphabet.rfc4648.digits.contains)
        else { return nil }
        self.text = String(text)
    }

    /// Draws a random token.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(
            octets: (0..<Self.characters * 5 / 8).map { _ in
                UInt8.random(in: .min ... .max, using: &generator)
            })
    }

    fileprivate init(octets: [UInt8]) {
        text = Base32.text(octets, alphabet: .rfc4648)
    }

    /// The hash under which the store knows the token, in 64 hexadecimal digits. Nobody can compute
    /// a link from the contents of the store.
    public var hash: String {
        Hexadecimal.text(SHA256.hash(text.utf8))
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// A fixed text that does not reveal the token.
    public var description: String { "(a token)" }

    /// An empty mirror, so that dumps and debuggers do not show the token.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The secret key of an installation. It derives tokens that nobody else can compute, and always
/// the same ones.
public struct InstallationKey: Sendable {
    /// The length of a key in bytes.
    public static let octets = SHA256.octets

    private let key: AuthenticationKey

    /// Wraps the bytes of a key; `nil` if the length is wrong.
    public init?(octets: [UInt8]) {
        guard octets.count == Self.octets else { return nil }
        key = AuthenticationKey(octets)
    }

    /// A key that everybody knows, for databases that belong to no installation.
    public static let fixed = InstallationKey(fixed: [UInt8](repeating: 0, count: octets))

    private init(fixed octets: [UInt8]) {
        key = AuthenticationKey(octets)
    }

    /// A short code of a text that nobody can compute without the key: the first 128 bits of its
    /// HMAC-SHA256 (RFC 2104), in 26 letters and digits.
    public func code(of text: String) -> String {
        let code = key.code(of: "address\0\(text)".utf8)
        return Base32.text(Array(code.prefix(16)), alphabet: .rfc4648)
    }

    /// The token for these words, in this order. None of them may contain a NUL.
    public func token(of words: [String]) -> AccessToken {
        let code = key.code(of: words.joined(separator: "\0").utf8)
        return AccessToken(octets: Array(code.prefix(AccessToken.characters * 5 / 8)))
    }
}

extension InstallationKey: CustomStringConvertible, CustomReflectable {
    /// A fixed text that does not reveal the key.
    public var description: String { "(a key)" }

    /// An empty mirror, so that dumps and debuggers do not show the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
