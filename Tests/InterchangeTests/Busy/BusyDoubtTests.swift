import Interchange
import TestKit
import Testing
import Timekeeping

/// Parts of busy calendars that cannot be read: they count as too long rather than too short, and
/// are named.
@Suite struct BusyDoubtTests: ReadsBusyCalendars {
    @Test func `A time in an unknown zone counts in the own zone, and around it as maybe busy`()
        throws
    {
        let found = event([
            "DTSTART;TZID=Secret/Place:20261202T100000", "DTEND;TZID=Secret/Place:20261202T110000",
        ])
        #expect(
            found.remarks == [
                "The time zone \"Secret/Place\" is unknown: its times are read in the time zone of "
                    + "the calendar or the person, and 14 hours around them count as maybe busy. "
                    + "(line 4)"
            ])
        #expect(!found.text.contains("Secret"))
        #expect(try isBusy(found, at: "2026-12-02T10:59"))
        #expect(try !isBusy(found, at: "2026-12-02T11:00"))
        for wall in ["2026-12-01T20:00", "2026-12-03T00:59"] {
            #expect(try isBusy(found, at: wall, maybe: true))
        }
        for wall in ["2026-12-01T19:59", "2026-12-03T01:00"] {
            #expect(try !isBusy(found, at: wall, maybe: true))
        }
    }

    @Test func `Unknown zones are named once each, and not more than five of them`() {
        let events = (0..<20).flatMap { number in
            [
                "BEGIN:VEVENT", "UID:\(number)",
                "DTSTART;TZID=Odd/Zone\(number % 10):20261202T100000", "DURATION:PT1H",
                "END:VEVENT",
            ]
        }
        let remarks = calendar(events).remarks
        #expect(remarks.count == 6)
        #expect(remarks[0].contains("\"Odd/Zone0\"") && remarks[0].hasSuffix("first in line 4)"))
        #expect(remarks[5].hasPrefix("More time zones") && remarks[5].contains("(10 times"))
    }

    @Test(arguments: [
        ["DTEND:20261202T250000"], ["DTEND:2026-12-02 noon"], ["DURATION:1 hour"],
        ["DTEND:20261202T090000"], ["DTEND;VALUE=DATE:20261202"],
    ])
    func `An end that cannot be read, or is too early, is the end of the day`(
        _ end: [String]
    ) throws {
        let found = event(["DTSTART:20261202T100000"] + end)
        #expect(found.remarks.count == 1)
        #expect(found.remarks.first?.hasPrefix("An end that cannot be read") == true)
        #expect(try isBusy(found, at: "2026-12-02T10:00"))
        #expect(try isBusy(found, at: "2026-12-02T23:59"))
        #expect(try !isBusy(found, at: "2026-12-03T00:00"))
        #expect(try !isBusy(found, at: "2026-12-02T09:59"))
    }

    @Test func `An end that cannot be read gives way to a length`() throws {
        let found = event(["DTSTART:20261202T100000", "DTEND:soon", "DURATION:PT2H"])
        #expect(try isBusy(found, at: "2026-12-02T11:59"))
        #expect(try !isBusy(found, at: "2026-12-02T12:00"))
        #expect(found.remarks.count == 1)
    }

    @Test func `A start of which only the day can be read is the whole day`() throws {
        let found = event(["DTSTART:20261202T2500", "DTEND:20261202T110000"])
        #expect(found.remarks.first?.hasPrefix("A start of which only the day") == true)
        #expect(try isBusy(found, at: "2026-12-02T00:00"))
        #expect(try isBusy(found, at: "2026-12-02T23:59"))
        #expect(try !isBusy(found, at: "2026-12-03T00:00"))
    }

    @Test func `An event without a day is left out, and that is said`() {
        let found = event(["DTSTART:tomorrow", "DURATION:PT1H"])
        #expect(found.count == 0)
        #expect(
            found.remarks == ["An event without a start that can be read is left out. (line 4)"])
        #expect(event(["DURATION:PT1H"]).remarks.count == 1)
        let backwards = event([
            "DTSTART:20261202T100000Z", "DURATION:PT1H",
            "RDATE;VALUE=PERIOD:20261207T100000Z/20261207T090000Z",
        ])
        #expect(backwards.remarks.count == 1 && backwards.text.contains("RDATE"))
        #expect(event(["DTSTART:tomorrow", "TRANSP:TRANSPARENT"]).remarks == [])
    }

    @Test func `A changed date whose start cannot be read stays at its original time`() throws {
        let found = calendar([
            "BEGIN:VEVENT", "UID:a", "DTSTART:20261201T100000", "DURATION:PT1H",
            "RRULE:FREQ=DAILY;COUNT=3", "END:VEVENT",
            "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20261202T100000", "DTSTART:later",
            "DURATION:PT1H", "END:VEVENT",
        ])
        #expect(try isBusy(found, at: "2026-12-02T10:30"))
        #expect(found.remarks.first?.hasPrefix("A changed date without a start") == true)
    }

    @Test(arguments: [
        ("FREQ=FORTNIGHTLY", true), ("FREQ=WEEKLY;BYDAY=WE,XX", true), ("BYDAY=WE", true),
        ("FREQ=WEEKLY;COUNT=-1", false), ("FREQ=WEEKLY;INTERVAL=none", false),
        ("FREQ=WEEKLY;UNTIL=never", false),
    ])
    func `A repetition that cannot be read may take place on all days, or without end`(
        _ rule: String, isDaily: Bool
    ) throws {
        let found = event(["DTSTART:20261202T100000", "DURATION:PT1H", "RRULE:\(rule)"])
        #expect(found.remarks.count == 1, "\(found.remarks)")
        #expect(try isBusy(found, at: "2026-12-02T10:30"))
        #expect(try isBusy(found, at: "2026-12-03T10:30", maybe: true) == isDaily)
        #expect(try !isBusy(found, at: "2026-12-03T12:00", maybe: true))
        let weekly = rule.contains("WEEKLY")
        #expect(try isBusy(found, at: "2026-12-16T10:30") == weekly)
    }

    @Test func `Added dates count as far as they can be read, and exceptions only if they can`()
        throws
    {
        let found = event([
            "DTSTART:20261202T100000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3",
            "EXDATE:20261203T100000, 2026-12-04", "RDATE;VALUE=PERIOD:20261208T100000/often",
            "RDATE:20261209T2500",
        ])
        #expect(try !isBusy(found, at: "2026-12-03T10:30"))
        for day in ["02", "04", "08", "09"] {
            #expect(try isBusy(found, at: "2026-12-\(day)T10:30"), "\(day)")
        }
        #expect(found.remarks.count == 2)
    }

    @Test
    func `Events of one UID and version count both if they differ, and the newer version alone`()
        throws
    {
        func two(_ first: [String], _ second: [String]) -> BusyCalendar {
            calendar(
                ["BEGIN:VEVENT", "UID:a", "DURATION:PT1H"] + first + [
                    "END:VEVENT", "BEGIN:VEVENT", "UID:a", "DURATION:PT1H",
                ] + second + ["END:VEVENT"])
        }
        let twins = two(["DTSTART:20261202T100000"], ["DTSTART:20261202T150000"])
        #expect(twins.remarks.first?.hasPrefix("Events with the same UID") == true)
        #expect(try isBusy(twins, at: "2026-12-02T10:30"))
        #expect(try isBusy(twins, at: "2026-12-02T15:30"))
        let same = two(["DTSTART:20261202T100000"], ["DTSTART:20261202T100000"])
        #expect(same.count == 1 && same.remarks == [])
        let newer = two(["DTSTART:20261202T100000", "SEQUENCE:1"], ["DTSTART:20261202T150000"])
        #expect(newer.count == 1 && newer.remarks == [])
        #expect(try isBusy(newer, at: "2026-12-02T10:30"))
        #expect(try !isBusy(newer, at: "2026-12-02T15:30"))
    }

    @Test func `A busy period that cannot be read counts until the end of the day`() throws {
        let found = calendar([
            "BEGIN:VFREEBUSY", "FREEBUSY:20261202T090000Z/soon,20261203T090000Z/PT1H",
            "FREEBUSY:someday/PT1H", "FREEBUSY;FBTYPE=FREE:never", "END:VFREEBUSY",
        ])
        #expect(try isBusy(found, at: "2026-12-02T20:00"))
        #expect(try isBusy(found, at: "2026-12-03T10:30"))
        #expect(found.remarks.count == 1 && found.remarks[0].contains("2 times, first in line 3"))
    }

    @Test func `EXRULE is named, and its dates count as busy`() throws {
        let found = event([
            "DTSTART:20261202T100000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=9",
            "EXRULE:FREQ=DAILY;INTERVAL=2",
        ])
        #expect(found.remarks.first?.hasPrefix("EXRULE is not read") == true)
        #expect(try isBusy(found, at: "2026-12-04T10:30"))
    }

    @Test func `A calendar that can be read in full has no remarks`() {
        let found = event([
            "DTSTART;TZID=Europe/Berlin:20261202T100000",
            "DTEND;TZID=Europe/Berlin:20261202T110000",
            "RRULE:FREQ=WEEKLY;BYDAY=WE", "EXDATE;TZID=Europe/Berlin:20261209T100000",
            "RDATE:20261210T100000Z",
        ])
        #expect(found.remarks == [] && found.count == 1)
    }

    @Test(arguments: [":garbage", ";TZID=Mars/X:20261202T100000", ":"])
    func `A changed date that cannot be told leaves the series busy`(_ id: String) throws {
        for status in ["CANCELLED", "CONFIRMED"] {
            let found = calendar([
                "BEGIN:VEVENT", "UID:a", "DTSTART:20261201T100000", "DURATION:PT1H",
                "RRULE:FREQ=DAILY;COUNT=3", "END:VEVENT",
                "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID\(id)", "DTSTART:20261205T100000",
                "DURATION:PT1H", "STATUS:\(status)", "END:VEVENT",
            ])
            for day in ["01", "02", "03"] {
                #expect(try isBusy(found, at: "2026-12-\(day)T10:30"), "\(day)")
            }
            #expect(try isBusy(found, at: "2026-12-05T10:30") == (status == "CONFIRMED"))
            #expect(found.remarks.count == 1 && found.remarks[0].hasPrefix("A changed date whose"))
        }
    }

    @Test func `An exception in an unknown zone counts as busy, and an added date as unsure`()
        throws
    {
        let found = event([
            "DTSTART:20261201T100000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=2",
            "EXDATE;TZID=Mars/X:20261202T100000", "RDATE;TZID=Mars/X:20261209T100000",
        ])
        #expect(try isBusy(found, at: "2026-12-02T10:30"))
        #expect(try isBusy(found, at: "2026-12-09T20:00", maybe: true))
        #expect(
            found.remarks == [
                "The time zone \"Mars/X\" is unknown: its times are read in the time zone of the "
                    + "calendar or the person, and 14 hours around them count as maybe busy. "
                    + "(line 8)",
                "An excepted date that cannot be read, or is in an unknown time zone, counts as "
                    + "busy. (line 7)",
            ])
    }

    @Test(arguments: [
        ("DTSTART:20261203T100000", true), ("DTSTART;TZID=Asia/Tokyo:20261202T100000", true),
        ("DTSTART:20261202T100000", false),
    ])
    func `Of several starts the first one counts, and that is said`(
        _ second: String, _ isSaid: Bool
    ) throws {
        let found = event(["DTSTART:20261202T100000", second, "DURATION:PT1H"])
        #expect(try isBusy(found, at: "2026-12-02T10:30"))
        #expect(
            found.remarks
                == (isSaid
                    ? ["Of several starts of one event, only the first one counts. (line 5)"] : []))
    }

    @Test(arguments: [
        "DTSTART;VALUE=DATE-TIME:time:20261202T190000", "DTSTART:2026-12-02 at 7",
        "DTSTART:soon",
    ])
    func `A day somewhere in the start or the end is enough`(_ start: String) throws {
        let found = event([start, "DTEND:20261202T200000Z"])
        #expect(found.remarks.first?.hasPrefix("A start of which only the day") == true)
        #expect(try isBusy(found, at: "2026-12-02T08:00"))
        #expect(try !isBusy(found, at: "2026-12-03T00:00"))
    }

    @Test(arguments: [("FREQ=MONTHLY;COUNT=6", false), ("FREQ=DAILY;COUNT=60", true)])
    func `A change of all later dates that no rule can express is named`(
        _ rule: String, _ isSplit: Bool
    ) {
        let found = calendar([
            "BEGIN:VEVENT", "UID:a", "DTSTART:20261231T100000Z", "DURATION:PT1H",
            "RRULE:\(rule)", "END:VEVENT", "BEGIN:VEVENT", "UID:a",
            "RECURRENCE-ID;RANGE=THISANDFUTURE:20270131T100000Z", "DTSTART:20270201T100000Z",
            "DURATION:PT1H", "END:VEVENT",
        ])
        let remark =
            "A change of all later dates that no rule can express moves only its first date; the "
            + "others count at their earlier times. (line 8)"
        #expect(found.remarks == (isSplit ? [] : [remark]))
    }

    @Test(arguments: ["RRULE:", "RRULE:FREQ=DAILY;COUNT=2\nRRULE: "])
    func `An empty rule is no repetition`(_ rules: String) throws {
        let found = event(
            ["DTSTART:20261202T100000", "DURATION:PT1H"]
                + rules.split(separator: "\n").map(String.init))
        #expect(found.remarks == [])
        #expect(try isBusy(found, at: "2026-12-02T10:30"))
        #expect(try !isBusy(found, at: "2026-12-04T10:30", maybe: true))
    }

    @Test func `An end without a time is midnight in the zone of the start`() throws {
        let found = event([
            "DTSTART;TZID=America/New_York:20261202T200000", "DTEND;VALUE=DATE:20261203",
        ])
        #expect(found.remarks == [])
        #expect(try isBusy(found, at: "2026-12-03T05:59"))
        #expect(try !isBusy(found, at: "2026-12-03T06:00"))
    }

    @Test func `A whole day of no length is one day`() throws {
        let found = event(["DTSTART;VALUE=DATE:20261202", "DURATION:P0D", "TRANSP:OPAQUE"])
        #expect(try isBusy(found, at: "2026-12-02T23:59"))
        #expect(try !isBusy(found, at: "2026-12-03T00:00"))
    }
}
