public import Agenda
public import Secrets
public import Storage
import Timekeeping

/// Signing in with a password.
extension Planner {
    /// True if the actor has a password.
    public func hasPassword() async throws -> Bool {
        try await store.password(of: actor.id) != nil
    }

    /// Sets the actor's password, or removes it, and ends all sessions of the actor but one.
    ///
    /// - Parameters:
    ///   - password: the new password; `nil` for none.
    ///   - kept: the session that goes on.
    /// - Throws: ``Refusal`` with `password_short`, `password_long` or `password_common`.
    public func setPassword(_ password: String?, keeping kept: SessionID?) async throws {
        var hash: PasswordHash?
        if let password {
            try PasswordRules(surroundings.shipped).check(password)
            var source = surroundings.chance.source
            let salt = (0..<PasswordHash.saltOctets).map { _ in
                UInt8.random(in: .min ... .max, using: &source)
            }
            hash = await PasswordQueue.shared.run { PasswordHash(of: password, salt: salt) }
        }
        try await store.setPassword(hash?.text, of: actor.id)
        try await store.note(
            AccessAct(
                hash == nil ? .passwordRemoved : .passwordSet, of: actor.id, by: actor.id,
                at: now))
        try await signOut(keeping: kept)
    }

    /// Signs in with a password. It takes the same time whether the address has an account or not.
    ///
    /// - Parameters:
    ///   - password: the password as it was typed.
    ///   - address: the address as it was typed.
    ///   - device: the browser and system, as it calls itself.
    ///   - old: the token of the session that the browser had before; it ends.
    /// - Returns: the token of the new session, and the person.
    /// - Throws: ``Refusal`` with `password_wrong` or `account_disabled`.
    public func enter(
        byPassword password: String, at address: String, device: String,
        replacing old: AccessToken? = nil
    ) async throws -> (session: AccessToken, person: Person) {
        let person = try await store.accountHolder(at: address)
        var known: PasswordHash?
        if let person { known = try await store.password(of: person.id).flatMap(PasswordHash.init) }
        let hash = known ?? Self.nobodys
        // What is longer than every password matches none, however it begins.
        let typed = String(password.prefix(PasswordRules.charactersMax + 1))
        let isRight = await PasswordQueue.shared.run { hash.matches(typed) }
        guard isRight, known != nil, let person else {
            throw Refusal(
                .refused, code: "password_wrong",
                "The address or the password is wrong. You can also get a link by mail.")
        }
        return try await enter(person, device: device, replacing: old)
    }

    /// The hash that is checked for addresses without a password, so that it takes as long.
    private static let nobodys = PasswordHash(
        of: "", salt: [UInt8](repeating: 0, count: PasswordHash.saltOctets))
}
