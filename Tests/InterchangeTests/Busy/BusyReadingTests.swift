import Interchange
import TestKit
import Testing
import Timekeeping

/// Times of busy calendars in forms that RFC 5545 does not allow, or that are easily misread.
@Suite struct BusyReadingTests: ReadsBusyCalendars {
    /// The half hours of a day in December 2026 in Berlin at which the person is busy, as hours.
    private func hours(
        _ calendar: BusyCalendar, of day: Int, maybe: Bool = false
    ) throws -> [Double] {
        let midnight = try Moment.parse("2026-12-\(day < 10 ? "0" : "")\(day)T00:00:00+01:00")
        let found = try periods(of: calendar, from: midnight, seconds: 86_400)
        return (0..<48).filter { half in
            let moment = midnight.advanced(bySeconds: Int64(half) * 1800)
            return (maybe ? found.tentative : found.firm).contains { $0.contains(moment) }
        }.map { Double($0) / 2 }
    }

    @Test(arguments: [
        ["LOCATION:Other room"], ["DURATION:PT2H"], ["DTEND:20261208T190000Z"],
        ["DTSTART:soon", "DURATION:PT2H"],
    ])
    func `A changed date without a start counts at its original time`(_ lines: [String]) throws {
        let found = calendar(
            [
                "BEGIN:VEVENT", "UID:a", "DTSTART:20261201T180000Z", "DURATION:PT1H",
                "RRULE:FREQ=WEEKLY;COUNT=2", "END:VEVENT", "BEGIN:VEVENT", "UID:a",
                "RECURRENCE-ID:20261208T180000Z",
            ] + lines + ["END:VEVENT"])
        #expect(try hours(found, of: 8) == [19, 19.5])
        #expect(found.remarks.count == 1 && found.remarks[0].hasPrefix("A changed date without"))
    }

