public import Agenda
public import Secrets
public import Storage
import Timekeeping

/// Signing in with passkeys.
extension Planner {
    /// The algorithms that are understood: ES256, RS256 and EdDSA (IANA, COSE Algorithms).
    public static let passkeyAlgorithms = [-7, -257, -8]
    private static let passkeyNameCharactersMax = 100

    /// The passkeys of the actor.
    public func passkeys() async throws -> [Passkey] { try await store.passkeys(of: actor.id) }

    /// Adds a passkey that the actor's browser has made.
    ///
    /// - Parameters:
    ///   - proof: the answer of the browser.
    ///   - key: the public key (SubjectPublicKeyInfo in DER), in base64 for web addresses.
    ///   - algorithm: the algorithm of its signatures.
    ///   - name: the name for people.
    ///   - expectation: the facts of the request.
    /// - Throws: ``Refusal`` with `passkey_invalid`.
    public func addPasskey(
        _ proof: PasskeyProof, key: String, algorithm: Int, named name: String,
        _ expectation: PasskeyProof.Expectation
    ) async throws {
        guard proof.fits(expectation, isNew: true), proof.namesItsID,
            Self.passkeyAlgorithms.contains(algorithm),
            let octets = Base64URL.octets(key), PublicKey(der: octets) != nil
        else { throw Self.passkeyInvalid }
        let passkey = Passkey(
            id: proof.id, of: actor.id, named: String(name.prefix(Self.passkeyNameCharactersMax)),
            algorithm: algorithm, key: octets, counter: proof.counter, madeAt: now)
        guard try await store.add(passkey) else { throw Self.passkeyInvalid }
        try await store.note(
            AccessAct(.passkeyAdded, of: actor.id, by: actor.id, detail: passkey.name, at: now))
    }

    /// Removes a passkey of the actor.
    public func removePasskey(_ id: String) async throws {
        guard try await store.removePasskey(id, of: actor.id) else { return }
        try await store.note(AccessAct(.passkeyRemoved, of: actor.id, by: actor.id, at: now))
    }

    /// Signs in with a passkey.
    ///
    /// - Parameters:
    ///   - proof: the answer of the browser.
    ///   - signature: the signature, in base64 for web addresses.
    ///   - expectation: the facts of the request.
    ///   - device: the browser and system, as it calls itself.
    ///   - old: the token of the session that the browser had before; it ends.
    /// - Returns: the token of the new session, and the person.
    /// - Throws: ``Refusal`` with `passkey_invalid` or `account_disabled`.
    public func enter(
        by proof: PasskeyProof, signature: String, _ expectation: PasskeyProof.Expectation,
        device: String, replacing old: AccessToken? = nil
    ) async throws -> (session: AccessToken, person: Person) {
        guard proof.fits(expectation, isNew: false),
            let passkey = try await store.passkey(proof.id),
            let key = PublicKey(der: passkey.key), let signed = Base64URL.octets(signature),
            proof.isSigned(signed, by: key), let person = try await store.person(passkey.person)
        else { throw Self.passkeyInvalid }
        // A counter that goes back may mean a copied key, or only one that is shared by devices.
        try await store.noteUse(ofPasskey: passkey.id, counter: proof.counter, now: now)
        return try await enter(person, device: device, replacing: old)
    }

    /// The refusal of a passkey that is not known, or whose answer does not fit.
    public static let passkeyInvalid = Refusal(
        .refused, code: "passkey_invalid",
        "This passkey does not work here. Try again, or sign in with a link.")
}
