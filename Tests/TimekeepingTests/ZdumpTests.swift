import TestKit
import Testing
import Timekeeping

/// Comparison of every zone of this machine with the C library's own reader of the same files.
@Suite(.enabled(if: SystemZones.haveWitness, "needs zdump and the files of tzdata"))
struct ZdumpTests {
    @Test func `All zones agree with zdump from 1970 to 2037`() throws {
        try compare(try SystemZones.distinctIdentifiers(), years: 1970..<2038)
    }

    @Test func `All zones agree with zdump in 2089 and 2090, after their listed transitions`()
        throws
    {
        try compare(try SystemZones.distinctIdentifiers(), years: 2089..<2091)
    }

    /// Compares each line, and checks that there are no other clock changes.
    private func compare(_ ids: [String], years: Range<Int>) throws {
        let readings = try Zdump.readings(of: ids, years: years)
        let readingsOfZones = Dictionary(grouping: readings, by: \.id)
        var changes = 0
        for id in ids {
            let zone = try SystemZones.directory.zone(id)
            let readings = readingsOfZones[id] ?? []
            for reading in readings {
                let type = zone.localTimeType(at: reading.moment)
                #expect(Zdump.describe(type) == reading.type, "\(id) \(reading.moment)")
                #expect(zone.wallTime(at: reading.moment) == reading.wall, "\(id)")
            }
            let found = try transitions(of: zone, years: years).map(\.moment)
            let expected = stride(from: 1, to: readings.count, by: 2).map { readings[$0].moment }
            #expect(found == expected, "\(id)")
            changes += expected.count
        }
        print("zdump: \(ids.count) zones, \(changes) changes in \(years) compared")
        #expect(changes > ids.count / 10)
    }
}

/// All clock changes in the given years.
func transitions(of zone: Zone, years: Range<Int>) throws -> [ZoneTransition] {
    let end = try moment("\(years.upperBound)-01-01T00:00Z")
    let start = try moment("\(years.lowerBound)-01-01T00:00Z").advanced(byMilliseconds: -1)
    var found: [ZoneTransition] = []
    while let next = zone.nextTransition(after: found.last?.moment ?? start), next.moment < end {
        found.append(next)
    }
    return found
}
