import Interchange
import TestKit
import Testing
import Timekeeping

/// Names of time zones that differ from the described ones, or are rules themselves.
@Suite struct ZoneNameTests {
    /// The start of an event at noon on 15 July 2027, and the problems with zones.
    private func read(
        _ parameter: String, head: [String] = [], zone: String? = nil
    ) -> (start: String?, problems: [String]) {
        let described =
            zone.map {
                [
                    "BEGIN:VTIMEZONE", "TZID:\($0)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
                    "TZOFFSETFROM:+0330", "TZOFFSETTO:+0330", "END:STANDARD", "END:VTIMEZONE",
                ]
            } ?? []
        let event = [
            "BEGIN:VEVENT", "UID:a", "DTSTAMP:20261101T000000Z",
            "DTSTART\(parameter):20270715T120000", "END:VEVENT",
        ]
        let lines =
            ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + head + described + event
            + ["END:VCALENDAR", ""]
        let reading = CalendarReader.read(Array(lines.joined(separator: "\r\n").utf8))
        return (
            reading.entries(by: SystemZones.directory).first?.start?.words,
            reading.check(by: SystemZones.directory).map(\.message).filter {
                $0.contains("unknown time zone")
            }
        )
    }

    @Test(arguments: [
        (";TZID=My Zone", "\"My Zone\""), (";TZID=\"My Zone\"", "\"My Zone\""),
        (";TZID=\"My Zone;VALUE=DATE-TIME\"", "My Zone"), (";TZID=my zone", "My Zone"),
    ])
    func `A zone is found if the file quotes or spells its name in another way`(
        _ parameter: String, _ zone: String
    ) {
        let found = read(parameter, zone: zone)
        #expect(found.start == "20270715T083000Z")
        #expect(found.problems == [])
    }

    @Test(arguments: [
        ("CET-1CEST,M3.5.0,M10.5.0/3", "20270715T100000Z"), ("CET-1CEST", "20270715T100000Z"),
        ("JST-9", "20270715T030000Z"), ("EST5EDT", "20270715T160000Z"),
        ("IST-5:30", "20270715T063000Z"),
    ])
    func `A rule in the form of POSIX is read as a zone`(_ name: String, _ start: String) {
        let found = read(";TZID=\"\(name)\"")
        #expect(found.start == start)
        #expect(found.problems == [])
        let usual = read("", head: ["X-WR-TIMEZONE:\(name.replacing(",", with: "\\,"))"])
        #expect(usual.problems == [])
    }

    @Test(arguments: [
        ("CEST", 10), ("MEZ", 10), ("EDT", 16), ("PDT", 19), ("JST", 3), ("Eastern", 16),
        ("Eastern Daylight Time", 16), ("Pacific Time", 19), ("W. Europe", 10), ("Romance", 10),
        ("Western/Central Europe", 10), ("Central European Summer Time", 10), ("Berlin", 10),
        ("Mitteleuropäische Zeit", 10), ("Mitteleuropaeische Sommerzeit", 10), ("New York", 16),
        ("Paris, Madrid (heure d’été)", 10), ("heure normale d’Europe centrale", 10),
        ("Hora de verano romance", 10), ("Malay Peninsula Standard Time", 4),
        ("Russia TZ 2 Standard Time", 9), ("GMT +0100 (Standard) / GMT +0200 (Daylight)", 10),
    ])
    func `A common name of a zone is read, also in other languages and from Windows and Lotus`(
        _ name: String, _ hour: Int
    ) {
        let found = read(";TZID=\"\(name)\"")
        #expect(found.start == "20270715T\(hour < 10 ? "0" : "")\(hour)0000Z", "\(name)")
        #expect(found.problems == [])
    }

    @Test(arguments: [
        "CST", "IST", "BST", "AEST", "Westeuropäische Normalzeit", "Customized Time Zone", "Local",
        "GMT +0130 (Standard) / GMT +0230 (Daylight)",
    ])
    func `A name that means several zones, or none, is unknown`(_ name: String) {
        let found = read(";TZID=\"\(name)\"")
        #expect(found.start == "20270715T120000", "\(name)")
        #expect(found.problems.count == 1)
    }

    @Test func `A time in an unknown zone is in the zone of the calendar, and that is said`() {
        let found = read(";TZID=Nowhere", head: ["X-WR-TIMEZONE:Asia/Tokyo"])
        #expect(found.start == "20270715T030000Z")
        #expect(found.problems.first?.contains("it is read in Asia/Tokyo") == true)
    }

    @Test(arguments: ["Room12", "JST9", "CET-2CEST", "ABC-9"])
    func `A name that only looks like a rule is unknown`(_ name: String) {
        let found = read(";TZID=\(name)")
        #expect(found.start == "20270715T120000")
        #expect(found.problems.count == 1)
        let usual = read("", head: ["X-WR-TIMEZONE:\(name)"])
        #expect(usual.problems.count == 1)
    }

    @Test func `A zone without a name is the one that the file describes without a name`() {
        #expect(read(";TZID=", zone: "").start == "20270715T083000Z")
        #expect(read(";TZID=").start == "20270715T120000")
    }

    @Test(arguments: [
        ("(GMT-03:00)", "20270715T150000Z"), ("Romance Standard Time", "20270715T100000Z"),
        ("Club", "20270715T120000"),
    ])
    func `The name of a zone counts if its description cannot be read`(
        _ name: String, _ start: String
    ) {
        let head = [
            "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "TZOFFSETFROM:+0900",
            "TZOFFSETTO:+0900", "END:STANDARD", "END:VTIMEZONE",
        ]
        #expect(read(";TZID=\"\(name)\"", head: head).start == start)
    }
}
