import Agenda
import Ledger
import NIOHTTP1
import Planning
import Secrets
import Synchronization
import Timekeeping

/// The answers to forms that were saved a moment ago. A form that is sent twice, as by a double
/// click, leads to the same page twice, and changes something once. Forms have a key, so that the
/// same form opened again is another one.
final class SavedForms: Sendable {
    /// The time for which an answer is kept, in seconds.
    static let seconds: Int64 = 60
    /// The most answers to keep. When it is reached, all are forgotten.
    static let countMax = 10_000

    private struct Saved {
        let answer: PageAnswer
        let end: Moment
    }

    private let saved = Mutex<[String: Saved]>([:])
    private let lock = KeyedLock()

    /// The answer to a form: the same as before if it was sent before and led to another page.
    ///
    /// - Parameters:
    ///   - request: the request with the form.
    ///   - visitor: the person who sends it.
    ///   - body: carries the form out.
    /// - Returns: the answer.
    /// - Throws: the error of `body`.
    func answer(
        to request: PageRequest, of visitor: Visitor, _ body: () async throws -> PageAnswer
    ) async throws -> PageAnswer {
        guard !request.form["key"].isEmpty else { return try await body() }
        let parts = [visitor.planner.actor.id.text, request.target, request.form.text]
        let name = Hexadecimal.text(SHA256.hash(parts.joined(separator: "\n").utf8))
        return try await lock.take(of: name) {
            let now = visitor.planner.now
            if let known = known(name, at: now) { return known }
            let answer = try await body()
            // A created thing is shown once, with its secret.
            if [.seeOther, .created].contains(answer.status) { keep(answer, as: name, at: now) }
            return answer
        }
    }

    private func known(_ name: String, at now: Moment) -> PageAnswer? {
        saved.withLock { $0[name] }.flatMap { $0.end > now ? $0.answer : nil }
    }

    private func keep(_ answer: PageAnswer, as name: String, at now: Moment) {
        saved.withLock { saved in
            saved = saved.filter { $0.value.end > now }
            if saved.count >= Self.countMax { saved = [:] }
            saved[name] = Saved(answer: answer, end: now.advanced(bySeconds: Self.seconds))
        }
    }
}

extension Site {
    /// A route of a form with a key.
    func formRoute(
        _ verb: Verb, _ pattern: String,
        _ handler: @escaping @Sendable (PageRequest, Visitor) async throws -> PageAnswer
    ) -> Route {
        route(verb, pattern) { request, visitor in
            try await savedForms.answer(to: request, of: visitor) {
                try await handler(request, visitor)
            }
        }
    }
}
