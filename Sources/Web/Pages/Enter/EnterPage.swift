import Foundation
import NIOHTTP1
import Planning
import Secrets
import Storage
import Wording

/// The page that signs a person in with a link.
struct EnterPage: PageModel {
    static let template = "enter"
    static let names = TemplateNames(["next", "problem"])

    /// The page to go to afterwards.
    let next: String
    /// The reason why the last try failed.
    var problem: String?

    func title(_ words: PageWords) -> String { words("Sign in") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = ["next": .text(next)]
        values[text: "problem"] = problem
        return values
    }
}

extension Site {
    /// Signing in and out.
    var enterRoutes: [Route] {
        [
            Route(.get, "/enter") { request in
                show(
                    EnterPage(next: Link.local(request.query["next"]) ?? "/"),
                    in: frame(request))
            },
            Route(.post, "/enter", enter), route(.post, "/sign-out", signOut),
        ] + signInRoutes
    }

    private func enter(_ request: PageRequest) async throws -> PageAnswer {
        var next = Link.local(request.form["next"]) ?? "/"
        let kept = request.cookie(.next, for: world.address)?.removingPercentEncoding
        if next == "/", let kept { next = Link.local(kept) ?? next }
        let frame = frame(request)
        guard isOwn(request, nil) else { return forged(request) }
        let planner = world.planner
        let token = request.form["token"]
        do {
            let browser = request.cookie(.browser, for: world.address).flatMap { AccessToken($0) }
            if !request.form.has("here"),
                let code = try await planner.code(for: token, in: browser)
            {
                return show(CodePage(code: code, token: token, next: next), in: frame)
            }
            let (session, person) = try await planner.enter(
                by: token, device: Device.name(of: request), replacing: oldSession(request))
            let isFresh = try await isFresh(planner.acting(as: person))
            return await begin(
                session, of: person,
                then: isFresh && next == "/" ? Link.welcome.path : next, request)
        } catch let refusal as Refusal {
            let words = frame.words(world)
            return show(
                EnterPage(next: next, problem: words.refusal(refusal)), in: frame, .badRequest)
        }
    }

    private func signOut(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try await visitor.planner.signOut(visitor.signedIn.session.id)
        live.end(session: visitor.signedIn.session.id)
        var answer = redirect(to: .enter)
        answer.fields += [
            SiteCookie.session.field(nil, seconds: 0, for: world.address, request),
            Self.clearing,
        ]
        return answer
    }
}

/// The browser and system of a request, in words.
enum Device {
    private static let browsers = [
        ("Firefox/", "Firefox"), ("Edg/", "Edge"), ("OPR/", "Opera"), ("Chrome/", "Chrome"),
        ("Safari/", "Safari"), ("curl/", "curl"),
    ]
    private static let systems = [
        ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
        ("Mac OS", "Mac"), ("Linux", "Linux"),
    ]

    /// For example "Firefox on Linux".
    static func name(of request: PageRequest) -> String {
        let text = request.fields["user-agent"].first ?? ""
        func known(_ table: [(String, String)]) -> String? {
            table.first { text.contains($0.0) }?.1
        }
        return [known(browsers), known(systems)].compactMap(\.self).joined(separator: " on ")
    }
}
