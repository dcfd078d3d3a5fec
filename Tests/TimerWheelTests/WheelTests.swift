import Testing
import TimerWheel

@Suite struct WheelTests {
    @Test func `An empty wheel has nothing to wait for`() {
        var wheel = Wheel(now: 5)
        var batch = Wheel.Batch(capacity: 1)
        #expect(wheel.isEmpty == true)
        #expect(wheel.nextExpiry() == nil)
        #expect(wheel.advance(to: 1_000_000, into: &batch) == .done)
        #expect(batch.timers.isEmpty)
        #expect(wheel.now == 1_000_000)
    }

    @Test func `Time never goes back`() {
        var wheel = Wheel(now: 5_000)
        var batch = Wheel.Batch(capacity: 1)
        _ = wheel.add(deadline: 6_000, payload: 1)
        #expect(wheel.advance(to: 10, into: &batch) == .done)
        #expect(wheel.now == 5_000)
    }

    @Test(arguments: [0, 999, 1_000] as [UInt64])
    func `A deadline that is not in the future fires at the next advance`(deadline: UInt64) {
        var wheel = Wheel(now: 1_000)
        let handle = wheel.add(deadline: deadline, payload: 9)
        #expect(wheel.deadline(of: handle) == 1_000)
        #expect(wheel.nextExpiry() == 1_000)
        #expect(fired(&wheel, at: 1_000) == [9])
        #expect(wheel.deadline(of: handle) == nil)
    }

    @Test(arguments: [12, 13, 24, 25, 36, 37, 48, 60] as [UInt64], [-1, 0, 1] as [Int64])
    func `A timer next to a level's boundary fires on its tick`(shift: UInt64, offset: Int64) {
        let deadline = UInt64(Int64(1) << Int64(shift) + offset)
        for start in [0, 1, deadline / 2, deadline - 4_000, deadline - 1] {
            var wheel = Wheel(now: start)
            _ = wheel.add(deadline: deadline, payload: 3)
            #expect(fired(&wheel, at: deadline - 1) == [])
            #expect(fired(&wheel, at: deadline) == [3])
        }
    }

    @Test func `Deadlines later than 2 to the 63rd less 1 are replaced by that`() {
        var wheel = Wheel(now: 7)
        let handle = wheel.add(deadline: .max, payload: 1)
        #expect(wheel.deadline(of: handle) == Wheel.deadlineMax)
        #expect(fired(&wheel, at: Wheel.deadlineMax - 1) == [])
        #expect(fired(&wheel, at: .max) == [1])
        #expect(wheel.now == Wheel.deadlineMax)
        _ = wheel.add(deadline: 3, payload: 2)
        #expect(fired(&wheel, at: .max) == [2])
    }

    @Test func `A stale handle is refused, even if its record is in use again`() {
        var wheel = Wheel()
        let first = wheel.add(deadline: 10, payload: 1)
        #expect(wheel.cancel(first) == true)
        #expect(wheel.cancel(first) == false)
        let second = wheel.add(deadline: 20, payload: 2)
        #expect(first != second)
        #expect(wheel.move(first, to: 5) == false)
        #expect(wheel.deadline(of: second) == 20)
        #expect(fired(&wheel, at: 100) == [2])
        #expect(wheel.cancel(second) == false)
    }

    @Test func `A handle of another wheel is refused if there is no such timer`() {
        var other = Wheel()
        let strange = other.add(deadline: 10, payload: 1)
        var wheel = Wheel()
        #expect(wheel.cancel(strange) == false)
        let own = wheel.add(deadline: 10, payload: 2)
        #expect(wheel.cancel(own) == true)
        #expect(wheel.cancel(strange) == false)
        #expect(wheel.count == 0)
    }

    @Test func `A timer that was moved away and back fires once`() {
        var wheel = Wheel()
        let handle = wheel.add(deadline: 50_000, payload: 4)
        #expect(wheel.move(handle, to: 90_000) == true)
        #expect(wheel.move(handle, to: 50_000) == true)
        #expect(fired(&wheel, at: 49_999) == [])
        #expect(fired(&wheel, at: 1_000_000) == [4])
    }

    @Test func `A timer moved by 2 to the 32nd ticks fires at the new time only`() {
        var wheel = Wheel()
        let handle = wheel.add(deadline: 5_000, payload: 4)
        #expect(wheel.move(handle, to: 5_000 + 1 << 32) == true)
        #expect(fired(&wheel, at: 1 << 32) == [])
        #expect(fired(&wheel, at: 5_000 + 1 << 32) == [4])
    }

    @Test func `A batch of one gives all timers of a tick one by one`() {
        var wheel = Wheel()
        for payload in 0..<100 as Range<UInt32> {
            _ = wheel.add(deadline: 77, payload: payload)
        }
        var batch = Wheel.Batch(capacity: 1)
        var payloads: Set<UInt32> = []
        while wheel.advance(to: 100, into: &batch) == .more {
            #expect(batch.timers.count == 1)
            payloads.formUnion(batch.timers.map(\.payload))
        }
        payloads.formUnion(batch.timers.map(\.payload))
        #expect(payloads.count == 100)
        #expect(wheel.now == 100)
    }

    @Test func `A timer can be cancelled between two batches of its tick`() {
        var wheel = Wheel()
        let handles = (0..<3).map { wheel.add(deadline: 10, payload: $0) }
        var batch = Wheel.Batch(capacity: 1)
        #expect(wheel.advance(to: 10, into: &batch) == .more)
        let fired = batch.timers.map(\.payload)
        let others = handles.indices.filter { !fired.contains(UInt32($0)) }
        for index in others {
            #expect(wheel.cancel(handles[index]) == true)
        }
        #expect(wheel.advance(to: 10, into: &batch) == .done)
        #expect(batch.timers.isEmpty)
    }

    @Test func `Reaching a single timer takes few jumps, no matter how far it is`() {
        for deadline in [1, 5_000, 20_000_000, 1 << 37, 1 << 49, Wheel.deadlineMax] as [UInt64] {
            var wheel = Wheel()
            _ = wheel.add(deadline: deadline, payload: 1)
            var jumpCount = 0
            while let time = wheel.nextExpiry(), jumpCount < 20 {
                _ = fired(&wheel, at: time)
                jumpCount += 1
            }
            #expect(wheel.count == 0)
            #expect(wheel.now == deadline)
            #expect(jumpCount <= 6)
        }
    }

    private func fired(_ wheel: inout Wheel, at time: UInt64) -> [UInt32] {
        var batch = Wheel.Batch(capacity: 8)
        var payloads: [UInt32] = []
        var progress = Wheel.Progress.more
        while progress == .more {
            progress = wheel.advance(to: time, into: &batch)
            payloads += batch.timers.map(\.payload)
        }
        return payloads
    }
}
