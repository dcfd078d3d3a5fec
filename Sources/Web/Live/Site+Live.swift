import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage

extension Site {
    /// The event stream that tells an open page what has changed.
    var liveRoutes: [Route] { [route(.get, "/events", events)] }

    /// Opens a stream. Without room for one, the answer is 204, after which a browser does not
    /// connect again by itself (HTML Living Standard, 9.2.3).
    private func events(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        guard live.hasRoom else { return PageAnswer(.noContent, "text/plain", "") }
        let person = visitor.planner.actor.id
        let heard = request.fields["last-event-id"].first.flatMap { ChangeMark(text: $0) }
        let news = try await news(since: heard, for: person)
        var answer = PageAnswer(.ok, "text/event-stream; charset=utf-8", "")
        // Proxies are asked to pass on each event at once.
        answer.fields = [("X-Accel-Buffering", "no")]
        answer.stream = LiveTicket(
            person: person, session: visitor.signedIn.session.id, mark: news.mark,
            first: news.event,
            board: live)
        return answer
    }

    /// The changes of which a person has not heard yet.
    private func news(
        since heard: ChangeMark?, for person: PersonID
    ) async throws -> (mark: ChangeMark, event: LiveEvent) {
        let store = world.planner.store
        guard let heard else { return (try await store.changeMark(), .nothing) }
        let changes = try await store.changes(after: heard, for: person, limit: 100)
        // A larger mark than that of the database is one of another database.
        guard !heard.exceeds(changes.mark) else { return (changes.mark, .all) }
        return (changes.mark, LiveEvent.event(of: changes, for: person) ?? .nothing)
    }
}
