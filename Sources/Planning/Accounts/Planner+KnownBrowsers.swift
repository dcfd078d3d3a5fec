public import Agenda
public import Ledger
import Secrets
import Storage
import Timekeeping

/// Browsers in which people signed in before.
extension Planner {
    /// The time for which a browser is known after a sign-in, in seconds: a year.
    public static let knownBrowserSeconds: Int64 = 365 * 86_400

    /// A mark for a browser in which a person has signed in. Only this installation can make and
    /// check it, and it tells nobody else whose it is. It is valid for a year, at most until the
    /// password is changed, all browsers are signed out, or the account is disabled.
    ///
    /// - Parameter person: the person.
    /// - Returns: the mark; `nil` if the person has no account, or if the key of the installation
    ///   cannot be read.
    public func browserMark(of person: PersonID) async -> String? {
        let made = now
        return await proof(of: person, since: made).map { "\(made.milliseconds).\($0.text)" }
    }

    /// The person to whose account an address belongs, if they signed in in the browser with a
    /// mark.
    ///
    /// - Parameters:
    ///   - mark: the mark that the browser keeps.
    ///   - address: the address as it was typed.
    /// - Returns: the person; `nil` in any other browser.
    public func knownBrowser(by mark: String, at address: String) async -> PersonID? {
        let parts = mark.split(separator: ".")
        guard parts.count == 2, let made = Int64(parts[0]).map(Moment.init(milliseconds:)),
            let given = AccessToken(parts[1]), made <= now,
            now < made.advanced(bySeconds: Self.knownBrowserSeconds),
            let holder = try? await store.accountHolder(at: address),
            let proof = await proof(of: holder.id, since: made), proof.hash == given.hash
        else { return nil }
        return holder.id
    }

    private func proof(of person: PersonID, since made: Moment) async -> AccessToken? {
        guard let epoch = try? await store.browserEpoch(of: person) else { return nil }
        return try? KeyFile.key(of: surroundings.home, surroundings.chance)
            .token(of: ["browser", person.text, "\(epoch)", "\(made.milliseconds)"])
    }
}
