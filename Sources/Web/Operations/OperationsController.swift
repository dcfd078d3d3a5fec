import NIOHTTP1
import Planning
import Wording

/// Serves the pages for operators: the health check and the metrics.
public struct OperationsController: Sendable {
    /// Returns the current problems as sentences that anybody may read; empty if there are none.
    public typealias Problems = @Sendable () async -> [String]
    /// Reads the metrics that are computed on request rather than counted.
    public typealias Figures = @Sendable () async -> [MetricFamily]

    private let problems: Problems
    private let registry: MetricRegistry
    private let figures: Figures

    /// A controller that shows these problems and metrics.
    public init(
        registry: MetricRegistry, problems: @escaping Problems, figures: @escaping Figures
    ) {
        self.registry = registry
        self.problems = problems
        self.figures = figures
    }

    /// Its routes.
    public var routes: [Route] {
        [Route(.get, "/healthz", health), Route(.get, "/metrics", metrics)].map { route in
            var route = route
            route.isOperation = true
            return route
        }
    }

    private struct Health: Encodable {
        let status: String
        let problems: [String]
    }

    @Sendable private func health(_ request: PageRequest) async throws -> PageAnswer {
        let problems = await problems()
        let isWell = problems.isEmpty
        let health = Health(status: isWell ? "ok" : "failing", problems: problems)
        return PageAnswer(
            isWell ? .ok : .serviceUnavailable, "application/json",
            try JSONText.of(health) + "\n")
    }

    @Sendable private func metrics(_ request: PageRequest) async throws -> PageAnswer {
        let families = registry.current() + ProcessFacts.families() + (await figures())
        return PageAnswer(.ok, PrometheusText.mediaType, PrometheusText.of(families))
    }
}
