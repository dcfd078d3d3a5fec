import TestKit
import Testing
import Timekeeping

struct ZoneTests {
    @Test func `UTC never changes`() throws {
        let moment = try moment("2026-12-01T16:00Z")
        #expect(Zone.utc.id == "UTC")
        #expect(Zone.utc.abbreviation(at: moment) == "UTC")
        #expect(Zone.utc.wallTime(at: moment) == (try wall("2026-12-01T16:00")))
        #expect(Zone.utc.nextTransition(after: moment) == nil)
    }

    @Test(arguments: [
        (10_800, "+03:00", 10_800), (-12_600, "-03:30", -12_600), (0, "+00:00", 0),
        (5989, "+01:39", 5940), (.max, "+23:59", 86_340), (.min, "-23:59", -86_340),
    ]) func `A zone can be a fixed offset`(seconds: Int, id: String, offset: Int) {
        let zone = Zone(fixedOffsetSeconds: seconds)
        #expect(zone.id == id)
        #expect(zone.abbreviation(at: Moment(seconds: 0)) == id)
        #expect(zone.offsetSeconds(at: Moment(seconds: 0)) == offset)
    }

    @Test func `Zones are equal if their names and rules are equal`() throws {
        let file = TZifFile()
        let zone = try Zone(id: "Here", tzif: file.bytes)
        #expect(zone == (try Zone(id: "Here", tzif: file.bytes)))
        #expect(zone.hashValue == (try Zone(id: "Here", tzif: file.bytes)).hashValue)
        #expect(zone != (try Zone(id: "There", tzif: file.bytes)))
        #expect(zone != (try Zone(id: "Here", tzif: TZifFile(transitions: [(1, 1)]).bytes)))
    }

    @Test func `Moments beyond the calendar are shown as its ends`() throws {
        let zone = try #require(Zone(posix: "EST5EDT,M3.2.0,M11.1.0"))
        #expect(
            zone.wallTime(at: Moment(milliseconds: .max)).description == "9999-12-31T23:59:59")
        #expect(
            zone.wallTime(at: Moment(milliseconds: .min)).description == "0001-01-01T00:00:00")
        for text in ["0001-01-01T00:00", "9999-12-31T23:59:59"] {
            let wall = try wall(text)
            #expect(
                zone.reading(of: wall) == .once(Moment(seconds: wall.secondsSince1970 + 18_000)))
        }
    }

    @Test func `Files with leap seconds give the same changes as the others`() throws {
        let id = "Europe/Helsinki"
        guard let bytes = try? SystemZones.bytes("right/" + id) else {
            print("Not compared: no files with leap seconds are installed")
            return
        }
        let counting = try Zone(id: id, tzif: bytes)
        let plain = try Zone(id: id, tzif: try SystemZones.bytes(id))
        // These files end when the list of leap seconds ends.
        let changes = try transitions(of: plain, years: 1970..<2025)
        #expect(try transitions(of: counting, years: 1970..<2025) == changes)
        #expect(changes.count > 80)
    }
}
