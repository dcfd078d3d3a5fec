import Ledger
import Testing

@Suite struct LoopHealthTests {
    private static let grace = LoopHealth.grace

    @Test func `A loop that is in time is not stuck, nor is one that never announced a time`() {
        var health = LoopHealth()
        #expect(health.stuck(at: .seconds(1_000_000)).isEmpty)
        health.expect("deliveries", by: .seconds(60))
        for seconds in [0, 59, 60] {
            #expect(health.stuck(at: .seconds(seconds)).isEmpty)
        }
    }

    @Test func `A loop is stuck after its grace period, and healthy after its next iteration`() {
        var health = LoopHealth()
        health.expect("deliveries", by: .seconds(60))
        let end = Duration.seconds(60) + Self.grace
        #expect(health.stuck(at: end).isEmpty)
        let stuck = health.stuck(at: end + .milliseconds(1))
        #expect(stuck.map(\.name) == ["deliveries"])
        #expect(stuck.first?.overdue == Self.grace + .milliseconds(1))
        health.expect("deliveries", by: end + .seconds(60))
        #expect(health.stuck(at: end + .seconds(1)).isEmpty)
    }

    @Test func `Each loop is checked separately`() {
        var health = LoopHealth()
        for name in ["sweep", "deliveries", "clock"] { health.expect(name, by: .zero) }
        health.expect("sweep", by: .seconds(500))
        let later = Duration.seconds(100)
        #expect(health.stuck(at: later).map(\.name) == ["clock", "deliveries"])
        health.forget("clock")
        #expect(health.stuck(at: later).map(\.name) == ["deliveries"])
    }

    @Test func `Only the last announced time counts`() {
        var health = LoopHealth()
        health.expect("deliveries", by: .seconds(1000))
        health.expect("deliveries", by: .seconds(10))
        #expect(health.stuck(at: .seconds(500)).count == 1)
    }
}
