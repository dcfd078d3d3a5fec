public import Agenda
public import Ledger
public import Secrets
import Settings
public import Storage
import Timekeeping
public import Wording

/// Signing in and out.
extension Planner {
    /// The time for which a link that signs in is valid, in seconds: 15 minutes.
    public static let ticketSeconds: Int64 = 15 * 60
    /// The time after which a session that is not used ends, in seconds: 30 days.
    public static let sessionIdleSeconds: Int64 = 30 * 86_400
    /// The most sessions in a list.
    public static let sessionsMax = 200

    /// Makes a token that signs a person in once, for a link that is shown on this machine.
    ///
    /// - Parameter person: the person.
    /// - Returns: the token.
    /// - Throws: ``Refusal`` with `not_allowed` if the actor may not let this person in, or with
    ///   `account_disabled` or `two_accounts`.
    public func openTicket(for person: Person) async throws -> AccessToken {
        let person = try await letIn(person)
        try await checkMaySignIn(person)
        var source = surroundings.chance.source
        let token = AccessToken(using: &source)
        var ticket = SignInTicket(
            for: person.id, .opened, until: now.advanced(bySeconds: Self.ticketSeconds))
        if person.id != actor.id {
            // As with an invitation, the owner says that the address is theirs.
            if !person.address.isEmpty { ticket.address = person.address }
            if try await store.account(of: person.id) == nil {
                try await store.note(AccessAct(.invited, of: person.id, by: actor.id, at: now))
            }
        }
        try await store.add(ticket, hash: token.hash, now: now)
        return token
    }

    /// The person whom a link for a person signs in: the one to whose account their address
    /// belongs.
    private func letIn(_ person: Person) async throws -> Person {
        if person.id != actor.id { try checkIsOwner(to: "let other people in") }
        return try await accountHolder(for: person)
    }

    func checkMaySignIn(_ person: Person) async throws {
        guard let account = try await store.account(of: person.id), !account.isEnabled else {
            return
        }
        throw Refusal(
            .refused, code: "account_disabled", "The account of \(person.name) is disabled.")
    }

    /// True if nobody has ever signed in.
    public func isBeforeFirstVisit() async throws -> Bool {
        try await !store.hasVisits()
    }

    /// A new idempotency key.
    public func newKey() -> String {
        let key: Identifier<Meeting> = surroundings.chance.id()
        return key.text
    }

    /// Signs in with a token, which is used up.
    ///
    /// - Parameters:
    ///   - text: the token as the person typed or opened it.
    ///   - device: the browser and system, as it calls itself.
    ///   - old: the token of the session that the browser had before; it ends.
    /// - Returns: the token of the new session, and the person.
    /// - Throws: ``Refusal`` with `link_invalid` if the token is unknown, used up or too old.
    public func enter(
        by text: String, device: String, replacing old: AccessToken? = nil
    ) async throws -> (session: AccessToken, person: Person) {
        guard let token = Self.token(in: text),
            let ticket = try await store.useTicket(hash: token.hash, now: now)
        else { throw Self.linkInvalid }
        return try await enter(by: ticket, device: device, replacing: old)
    }

    private func enter(
        by ticket: SignInTicket, device: String, replacing old: AccessToken?
    ) async throws -> (session: AccessToken, person: Person) {
        guard let person = try await store.person(ticket.person) else { throw Self.linkInvalid }
        try await checkMaySignIn(person)
        let account = Account(
            of: person.id, as: person.id == owner.id ? .owner : .member, madeAt: now)
        let isNew = try await store.account(of: person.id) == nil
        let holder = try await store.openAccount(account, proving: ticket.address)
        if isNew, holder == person.id { try await followInbox(of: person.id) }
        // Somebody else may have got an account with the address since the link was made.
        guard holder != person.id else {
            return try await enter(person, device: device, replacing: old)
        }
        guard let other = try await store.person(holder) else { throw Self.linkInvalid }
        return try await enter(other, device: device, replacing: old)
    }

