import Testing

@testable import TimerWheel

@Suite struct OccupancyTests {
    @Test(arguments: [0, 1, 62, 63, 64, 65, 4031, 4032, 4094, 4095])
    func `A slot is found from every start before it`(slot: Int) {
        var occupancy = Occupancy<ArrayWords>(turnCount: 3)
        occupancy.insert(4096 + slot)
        for start in Set([0, slot / 2, max(slot - 64, 0), max(slot - 1, 0), slot]) {
            #expect(occupancy.first(from: 4096 + start) == 4096 + slot)
        }
        if slot < 4095 {
            #expect(occupancy.first(from: 4096 + slot + 1) == nil)
        }
        #expect(occupancy.first(from: 0) == nil)
        #expect(occupancy.first(from: 8192) == nil)
        occupancy.remove(4096 + slot)
        #expect(!occupancy[4096 + slot])
        #expect(occupancy.first(from: 4096) == nil)
    }

    @Test func `The nearest of many slots is found`() {
        var occupancy = Occupancy<ArrayWords>(turnCount: 1)
        let slots = [3, 5, 63, 64, 700, 4095]
        for slot in slots {
            occupancy.insert(slot)
        }
        for start in 0..<4096 {
            #expect(occupancy.first(from: start) == slots.first { $0 >= start })
        }
    }
}