    @Test(arguments: ["HOURLY;INTERVAL=24", "MINUTELY;INTERVAL=1440", "SECONDLY"])
    func `A whole day that repeats by hours may take every day`(_ rule: String) throws {
        let found = event([
            "DTSTART;VALUE=DATE:20261201", "TRANSP:OPAQUE", "RRULE:FREQ=\(rule);COUNT=3",
        ])
        #expect(try hours(found, of: 1).count == 48)
        #expect(try hours(found, of: 2, maybe: true).count == 48)
        #expect(
            found.remarks.count == 1 && found.remarks[0].hasPrefix("A repetition cannot be read"))
    }

    @Test(arguments: [
        ("2026-12-01T18:00:00Z", "2026-12-01T18:30:00.000Z"),
        ("20261201T190000+0100", "2026-12-01T13:30:00-05:00"),
        ("2026-12-01 19:00", "2026-12-01T19:30"),
    ])
    func `Times in the form of ISO 8601 are read`(_ start: String, _ end: String) throws {
        let found = event(["DTSTART:\(start)", "DTEND:\(end)"])
        #expect(try hours(found, of: 1) == [19])
        #expect(found.remarks.isEmpty)
    }

    @Test func `An event up to 24:00 ends at midnight`() throws {
        let found = event(["DTSTART:20261201T230000", "DTEND:20261201T240000"])
        #expect(try hours(found, of: 1) == [23, 23.5])
        #expect(try hours(found, of: 2).isEmpty)
    }

    @Test func `A day in another zone may also be the day before or after`() throws {
        let found = event(["DTSTART:20261202T996000Z", "DTEND:20261202T200000Z"])
        #expect(try hours(found, of: 2).count == 48)
        #expect(try hours(found, of: 3, maybe: true) == (0..<28).map { Double($0) / 2 })
        #expect(try hours(found, of: 1, maybe: true) == (20..<48).map { Double($0) / 2 })
        #expect(found.remarks.count == 1 && found.remarks[0].contains("in another time zone"))
    }

    @Test func `A busy period counts in the zone that it names`() throws {
        func period(_ zone: String) -> BusyCalendar {
            calendar([
                "BEGIN:VFREEBUSY", "FREEBUSY;TZID=\(zone):20261204T120000/PT1H", "END:VFREEBUSY",
            ])
        }
        #expect(try hours(period("America/New_York"), of: 4) == [18, 18.5])
        let unknown = period("Mars/X")
        #expect(try hours(unknown, of: 4) == [12, 12.5])
        #expect(try hours(unknown, of: 4, maybe: true).count == 48)
        #expect(unknown.remarks.count == 1 && unknown.remarks[0].contains("Mars/X"))
    }

    @Test(arguments: [
        ("RDATE;TZID=Europe/Berlin:20261206T150000,20261207", [6: 15.0, 7: 10.0]),
        ("RDATE:20261206T090000Z,2026-12-07", [6: 10.0, 7: 0.0]),
        ("RDATE;TZID=Europe/Berlin:20261206T1500,2026-12-07", [6: 15.0, 7: 10.0]),
    ])
    func `Added dates and times may stand in one list`(
        _ line: String, _ starts: [Int: Double]
    ) throws {
        let found = event([
            "DTSTART;TZID=Europe/Berlin:20261201T100000", "DURATION:PT1H", line,
        ])
        for (day, hour) in starts {
            #expect(try hours(found, of: day).first == hour, "\(day)")
        }
    }

    @Test func `Times without a zone are in the zone of their series`() throws {
        let found = calendar([
            "BEGIN:VEVENT", "UID:a", "DTSTART;TZID=America/New_York:20261201T100000",
            "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3", "EXDATE:20261202T100000",
            "RDATE:20261205T100000", "END:VEVENT", "BEGIN:VEVENT", "UID:a",
            "RECURRENCE-ID:20261203T100000", "DTSTART:20261203T130000", "DURATION:PT1H",
            "END:VEVENT",
        ])
        #expect(try hours(found, of: 1) == [16, 16.5] && hours(found, of: 2).isEmpty)
        #expect(try hours(found, of: 3) == [19, 19.5] && hours(found, of: 5) == [16, 16.5])
        #expect(found.remarks.isEmpty)
    }

    @Test func `Times without a zone are in the zone of the calendar, and days are not moved`()
        throws
    {
        let found = calendar([
            "X-WR-TIMEZONE:America/New_York", "BEGIN:VEVENT", "UID:a", "DTSTART:20261202T100000",
            "DURATION:PT1H", "END:VEVENT", "BEGIN:VEVENT", "UID:b", "DTSTART;VALUE=DATE:20261204",
            "TRANSP:OPAQUE", "END:VEVENT",
        ])
        #expect(try hours(found, of: 2) == [16, 16.5] && hours(found, of: 3).isEmpty)
        #expect(try hours(found, of: 4).count == 48 && hours(found, of: 5).isEmpty)
    }

    @Test func `A date that repeats, without its series, takes all its times`() throws {
        let found = event([
            "RECURRENCE-ID:20261201T180000Z", "DTSTART:20261201T180000Z", "DURATION:PT1H",
            "RRULE:FREQ=WEEKLY;COUNT=2",
        ])
        #expect(try hours(found, of: 1) == [19, 19.5] && hours(found, of: 8) == [19, 19.5])
    }

    @Test(arguments: [
        ("GMT+0200", 19.0), ("\"UTC+03:00\"", 18), ("UTC-1", 22), ("Europe\\/London", 21),
        ("\"(UTC+02:00) Nowhere, Helsinki\"", 19),
    ])
    func `A zone may be named by its offset or its city`(
        _ name: String, _ hour: Double
    ) throws {
        let found = event(["DTSTART;TZID=\(name):20261202T200000", "DURATION:PT1H"])
        #expect(found.remarks.isEmpty)
        #expect(try hours(found, of: 2) == [hour, hour + 0.5])
    }

    @Test func `A zone whose rules cannot be read is the one that it names beside them`() throws {
        let zone = [
            "BEGIN:VTIMEZONE", "TZID:Ours", "X-LIC-LOCATION:America/New_York", "BEGIN:STANDARD",
            "DTSTART:20200101T000000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0300", "RDATE:soon",
            "END:STANDARD", "END:VTIMEZONE",
        ]
        let event = [
            "BEGIN:VEVENT", "DTSTART;TZID=Ours:20261204T120000", "DURATION:PT1H", "END:VEVENT",
        ]
        let found = calendar(zone + event)
        #expect(try hours(found, of: 4) == [18, 18.5])
        #expect(try hours(found, of: 4, maybe: true) == [])
        #expect(found.remarks == [])
    }

    @Test func `A time in an unknown zone counts in the default zone, and around it as maybe busy`()
        throws
    {
        let found = calendar([
            "X-WR-TIMEZONE:Eastern Standard Time", "BEGIN:VEVENT",
            "DTSTART;TZID=Nowhere:20261204T120000", "DURATION:PT1H", "END:VEVENT",
        ])
        #expect(try hours(found, of: 4) == [18, 18.5])
        #expect(try hours(found, of: 4, maybe: true).first == 4)
        #expect(found.remarks.first?.contains("\"Nowhere\" is unknown") == true)
    }
}