    /// Starts a session of a person with an account.
    ///
    /// - Throws: ``Refusal`` with `account_disabled`.
    func enter(
        _ person: Person, device: String, replacing old: AccessToken?
    ) async throws -> (session: AccessToken, person: Person) {
        try await checkMaySignIn(person)
        let session = try await begin(person, device: device, replacing: old)
        try await store.note(
            AccessAct(.signedIn, of: person.id, by: person.id, detail: device, at: now))
        return (session, person)
    }

    /// Signs in with the short code that another device showed.
    ///
    /// - Parameters:
    ///   - code: the code as the person typed it.
    ///   - browser: the token of the browser that asked for the mail.
    ///   - device: the browser and system, as it calls itself.
    ///   - old: the token of the session that the browser had before; it ends.
    /// - Returns: the token of the new session, and the person.
    /// - Throws: ``Refusal`` with `code_invalid`.
    public func enter(
        byCode code: String, in browser: AccessToken, device: String,
        replacing old: AccessToken? = nil
    ) async throws -> (session: AccessToken, person: Person) {
        let digits = code.filter(\.isNumber)
        guard
            let ticket = try await store.useTicket(
                ofBrowser: browser.hash, code: Self.hash(ofCode: digits, in: browser.hash),
                now: now)
        else {
            throw Refusal(
                .refused, code: "code_invalid",
                "This code does not work. Open the link in the mail again for a new one.")
        }
        return try await enter(by: ticket, device: device, replacing: old)
    }

    /// A short code by which the browser that asked for a mail can sign in, if the link in the mail
    /// is opened in another one.
    ///
    /// - Parameters:
    ///   - text: the token in the link.
    ///   - browser: the token of the browser in which the link was opened; `nil` if it has none.
    /// - Returns: six digits; `nil` if this is the browser that asked, or if the link came in no
    ///   mail.
    /// - Throws: ``StoreError``.
    public func code(for text: String, in browser: AccessToken?) async throws -> String? {
        guard let token = Self.token(in: text),
            let ticket = try await store.ticket(hash: token.hash, now: now), ticket.kind == .mail,
            let asking = ticket.browserHash, asking != browser?.hash
        else { return nil }
        var source = surroundings.chance.source
        let digits = String(Int.random(in: 1_000_000..<2_000_000, using: &source)).dropFirst()
        try await store.setCode(
            Self.hash(ofCode: String(digits), in: asking), ofTicket: token.hash)
        return String(digits)
    }

    private static func hash(ofCode digits: String, in browser: String) -> String {
        Hexadecimal.text(SHA256.hash("code\0\(digits)\0\(browser)".utf8))
    }

    /// The token in a typed text, which may be a whole link.
    static func token(in text: String) -> AccessToken? {
        let last = text.split { $0 == "#" || $0 == "/" || $0 == "=" }.last ?? ""
        return AccessToken(last.filter { !$0.isWhitespace }.lowercased())
    }

    private static let linkInvalid = Refusal(
        .refused, code: "link_invalid",
        "This link does not work: it was used already, is older than 15 minutes, or is incomplete.",
        advice: [.installation(.open)])

    private func begin(
        _ person: Person, device: String, replacing old: AccessToken?
    ) async throws -> AccessToken {
        var source = surroundings.chance.source
        let token = AccessToken(using: &source)
        let session = Session(
            id: surroundings.chance.id(), of: person.id,
            device: String(device.prefix(Self.deviceCharactersMax)), now: now)
        try await store.begin(session, hash: token.hash, replacing: old?.hash)
        return token
    }

    private static let deviceCharactersMax = 200
    /// The time after which a further use of a session is stored, in milliseconds.
    private static let useMilliseconds: Int64 = 5 * 60 * 1000

    /// The session with this token; `nil` if it has ended.
    public func signedIn(by token: AccessToken) async throws -> SignedIn? {
        let since = now.advanced(bySeconds: -Self.sessionIdleSeconds)
        guard let found = try await store.session(hash: token.hash, usedAfter: since, now: now)
        else {
            return nil
        }
        if now.milliseconds(since: found.session.seenAt) >= Self.useMilliseconds {
            try await store.noteUse(ofSession: token.hash, now: now)
        }
        return found
    }

