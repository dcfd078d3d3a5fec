import CCrypto

/// SHA-256 (FIPS 180-4).
public enum SHA256 {
    /// The length of a hash, in bytes.
    public static let octets = 32

    /// The SHA-256 hash of bytes.
    public static func hash(_ message: some Collection<UInt8>) -> [UInt8] {
        let message = Array(message)
        return filled { buffer in
            EVP_Digest(message, message.count, buffer, nil, EVP_sha256(), nil) == 1
        }
    }

    /// The hash of bytes that come in several parts.
    public final class Stream {
        private let context = EVP_MD_CTX_new()

        /// Begins a hash of nothing.
        public init() {
            EVP_DigestInit_ex(context, EVP_sha256(), nil)
        }

        deinit { EVP_MD_CTX_free(context) }

        /// Adds the next part.
        public func append(_ part: some Collection<UInt8>) {
            let octets = Array(part)
            EVP_DigestUpdate(context, octets, octets.count)
        }

        /// The hash of all parts. Nothing can be added after that.
        public func finished() -> [UInt8] {
            filled { EVP_DigestFinal_ex(context, $0, nil) == 1 }
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
