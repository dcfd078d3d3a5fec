import Planning
import Timekeeping

/// The order in which passwords are checked. A check takes a third of a second of a core on
/// purpose, so the clients of one neighbourhood are served one after the other, in turn with
/// everybody else. The browsers in which a person signed in before have a turn of their own.
struct PasswordTurns: Sendable {
    /// The longest wait before a check, in milliseconds. The browser has given up soon after it.
    private static let waitMax: Int64 = 10_000

    private let lock = KeyedLock()
    private let clock: any WallClock

    init(clock: any WallClock) { self.clock = clock }

    /// Runs `body` when the client's turn comes.
    ///
    /// - Parameters:
    ///   - client: the network address of the client, or the id of the person whose browser it is.
    ///   - body: the check.
    /// - Returns: the result of `body`.
    /// - Throws: ``Refusal`` with `too_often` after a long wait, or the error of `body`.
    func take<Value>(of client: String, _ body: () async throws -> Value) async throws -> Value {
        let began = clock.now
        return try await lock.take(of: ClientNetwork.neighbourhood(of: client)) {
            guard clock.now.milliseconds(since: began) < Self.waitMax else {
                throw Self.tooOften
            }
            return try await body()
        }
    }

    /// The refusal of a client that tries too often.
    static let tooOften = Refusal(
        .refused, code: "too_often", "You have tried too often. Wait three minutes, then try again."
    )
}
