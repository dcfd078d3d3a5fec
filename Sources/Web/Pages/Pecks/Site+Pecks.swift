import Ledger
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

extension Site {
    /// The inbox. A GET marks nothing as read.
    var peckRoutes: [Route] {
        [
            route(.get, "/pecks", pecks), route(.get, "/pecks/newest", newestPecks),
            route(.get, "/pecks/:peck/why", whyPeck), route(.post, "/pecks/read", readPeck),
            route(.post, "/pecks/read-all") { request, visitor in
                _ = try await visitor.planner.readPecks(nil)
                return back(from: request)
            },
            route(.post, "/pecks/snooze") { request, visitor in
                let time = try PeckSnooze.time(request.form["until"])
                _ = try await visitor.planner.snoozePeck(request.form["id"], until: time)
                return back(from: request)
            },
            route(.post, "/pecks/kinds") { request, visitor in
                let kinds = request.form.all("kind").compactMap(NotificationKind.init(rawValue:))
                try await visitor.planner.wantPecks(Set(kinds))
                return redirect(to: .pecks(saved: "pecks"))
            },
        ]
    }

    /// The notifications of a page.
    private static let pecksMax = 50
    /// The newest notifications that a script asks for.
    private static let newestMax = 5

    private func pecks(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let query = request.query
        let part: PeckFilter.Part =
            query.has("snoozed") ? .snoozed : query.has("unread") ? .unread : .all
        let planner = visitor.planner
        let page = PecksPage(
            list: try await planner.pecks(
                part, from: query.has("after") ? query["after"] : nil, limit: Self.pecksMax),
            part: part, wanted: try await planner.wantedPeckKinds(), zone: planner.zone,
            here: request.target)
        return show(page, in: frame(request, visitor))
    }

    private func whyPeck(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let line = PeckLine(peck: try await planner.peck(request["peck"]), zone: planner.zone)
        let page = PeckPage(line: line, stories: try await planner.whyPeck(line.peck.id))
        return show(page, in: frame(request, visitor))
    }

    /// Marks a notification as read, and opens its meeting unless the form leads back.
    private func readPeck(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let line = PeckLine(peck: try await planner.peck(request.form["id"]), zone: planner.zone)
        _ = try await planner.readPecks([line.peck.id])
        guard let link = line.link, !request.form.has("stay") else { return back(from: request) }
        return redirect(to: link)
    }

    /// A redirect to the page on which a form of the inbox stands.
    private func back(from request: PageRequest) -> PageAnswer {
        guard let next = Link.local(request.form["next"]) else { return redirect(to: .pecks()) }
        return redirect(toPath: world.address.folder + next)
    }

    /// The newest unread notifications, for notifications of the browser.
    private func newestPecks(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let list = try await visitor.planner.pecks(.unread, limit: Self.newestMax)
        let words = frame(request, visitor).words(world)
        let newest = NewestPecks(
            unread: list.unread,
            pecks: list.pecks.map { peck in
                let line = PeckLine(peck: peck, zone: visitor.planner.zone)
                return NewestPecks.Line(
                    id: peck.id, title: peck.title, text: words.notification(peck.kind),
                    url: path(line.link ?? .pecks()), at: peck.at.moment.milliseconds)
            })
        var answer = PageAnswer(
            .ok, "application/json; charset=utf-8", try JSONText.of(newest))
        answer.fields = [("Cache-Control", "private, no-store")]
        return answer
    }
}

/// The newest unread notifications for scripts.
private struct NewestPecks: Encodable {
    struct Line: Encodable {
        let id: String
        let title: String
        let text: String
        let url: String
        /// The time at which it came, in milliseconds since 1970.
        let at: Int64
    }

    let unread: Int
    let pecks: [Line]
}
