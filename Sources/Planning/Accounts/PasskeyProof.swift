import Foundation
import Secrets
import StreamSafe

/// The answer of a browser that has made or used a passkey (Web Authentication, W3C).
public struct PasskeyProof: Sendable {
    /// The facts that the page knows about the request.
    public struct Expectation: Sendable {
        /// The challenge that the page has sent, in base64 for web addresses.
        let challenge: String
        /// The host of the page, without a port.
        let host: String
        /// True for an origin of the page.
        let isOwnOrigin: @Sendable (String) -> Bool

        /// Creates an expectation.
        public init(
            challenge: String, host: String, isOwnOrigin: @escaping @Sendable (String) -> Bool
        ) {
            self.challenge = challenge
            self.host = host
            self.isOwnOrigin = isOwnOrigin
        }
    }

    private struct ClientData: Decodable {
        let type: String
        let challenge: String
        let origin: String
        let crossOrigin: Bool?
    }

    /// The id of the passkey, in base64 for web addresses.
    let id: String
    private let clientData: [UInt8]
    private let authenticatorData: [UInt8]

    /// Decodes an answer; `nil` if a part is not in base64 for web addresses or too short.
    ///
    /// - Parameters:
    ///   - id: the id of the passkey.
    ///   - clientData: `clientDataJSON`.
    ///   - authenticatorData: `authenticatorData`.
    public init?(id: String, clientData: String, authenticatorData: String) {
        guard let octets = Base64URL.octets(id), (1...Self.idOctetsMax).contains(octets.count),
            let clientData = Base64URL.octets(clientData),
            let authenticatorData = Base64URL.octets(authenticatorData),
            authenticatorData.count >= Self.headOctets
        else { return nil }
        self.id = id
        self.clientData = clientData
        self.authenticatorData = authenticatorData
    }

    private static let idOctetsMax = 1023
    /// The most octets of the client data. Browsers send some hundred.
    private static let clientDataOctetsMax = 4096
    /// The hash of the host, the flags, and the counter.
    private static let headOctets = 37

    /// True if the answer is one to this request, made on this page by a person who was present and
    /// known to the device.
    ///
    /// - Parameters:
    ///   - expectation: the facts of the request.
    ///   - isNew: true if the passkey was just made; false if it was used.
    /// - Returns: true if everything fits.
    func fits(_ expectation: Expectation, isNew: Bool) -> Bool {
        // Names in longer data could take long to compare.
        guard clientData.count <= Self.clientDataOctetsMax,
            let facts = try? JSONDecoder().decode(ClientData.self, from: Data(clientData)),
            facts.type.streamSafe == (isNew ? "webauthn.create" : "webauthn.get"),
            facts.challenge.streamSafe == expectation.challenge, facts.crossOrigin != true,
            expectation.isOwnOrigin(facts.origin.streamSafe)
        else { return false }
        return Array(authenticatorData.prefix(SHA256.octets))
            == SHA256.hash(expectation.host.utf8) && flags & Self.wantedFlags == Self.wantedFlags
    }

    private var flags: UInt8 { authenticatorData[SHA256.octets] }
    /// The person was present (UP), and the device has verified them (UV).
    private static let wantedFlags: UInt8 = 0x01 | 0x04

    /// The number of signatures that the passkey has told; 0 if it tells none.
    var counter: Int64 {
        authenticatorData[(SHA256.octets + 1)..<Self.headOctets].reduce(0) { $0 << 8 | Int64($1) }
    }

    /// True if the authenticator data of a new passkey name its id.
    var namesItsID: Bool {
        let start = Self.headOctets + 18
        guard let octets = Base64URL.octets(id), authenticatorData.count >= start + octets.count
        else { return false }
        let length = Int(authenticatorData[start - 2]) << 8 | Int(authenticatorData[start - 1])
        return length == octets.count
            && Array(authenticatorData[start..<(start + length)]) == octets
    }

    /// True if the passkey has signed this answer.
    func isSigned(_ signature: [UInt8], by key: PublicKey) -> Bool {
        key.verifies(signature, of: authenticatorData + SHA256.hash(clientData))
    }
}
