import Glibc
import Testing
import Timekeeping

@testable import Web

@Suite struct PrometheusTextTests {
    @Test func `Families are sorted by name and have help, type and samples`() {
        let text = PrometheusText.of([
            MetricFamily(
                "b_total", .counter, help: "Of b.",
                [
                    MetricSample(1, labels: [MetricLabel("kind", "x"), MetricLabel("to", "y")]),
                    MetricSample(2.5, labels: [MetricLabel("kind", "z")]),
                ]),
            MetricFamily("a_seconds", .gauge, help: "Of a.", [MetricSample(-3)]),
            MetricFamily("nothing", .gauge, help: "Shown only with samples.", []),
        ])
        #expect(
            text == """
                # HELP a_seconds Of a.
                # TYPE a_seconds gauge
                a_seconds -3
                # HELP b_total Of b.
                # TYPE b_total counter
                b_total{kind="x",to="y"} 1
                b_total{kind="z"} 2.5

                """)
    }

    @Test(arguments: [
        ("plain", "plain"), ("a\"b", "a\\\"b"), ("a\\b", "a\\\\b"), ("a\nb", "a\\nb"),
        ("a\r\nb", "a\u{FFFD}\\nb"), ("a\u{85}\u{2028}b", "a\u{FFFD}\u{FFFD}b"),
        ("\\\n\"", "\\\\\\n\\\""), ("Müsli 🥣", "Müsli 🥣"), ("", ""), ("\u{0}", "\u{FFFD}"),
        ("} 1\n# HELP x", "} 1\\n# HELP x"),
    ])
    func `A label value cannot end its quotes or its line`(value: String, shown: String) {
        let sample = MetricSample(1, labels: [MetricLabel("l", value)])
        let text = PrometheusText.of([MetricFamily("m", .gauge, help: "H.", [sample])])
        #expect(text.hasSuffix("m{l=\"\(shown)\"} 1\n"))
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count == 4)
    }

    @Test func `Help texts keep quotes and escape line breaks`() {
        let text = PrometheusText.of([
            MetricFamily("m", .gauge, help: "a \"b\"\nc\\d", [MetricSample(1)])
        ])
        #expect(text.hasPrefix("# HELP m a \"b\"\\nc\\\\d\n"))
    }

    @Test func `A long label value is cut`() {
        let sample = MetricSample(1, labels: [MetricLabel("l", String(repeating: "é", count: 999))])
        let text = PrometheusText.of([MetricFamily("m", .gauge, help: "H.", [sample])])
        #expect(text.count { $0 == "é" } == MetricLabel.valueCharactersMax)
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (1.5, "1.5"), (0.0001, "0.0001"), (1e-9, "1e-09"),
        (.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (1e300, "1e+300"),
        (9_007_199_254_740_991, "9007199254740991"), (1_795_287_340.768, "1795287340.768"),
    ])
    func `Numbers are written in a format that Go accepts`(value: Double, text: String) {
        #expect(PrometheusText.number(value) == text)
    }

    @Test(arguments: [
        ("a.b-c/d", "a_b_c_d", "a_b_c_d"), ("1st", "_1st", "_1st"), ("", "_", "_"),
        ("job:rate", "job:rate", "job_rate"), ("ü", "__", "__"),
    ])
    func `Invalid characters in a name are replaced`(text: String, name: String, label: String) {
        #expect(PrometheusText.name(text) == name)
        #expect(PrometheusText.labelName(text) == label)
    }
}

@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT"),
        ("2026-12-31T23:59:59.999Z", "Thu, 31 Dec 2026 23:59:59 GMT"),
        ("0009-01-01T00:00:00Z", "Thu, 01 Jan 0009 00:00:00 GMT"),
    ])
    func `A date is written in the format of HTTP`(text: String, date: String) throws {
        #expect(HTTPDate.text(of: try Moment.parse(text)) == date)
    }
}

@Suite struct ProcessFactsTests {
    @Test func `A program name with parentheses does not confuse the parser`() {
        let line =
            "7 (a) b (c)) S 1 7 7 0 -1 4194560 1 0 0 0 12 34 0 0 20 0 3 0 5600 999999 77 184467"
        #expect(
            ProcessFacts.fields(of: line)
                == ProcessFacts.Fields(
                    userTicks: 12, systemTicks: 34, startTicks: 5600, residentPages: 77))
        #expect(ProcessFacts.fields(of: "7 (a) S 1 2") == nil)
        #expect(ProcessFacts.fields(of: "") == nil)
        #expect(ProcessFacts.bootSeconds(in: "cpu 1\nbtime 1795230000\nx 1\n") == 1_795_230_000)
    }

    /// The CPU time of this process, in seconds.
    private static var usedSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test func `Memory, CPU time and start time of this process are reported`() throws {
        // The kernel reports user and system time in whole ticks, so some CPU time is needed first.
        while Self.usedSeconds < 0.5 {}
        let before = Self.usedSeconds
        let facts = Dictionary(
            uniqueKeysWithValues: ProcessFacts.families().map { ($0.name, $0.samples[0].value) })
        let after = Self.usedSeconds
        let used = try #require(facts["process_cpu_seconds_total"])
        #expect(used > before - 0.1 && used < after + 0.1)
        #expect(try #require(facts["process_resident_memory_bytes"]) > 1_048_576)
        #expect(try #require(facts["process_start_time_seconds"]) > 1_700_000_000)
    }
}
