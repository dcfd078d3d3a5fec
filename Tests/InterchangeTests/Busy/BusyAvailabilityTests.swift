import Interchange
import TestKit
import Testing
import Timekeeping

/// Busy times from the hours in which a person is available (RFC 7953).
@Suite struct BusyAvailabilityTests: ReadsBusyCalendars {
    /// The hours of Tuesday, 1 December 2026, in Berlin at which the person is busy.
    private func hours(_ calendar: BusyCalendar, maybe: Bool = false) throws -> [Int] {
        let midnight = try Moment.parse("2026-12-01T00:00:00+01:00")
        let found = try periods(of: calendar, from: midnight, seconds: 86_400)
        return (0..<24).filter { hour in
            let moment = midnight.advanced(bySeconds: Int64(hour) * 3600)
            return (maybe ? found.tentative : found.firm).contains { $0.contains(moment) }
        }
    }

    private func availability(_ lines: String..., available: [String]...) -> [String] {
        ["BEGIN:VAVAILABILITY", "UID:x"] + lines
            + available.flatMap { ["BEGIN:AVAILABLE"] + $0 + ["END:AVAILABLE"] }
            + ["END:VAVAILABILITY"]
    }

    /// From Monday to Friday, from 9 to 17.
    private let office = [
        "UID:o", "SUMMARY:Office", "DTSTART;TZID=Europe/Berlin:20261102T090000",
        "DTEND;TZID=Europe/Berlin:20261102T170000", "RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    ]
    private let outsideOffice = Array(0..<9) + Array(17..<24)

    @Test func `Times outside of the available ones are busy`() throws {
        let found = calendar(availability(available: office))
        #expect(try hours(found) == outsideOffice)
        #expect(try hours(found, maybe: true) == [])
        #expect(found.remarks == [])
        #expect(found.count == 1)
        #expect(!found.text.contains("Office"))
    }

    @Test func `Events in available times are busy`() throws {
        let event = ["BEGIN:VEVENT", "DTSTART:20261201T110000Z", "DURATION:PT1H", "END:VEVENT"]
        let found = calendar(availability(available: office) + event)
        #expect(try hours(found) == (outsideOffice + [12]).sorted())
    }

    @Test(arguments: [
        ("BUSY", false), ("BUSY-UNAVAILABLE", false), ("BUSY-TENTATIVE", true),
    ])
    func `The kind of busy time is kept`(_ type: String, _ maybe: Bool) throws {
        let found = calendar(availability("BUSYTYPE:\(type)", available: office))
        #expect(try hours(found, maybe: maybe) == outsideOffice)
        #expect(try hours(found, maybe: !maybe) == [])
    }

    @Test func `An availability counts within its range`() throws {
        let found = calendar(
            availability("DTSTART:20261201T060000Z", "DURATION:PT12H", available: office))
        #expect(try hours(found) == [7, 8, 17, 18])
    }

    @Test func `An availability of a higher priority replaces others within its range`() throws {
        let trip = availability(
            "PRIORITY:1", "DTSTART:20261201T070000Z", "DTEND:20261201T110000Z",
            available: [
                "UID:t", "DTSTART:20261201T070000Z", "DTEND:20261201T080000Z",
            ])
        let usual = availability("PRIORITY:5", available: office)
        for parts in [trip + usual, usual + trip] {
            #expect(try hours(calendar(parts)) == Array(0..<8) + Array(9..<12) + Array(17..<24))
        }
        let last = availability("PRIORITY:0", available: [])
        #expect(try hours(calendar(usual + last)) == outsideOffice)
    }

    @Test func `Of two availabilities of equal priority both must be available`() throws {
        let early = availability(available: [
            "UID:e", "DTSTART:20261201T070000Z", "DTEND:20261201T090000Z",
        ])
        let found = calendar(availability(available: office) + early)
        #expect(try hours(found) == Array(0..<9) + Array(10..<24))
    }

    @Test func `A changed date of available times counts instead of its original time`() throws {
        let changed = [
            "UID:o", "RECURRENCE-ID;TZID=Europe/Berlin:20261201T090000",
            "DTSTART;TZID=Europe/Berlin:20261201T100000",
            "DTEND;TZID=Europe/Berlin:20261201T110000",
        ]
        let found = calendar(availability(available: office, changed))
        #expect(try hours(found) == Array(0..<10) + Array(11..<24))
    }

    @Test(arguments: [
        ["DTSTART;TZID=Mars/X:20261201T090000", "DURATION:PT1H"],
        ["DTSTART:20261201T090000Z"], ["DTSTART:soon", "DURATION:PT1H"],
        ["DTSTART:20261130T090000Z", "DURATION:PT1H", "RRULE:FREQ=OFTEN"],
        ["DTSTART:20261130T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY", "EXDATE:soon"],
    ])
    func `An available time that cannot be read counts as busy`(_ lines: [String]) throws {
        let found = calendar(availability(available: ["UID:a"] + lines))
        #expect(try hours(found) == Array(0..<24))
        #expect(
            found.remarks == [
                "An available time that cannot be read, or is in an unknown time zone, does not "
                    + "count as available. (line 4)"
            ])
    }

    @Test func `A range that cannot be read has no limit, and that is said`() throws {
        let found = calendar(
            availability("DTSTART:20261201T060000Z", "DTEND:late", available: office))
        #expect(try hours(found) == [7, 8] + Array(17..<24))
        #expect(
            found.remarks == [
                "A property of an availability that cannot be read, or is in an unknown time "
                    + "zone, does not count. (line 4)"
            ])
    }
}
