import Ledger
import Agenda
import Foundation
public import Logging
import NIOCore
import NIOHTTP1
import Places
public import Planning
import Secrets
import Settings
public import Storage
public import Timekeeping
public import Wording

/// The pages for people who sign in.
public struct Site: Sendable {
    /// The parts of a site that may change when the configuration is reloaded.
    public struct World: Sendable {
        let planner: Planner
        let templates: SiteTemplates
        let assets: AssetLibrary
        let maps: MapAlbum
        let address: SiteAddress
        /// True if nothing is sent, and the clock can be moved.
        let isDemo: Bool

        /// Bundles the parts.
        public init(
            planner: Planner, templates: SiteTemplates, assets: AssetLibrary, maps: MapAlbum,
            address: SiteAddress, isDemo: Bool = false
        ) {
            self.isDemo = isDemo
            self.planner = planner
            self.templates = templates
            self.assets = assets
            self.maps = maps
            self.address = address
        }
    }

    private let current: @Sendable () -> World
    let logger: Logger
    /// The requests for links that sign in.
    let askers: SignInAskers
    let passwordTurns: PasswordTurns
    /// The requests to other servers that people cause by a press of a button.
    let outsideTurns: OutsideTurns
    private let clock: any WallClock
    /// The version of the database, by which pages are kept until it changes; `nil` to keep none.
    private let version: DataVersion?
    private let shelf = PageShelf()
    /// Two pages of a person at a time, so that nobody's costly pages use all threads.
    private let turns = KeyedLock(holdersMax: 2)
    /// One download of everything at a time, because each takes memory.
    let exportTurns = KeyedLock()
    /// The limits of mails that confirm addresses.
    let addressAskers = AddressAskers()
    /// The answers to forms that were saved a moment ago.
    let savedForms = SavedForms()
    /// The challenges for passkeys.
    let challenges = PasskeyChallenges()
    /// The event streams of open pages.
    let live: LiveBoard
    /// The tasks that take longer than a page may.
    let tasks: TaskRunner
    /// The backup that the owner makes on a page.
    let backups: BackupRunner
    /// The controls of a demo; `nil` outside one.
    let demo: DemoControls?
    /// Makes the daemon read its configuration again, and returns when it has.
    let reload: @Sendable () async -> Void

    /// Creates the site from its current parts.
    ///
    /// - Parameters:
    ///   - clock: the clock for limits of requests.
    ///   - version: the version of the database, by which pages are kept until it changes; `nil`
    ///     to keep none.
    ///   - demo: the controls of a demo; `nil` outside one.
    ///   - logger: the log for errors.
    ///   - reload: makes the daemon read its configuration again, and returns when it has.
    ///   - current: returns the parts.
    public init(
        clock: any WallClock, version: DataVersion? = nil, demo: DemoControls? = nil,
        logger: Logger, reload: @escaping @Sendable () async -> Void = {},
        _ current: @escaping @Sendable () -> World
    ) {
        self.reload = reload
        self.demo = demo
        self.clock = clock
        self.version = version
        let live = LiveBoard(clock: clock, logger: logger)
        self.live = live
        tasks = TaskRunner(clock: clock, logger: logger) { task in
            live.tell(of: task.id, to: task.person)
        }
        backups = BackupRunner(clock: clock, logger: logger) { person in
            live.tell(of: BackupRunner.id, to: person)
        }
        askers = SignInAskers(clock: clock, logger: logger)
        passwordTurns = PasswordTurns(clock: clock)
        outsideTurns = OutsideTurns(clock: clock)
        self.current = current
        self.logger = logger
    }

    /// Sends the links that people ask for, until the task is cancelled.
    public func run() async {
        await askers.run { request, isAdmitted in
            try await world.planner.mailLinks(
                to: request.address, askedIn: request.browser, ifAdmitted: isAdmitted)
        }
    }

    /// Tells open pages what changes, until the task is cancelled.
    public func runLive() async { await live.run(world.planner.store) }

    /// The parts to use now.
    var world: World { current() }

    // MARK: Answers

    /// An absolute path below the public path prefix.
    func path(_ link: Link) -> String { world.address.folder + link.path }

    /// A redirect to a GET after a change (RFC 9110, 15.4.4).
    func redirect(to link: Link) -> PageAnswer { redirect(toPath: path(link)) }

    /// A redirect to a path.
    func redirect(toPath path: String) -> PageAnswer {
        var answer = PageAnswer(.seeOther, "text/plain; charset=utf-8", "")
        answer.fields = [("Location", path)]
        return answer
    }

