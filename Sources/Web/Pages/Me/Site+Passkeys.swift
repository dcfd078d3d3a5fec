import Agenda
import Foundation
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Storage
import Timekeeping

/// Passkeys: a browser asks for a challenge, lets its person confirm, and sends the answer in a
/// form.
extension Site {
    /// Making, using and removing passkeys.
    var passkeyRoutes: [Route] {
        [
            Route(.post, "/passkeys/challenge", giveChallenge),
            Route(.post, "/sign-in/passkey", enterByPasskey),
            confirmedRoute(.post, "/me/passkeys", addPasskey),
            confirmedRoute(.post, "/me/passkeys/remove", removePasskey),
        ]
    }

    /// The facts with which a browser makes or uses a passkey.
    private struct Challenge: Encodable {
        let challenge: String
        let host: String
        /// The person who is signed in.
        let user: User?

        struct User: Encodable {
            let id: String
            let name: String
        }
    }

    private func giveChallenge(_ request: PageRequest) async throws -> PageAnswer {
        guard isOwn(request, nil) else { return forged(request) }
        let planner = world.planner
        let person = try await visitor(of: request)?.signedIn.person
        let challenge = Challenge(
            challenge: challenges.issue(
                planner.newBrowserToken(), for: request.client, now: planner.now),
            host: Self.hostName(request),
            user: person.map {
                Challenge.User(id: Base64URL.text(Array($0.id.text.utf8)), name: $0.name)
            })
        let text = String(decoding: try JSONEncoder().encode(challenge), as: UTF8.self)
        return PageAnswer(.ok, "application/json", text)
    }

    /// The host of the page, without a port: the relying party of its passkeys.
    private static func hostName(_ request: PageRequest) -> String {
        let host = (request.fields["host"].first ?? "").lowercased()
        guard let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") else { return host }
        return String(host[..<colon])
    }

    /// The answer in a form, with what it must answer; `nil` if it is no answer, or not to a
    /// challenge of this page.
    private func proof(
        _ request: PageRequest
    ) -> (proof: PasskeyProof, expectation: PasskeyProof.Expectation)? {
        let (form, address) = (request.form, world.address)
        let host = request.fields["host"].first ?? ""
        guard challenges.take(form["challenge"], now: world.planner.now),
            let proof = PasskeyProof(
                id: form["id"], clientData: form["client"],
                authenticatorData: form["authenticator"])
        else { return nil }
        let expectation = PasskeyProof.Expectation(
            challenge: form["challenge"], host: Self.hostName(request)
        ) { address.isOwnOrigin($0, host: host) }
        return (proof, expectation)
    }

    private func enterByPasskey(_ request: PageRequest) async throws -> PageAnswer {
        guard isOwn(request, nil) else { return forged(request) }
        let next = Link.local(request.form["next"]) ?? "/"
        do {
            guard let (proof, expectation) = proof(request) else { throw Planner.passkeyInvalid }
            let (session, person) = try await world.planner.enter(
                by: proof, signature: request.form["signature"], expectation,
                device: Device.name(of: request), replacing: oldSession(request))
            return await begin(session, of: person, then: next, request)
        } catch let refusal as Refusal {
            let words = frame(request).words(world)
            return signIn(
                request, isSent: false, problem: words.refusal(refusal), next: next, .badRequest)
        }
    }

    private func addPasskey(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        guard let (proof, expectation) = proof(request) else { throw Planner.passkeyInvalid }
        try await visitor.planner.addPasskey(
            proof, key: request.form["key"], algorithm: Int(request.form["algorithm"]) ?? 0,
            named: Device.name(of: request), expectation)
        return redirect(to: .me(saved: "passkey"))
    }

    private func removePasskey(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        try await visitor.planner.removePasskey(request.form["passkey"])
        return redirect(to: .me(saved: "me"))
    }

    // MARK: Confirming

    /// The time after a sign-in in which a person may change how they sign in, in seconds.
    private static let confirmedSeconds: Int64 = 15 * 60

    /// A route of a form for people who have proved a short time ago who they are. Others sign in
    /// again, which leads back to their account. What gives lasting access, or ends that of other
    /// browsers, needs this, because a browser may be left open (OWASP ASVS 5.0, 7.5.1 and 7.5.2).
    func confirmedRoute(
        _ verb: Verb, _ pattern: String,
        _ handler: @escaping @Sendable (PageRequest, Visitor) async throws -> PageAnswer
    ) -> Route {
        route(verb, pattern) { request, visitor in
            let since = visitor.planner.now.milliseconds(
                since: visitor.signedIn.session.confirmedAt)
            guard since < Self.confirmedSeconds * 1000 else {
                return redirect(to: .signIn(next: Link.page(ofForm: request), isAgain: true))
            }
            return try await handler(request, visitor)
        }
    }
}
