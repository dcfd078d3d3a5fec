import CCrypto

/// SHA-256 and what is made of it (FIPS 180-4; RFC 2104).
public enum SHA256 {
    /// The length of a hash and of a code, in octets.
    public static let octets = 32

    /// The hash of octets.
    public static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        return filled { buffer in
            EVP_Digest(message, message.count, buffer, nil, EVP_sha256(), nil) == 1
        }
    }

    /// The code by which who knows the key knows that a message is from somebody who does: HMAC.
    public static func code(of message: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
        let message = Array(message)
        return filled { buffer in
            HMAC(
                EVP_sha256(), key, CInt(clamping: key.count), message, message.count, buffer, nil)
                != nil
        }
    }

    /// Whether two texts of octets are the same; how long that takes tells nothing of where they
    /// differ.
    public static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    private static func filled(_ body: (UnsafeMutablePointer<UInt8>?) -> Bool) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: octets) { buffer, count in
            // It fails only where the library has no memory, or SHA-256 was taken out of it; a hash
            // that is empty equals no other.
            count = body(buffer.baseAddress) ? octets : 0
        }
    }
}