    /// A page as HTML.
    ///
    /// - Parameters:
    ///   - page: the content of the page.
    ///   - frame: what stands around it.
    ///   - status: the status of the answer.
    /// - Returns: the answer, which only this browser may keep.
    func show(
        _ page: some PageModel, in frame: Frame, _ status: HTTPResponseStatus = .ok
    ) -> PageAnswer {
        let world = world
        var values = frame.values(of: page, world)
        values.merge(page.values(frame.words(world))) { $1 }
        let text = world.templates.page(type(of: page).template, values, in: frame.language)
        var answer = PageAnswer(status, "text/html; charset=utf-8", text)
        let policy = Self.contentPolicy(tiles: world.address.tiles)
        answer.fields = Self.fields + [(name: "Content-Security-Policy", value: policy)]
        return answer
    }

    /// The sources from which a page may load (Content Security Policy Level 3).
    static func contentPolicy(tiles: MapTiles?) -> String {
        let images = ["'self'"] + (tiles.map { [$0.origin] } ?? [])
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src " + images.joined(separator: " "), "connect-src 'self'",
            "manifest-src 'self'", "worker-src 'self'", "form-action 'self'", "base-uri 'none'",
            "frame-ancestors 'none'", "require-trusted-types-for 'script'",
        ].joined(separator: "; ")
    }

    private static let fields = [
        (name: "Cache-Control", value: "private, no-cache"), ("Vary", "Cookie, Accept-Encoding"),
        ("Referrer-Policy", "same-origin"),
        ("Permissions-Policy", "geolocation=(self), camera=(), microphone=()"),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ]

    /// A problem as a page for people.
    public func problemPage(_ problem: Problem, _ request: PageRequest) async -> PageAnswer? {
        let visitor = try? await visitor(of: request)
        let frame = visitor.map { Frame(visitor: $0) } ?? frame(request)
        return show(
            ProblemPage(code: problem.code, number: request.number), in: frame, problem.status)
    }

    // MARK: Visitors

    /// The best language for a request of somebody who is not signed in.
    func language(of request: PageRequest) -> Language {
        request.languages.lazy.compactMap { Language(tag: $0) }.first
            ?? world.planner.surroundings.standardLanguage
    }

    /// The frame of a page for somebody who is not signed in.
    func frame(_ request: PageRequest) -> Frame {
        Frame(request, world.address, language: language(of: request))
    }

    /// The frame of a page, with a notice about what was just saved.
    func frame(_ request: PageRequest, _ visitor: Visitor) -> Frame {
        var frame = Frame(visitor: visitor)
        if let text = frame.words(world).saved(request.query["saved"]) {
            frame.notices = [Frame.Notice(kind: .plain, text: text)]
        }
        return frame
    }

    /// The person who is signed in in the browser that sent a request; `nil` if nobody is.
    func visitor(of request: PageRequest) async throws -> Visitor? {
        let world = world
        guard let text = request.cookie(.session, for: world.address),
            let token = AccessToken(text),
            let signedIn = try await world.planner.signedIn(by: token)
        else { return nil }
        return Visitor(
            planner: world.planner.acting(for: signedIn), signedIn: signedIn, token: token,
            language: signedIn.person.language.flatMap { Language(tag: $0) }
                ?? language(of: request), theme: Theme(request, world.address),
            keepsPages: !world.isDemo && Visitor.keepsPages(request, world.address))
    }

    /// A route for people who are signed in. Others are asked to sign in first.
    func route(
        _ verb: Verb, _ pattern: String,
        _ handler: @escaping @Sendable (PageRequest, Visitor) async throws -> PageAnswer
    ) -> Route {
        let made: Route.Handler = { request in
            guard let visitor = try await visitor(of: request) else {
                return redirect(to: Link(signingInFor: request))
            }
            guard verb == .get || isOwn(request, visitor) else {
                return show(
                    ProblemPage(code: "forged", number: request.number),
                    in: Frame(visitor: visitor), .forbidden)
            }
            do {
                let account = visitor.signedIn.person.id
                return try await turns.take(of: account.text) {
                    // Another browser may delete the account while this one sends a form.
                    try await Store.$account.withValue(verb == .post ? account : nil) {
                        try await handler(request, visitor)
                    }
                }
            } catch  where Refusal(error).code == "account_gone" {
                return redirect(to: Link(signingInFor: request))
            } catch let refusal as Refusal where refusal.fault == nil {
                return show(refusal, request, visitor)
            }
        }
        return Route(verb, pattern) { request in
            try await verb == .get ? kept(request, made) : made(request)
        }
    }

    /// The answer to a GET: the kept page if nothing has changed since, and without a body if the
    /// browser has it.
    private func kept(
        _ request: PageRequest, _ made: Route.Handler
    ) async throws -> PageAnswer {
        guard let version = try await version?.current() else { return try await made(request) }
        let key = PageShelf.Key(
            cookies: request.fields["cookie"].joined(separator: ";"), target: request.target,
            languages: request.languages, isPacked: Conditions(request.fields).takeGzip,
            minute: clock.now.milliseconds / 60_000)
        if let page = shelf.page(key, version: version) { return page.unlessKnown(to: request) }
        var page = try await made(request)
        guard page.status == .ok, page.isKeepable else { return page }
        page = page.packed(for: request)
        page.fields.append(("ETag", PageShelf.tag(of: page)))
        shelf.keep(page, as: key, version: version)
        return page.unlessKnown(to: request)
    }

    /// The answer to somebody who may not send the files of a form: they are not signed in, or
    /// another site sends them. `nil` if they may.
    func refusalToSend(_ request: PageRequest) async throws -> PageAnswer? {
        guard let visitor = try await visitor(of: request) else {
            return redirect(to: Link(signingInFor: request))
        }
        let isNamed = !request.fields["sec-fetch-site"].isEmpty || !request.fields["origin"].isEmpty
        // Without both fields, a token in the form decides.
        return isNamed && !isOwn(request, visitor) ? forged(request) : nil
    }

    /// A refusal that no form shows, as a page.
    private func show(
        _ refusal: Refusal, _ request: PageRequest, _ visitor: Visitor
    ) -> PageAnswer {
        let isUnknown = refusal.code.hasPrefix("unknown_")
        let status: HTTPResponseStatus =
            switch refusal.code {
            case "not_organizer", "not_allowed": .forbidden
            case _ where isUnknown: .notFound
            default: refusal.category == .invalid ? .badRequest : .conflict
            }
        let code = isUnknown ? "not_found" : refusal.code
        guard request.wantsHTML else {
            return Problem(
                status, code: code, isUnknown ? "This page does not exist." : refusal.message
            ).answer(to: request)
        }
        return show(
            ProblemPage(
                code: code, number: request.number, message: isUnknown ? nil : refusal.message),
            in: Frame(visitor: visitor), status)
    }

    /// True if a POST comes from a page of this site, and not from another one that the browser
    /// shows (OWASP ASVS 5.0, 3.5.1).
    func isOwn(_ request: PageRequest, _ visitor: Visitor?) -> Bool {
        if let origin = request.fields["sec-fetch-site"].first {
            return origin == "same-origin" || origin == "none"
        }
        if let origin = request.fields["origin"].first {
            return world.address.isOwnOrigin(
                origin, host: request.fields["host"].first ?? "",
                isSecure: request.isForwardedSecurely)
        }
        return visitor.map { $0.formToken == request.form["csrf"] } ?? false
    }
}

