/// The part of a private link that nobody can guess: 160 bits, in 32 letters and digits.
public struct AccessToken: Equatable, Sendable {
    /// How many characters it has.
    public static let characters = 32

    /// The token as it stands in the link. Do not log it.
    public let text: String

    /// Takes the text of a link; `nil` where that can be no token.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == Self.characters, text.utf8.allSatisfy(Base32.alphabet.contains)
        else { return nil }
        self.text = String(text)
    }

    fileprivate init(octets: [UInt8]) {
        text = Base32.text(octets)
    }

    /// By what the store knows the token, in 64 hexadecimal digits: who reads the store learns no
    /// link.
    public var hash: String {
        Hexadecimal.text(SHA256.hash(text.utf8))
    }
}

extension AccessToken: CustomStringConvertible, CustomReflectable {
    /// Says only that there is one.
    public var description: String { "(a token)" }

    /// Keeps dumps and debuggers' mirrors from showing it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The key of an installation, by which it makes what nobody else can make, again and again the
/// same.
public struct InstallationKey: Sendable {
    /// Its length in octets.
    public static let octets = SHA256.octets

    private let octets: [UInt8]

    /// Takes the octets of a key; `nil` where they are too few or too many.
    public init?(octets: [UInt8]) {
        guard octets.count == Self.octets else { return nil }
        self.octets = octets
    }

    /// The token of what these words name, in this order. None of them may hold a NUL.
    public func token(of words: [String]) -> AccessToken {
        let code = SHA256.code(of: words.joined(separator: "\0").utf8, key: octets)
        return AccessToken(octets: Array(code.prefix(AccessToken.characters * 5 / 8)))
    }
}

extension InstallationKey: CustomStringConvertible, CustomReflectable {
    /// Says only that there is one.
    public var description: String { "(a key)" }

    /// Keeps dumps and debuggers' mirrors from showing it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Base32 in lower case, without padding (RFC 4648 section 6).
enum Base32 {
    static let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// Octets as text, five bits a character; the last one is filled up with zeros.
    static func text(_ octets: [UInt8]) -> String {
        var output: [UInt8] = []
        var (bits, count) = (0, 0)
        for octet in octets {
            bits = (bits << 8 | Int(octet)) & 0xFFFF
            count += 8
            while count >= 5 {
                count -= 5
                output.append(alphabet[bits >> count & 31])
            }
        }
        if count > 0 { output.append(alphabet[bits << (5 - count) & 31]) }
        return String(decoding: output, as: UTF8.self)
    }
}
