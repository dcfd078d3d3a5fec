import NIOHTTP1
import Synchronization
import Web

/// Remembers an answer of a server, and answers with it again.
final class PageMemory: Sendable {
    private struct State {
        var answer: PageAnswer?
        var isOpen = false
    }

    private let state = Mutex(State())

    /// The route that answers from memory.
    var route: Route {
        Route(.get, Self.path) { _ in
            self.state.withLock { $0.answer } ?? PageAnswer(.notFound, "text/plain", "")
        }
    }

    /// The path of the answer from memory.
    static let path = "/memory"

    /// The same route, whose next answer is remembered after ``open()``.
    func watched(_ route: Route) -> Route {
        route.within { request, handler in
            let answer = try await handler(request)
            self.state.withLock { state in
                guard state.isOpen else { return }
                state = State(answer: answer)
            }
            return answer
        }
    }

    /// Remembers the next answer instead of the last one.
    func open() { state.withLock { $0.isOpen = true } }

    /// The entity tag of the remembered answer; `nil` if it has none.
    var tag: String? {
        state.withLock { $0.answer?.fields.first { $0.name == "ETag" }?.value }
    }

    /// The length of the body of the remembered answer.
    var byteCount: Int { state.withLock { $0.answer?.byteCount ?? 0 } }
}