/// A person who is signed in.
struct Visitor: Sendable {
    /// The planner that acts for them.
    let planner: Planner
    let signedIn: SignedIn
    private let token: AccessToken
    let language: Language

    let theme: Theme
    /// True if the browser keeps pages for use without a network.
    let keepsPages: Bool

    init(
        planner: Planner, signedIn: SignedIn, token: AccessToken, language: Language,
        theme: Theme, keepsPages: Bool
    ) {
        self.theme = theme
        self.keepsPages = keepsPages
        self.planner = planner
        self.signedIn = signedIn
        self.token = token
        self.language = language
    }

    /// The token that proves that a form is from a page of this session.
    var formToken: String {
        String(Hexadecimal.text(SHA256.hash("form\0\(token.text)".utf8)).prefix(32))
    }

    /// Names the session to the scripts of its pages, and tells nobody its secret.
    var sessionMark: String { Self.mark(of: "session\0\(token.text)") }

    /// Names the account to the scripts of its pages.
    var accountMark: String { Self.mark(of: "account\0\(signedIn.person.id.text)") }

    private static func mark(of text: String) -> String {
        String(Hexadecimal.text(SHA256.hash(text.utf8)).prefix(16))
    }
}

extension PageAnswer {
    /// True if it is a page that the browser may keep, and ask about.
    fileprivate var isKeepable: Bool {
        mediaType.hasPrefix("text/html")
            && fields.contains { $0.name == "Cache-Control" && $0.value == "private, no-cache" }
            && !fields.contains { $0.name == "Set-Cookie" }
    }

    /// The same answer, or 304 without a body if the client has it (RFC 9110, 15.4.5).
    fileprivate func unlessKnown(to request: PageRequest) -> PageAnswer {
        let tag = fields.first { $0.name == "ETag" }?.value ?? ""
        guard !request.fields["if-none-match"].isEmpty,
            Conditions(request.fields).areMet([tag], changedAt: Moment(milliseconds: 0))
        else { return self }
        var answer = PageAnswer(.notModified, mediaType, "")
        answer.fields = fields.filter { $0.name != "Content-Encoding" }
        return answer
    }
}
