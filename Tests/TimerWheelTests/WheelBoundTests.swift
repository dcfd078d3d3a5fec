import TestKit
import Testing

@testable import TimerWheel

/// The limits of the work of a call and of the size of the wheel, counted in entries and never in
/// time.
@Suite struct WheelBoundTests {
    private static let hourTicks: UInt64 = 3_600_000

    @Test(arguments: [6, 12] as [UInt64])
    func `No advance exceeds its work limit when many timers come near`(hours: UInt64) {
        var wheel = crowd(hoursAhead: hours)
        var batch = Wheel.Batch(capacity: 1000)
        var firedCount = 0
        var longest = 0
        var latest: UInt64 = 0
        while let time = wheel.nextExpiry() {
            var progress = Wheel.Progress.more
            while progress == .more {
                progress = wheel.advance(to: time, into: &batch)
                longest = max(longest, wheel.work)
                firedCount += batch.timers.count
                if let first = batch.timers.first {
                    #expect(first.deadline == time)
                    #expect(first.deadline >= latest)
                    latest = first.deadline
                }
            }
        }
        #expect(firedCount == 100_000)
        #expect(longest <= wheel.limits.work)
        // Two turns of level 1 reach 9 hours, so all later timers were in one slot of level 2.
        #expect(hours < 9 || longest > wheel.limits.work / 2, "the crowd was too small to tell")
    }

    @Test func `Many timers are sorted before they are due, so that none is delayed`() {
        var wheel = crowd(hoursAhead: 12)
        var batch = Wheel.Batch(capacity: 1000)
        while let time = wheel.nextExpiry(), time < 12 * WheelBoundTests.hourTicks {
            #expect(wheel.advance(to: time, into: &batch) == .done)
            #expect(batch.timers.isEmpty)
        }
        for turn in 4..<12 {
            #expect(wheel.occupancy.first(from: turn * 4096) == nil, "above level 1")
        }
    }

    @Test func `A jump over many timers fires all of them in bounded calls`() {
        var wheel = crowd(hoursAhead: 12)
        var batch = Wheel.Batch(capacity: 50_000)
        var firedCount = 0
        var latest: UInt64 = 0
        var progress = Wheel.Progress.more
        while progress == .more {
            progress = wheel.advance(to: 13 * WheelBoundTests.hourTicks, into: &batch)
            #expect(wheel.work <= wheel.limits.work)
            firedCount += batch.timers.count
            for timer in batch.timers where timer.deadline < latest {
                Issue.record("\(timer.deadline) fired after \(latest)")
            }
            latest = batch.timers.last?.deadline ?? latest
        }
        #expect(firedCount == 100_000)
    }

    @Test func `Timers moved back and forth do not fill the wheel with entries`() {
        var wheel = WheelCore<PointerWords>(now: 0)
        let count = 1_000
        let handles = (0..<count).map { wheel.add(deadline: 60_000, payload: UInt32($0)) }
        var chunkCountMax: UInt32 = 0
        for beat in 1...400 as ClosedRange<UInt64> {
            for handle in handles {
                #expect(wheel.move(handle, to: 60_000 + beat % 2 * 5_000) == true)
            }
            chunkCountMax = max(chunkCountMax, wheel.chunks.used)
        }
        #expect(chunkCountMax < 80_000 / 127, "where 400,000 entries would take 3,150 chunks")
        #expect(fire(&wheel, at: 59_999) == 0)
        #expect(fire(&wheel, at: 60_000) == count)
        #expect(fire(&wheel, at: 65_000) == 0)
        #expect(wheel.entryCount == 0)
    }

    @Test func `A record that is reused often does not fill the wheel with entries`() {
        var wheel = WheelCore<PointerWords>(now: 0)
        for _ in 0..<400_000 {
            let handle = wheel.add(deadline: 60_000, payload: 1)
            #expect(wheel.cancel(handle) == true)
        }
        _ = wheel.add(deadline: 60_000, payload: 2)
        #expect(wheel.entryCount < 70_000, "of 400,000 that were filed")
        #expect(fire(&wheel, at: 60_000) == 1)
    }

    @Test func `Moves within a slot leave no stale entries`() {
        var wheel = WheelCore<ArrayWords>(now: 0)
        let handle = wheel.add(deadline: 20_480, payload: 1)
        for deadline in 20_481..<24_576 as Range<UInt64> {
            #expect(wheel.move(handle, to: deadline) == true)
        }
        #expect(wheel.entryCount == 1)
        #expect(fire(&wheel, at: 24_574) == 0)
        #expect(fire(&wheel, at: 24_575) == 1)
    }

