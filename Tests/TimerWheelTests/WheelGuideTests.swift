import Testing
import TimerWheel

/// The example of `docs/timer-wheel.md`, as a program outside the package would write it.
@Suite struct WheelGuideTests {
    private struct Kitchen: ~Copyable {
        var wheel = Wheel(now: 0)
        var dishes: [String] = []

        mutating func cook(_ dish: String, for milliseconds: UInt64) -> Wheel.Handle {
            dishes.append(dish)
            return wheel.add(
                deadline: wheel.now + milliseconds, payload: UInt32(dishes.count - 1))
        }
    }

    @Test func `The kitchen example of the guide works as described`() {
        var kitchen = Kitchen()
        let eggs = kitchen.cook("eggs", for: 240_000)
        let rice = kitchen.cook("rice", for: 720_000)
        let tea = kitchen.cook("tea", for: 180_000)
        let isMoved = kitchen.wheel.move(eggs, to: 300_000)
        let isCancelled = kitchen.wheel.cancel(rice)
        #expect(isMoved && isCancelled)

        var rung: [String] = []
        var batch = Wheel.Batch(capacity: 1000)
        while let wake = kitchen.wheel.nextExpiry() {
            var progress = Wheel.Progress.more
            while progress == .more {
                progress = kitchen.wheel.advance(to: wake, into: &batch)
                for index in 0..<batch.count {
                    let dish = kitchen.dishes[Int(batch[index].payload)]
                    rung.append("\(dish) at \(batch[index].deadline)")
                }
            }
        }
        #expect(rung == ["tea at 180000", "eggs at 300000"])
        let isMovedLate = kitchen.wheel.move(tea, to: 400_000)
        #expect(!isMovedLate)
    }
}
