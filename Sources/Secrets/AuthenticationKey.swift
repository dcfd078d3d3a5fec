import CCrypto

/// A key for message authentication codes with HMAC-SHA-256 (RFC 2104).
///
/// The library is asked for the algorithm once a key, which costs about five times as much as a
/// code of a short message.
final class AuthenticationKey: Sendable {
    /// The state after the key. It is only copied, so concurrent uses do not meet. It is `nil` if
    /// the library has no memory, or was built without the algorithm.
    private nonisolated(unsafe) let keyed: OpaquePointer?

    init(_ key: [UInt8]) {
        keyed = Self.state(after: key)
    }

    deinit {
        EVP_MAC_CTX_free(keyed)
    }

    /// The code of a message, in bytes. It proves to anyone with the key that the sender knows
    /// the key, too. It is empty if the library fails, and an empty code equals no other.
    func code(of message: some Collection<UInt8>) -> [UInt8] {
        let copy = keyed.flatMap(EVP_MAC_CTX_dup)
        defer { EVP_MAC_CTX_free(copy) }
        let message = Array(message)
        return [UInt8](unsafeUninitializedCapacity: SHA256.octets) { buffer, count in
            let isDone =
                copy != nil && EVP_MAC_update(copy, message, message.count) == 1
                && EVP_MAC_final(copy, buffer.baseAddress, &count, buffer.count) == 1
            count = isDone ? SHA256.octets : 0
        }
    }

    private static func state(after key: [UInt8]) -> OpaquePointer? {
        let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)
        defer { EVP_MAC_free(algorithm) }
        guard let state = algorithm.flatMap(EVP_MAC_CTX_new) else { return nil }
        var digest = Array("SHA256".utf8CString)
        let isKeyed = digest.withUnsafeMutableBufferPointer { name in
            let parameters = [
                OSSL_PARAM_construct_utf8_string("digest", name.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            return EVP_MAC_init(state, key, key.count, parameters) == 1
        }
        guard isKeyed else {
            EVP_MAC_CTX_free(state)
            return nil
        }
        return state
    }
}
