import TestKit
import Testing
import Timekeeping

struct TZifTests {
    @Test(arguments: ["2", "3", "4"])
    func `The transitions of a file apply first, then its rule`(version: Unicode.Scalar) throws {
        var file = TZifFile()
        file.version = UInt8(ascii: version)
        let zone = try Zone(id: "Test", tzif: file.bytes)
        #expect(zone.abbreviation(at: Moment(milliseconds: 999_999)) == "EET")
        #expect(zone.abbreviation(at: Moment(milliseconds: 1_000_000)) == "EEST")
        #expect(zone.abbreviation(at: Moment(milliseconds: 2_000_000)) == "EET")
        #expect(zone.isDaylight(at: try moment("2090-07-01T00:00Z")))
        let change = try #require(zone.nextTransition(after: Moment(seconds: 2000)))
        #expect(change.moment == (try moment("1970-03-29T01:00Z")))
        #expect(zone.previousTransition(before: Moment(seconds: 1000)) == nil)
    }

    @Test func `A file of the first version has 32-bit times and no rule`() throws {
        let zone = try Zone(id: "Test", tzif: TZifFile(version: 0).bytes)
        #expect(zone.offsetSeconds(at: Moment(seconds: -5)) == 7200)
        #expect(zone.offsetSeconds(at: Moment(seconds: 1500)) == 10_800)
        #expect(zone.nextTransition(after: Moment(seconds: 2000)) == nil)
    }

    @Test func `Without transitions the rule always applies, and without a rule the first type`()
        throws
    {
        let rule = try Zone(id: "Test", tzif: TZifFile(transitions: []).bytes)
        #expect(rule.isDaylight(at: try moment("1920-07-01T00:00Z")))
        let type = try Zone(id: "Test", tzif: TZifFile(transitions: [], footer: "\n\n").bytes)
        #expect(!type.isDaylight(at: try moment("1920-07-01T00:00Z")))
        #expect(type.nextTransition(after: Moment(seconds: 0)) == nil)
    }

    @Test func `A transition without a change is ignored`() throws {
        let zone = try Zone(
            id: "Test",
            tzif: TZifFile(transitions: [(10, 0), (20, 1), (30, 1), (40, 0)], footer: "\n\n").bytes)
        let first = try #require(zone.nextTransition(after: Moment(seconds: 0)))
        #expect(first.moment == Moment(seconds: 20))
        let second = try #require(zone.nextTransition(after: first.moment))
        #expect(second.moment == Moment(seconds: 40))
        #expect(zone.nextTransition(after: second.moment) == nil)
        #expect(zone.previousTransition(before: second.moment)?.moment == first.moment)
    }

    @Test func `Leap seconds in a file are removed`() throws {
        let file = TZifFile(
            transitions: [(1000, 1), (2002, 0)], leapSeconds: [(500, 1), (1500, 2)])
        let zone = try Zone(id: "Test", tzif: file.bytes)
        let change = zone.previousTransition(before: Moment(seconds: 2500))
        #expect(change?.moment == Moment(seconds: 2000))
        #expect(
            zone.previousTransition(before: Moment(seconds: 1500))?.moment == Moment(seconds: 999))
    }

    static let damages: [(TZifFault, TZifFile)] = [
        (.notTZif, TZifFile(magic: "TZiF")),
        (.notTZif, TZifFile(version: UInt8(ascii: "1"))),
        (.badCount, TZifFile(types: [])),
        (.badCount, TZifFile(names: "")),
        (.badCount, TZifFile(marks: [0])),
        (.truncated, TZifFile(counts: [0, 0, 0, .max, 2, 9])),
        (.badCount, TZifFile(counts: [0, 0, .max, 2, 2, 9])),
        (.truncated, TZifFile(counts: [0, 0, 1000, 2, 2, 9])),
        (.truncated, TZifFile(counts: [0, 0, 0, 2, 2, .max])),
        (.badCount, TZifFile(counts: [0, 0, 0, 2, .max, 9])),
        (.badIndex, TZifFile(transitions: [(1000, 2)])),
        (.badIndex, TZifFile(types: [(0, 0, 9)], names: "EET\0EEST\0")),
        (.badIndex, TZifFile(names: "EET\0EEST")),
        (.badOffset, TZifFile(types: [(93_600, 0, 0), (0, 0, 0)])),
        (.badOffset, TZifFile(types: [(.min, 0, 0), (0, 0, 0)])),
        (.unsorted, TZifFile(transitions: [(2000, 1), (1000, 0)])),
        (.unsorted, TZifFile(transitions: [(2000, 1), (2000, 0)])),
        (.unsorted, TZifFile(transitions: [(1000, 1), (1001, 0)], leapSeconds: [(1001, 5)])),
        (.badFooter, TZifFile(footer: "\nEET\n")),
        (.badFooter, TZifFile(footer: "EET-2\n")),
        (.truncated, TZifFile(footer: "\nEET-2")),
        (.truncated, TZifFile(footer: "")),
    ]

    @Test(arguments: damages.indices) func `A damaged file is refused`(index: Int) {
        let (fault, file) = TZifTests.damages[index]
        #expect(throws: ZoneError.malformed(id: "Test", fault: fault)) {
            try Zone(id: "Test", tzif: file.bytes)
        }
    }

    @Test func `A truncated file is refused, wherever it is cut`() {
        let bytes = TZifFile().bytes
        for length in bytes.indices {
            #expect(throws: ZoneError.self) {
                try Zone(id: "Test", tzif: Array(bytes.prefix(length)))
            }
        }
    }

    @Test func `The error message names the zone and the fault`() {
        let error = ZoneError.malformed(id: "Europe/Nowhere", fault: .truncated)
        #expect(
            error.description
                == "The file of time zone \"Europe/Nowhere\" is damaged: it ends too early.")
    }

    /// A damaged file must be refused, or must be read and then answer all questions without a
    /// trap.
    @Test func `Damaged files never cause a trap`() throws {
        var chance = SeededChance(seed: 8536)
        var samples = [TZifFile().bytes, TZifFile(leapSeconds: [(500, 1)]).bytes]
        if SystemZones.areInstalled {
            samples += try ["Europe/Dublin", "Africa/Casablanca"].map(SystemZones.bytes)
        }
        var taken = 0
        for _ in 0..<4000 {
            var bytes = samples[Int.random(in: samples.indices, using: &chance)]
            for _ in 0..<Int.random(in: 1...8, using: &chance) {
                // Half of the damage is in the headers and tables at the start.
                let end = Bool.random(using: &chance) ? min(200, bytes.count) : bytes.count
                let extremes: [UInt8] = [
                    0, 1, 0x7F, 0x80, 0xFF, .random(in: 0...255, using: &chance),
                ]
                bytes[Int.random(in: 0..<end, using: &chance)] =
                    extremes[Int.random(in: extremes.indices, using: &chance)]
            }
            if Int.random(in: 0..<4, using: &chance) == 0 {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &chance))
            }
            guard let zone = try? Zone(id: "Test", tzif: bytes) else { continue }
            taken += 1
            for seconds in [
                Int64.min, -62_135_596_800, 0, 1500, 1_796_140_800, 253_402_300_800, .max,
            ] {
                let moment = Moment(seconds: seconds)
                _ = zone.reading(of: zone.wallTime(at: moment))
                _ = zone.nextTransition(after: moment)
                _ = zone.previousTransition(before: moment)
            }
        }
        print("Of 4000 damaged files \(taken) were still readable")
        #expect((400..<3600).contains(taken))
    }
}
