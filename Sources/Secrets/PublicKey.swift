import CCrypto

/// A public key that verifies signatures: ECDSA with SHA-256, RSA (PKCS #1 v1.5) with SHA-256, or
/// Ed25519.
public struct PublicKey: Sendable {
    /// The fewest bits of an RSA key.
    private static let rsaBitsMin: CInt = 2048

    private let octets: [UInt8]

    /// Parses a key in the form SubjectPublicKeyInfo (RFC 5280, 4.1) in DER; `nil` if it has
    /// another form or kind, or is too short.
    public init?(der octets: [UInt8]) {
        self.octets = octets
        let isGood = Self.with(octets) { key in
            switch EVP_PKEY_get_base_id(key) {
            case EVP_PKEY_EC, EVP_PKEY_ED25519: true
            case EVP_PKEY_RSA: EVP_PKEY_get_bits(key) >= Self.rsaBitsMin
            default: false
            }
        }
        guard isGood == true else { return nil }
    }

    /// True if the owner of the private key has signed these bytes.
    ///
    /// - Parameters:
    ///   - signature: the signature; in DER for ECDSA.
    ///   - message: the signed bytes.
    /// - Returns: true if the signature is valid.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        Self.with(octets) { key in
            guard let context = EVP_MD_CTX_new() else { return false }
            defer { EVP_MD_CTX_free(context) }
            let digest = EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 ? nil : EVP_sha256()
            return EVP_DigestVerifyInit(context, nil, digest, nil, key) == 1
                && EVP_DigestVerify(
                    context, signature, signature.count, message, message.count) == 1
        } == true
    }

    private static func with<Result>(
        _ octets: [UInt8], _ body: (OpaquePointer) -> Result
    ) -> Result? {
        octets.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            guard let key = d2i_PUBKEY(nil, &place, buffer.count) else { return nil }
            defer { EVP_PKEY_free(key) }
            return body(key)
        }
    }
}

/// Text in base64 without padding, for web addresses (RFC 4648, 5).
public enum Base64URL {
    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The text of bytes.
    public static func text(_ octets: [UInt8]) -> String {
        var text: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for octet in octets {
            (buffer, bits) = (buffer << 8 | Int(octet), bits + 8)
            while bits >= 6 {
                bits -= 6
                text.append(digits[buffer >> bits & 63])
            }
            buffer &= 1 << bits - 1
        }
        if bits > 0 { text.append(digits[buffer << (6 - bits) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; `nil` if it is not in this form.
    public static func octets(_ text: some StringProtocol) -> [UInt8]? {
        var octets: [UInt8] = []
        var (buffer, bits) = (0, 0)
        for digit in text.utf8 {
            guard let value = digits.firstIndex(of: digit) else { return nil }
            (buffer, bits) = (buffer << 6 | value, bits + 6)
            guard bits >= 8 else { continue }
            bits -= 8
            octets.append(UInt8(buffer >> bits & 255))
            buffer &= 1 << bits - 1
        }
        // A rest that encodes nothing must be zero, so that each text has one meaning.
        return bits < 6 && buffer == 0 ? octets : nil
    }
}
