import Foundation
import Synchronization

/// A server that behaves like Foursquare's Places API of 2025-06-17, as far as it is documented,
/// with the pitfalls of real responses.
///
/// ```swift
/// let fake = try FakeFoursquare([.places([FakeFoursquare.museum]), .rateLimited])
/// defer { fake.stop() }
/// // … LETSMEET_FOURSQUARE_URL=fake.url FOURSQUARE_SERVICE_KEY=FakeFoursquare.key …
/// fake.faults.isEmpty
/// ```
///
/// It checks every request against the rules: key, version, position, fields of the basic tier. An
/// invalid request gets Foursquare's own error response, and an entry in ``faults``.
public final class FakeFoursquare: Sendable {
    /// The only key that the server accepts.
    public static let key = "FAKEKEY0123456789ABCDEF"
    /// The fields that cost extra.
    private static let premiumFields: Set<String> = [
        "attributes", "description", "hours", "hours_popular", "menu", "photos", "place_actions",
        "popularity", "price", "rating", "stats", "tastes", "tips", "veracity_rating",
    ]

    private struct State {
        var answers: [FakeFoursquareAnswer]
        var faults: [String] = []
    }

    private let server: FakeHTTPServer
    private let state: FakeState<State>

    /// Starts a server that gives these responses in order and repeats the last one.
    public init(_ answers: [FakeFoursquareAnswer]) throws {
        let state = FakeState(State(answers: answers))
        self.state = state
        let address = FakeState("")
        server = try FakeHTTPServer { request in
            state.withLock { state in
                if let refusal = FakeFoursquare.refusal(of: request) {
                    state.faults.append(refusal.fault)
                    return refusal.answer
                }
                guard let answer = state.answers.first else { return FakeAnswer(500) }
                if state.answers.count > 1 { state.answers.removeFirst() }
                return answer.made(at: address.withLock { $0 })
            }
        }
        let url = server.url
        address.withLock { $0 = url }
    }

    /// The address of the server.
    public var url: String { server.url }

    /// The requests so far.
    public var requests: [FakeRequest] { server.requests }

    /// The errors in the requests, in order.
    public var faults: [String] { state.withLock { $0.faults } }

    /// Stops the server.
    public func stop() { server.stop() }

    private static func refusal(of request: FakeRequest) -> (fault: String, answer: FakeAnswer)? {
        func refuse(_ status: Int, _ message: String) -> (String, FakeAnswer) {
            (message, .json(#"{"message":"\#(message)"}"#, status: status))
        }
        if request.path.hasPrefix("/v2/") || request.path.hasPrefix("/v3/") {
            return refuse(410, "This endpoint is no longer supported.")
        }
        guard request.headers["authorization"] == "Bearer \(key)" else {
            return refuse(401, "Invalid request token.")
        }
        guard request.headers["x-places-api-version"] == "2025-06-17" else {
            return refuse(400, "Invalid or missing X-Places-Api-Version")
        }
        guard request.method == "GET", request.path.hasPrefix("/places/") else {
            return refuse(404, "Not found")
        }
        let fields = request.fields["fields"]?.split(separator: ",").map(String.init)
        guard premiumFields.isDisjoint(with: fields ?? []) else {
            return refuse(429, "You have no API credits remaining for premium fields.")
        }
        guard request.path == "/places/search", request.fields["cursor"] == nil else { return nil }
        return placelessness(of: request).map { refuse(400, $0) }
    }

    /// Describes the error of a search without a valid position; `nil` if the position is valid.
    private static func placelessness(of request: FakeRequest) -> String? {
        if let near = request.fields["near"] {
            return "Boundaries could not be determined for near param: \(near)"
        }
        let numbers = request.fields["ll"]?.split(separator: ",").compactMap { Double($0) }
        guard numbers?.count == 2 else { return "A search without ll" }
        guard let limit = request.fields["limit"].flatMap({ Int($0) }), (1...50).contains(limit)
        else { return "limit is not in 1...50" }
        guard let radius = request.fields["radius"].flatMap({ Int($0) }),
            (0...100_000).contains(radius)
        else { return "radius is not in 0...100000" }
        return nil
    }
}

/// A value behind a lock, shared by closures.
final class FakeState<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        mutex.withLock { value in body(&value) }
    }
}
