import NIOHTTP1
import Planning
import Wording

/// The pages for those who look after the daemon: is it well, and what has it done?
public struct OperationsController: Sendable {
    /// Says what is wrong, in sentences that anybody may read; empty when nothing is.
    public typealias Problems = @Sendable () async -> [String]
    /// Reads metrics that nobody counts as they happen.
    public typealias Figures = @Sendable () async -> [MetricFamily]

    private let problems: Problems
    private let registry: MetricRegistry
    private let figures: Figures

    /// A room that shows these.
    public init(
        registry: MetricRegistry, problems: @escaping Problems, figures: @escaping Figures
    ) {
        self.registry = registry
        self.problems = problems
        self.figures = figures
    }

    /// Its pages.
    public var pages: [Page] {
        [Page("/healthz", health), Page("/metrics", metrics)]
    }

    private struct Health: Encodable {
        let status: String
        let problems: [String]
    }

    @Sendable private func health() async throws -> PageAnswer {
        let problems = await problems()
        let isWell = problems.isEmpty
        let health = Health(status: isWell ? "ok" : "failing", problems: problems)
        return PageAnswer(
            isWell ? .ok : .serviceUnavailable, "application/json",
            try JSONText.of(health) + "\n")
    }

    @Sendable private func metrics() async throws -> PageAnswer {
        let families = registry.current() + ProcessFacts.families() + (await figures())
        return PageAnswer(.ok, PrometheusText.mediaType, PrometheusText.of(families))
    }
}