    @Test func `The number of a visit never equals an old mark`() {
        var wheel = WheelCore<ArrayWords>(now: 0, limits: .init(work: 127, spareEntries: 0))
        let handles = (0..<500).map { wheel.add(deadline: 60_000, payload: $0) }
        moveToAndFro(&wheel, handles)
        #expect(wheel.compaction.visit > 0)
        wheel.compaction.visit = .max
        moveToAndFro(&wheel, handles)
        #expect((1..<1_000).contains(wheel.compaction.visit))
        #expect(fire(&wheel, at: 60_000) == 500)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `No timer is lost or late while stale entries are removed`(seed: UInt64) {
        print("wheel compaction: seed \(seed)")
        var random = SeededRandom(seed: seed)
        var wheel = WheelCore<ArrayWords>(now: 0, limits: .init(spareEntries: 10_000))
        let handles = (0..<300).map { wheel.add(deadline: .max, payload: UInt32($0)) }
        var firedCount = 0
        for _ in 0..<60 {
            for handle in handles {
                for _ in 0..<15 {
                    let spread = UInt64(1) << UInt64.random(in: 4...27, using: &random)
                    let ahead = UInt64.random(in: 1_000...1_000 + spread, using: &random)
                    _ = wheel.move(handle, to: wheel.now + ahead)
                }
            }
            let dues = handles.compactMap { wheel.deadline(of: $0) }
            let target = wheel.now + UInt64.random(in: 0...1_100, using: &random)
            let dueCount = dues.filter { $0 <= target }.count
            #expect(fire(&wheel, at: target) == dueCount)
            firedCount += dueCount
        }
        #expect(wheel.compaction.visit > 0, "nothing had to be cleared away")
        #expect(firedCount > 0)
        // A lost timer would be waited for forever.
        while let time = wheel.nextExpiry(), time <= Wheel.deadlineMax {
            firedCount += fire(&wheel, at: time)
        }
        #expect(firedCount == 300)
        #expect(wheel.count == 0)
    }

    @Test func `A slot that is half compacted when it is due fires completely`() {
        var wheel = WheelCore<ArrayWords>(now: 0, limits: .init(work: 127, spareEntries: 0))
        let handles = (0..<1_000).map { wheel.add(deadline: 60_000, payload: $0) }
        var moveCount = 0
        while wheel.compaction.chain == Chunks<ArrayWords>.empty, moveCount < 10_000 {
            _ = wheel.move(handles[moveCount % 1_000], to: 70_000)
            _ = wheel.move(handles[moveCount % 1_000], to: 60_001)
            moveCount += 1
        }
        #expect(wheel.compaction.chain != Chunks<ArrayWords>.empty)
        var batch = Wheel.Batch(capacity: 2_000)
        var payloads: [UInt32] = []
        while wheel.advance(to: 61_000, into: &batch) == .more {
            payloads += batch.timers.map(\.payload)
        }
        payloads += batch.timers.map(\.payload)
        #expect(payloads.sorted() == Array(0..<1_000))
    }

    @Test func `Records and chunks of cancelled timers are reused`() {
        var wheel = WheelCore<PointerWords>(now: 0)
        var batch = Wheel.Batch(capacity: 1)
        for round in 0..<200 as Range<UInt64> {
            let handles = (0..<500).map { wheel.add(deadline: round * 10 + 9, payload: $0) }
            for handle in handles {
                #expect(wheel.cancel(handle) == true)
            }
            #expect(wheel.nextExpiry() == nil)
            #expect(wheel.advance(to: round * 10 + 10, into: &batch) == .done)
        }
        #expect(wheel.entryCount == 0)
        #expect(wheel.chunks.used <= 500 / 127 + 2)
    }

    @Test(arguments: [4_095, 1 << 32 - 1, 1 << 40 - 1, 1 << 61 - 1, .max] as [UInt64])
    func `A cancelled timer leaves no entry after its deadline`(deadline: UInt64) {
        var wheel = WheelCore<ArrayWords>(now: 0)
        var batch = Wheel.Batch(capacity: 1)
        let handle = wheel.add(deadline: deadline, payload: 1)
        #expect(wheel.cancel(handle) == true)
        #expect(wheel.entryCount == 1)
        #expect(wheel.advance(to: deadline, into: &batch) == .done)
        #expect(batch.timers.isEmpty)
        #expect(wheel.entryCount == 0)
    }

    private func moveToAndFro<Memory: Words & ~Copyable>(
        _ wheel: inout WheelCore<Memory>, _ handles: [Wheel.Handle]
    ) {
        for beat in 1...20 as ClosedRange<UInt64> {
            for handle in handles {
                _ = wheel.move(handle, to: 60_000 + beat % 2 * 5_000)
            }
        }
    }

    /// Advances until all is done, and returns the number of fired timers.
    private func fire<Memory: Words & ~Copyable>(
        _ wheel: inout WheelCore<Memory>, at time: UInt64
    ) -> Int {
        var batch = Wheel.Batch(capacity: 500)
        var count = 0
        var progress = Wheel.Progress.more
        while progress == .more {
            progress = wheel.advance(to: time, into: &batch)
            count += batch.timers.count
        }
        return count
    }

    private func crowd(hoursAhead: UInt64) -> WheelCore<PointerWords> {
        var random = SeededRandom(seed: 6)
        var wheel = WheelCore<PointerWords>(now: 0)
        for payload in 0..<100_000 as Range<UInt32> {
            let offset = UInt64.random(in: 0..<WheelBoundTests.hourTicks, using: &random)
            _ = wheel.add(
                deadline: hoursAhead * WheelBoundTests.hourTicks + offset, payload: payload)
        }
        return wheel
    }
}
