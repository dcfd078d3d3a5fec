import Agenda
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Wording

/// The page for people who are not signed in: it mails a link, and takes a short code.
struct SignInPage: PageModel {
    static let template = "sign-in"
    static let names = TemplateNames([
        "next", "problem", "hasMail", "isSent", "isAgain", "isEnded", "codeFault", "typed",
    ])

    /// The page to go to afterwards.
    let next: String
    let hasMail: Bool
    var isSent = false
    /// True if the person is signed in, and has to prove who they are once more.
    var isAgain = false
    /// True if a form was sent without a session, so that nothing was saved.
    var isEnded = false
    var problem: String?
    /// The address that was typed beside a wrong password.
    var typed: String?
    var codeFault: String?

    func title(_ words: PageWords) -> String { words("Sign in") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "next": .text(next), "hasMail": .flag(hasMail), "isSent": .flag(isSent),
            "isAgain": .flag(isAgain), "isEnded": .flag(isEnded),
        ]
        values[text: "problem"] = problem
        values[text: "typed"] = typed
        values[text: "codeFault"] = codeFault
        return values
    }
}

/// The page in a browser that did not ask for the link that it opened.
struct CodePage: PageModel {
    static let template = "code"
    static let names = TemplateNames(["code", "token", "next"])

    let code: String
    let token: String
    let next: String

    func title(_ words: PageWords) -> String { words("Sign in") }

    func values(_ words: PageWords) -> TemplateValues {
        ["code": .text(code), "token": .text(token), "next": .text(next)]
    }
}

extension Site {
    /// Signing in by a link in a mail.
    var signInRoutes: [Route] {
        [
            Route(.get, "/sign-in") { request in
                signIn(request, isSent: request.query.has("sent"))
            }, Route(.post, "/sign-in", ask), Route(.post, "/sign-in/code", enterByCode),
            Route(.post, "/sign-in/password", enterByPassword),
        ]
    }

    func signIn(
        _ request: PageRequest, isSent: Bool, problem: String? = nil, codeFault: String? = nil,
        next: String? = nil, typed: String? = nil, _ status: HTTPResponseStatus = .ok
    ) -> PageAnswer {
        var page = SignInPage(
            next: next ?? Link.local(request.query["next"]) ?? "/",
            hasMail: world.planner.canMailLinks)
        page.isSent = isSent
        page.isAgain = request.query.has("again")
        page.isEnded = request.query.has("ended")
        page.problem = problem
        page.typed = typed
        page.codeFault = codeFault
        return show(page, in: frame(request), status)
    }

    /// The token of the browser, by which it is known when the link in the mail is opened in it.
    private func browserToken(_ request: PageRequest) -> AccessToken? {
        request.cookie(.browser, for: world.address).flatMap { AccessToken($0) }
    }

    /// The address as it was typed, without white space at its ends. White space inside is not left
    /// out: the rest would be the address of somebody else.
    private func typedAddress(_ request: PageRequest) -> String {
        request.form["address"][...].trimmingSpaces
    }

    private func ask(_ request: PageRequest) async throws -> PageAnswer {
        guard isOwn(request, nil) else { return forged(request) }
        let browser = browserToken(request) ?? world.planner.newBrowserToken()
        let address = typedAddress(request)
        askers.ask(address, from: request.client, in: browser)
        let next = Link.local(request.form["next"]) ?? "/"
        var answer = redirect(to: .signIn(next: next, isSent: true))
        let kept: [(SiteCookie, String?)] = [
            (.browser, browser.text), (.next, next == "/" ? nil : Link.segment(next)),
        ]
        answer.fields += kept.map { cookie, value in
            cookie.field(value, seconds: Planner.ticketSeconds, for: world.address, request)
        }
        return answer
    }

    private func enterByCode(_ request: PageRequest) async throws -> PageAnswer {
        guard isOwn(request, nil) else { return forged(request) }
        let next = Link.local(request.form["next"]) ?? "/"
        do {
            let browser = browserToken(request) ?? world.planner.newBrowserToken()
            let (session, person) = try await world.planner.enter(
                byCode: request.form["code"], in: browser, device: Device.name(of: request),
                replacing: oldSession(request))
            return await begin(session, of: person, then: next, request)
        } catch let refusal as Refusal {
            let words = frame(request).words(world)
            return signIn(request, isSent: true, codeFault: words.refusal(refusal), .badRequest)
        }
    }

    private func enterByPassword(_ request: PageRequest) async throws -> PageAnswer {
        guard isOwn(request, nil) else { return forged(request) }
        let next = Link.local(request.form["next"]) ?? "/"
        let address = typedAddress(request)
        do {
            let known = await knownBrowser(request, at: address)
            guard askers.letsTry(address, from: request.client, knownAs: known) else {
                throw PasswordTurns.tooOften
            }
            let (session, person) = try await passwordTurns.take(of: known ?? request.client) {
                try await world.planner.enter(
                    byPassword: request.form["password"], at: address,
                    device: Device.name(of: request), replacing: oldSession(request))
            }
            return await begin(session, of: person, then: next, request)
        } catch let refusal as Refusal {
            let words = frame(request).words(world)
            let isTooOften = refusal.code == PasswordTurns.tooOften.code
            var answer = signIn(
                request, isSent: false, problem: words.refusal(refusal), next: next,
                typed: address, isTooOften ? .tooManyRequests : .badRequest)
            if isTooOften { answer.fields.append(("Retry-After", "180")) }
            return answer
        }
    }

    /// The id of the person of an address, if they signed in in this browser before.
    private func knownBrowser(_ request: PageRequest, at address: String) async -> String? {
        guard let mark = request.cookie(.known, for: world.address) else { return nil }
        return await world.planner.knownBrowser(by: mark, at: address)?.text
    }

    /// The field by which the browser is known as one of a person; none if there is no key.
    func knownFields(
        of person: PersonID, _ request: PageRequest
    ) async -> [(name: String, value: String)] {
        guard let mark = await world.planner.browserMark(of: person) else { return [] }
        let seconds = Planner.knownBrowserSeconds
        return [SiteCookie.known.field(mark, seconds: seconds, for: world.address, request)]
    }

    /// The answer that starts a session of a person in the browser, which is known from then on.
    func begin(
        _ session: AccessToken, of person: Person, then next: String, _ request: PageRequest
    ) async -> PageAnswer {
        var answer = redirect(toPath: world.address.folder + next)
        answer.fields.append(
            SiteCookie.session.field(
                session.text, seconds: Planner.sessionIdleSeconds, for: world.address, request))
        answer.fields += await knownFields(of: person.id, request)
        // Somebody else may have used the browser before.
        if await knownBrowser(request, at: person.address) != person.id.text {
            answer.fields.append(Self.clearing)
        }
        return answer
    }

    /// The session that the browser had before.
    func oldSession(_ request: PageRequest) -> AccessToken? {
        request.cookie(.session, for: world.address).flatMap { AccessToken($0) }
    }

    /// The page for a form that another site sent.
    func forged(_ request: PageRequest) -> PageAnswer {
        show(
            ProblemPage(code: "forged", number: request.number), in: frame(request), .forbidden)
    }
}
