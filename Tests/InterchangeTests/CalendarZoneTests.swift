import Interchange
import TestKit
import Testing
import Timekeeping

/// The zones that files of ours describe, as who knows no others reads them, against the C library.
@Suite(.enabled(if: SystemZones.haveWitness, "needs zdump and the files of tzdata"))
struct CalendarZoneTests {
    private static let years = 2020..<2037

    /// A zone of this name as a file describes it that names it between two years; `nil` where the
    /// file describes none.
    private func described(_ id: String) throws -> Zone? {
        let zone = try SystemZones.directory.zone(id)
        func new(_ year: Int) throws -> Moment { try Moment.parse("\(year)-01-01T00:00:00Z") }
        var event = CalendarEvent(
            uid: "a", sequence: 0, title: "a", start: try new(Self.years.lowerBound),
            end: try new(Self.years.lowerBound).advanced(bySeconds: 3600), zone: zone)
        event.rule = RecurrenceRule(.weekly)
        event.lastEnd = try new(Self.years.upperBound)
        let octets = CalendarFile([.event(event)], by: SystemZones.directory)
            .octets(at: try new(2026))
        // By a name that only the file knows.
        let text = String(decoding: octets, as: UTF8.self)
            .replacing("TZID:\(id)", with: "TZID:Ours")
        let calendar = try #require(CalendarReader.read(Array(text.utf8)).calendars.first)
        return CalendarZones(calendar).zone("Ours", by: SystemZones.directory)
    }

    @Test func `Each zone that is written says what zdump says, in the years that it covers`()
        throws
    {
        let ids = try SystemZones.distinctIdentifiers()
        let readings = Dictionary(
            grouping: try Zdump.readings(of: ids, years: Self.years), by: \.id)
        var faults: [String] = []
        var compared = 0
        for id in ids where id != "UTC" {
            guard let zone = try described(id) else {
                // Folded, a long name is not found by the test itself.
                if try SystemZones.directory.zone(id) != .utc { faults.append("\(id): none") }
                continue
            }
            for reading in readings[id] ?? [] {
                compared += 1
                if zone.offsetSeconds(at: reading.moment) != reading.offsetSeconds {
                    faults.append("\(id) \(reading.moment)")
                }
            }
        }
        #expect(faults.prefix(10) == [])
        #expect(compared > 4000)
    }
}
