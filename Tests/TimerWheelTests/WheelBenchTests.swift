import Testing

@testable import letsmeet_bench

@Suite struct WheelBenchTests {
    @Test(arguments: WheelKeys.Span.allCases)
    func `The benchmark fires each timer on time`(span: WheelKeys.Span) throws {
        let report = try WheelRun(count: 2_000, span: span, mode: .jump).report()
        #expect(report.checks.fired == 1_000)
        #expect(report.phases.map(\.phase) == ["add", "cancel", "move", "fire"])
        #expect(report.phases.allSatisfy { $0.nsPerOp > 0 })
    }

    /// The first keys, computed by hand from the definition of the generator.
    @Test func `The keys are the same for every implementation`() {
        let keys = WheelKeys(count: 4, span: .hour)
        #expect(keys.deadlines.count == 4)
        #expect(keys.deadlines[0] == 1 + 8_748_534_153_485_358_512 % 3_600_000)
        #expect(keys.deadlines[1] == 1 + 3_040_900_993_826_735_515 % 3_600_000)
        #expect(Set(keys.cancelled + keys.moved).count == 3)
    }

    @Test(
        arguments: [
            ([(0, 5), (1, 9)], nil),
            ([(0, 5)], "1 timers fired, 2 were due"),
            ([(0, 5), (0, 9)], "timer 0 fired twice, or was cancelled"),
            ([(1, 9), (0, 5)], "a timer fired after one that was due later"),
            ([(0, 5), (1, 8)], "the deadlines' sum is wrong"),
        ] as [([(UInt32, UInt64)], String?)])
    func `A wrong result is detected`(
        fired: [(payload: UInt32, deadline: UInt64)], fault: String?
    ) {
        var record = FiringRecord(capacity: 2)
        var payloads: [UInt32] = [0, 0]
        var span = payloads.mutableSpan
        for timer in fired {
            record.note(
                payload: timer.payload, deadline: timer.deadline, at: timer.deadline, in: &span)
        }
        record.payloads = payloads
        #expect(record.fault(against: [5, 9], by: 100) == fault)
    }
}
