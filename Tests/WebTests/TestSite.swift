import Agenda
import Foundation
import Logging
import NIOHTTP1
import Places
import Planning
import Secrets
import Settings
import Storage
import TestKit
import Testing
import Wording

@testable import Web

/// The site of a temporary home, asked without a network.
struct TestSite: Sendable {
    let world: TestWorld
    let planner: Planner
    let site: Site
    let responder: PageResponder

    /// Runs a test on a site in a temporary home, whose owner is Olga Owner.
    static func with(
        settings: [SettingName: String] = [.sinks: "stdout"],
        environment: [String: String] = [:],
        listener: Store.StatementListener? = nil, hook: (any StoreAccessHook)? = nil,
        _ body: (TestSite) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await Store.$statementListener.withValue(
                listener ?? Store.statementListener
            ) {
                try await Store.$hook.withValue(hook ?? Store.hook) {
                    try await world.planner(settings: settings, environment: environment)
                }
            }
            try await body(try TestSite(world, planner))
        }
    }

    /// The templates of a home. Homes without templates of their own share one set.
    private static func templates(own folder: String) throws -> SiteTemplates {
        guard FileManager.default.fileExists(atPath: folder) else { return try builtIn.get() }
        return try SiteTemplates(
            shipped: Checkout.root + "/templates", own: folder, pages: Site.pages)
    }

    private static let builtIn = Result {
        try SiteTemplates(
            shipped: Checkout.root + "/templates", own: Checkout.root + "/no-templates",
            pages: Site.pages)
    }

    private init(_ world: TestWorld, _ planner: Planner) throws {
        self.world = world
        self.planner = planner
        let templates = try Self.templates(own: world.home.templates)
        let assets = try AssetLibrary(
            folder: Checkout.root + "/templates/web", own: world.home.templates + "/web")
        let maps = MapAlbum(
            try StreetAtlas(
                file: planner.surroundings.shipped.sample + "/streets.txt", attribution: "OSM"))
        let address = SiteAddress(
            base: try planner.surroundings.configuration.baseURL(),
            listen: .network(host: "127.0.0.1", port: 8420),
            tiles: try planner.surroundings.configuration.mapTiles())
        let site = Site(
            clock: world.clock, version: try DataVersion(of: planner.store), logger: .silent
        ) {
            Site.World(
                planner: planner, templates: templates, assets: assets, maps: maps,
                address: address)
        }
        self.site = site
        responder = PageResponder(
            site.routes, site: { address }, problemPage: { await site.problemPage($0, $1) },
            clock: world.clock, logger: .silent)
    }

    /// A browser, which may be signed in.
    struct Browser: Sendable {
        let site: TestSite
        var cookie: String?

        /// Opens a page.
        func open(_ path: String, _ fields: [(String, String)] = []) async -> PageAnswer {
            await site.ask(.GET, path, nil, cookie, fields)
        }

        /// Submits a form, as a page of the site does.
        func submit(
            _ path: String, _ form: String, _ fields: [(String, String)] = own
        ) async -> PageAnswer {
            await site.ask(.POST, path, form, cookie, fields)
        }

        static let own = [("Sec-Fetch-Site", "same-origin")]
    }

    /// A browser without a session.
    var stranger: Browser { Browser(site: self, cookie: nil) }

    /// A browser in which a person is signed in; the owner without a name.
    func browser(of who: String? = nil) async throws -> Browser {
        let person =
            try await who.asyncMap { try await planner.knownPerson(named: $0) } ?? planner.owner
        let token = try await planner.openTicket(for: person)
        let (session, _) = try await planner.enter(by: token.text, device: "A test")
        return Browser(site: self, cookie: "letsmeet=\(session.text)")
    }

    func ask(
        _ method: HTTPMethod, _ path: String, _ form: String?, _ cookie: String?,
        _ fields: [(String, String)]
    ) async -> PageAnswer {
        var headers: HTTPHeaders = ["Host": "localhost:8420", "Accept": "text/html"]
        if let cookie { headers.add(name: "Cookie", value: cookie) }
        for (name, value) in fields { headers.replaceOrAdd(name: name, value: value) }
        let head = HTTPRequestHead(
            version: .http1_1, method: method, uri: path, headers: headers)
        return await responder.answer(
            to: head, form: form.map { ReceivedForm(Array($0.utf8)) })
    }

    /// The bytes of the database as Latin-1.
    func databaseText() throws -> String {
        try ["", "-wal"].map { ending in
            let file = URL(filePath: world.home.database + ending)
            return String(decoding: try Data(contentsOf: file).map(UInt16.init), as: UTF16.self)
        }.joined()
    }

    /// Plans a meeting as a person; as the owner without one.
    @discardableResult
    func plan(
        _ title: String = "Games", with guests: [String] = ["anna@example.org", "ben@example.org"],
        start: String = "2026-12-05T18:00", repeats: String? = nil
    ) async throws -> MeetingView {
        var request = MeetingRequest()
        request.title = title
        request.with = guests
        request.start = start
        request.repetition = repeats
        return try await planner.createMeeting(request, saving: true).meeting
    }
}

extension Optional {
    fileprivate func asyncMap<Other>(
        _ form: (Wrapped) async throws -> Other
    ) async rethrows -> Other? {
        if let self { try await form(self) } else { nil }
    }
}

extension PageAnswer {
    /// The value of a header field; empty if it is missing.
    func field(_ name: String) -> String { fields.first { $0.name == name }?.value ?? "" }

    /// The value of a hidden field or input in a form.
    func input(_ name: String) -> String? {
        guard let start = text.firstRange(of: "name=\"\(name)\"") else { return nil }
        let rest = text[start.upperBound...].prefix { $0 != ">" }
        guard let value = rest.firstRange(of: "value=\"") else { return nil }
        return String(rest[value.upperBound...].prefix { $0 != "\"" })
    }
}
