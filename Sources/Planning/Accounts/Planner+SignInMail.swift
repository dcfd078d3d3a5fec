public import Agenda
import Interchange
import Ledger
public import Secrets
import Settings
import Sinks
import Storage
import Timekeeping
import Wording

/// Signing in by a link in a mail.
extension Planner {
    /// The most people with one address who get a link.
    private static let mailedMax = 5

    /// True if links can be mailed: a mail server and a public address are set.
    public var canMailLinks: Bool {
        sinks.contains { $0.name == SinkKind.mail.name }
            && (try? surroundings.linkBuilder())?.generator != nil
    }

    /// A token by which a browser is known when the link that it asked for is opened.
    public func newBrowserToken() -> AccessToken {
        var source = surroundings.chance.source
        return AccessToken(using: &source)
    }

    /// Mails links to the people with an address who have an account. With open registration,
    /// anybody gets one.
    ///
    /// The result is not reported, so that a request does not reveal which addresses are known.
    ///
    /// - Parameters:
    ///   - address: the address as it was typed.
    ///   - browser: the token of the browser that asked.
    /// - Throws: an error of the store or the templates.
    public func mailLinks(to address: String, askedIn browser: AccessToken) async throws {
        guard canMailLinks, let address = MailAddress.plausible(address) else { return }
        let known = try await store.lookUp {
            try $0.persons(withAddress: address, limit: Self.mailedMax)
        }
        let people = known.isEmpty ? try await newcomer(at: address) : known
        for person in people {
            guard let account = try await store.account(of: person.id) else { continue }
            guard account.isEnabled else { continue }
            try await mailLink(to: person, at: address, askedIn: browser)
        }
    }

    /// The account of somebody who is not known yet, if everybody may register.
    private func newcomer(at address: String) async throws -> [Person] {
        guard surroundings.configuration.registration == .open else { return [] }
        let person = Person(id: surroundings.chance.id(), name: address, address: address)
        try await store.addPerson(person, now: now)
        try await store.addAccount(Account(of: person.id, as: .member, madeAt: now))
        return [person]
    }

    private func mailLink(
        to person: Person, at address: String, askedIn browser: AccessToken?
    ) async throws {
        let builder = try surroundings.linkBuilder()
        let id: Identifier<Meeting> = surroundings.chance.id()
        let mark = NotificationMark(text: id.text)
        guard let token = builder.signInToken(for: person.id, mark: mark),
            let base = try surroundings.configuration.baseURL()
        else { return }
        let until = now.advanced(bySeconds: Self.ticketSeconds)
        var ticket = SignInTicket(for: person.id, .mail, until: until)
        ticket.browserHash = browser?.hash
        try await store.add(ticket, hash: token.hash, now: now)
        let templates = try surroundings.templateLibrary()
        let text = templates.notification(
            SignInFacts(for: person.name, at: base.text), for: person)
        var reader = person
        reader.address = address
        var writer = self
        // Other channels may have other readers.
        writer.sinks = sinks.filter { $0.name == SinkKind.mail.name }
        let message = writer.delivery(
            .signIn, to: reader, mark: mark, until: until,
            hours: LocalHours(.always, in: zone(of: person)), text, own: [])
        try await store.plan(message, now: now)
    }

    /// Gives a person an account, and mails them a link if that is possible.
    ///
    /// - Returns: true if a mail is on its way.
    /// - Throws: ``Refusal`` with `not_allowed` or `account_disabled`.
    public func inviteToSignIn(_ person: Person) async throws -> Bool {
        try await checkManagesAccounts()
        try await store.addAccount(Account(of: person.id, as: .member, madeAt: now))
        try await checkMaySignIn(person)
        try await store.note(AccessAct(.invited, of: person.id, by: actor.id, at: now))
        guard canMailLinks, !person.address.isEmpty else { return false }
        try await mailLink(to: person, at: person.address, askedIn: nil)
        return true
    }
}
