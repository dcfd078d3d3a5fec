import Ledger
import Testing

@testable import Notifications
@testable import Web

@Suite struct DeliveryMetricsTests {
    private static func lines(_ body: (DeliveryMetrics) -> Void) -> [String] {
        let registry = MetricRegistry(helps: DeliveryMetrics.helps)
        body(DeliveryMetrics(factory: registry))
        return PrometheusText.of(registry.current()).split(separator: "\n").map(String.init)
    }

    @Test func `All counters exist before anything happens`() {
        let lines = Self.lines { _ in }
        for line in [
            "letsmeet_ambiguous_total 0", "letsmeet_suppressed_total 0",
            "letsmeet_clock_step_total{direction=\"back\"} 0",
            "letsmeet_clock_step_total{direction=\"forward\"} 0",
            "letsmeet_catchup_total{policy=\"send\"} 0",
            "letsmeet_catchup_total{policy=\"expire\"} 0", "letsmeet_fire_lateness_seconds_count 0",
            "letsmeet_delivery_seconds_count 0", "letsmeet_commit_seconds_count 0",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `Every metric has a help text`() {
        let lines = Self.lines { metrics in
            metrics.breaker(of: "smtp.example.org", is: .open)
            metrics.attempted(channel: "mail", .accepted, late: .zero, took: .zero)
        }
        for name in DeliveryMetrics.helps.keys {
            #expect(lines.contains { $0.hasPrefix("# HELP \(name) ") && $0.hasSuffix(".") })
        }
    }

    @Test func `An attempt is counted by channel and outcome, with its lateness and duration`() {
        let lines = Self.lines { metrics in
            for outcome in [AttemptOutcome.accepted, .accepted, .ambiguous] {
                metrics.attempted(
                    channel: "mail", outcome, codeClass: "2xx", late: .milliseconds(3),
                    took: .seconds(2))
            }
            metrics.foundHalfSent(2)
        }
        for line in [
            "letsmeet_attempts_total{channel=\"mail\",class=\"2xx\",outcome=\"accepted\"} 2",
            "letsmeet_attempts_total{channel=\"mail\",class=\"2xx\",outcome=\"ambiguous\"} 1",
            "letsmeet_lease_lost_total 1",
            "letsmeet_ambiguous_total 3", "letsmeet_fire_lateness_seconds_bucket{le=\"0.005\"} 3",
            "letsmeet_fire_lateness_seconds_bucket{le=\"0.0025\"} 0",
            "letsmeet_delivery_seconds_sum 6",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
    }

    @Test func `A circuit breaker is shown only while it is not closed`() {
        let registry = MetricRegistry(helps: [:])
        let metrics = DeliveryMetrics(factory: registry)
        func shown() -> [String] {
            PrometheusText.of(registry.current()).split(separator: "\n").map(String.init)
                .filter { $0.hasPrefix("letsmeet_breaker_state") }
        }
        metrics.breaker(of: "a.org", is: .open)
        metrics.breaker(of: "b.org", is: .open)
        metrics.breaker(of: "b.org", is: .halfOpen)
        #expect(
            shown() == [
                "letsmeet_breaker_state{destination=\"a.org\"} 2",
                "letsmeet_breaker_state{destination=\"b.org\"} 1",
            ])
        metrics.breaker(of: "a.org", is: .closed)
        metrics.breaker(of: "b.org", is: .closed)
        metrics.breaker(of: "c.org", is: .closed)
        #expect(shown().isEmpty)
    }

    @Test(arguments: [
        ("https://hooks.example.org/secret/T0K3N?x=1", "hooks.example.org"),
        ("smtp://user:word@mail.example.org:587", "mail.example.org:587"),
        ("anna@example.org", "example.org"), ("stdout", "stdout"),
        ("https://a@b@c/d", "c"), ("", ""),
    ])
    func `Only the host of a destination is shown`(text: String, host: String) {
        #expect(DeliveryMetrics.host(of: text) == host)
    }

    @Test func `An endless duration is counted`() {
        let lines = Self.lines { metrics in
            metrics.committed(in: .seconds(Int64.max))
        }
        #expect(lines.contains("letsmeet_commit_seconds_bucket{le=\"3600\"} 0"))
        #expect(lines.contains("letsmeet_commit_seconds_count 1"))
    }
}