    /// This planner for a person who is signed in: they act, times are in their zone, and places
    /// are looked for in their area.
    package func acting(for signedIn: SignedIn) -> Planner {
        let planner = acting(as: signedIn.person).reading(in: zone(of: signedIn.person))
        return signedIn.account.area.map { planner.looking(in: $0) } ?? planner
    }

    /// Ends sessions of the actor.
    ///
    /// - Parameters:
    ///   - id: the only session to end; `nil` for all.
    ///   - kept: the session that goes on.
    /// - Returns: the number of ended sessions.
    /// - Throws: ``StoreError``.
    @discardableResult
    public func signOut(
        _ id: SessionID? = nil, keeping kept: SessionID? = nil
    ) async throws -> Int {
        let count = try await store.endSessions(of: actor.id, id, keeping: kept)
        if count > 0 {
            try await store.note(AccessAct(.signedOut, of: actor.id, by: actor.id, at: now))
        }
        return count
    }
}

/// A link that signs in once.
public struct OpenLink: Encodable, Sendable {
    /// The link. The token stands behind `#`, so that no server and no log sees it.
    public let url: String
    /// The name of the person whom it signs in.
    public let person: String
    /// The time until which it works.
    public let until: Timestamp
    /// The port of the daemon if the link leads to this machine; `null` if it leads to the public
    /// address.
    @Null public var port: Int?
}

extension Planner {
    /// Makes a link that signs a person in once, at the public address, or on this machine if there
    /// is none.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - path: the page to go to; `nil` for the day.
    ///   - port: the port on which the daemon listens; `nil` for the configured one.
    /// - Returns: the link.
    /// - Throws: ``Refusal`` with `no_page` if the daemon serves no pages, or like
    ///   ``openTicket(for:)``.
    public func openLink(
        for person: Person, to path: String? = nil, port: Int? = nil
    ) async throws -> OpenLink {
        let base = try surroundings.configuration.baseURL()?.text
        let local = try port ?? surroundings.configuration.listenAddress()?.port
        guard let root = base ?? local.map({ "http://localhost:\($0)" }) else {
            throw Refusal(
                .refused, code: "no_page",
                "letsmeetd serves no pages: set `listen` to an address with a port, or `base.url`.")
        }
        let person = try await letIn(person)
        let token = try await openTicket(for: person)
        let next = path.map { "?next=\(Self.encoded($0))" } ?? ""
        return OpenLink(
            url: "\(root)/enter\(next)#\(token.text)", person: person.name,
            until: Timestamp(now.advanced(bySeconds: Self.ticketSeconds), in: zone, reader: zone),
            port: base == nil ? local : nil)
    }
}

extension Planner {
    /// A text with everything percent-encoded but letters, digits and `-._~/` (RFC 3986, 2.3).
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain =
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || "-._~/".utf8.contains(byte)
            return isPlain
                ? String(UnicodeScalar(byte))
                : "%" + String(UInt(byte) | 0x100, radix: 16, uppercase: true).dropFirst()
        }.joined()
    }

    /// Gives the owner an account, with the address of the settings as theirs.
    ///
    /// - Throws: ``StoreError``.
    public func keepOwnersAccount() async throws {
        let isNew = try await store.account(of: owner.id) == nil
        try await store.addAccount(Account(of: owner.id, as: .owner, madeAt: now))
        if isNew { try await followInbox(of: owner.id) }
        if !owner.address.isEmpty { try await store.verify(owner.address, of: owner.id) }
    }

    /// The sessions of the actor, the last used first.
    public func sessions() async throws -> [Session] {
        try await store.sessions(
            of: actor.id, usedAfter: now.advanced(bySeconds: -Self.sessionIdleSeconds),
            limit: Self.sessionsMax)
    }
}

extension Planner {
    /// Chooses the language of the actor's pages and messages.
    ///
    /// - Parameter language: the language; `nil` for the one of the browser on pages, and the one
    ///   of the installation in messages.
    /// - Throws: ``StoreError``.
    public func chooseLanguage(_ language: Language?) async throws {
        try await store.setLanguage(language?.rawValue, of: actor.id)
    }
}
