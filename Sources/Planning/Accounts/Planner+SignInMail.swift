public import Agenda
import Interchange
import Ledger
public import Secrets
import Settings
import Sinks
import Storage
import Timekeeping
import Wording

/// Somebody who asks for a link that signs in.
public enum LinkAsker: Sendable {
    /// The address is that of an account, or of a contact of the owner who may register.
    case known
    /// Anybody else, who may register because everybody may.
    case stranger
}

/// Signing in by a link in a mail.
extension Planner {
    /// True if links can be mailed: a mail server and a public address are set.
    public var canMailLinks: Bool {
        sinks.contains { $0.name == SinkKind.mail.name }
            && (try? surroundings.linkBuilder())?.generator != nil
    }

    /// The same text for all spellings of the mailbox that somebody typed, so that each mailbox has
    /// one limit.
    public static func mailboxKey(of address: String) -> String {
        MailAddress.folded(MailAddress.plausible(address) ?? address)
    }

    /// A token by which a browser is known when the link that it asked for is opened.
    public func newBrowserToken() -> AccessToken {
        var source = surroundings.chance.source
        return AccessToken(using: &source)
    }

    /// Mails a link to the person with an account to whom an address was proven to belong. With
    /// open registration, anybody gets one.
    ///
    /// The result is not reported, so that a request does not reveal which addresses are known.
    ///
    /// - Parameters:
    ///   - address: the address as it was typed.
    ///   - browser: the token of the browser that asked.
    ///   - isAdmitted: asked once if the address may get a link; nothing is sent if it says no.
    /// - Throws: an error of the store or the templates.
    public func mailLinks(
        to address: String, askedIn browser: AccessToken,
        ifAdmitted isAdmitted: (LinkAsker) -> Bool = { _ in true }
    ) async throws {
        guard canMailLinks, let address = MailAddress.plausible(address),
            let person = try await asker(at: address, ifAdmitted: isAdmitted)
        else { return }
        // The stored address, not the typed one, which may only look the same.
        try await mailLink(to: person, at: person.address, askedIn: browser)
    }

    /// The person who gets a link at an address; `nil` for none. Whoever has a disabled account
    /// cannot register at another address of theirs.
    private func asker(
        at address: String, ifAdmitted isAdmitted: (LinkAsker) -> Bool
    ) async throws -> Person? {
        if let holder = try await store.accountHolder(at: address) {
            let isEnabled = try await store.account(of: holder.id)?.isEnabled != false
            return isEnabled && isAdmitted(.known) ? holder : nil
        }
        guard surroundings.configuration.registration == .open,
            try await !store.isOfDisabledAccount(address)
        else { return nil }
        if let contact = try await store.contactOfOwner(at: address) {
            return isAdmitted(.known) ? contact : nil
        }
        guard isAdmitted(.stranger) else { return nil }
        return try await newcomer(at: address)
    }

    /// A person for an address that neither an account nor a contact of the owner has. They get an
    /// account when they use the link.
    private func newcomer(at address: String) async throws -> Person? {
        if let guest = try await store.loneGuest(at: address) {
            // Whoever invited them chose the name, and could have chosen that of a member.
            guard try await store.hasAccount(named: guest.name) else { return guest }
            try await store.rename(guest.id, to: address)
            return try await store.person(guest.id)
        }
        let person = Person(id: surroundings.chance.id(), name: address, address: address)
        try await store.addPerson(person, now: now)
        return person
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
        ticket.address = address
        try await store.add(ticket, hash: token.hash, now: now)
        var reader = person
        reader.address = address
        try await mail(
            SignInFacts(for: person.name, at: base.text), to: reader, mark: mark, until: until)
    }

    /// Plans a mail that goes out at once, to the address of its reader.
    func mail(
        _ facts: SignInFacts, to reader: Person, mark: NotificationMark, until: Moment
    ) async throws {
        let text = try surroundings.templateLibrary().notification(facts, for: reader)
        var writer = self
        // Other channels may have other readers.
        writer.sinks = sinks.filter { $0.name == SinkKind.mail.name }
        let message = writer.delivery(
            .signIn, to: reader, mark: mark, until: until,
            hours: LocalHours(.always, in: zone(of: reader)), text, own: [])
        try await store.plan(message, now: now)
    }

    /// Gives a person an account, and mails them a link if that is possible. If their address
    /// belongs to somebody else's account, the link is for that account: see
    /// ``accountHolder(for:)``.
    ///
    /// - Returns: true if a mail is on its way.
    /// - Throws: ``Refusal`` with `not_allowed`, `account_disabled` or `two_accounts`.
    public func inviteToSignIn(_ person: Person) async throws -> Bool {
        try await checkManagesAccounts()
        let person = try await accountHolder(for: person)
        try await checkMaySignIn(person)
        let role: Account.Role = person.id == owner.id ? .owner : .member
        let isNew = try await store.account(of: person.id) == nil
        _ = try await store.openAccount(
            Account(of: person.id, as: role, madeAt: now), proving: person.address)
        if isNew { try await followInbox(of: person.id) }
        try await store.note(AccessAct(.invited, of: person.id, by: actor.id, at: now))
        guard canMailLinks, !person.address.isEmpty else { return false }
        try await mailLink(to: person, at: person.address, askedIn: nil)
        return true
    }
}
