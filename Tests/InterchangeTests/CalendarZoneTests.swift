import Interchange
import TestKit
import Testing
import Timekeeping

/// The zones that our files describe, read without other rules and compared with the C library.
@Suite(.enabled(if: SystemZones.haveWitness, "needs zdump and the files of tzdata"))
struct CalendarZoneTests {
    private static let years = 2020..<2037

    /// The zone `id` as described in a file that names it for the tested years; `nil` if the file
    /// contains no description.
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
        // A name that exists only in the file prevents a look-up in the system.
        let text = String(decoding: octets, as: UTF8.self)
            .replacing("TZID:\(id)", with: "TZID:Ours")
        let calendar = try #require(CalendarReader.read(Array(text.utf8)).calendars.first)
        return CalendarZones(calendar).zone("Ours", by: SystemZones.directory)
    }

    @Test func `Each written zone matches zdump in the years that it covers`()
        throws
    {
        let ids = try SystemZones.distinctIdentifiers()
        let readings = Dictionary(
            grouping: try Zdump.readings(of: ids, years: Self.years), by: \.id)
        var faults: [String] = []
        var compared = 0
        for id in ids where id != "UTC" {
            guard let zone = try described(id) else {
                // Only UTC has no description. A name long enough to be folded would also be missed
                // here.
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
