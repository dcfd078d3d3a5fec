import CCrypto
import Dispatch
import Foundation

/// The hash of a password by scrypt (RFC 7914), with its parameters.
public struct PasswordHash: Equatable, Sendable {
    /// The cost (the logarithm of N), the block size and the number of rounds of new hashes: 16 MiB
    /// of memory, and about a quarter of a second of one processor.
    private static let standard = (cost: 14, block: 8, rounds: 5)
    private static let octets = 32
    /// The length of a salt in bytes.
    public static let saltOctets = 16
    /// The memory that checking a stored hash may take, in bytes.
    private static let memoryMax: UInt64 = 64 << 20

    private let cost: Int
    private let block: Int
    private let rounds: Int
    private let salt: [UInt8]
    private let hash: [UInt8]

    /// Hashes a password.
    ///
    /// - Parameters:
    ///   - password: the password.
    ///   - salt: random bytes.
    public init(of password: String, salt: [UInt8]) {
        (cost, block, rounds) = Self.standard
        self.salt = salt
        hash = Self.hash(password, salt, cost: cost, block: block, rounds: rounds)
    }

    /// Parses a stored hash; `nil` if it has another form.
    public init?(_ text: String) {
        let parts = text.split(separator: "$").map(String.init)
        guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]),
            let block = Int(parts[2]), let rounds = Int(parts[3]),
            (10...20).contains(cost), (1...32).contains(block), (1...64).contains(rounds),
            let salt = Base64URL.octets(parts[4]), let hash = Base64URL.octets(parts[5]),
            hash.count == Self.octets
        else { return nil }
        (self.cost, self.block, self.rounds) = (cost, block, rounds)
        (self.salt, self.hash) = (salt, hash)
    }

    /// The hash as it is stored.
    public var text: String {
        "scrypt$\(cost)$\(block)$\(rounds)$\(Base64URL.text(salt))$\(Base64URL.text(hash))"
    }

    /// True if this is the password. It takes as long as hashing one.
    public func matches(_ password: String) -> Bool {
        let own = Self.hash(password, salt, cost: cost, block: block, rounds: rounds)
        return !own.isEmpty && SHA256.areEqual(own, hash)
    }

    private static func hash(
        _ password: String, _ salt: [UInt8], cost: Int, block: Int, rounds: Int
    ) -> [UInt8] {
        // However a keyboard composes letters, the password stays the same.
        let bytes = Array(password.precomposedStringWithCompatibilityMapping.utf8)
        return [UInt8](unsafeUninitializedCapacity: octets) { buffer, count in
            let isDone = bytes.withUnsafeBufferPointer { password in
                password.withMemoryRebound(to: CChar.self) { characters in
                    EVP_PBE_scrypt(
                        characters.baseAddress, bytes.count, salt, salt.count, 1 << UInt64(cost),
                        UInt64(block), UInt64(rounds), memoryMax, buffer.baseAddress, octets)
                }
            }
            count = isDone == 1 ? octets : 0
        }
    }
}

/// Hashes passwords one after the other, away from the threads that answer requests.
public final class PasswordQueue: Sendable {
    /// The queue of this process.
    public static let shared = PasswordQueue()

    private let queue = DispatchQueue(label: "letsmeet.passwords", qos: .utility)

    /// Runs a piece of work when its turn comes.
    public func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }
}
