import Agenda
import Calendars
import Foundation
import Ledger
import Logging
import Operations
import Places
import Planning
import Programs
import Secrets
import Settings
import Storage
import Timekeeping
import Web
import Wording

/// A separate home with meetings, an account, a guest's link and a feed. A server shows its pages,
/// and either makes each of them for every request, or keeps it until the database changes.
///
/// The LETSMEET variables of the environment are ignored.
struct PageHome {
    /// The settings of the home. Nobody sends mail to the address.
    private static let settings = [
        "LETSMEET_SINKS": "stdout", "LETSMEET_BASE_URL": "http://localhost:8420",
    ]
    /// 2099-01-05T18:00, a Monday.
    private static let start = WallTime(secondsSince1970: 4_071_319_200)
    private static let silent = Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }

    private let planner: Planner
    private let folder: String
    /// The value of the `Cookie` field of a signed-in browser.
    let cookie: String

    /// Makes the home in a folder.
    init(in folder: String) async throws {
        var surroundings = try PlannerSurroundings.read(homeOption: folder, machine: .real)
        surroundings.configuration = try Configuration(
            home: surroundings.home, environment: Self.settings)
        try surroundings.home.make()
        self.folder = folder
        planner = try await Planner(surroundings)
        let ticket = try await planner.openTicket(for: planner.owner)
        let (session, _) = try await planner.enter(by: ticket.text, device: "letsmeet-bench")
        cookie = "letsmeet=\(session.text)"
    }

    /// Plans the meetings, and names the pages about them.
    ///
    /// - Parameter guestCount: the number of guests of each meeting.
    /// - Returns: the pages, by name.
    /// - Throws: an error of the planner.
    func pages(guestCount: Int) async throws -> [(name: String, path: String)] {
        let meeting = try await plan("A meeting", guestCount: guestCount)
        let series = try await plan("A series", guestCount: guestCount, repeats: "FREQ=WEEKLY")
        for number in 1...4 { try await plan("Another \(number)", guestCount: 3, day: 0) }
        let links = try await planner.guestLinks(of: MeetingID(text: meeting), change: .none)
        let feed = try await planner.addFeed(
            of: planner.feedSubject(named: planner.owner.id.text), hasAlarms: false)
        guard let guest = links.links.compactMap(\.url).first, let url = feed.feed.url else {
            throw BenchFault("there are no links")
        }
        return [
            ("meeting", "/m/\(meeting)"), ("series", "/m/\(series)"),
            ("today", "/?day=2099-01-05"), ("guest", Self.path(of: guest)),
            ("feed", Self.path(of: url)),
        ]
    }

    private static func path(of url: String) -> String {
        "/" + url.split(separator: "/").dropFirst(2).joined(separator: "/")
    }

    @discardableResult
    private func plan(
        _ title: String, guestCount: Int, repeats: String? = nil, day: Int = 0
    ) async throws -> String {
        var request = MeetingRequest()
        request.title = title
        request.with = (0..<guestCount).map { "Guest Number\($0) <guest\($0)@example.org>" }
        request.start = Self.start.adding(seconds: day * 86_400).description
        (request.repetition, request.place) = (repeats, "Kiasma")
        request.note = "Bring the board games, and something to share."
        let view = try await planner.createMeeting(request, saving: true).meeting
        for guest in view.participants.dropFirst(2).prefix(guestCount / 2) {
            let person = try await planner.knownPerson(named: guest.id)
            _ = try await planner.answer(
                MeetingID(text: view.id), on: nil, .going, of: person, plus: nil, note: nil,
                saving: true)
        }
        return view.id
    }

    /// Serves the pages while `body` runs.
    ///
    /// - Parameters:
    ///   - isKept: whether pages are kept until something changes.
    ///   - memory: remembers an answer, and serves it from memory, too.
    ///   - body: gets the address of the server.
    /// - Returns: the result of `body`.
    /// - Throws: ``BenchFault`` if it cannot listen, and errors of `body`.
    func serve<Result: Sendable>(
        isKept: Bool, besides memory: PageMemory, _ body: (String) async throws -> Result
    ) async throws -> Result {
        let routes = try routes(of: site(isKept: isKept)).map(memory.watched) + [memory.route]
        return try await serve(routes) { try await body("http://\($0)") }
    }

    private func serve<Result: Sendable>(
        _ routes: [Route], _ body: (ListenAddress) async throws -> Result
    ) async throws -> Result {
        let (addresses, address) = AsyncStream.makeStream(of: ListenAddress?.self)
        let server = PageServer(
            on: .network(host: "127.0.0.1", port: 0), routes: routes,
            site: { [planner] in
                SiteAddress(
                    base: try? planner.surroundings.configuration.baseURL(),
                    listen: .network(host: "127.0.0.1", port: 0))
            }, clock: planner.surroundings.waitClock, logger: Self.silent
        ) { address.yield($0) }
        let serving = Task { try await server.run() }
        defer { serving.cancel() }
        guard let bound = await addresses.first(where: { _ in true }) ?? nil else {
            throw BenchFault("cannot listen on a port of this machine")
        }
        return try await body(bound)
    }

    /// A person who is signed in.
    struct Access: Sendable {
        /// A planner that acts for them.
        let planner: Planner
        /// The value of the `Cookie` field of their browser.
        let cookie: String
    }

    /// Signs the guests of a new meeting in.
    ///
    /// - Parameter count: the number of guests.
    /// - Returns: the guests.
    /// - Throws: an error of the planner.
    func accounts(count: Int) async throws -> [Access] {
        try await plan("A meeting", guestCount: count)
        var accounts: [Access] = []
        for number in 0..<count {
            let person = try await planner.knownPerson(named: "guest\(number)@example.org")
            let ticket = try await planner.openTicket(for: person)
            let (session, known) = try await planner.enter(by: ticket.text, device: "bench")
            accounts.append(
                Access(planner: planner.acting(as: known), cookie: "letsmeet=\(session.text)"))
        }
        return accounts
    }

    /// Serves the pages and their event streams while `body` runs.
    ///
    /// - Parameter body: gets the port of the server.
    /// - Returns: the result of `body`.
    /// - Throws: ``BenchFault`` if it cannot listen, and errors of `body`.
    func serveLive<Result: Sendable>(
        _ body: (UInt16) async throws -> Result
    ) async throws -> Result {
        let site = try site(isKept: true)
        let watching = Task { await site.runLive() }
        defer { watching.cancel() }
        return try await serve(routes(of: site)) { address in
            guard case .network(_, let port) = address, let port = UInt16(exactly: port) else {
                throw BenchFault("the server has no port")
            }
            return try await body(port)
        }
    }

    private var maps: MapAlbum {
        get throws {
            let shipped = planner.surroundings.shipped
            return MapAlbum(
                try StreetAtlas(
                    file: shipped.sample + "/streets.txt",
                    attribution: "© OpenStreetMap contributors"))
        }
    }

    private func site(isKept: Bool) throws -> Site {
        let (planner, shipped) = (planner, planner.surroundings.shipped)
        let templates = try SiteTemplates(
            shipped: shipped.templates, own: folder, pages: Site.pages)
        let assets = try AssetLibrary(folder: shipped.templates + "/web", own: folder)
        let maps = try maps
        let address = SiteAddress(base: try planner.surroundings.configuration.baseURL())
        return Site(
            clock: planner.surroundings.waitClock,
            version: isKept ? try DataVersion(of: planner.store) : nil, logger: Self.silent
        ) {
            Site.World(
                planner: planner, templates: templates, assets: assets, maps: maps,
                address: address)
        }
    }

    private func routes(of site: Site) throws -> [Route] {
        let (planner, maps) = (planner, try maps)
        let pages = try GuestPages(
            shipped: planner.surroundings.shipped.templates, own: folder)
        let guests = GuestController(logger: Self.silent) { (planner, pages, maps) }
        let feeds = FeedController(clock: planner.surroundings.waitClock) { planner }
        return site.routes + guests.routes + feeds.routes
    }
}
