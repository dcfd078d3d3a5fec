import NIOHTTP1

/// The method of a request: reading, or changing something.
public enum Verb: Sendable {
    /// GET, and HEAD without the body of the answer. It changes nothing.
    case get
    /// POST of a form.
    case post
}

/// A path with a handler for one method.
///
/// ```swift
/// Route(.get, "/m/:id") { request in … request["id"] … }
/// ```
public struct Route: Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (PageRequest) async throws -> PageAnswer

    let verb: Verb
    let pattern: RoutePattern
    let handler: Handler
    /// True if it is the health check or the metrics: any host may be named, and only programs on
    /// this machine get an answer.
    var isOperation = false
    /// True if its form may send files.
    var takesFiles: Bool { admission != nil }
    /// Checks, before any file is read, whether the client may send files: the answer if it may
    /// not. `nil` if the form takes no files.
    var admission: (@Sendable (PageRequest) async throws -> PageAnswer?)?

    /// Creates a route.
    ///
    /// - Parameters:
    ///   - verb: the method.
    ///   - pattern: the path, in which `:name` stands for one segment, `@:name` for one that begins
    ///     with "@", and a last segment `*` for the rest.
    ///   - handler: answers the requests.
    public init(_ verb: Verb, _ pattern: String, _ handler: @escaping Handler) {
        self.verb = verb
        self.pattern = RoutePattern(pattern)
        self.handler = handler
    }

    /// The same route with its handler run inside `scope`.
    public func within(
        _ scope:
            @escaping @Sendable (
                _ request: PageRequest, _ handler: @escaping Handler
            ) async throws -> PageAnswer
    ) -> Route {
        var route = Route(verb, pattern.text) { [handler] request in
            try await scope(request, handler)
        }
        route.isOperation = isOperation
        route.admission = admission
        return route
    }
}

/// The path of a route.
struct RoutePattern: Sendable {
    private enum Segment: Equatable {
        case literal(String)
        case parameter(String)
        /// A parameter after "@", as in the address of a profile.
        case marked(String)
        case rest
    }

    let text: String
    private let segments: [Segment]

    init(_ text: String) {
        self.text = text
        segments = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            switch $0.first {
            case ":": .parameter(String($0.dropFirst()))
            case "@" where $0.hasPrefix("@:"): .marked(String($0.dropFirst(2)))
            case "*": .rest
            default: .literal(String($0))
            }
        }
    }

    /// The first segment if it is always the same; `nil` if it is a parameter.
    var firstLiteral: String? {
        if case .literal(let text) = segments.first { text } else { nil }
    }

    /// The parameters of a path, decoded; `nil` if the path does not match.
    ///
    /// - Parameter path: the segments of the path, still percent-encoded.
    /// - Returns: the values by name.
    func parameters(of path: [Substring]) -> [String: String]? {
        guard segments.count == path.count || segments.last == .rest && path.count >= segments.count
        else { return nil }
        var parameters: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            switch segment {
            case .literal(let text): if part != text { return nil }
            case .parameter(let name):
                guard !part.isEmpty else { return nil }
                parameters[name] = PercentText.decoded(part)
            case .marked(let name):
                let text = PercentText.decoded(part)
                guard text.first == "@", text.count > 1 else { return nil }
                parameters[name] = String(text.dropFirst())
            case .rest:
                parameters["*"] = path.dropFirst(segments.count - 1).joined(separator: "/")
            }
        }
        return parameters
    }
}

/// Finds the route of a request.
struct Router: Sendable {
    /// The result of a search.
    enum Match {
        case route(Route, parameters: [String: String])
        /// The path exists, but with these methods only.
        case otherVerbs([Verb])
        case none
    }

    /// The routes by their first segment, or under "" if that is a parameter. Literal paths come
    /// before parameters.
    private let routes: [String: [Route]]

    init(_ routes: [Route]) {
        self.routes = Dictionary(grouping: routes) { $0.pattern.firstLiteral ?? "" }
    }

    /// The route of a path, still percent-encoded, that begins with a slash.
    func match(_ verb: Verb?, _ path: some StringProtocol) -> Match {
        guard path.hasPrefix("/") else { return .none }
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { Substring($0) }
        var others: [Verb] = []
        for route in (routes[String(segments[0])] ?? []) + (routes[""] ?? []) {
            guard let parameters = route.pattern.parameters(of: segments) else { continue }
            guard route.verb != verb else { return .route(route, parameters: parameters) }
            others.append(route.verb)
        }
        return others.isEmpty ? .none : .otherVerbs(others)
    }
}
