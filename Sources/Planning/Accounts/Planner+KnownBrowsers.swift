public import Agenda
public import Ledger
import Secrets
import Storage

/// Browsers in which people signed in before.
extension Planner {
    /// The time for which a browser is known after a sign-in, in seconds: a year.
    public static let knownBrowserSeconds: Int64 = 365 * 86_400

    /// A mark for a browser in which a person has signed in. Only this installation can make and
    /// check it, and it tells nobody else whose it is.
    ///
    /// - Parameter person: the person.
    /// - Returns: the mark; `nil` if the key of the installation cannot be read.
    public func browserMark(of person: PersonID) -> String? {
        let browser = newBrowserToken()
        return proof(of: browser, for: person).map { "\(browser.text).\($0.text)" }
    }

    /// The browser with a mark, if the person to whose account an address belongs signed in there.
    ///
    /// - Parameters:
    ///   - mark: the mark that the browser keeps.
    ///   - address: the address as it was typed.
    /// - Returns: the id of the browser; `nil` for any other.
    public func knownBrowser(by mark: String, at address: String) async -> String? {
        let parts = mark.split(separator: ".").compactMap { AccessToken($0) }
        guard parts.count == 2, let holder = try? await store.accountHolder(at: address),
            let proof = proof(of: parts[0], for: holder.id), proof.hash == parts[1].hash
        else { return nil }
        return parts[0].text
    }

    private func proof(of browser: AccessToken, for person: PersonID) -> AccessToken? {
        try? KeyFile.key(of: surroundings.home, surroundings.chance)
            .token(of: ["browser", person.text, browser.text])
    }
}
