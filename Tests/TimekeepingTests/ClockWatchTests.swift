import Testing
import Timekeeping

@Suite struct ClockWatchTests {
    /// The changes of the clocks between two readings, in milliseconds, and the expected result.
    struct Case: Sendable, CustomTestStringConvertible {
        let wall: Int64
        let elapsed: Int64
        let awake: Int64
        let found: [ClockChange]

        var testDescription: String { "wall \(wall), elapsed \(elapsed), awake \(awake)" }

        init(_ wall: Int64, _ elapsed: Int64, _ awake: Int64, _ found: [ClockChange]) {
            self.wall = wall
            self.elapsed = elapsed
            self.awake = awake
            self.found = found
        }
    }

    private static let hour: Int64 = 3_600_000

    @Test(arguments: [
        // Nothing: a minute passes, and clocks that are kept in sync.
        Case(60_000, 60_000, 60_000, []),
        Case(60_999, 60_000, 60_000, []),
        Case(59_001, 60_000, 60_000, []),
        Case(0, 0, 0, []),
        // Steps.
        Case(61_000, 60_000, 60_000, [.setForward(milliseconds: 1000)]),
        Case(59_000, 60_000, 60_000, [.setBack(milliseconds: 1000)]),
        Case(-hour, 0, 0, [.setBack(milliseconds: hour)]),
        Case(-24 * hour, 60_000, 60_000, [.setBack(milliseconds: 24 * hour + 60_000)]),
        Case(3 * hour - 1, 0, 0, [.setForward(milliseconds: 3 * hour - 1)]),
        Case(3 * hour, 0, 0, [.corrected(milliseconds: 3 * hour)]),
        Case(4 * hour, 60_000, 60_000, [.corrected(milliseconds: 4 * hour - 60_000)]),
        Case(
            24 * 365 * 40 * hour, 5000, 5000,
            [
                .corrected(milliseconds: 24 * 365 * 40 * hour - 5000)
            ]),
        // A machine that sleeps: its clock keeps running, and nobody set it.
        Case(8 * hour, 8 * hour, 60_000, [.slept(milliseconds: 8 * hour - 60_000)]),
        Case(8 * hour + 999, 8 * hour, 0, [.slept(milliseconds: 8 * hour)]),
        Case(1500, 1500, 501, []),
        // A process that was stopped.
        Case(149_999, 149_999, 149_999, []),
        Case(hour, hour, hour, [.stoodStill(milliseconds: hour)]),
        Case(
            2 * hour, hour, hour,
            [
                .stoodStill(milliseconds: hour), .setForward(milliseconds: hour),
            ]),
        // A machine whose clock stood still during sleep, and was set on waking up.
        Case(
            0, 8 * hour, 0,
            [
                .slept(milliseconds: 8 * hour), .setBack(milliseconds: 8 * hour),
            ]),
        Case(
            10 * hour, 8 * hour, 0,
            [
                .slept(milliseconds: 8 * hour), .setForward(milliseconds: 2 * hour),
            ]),
        Case(
            12 * hour, 8 * hour, 0,
            [
                .slept(milliseconds: 8 * hour), .corrected(milliseconds: 4 * hour),
            ]),
        // No value causes a trap.
        Case(.max, 0, 0, [.corrected(milliseconds: .max)]),
        Case(.min, 0, 0, [.setBack(milliseconds: .max)]),
    ])
    func `The movement of the clocks shows what happened`(_ change: Case) {
        let start = ClockReading(
            wall: Moment(milliseconds: 0), elapsed: .seconds(100), awake: .seconds(70))
        var watch = ClockWatch(start)
        let later = ClockReading(
            wall: Moment(milliseconds: change.wall),
            elapsed: .seconds(100) + .milliseconds(change.elapsed),
            awake: .seconds(70) + .milliseconds(change.awake))
        let found = watch.look(later)
        #expect(found == change.found)
        let again = watch.look(later)
        #expect(again.isEmpty)
    }

    @Test func `A clock that runs fast is never reported as a step`() {
        var wall: Int64 = 0
        var watch = ClockWatch(
            ClockReading(wall: Moment(milliseconds: 0), elapsed: .zero, awake: .zero))
        for minute in 1...10_000 {
            wall += 60_500
            let elapsed = Duration.seconds(60 * minute)
            let found = watch.look(
                ClockReading(
                    wall: Moment(milliseconds: wall), elapsed: elapsed, awake: elapsed))
            #expect(found.isEmpty)
        }
    }
}
