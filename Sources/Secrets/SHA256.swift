import CCrypto

/// SHA-256 and HMAC-SHA-256 (FIPS 180-4; RFC 2104).
public enum SHA256 {
    /// The length of a hash and of an HMAC, in bytes.
    public static let octets = 32

    /// The SHA-256 hash of bytes.
    public static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        return filled { buffer in
            EVP_Digest(message, message.count, buffer, nil, EVP_sha256(), nil) == 1
        }
    }

    /// The HMAC-SHA-256 of a message. It proves to anyone with the key that the sender knows the
    /// key, too.
    public static func code(of message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
        let message = Array(message)
        return filled { buffer in
            HMAC(
                EVP_sha256(), key, CInt(clamping: key.count), message, message.count, buffer, nil)
                != nil
        }
    }

    /// True if two byte arrays are equal. The comparison takes constant time, so that it does not
    /// reveal where they differ.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    private static func filled(_ body: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: octets) { buffer, count in
            // It fails only if the library has no memory, or was built without SHA-256. An empty
            // hash equals no other hash.
            count = body(buffer.baseAddress) ? octets : 0
        }
    }
}

/// Bytes as text: two lower-case digits per byte.
public enum Hexadecimal {
    /// The hexadecimal digits of bytes.
    public static func text(_ octets: some Sequence<UInt8>) -> String {
        octets.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
