import Interchange
import TestKit
import Testing
import Timekeeping

/// Files of several calendars, which say something about the same events.
@Suite struct BusyJoiningTests: ReadsBusyCalendars {
    private static let series = [
        "BEGIN:VEVENT", "UID:a", "DTSTART:20261201T090000Z", "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY;COUNT=3", "SEQUENCE:1", "END:VEVENT",
    ]
    private static let between = ["END:VCALENDAR", "BEGIN:VCALENDAR"]

    private func date(_ sequence: Int) -> [String] {
        [
            "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20261208T090000Z",
            "DTSTART:20261210T140000Z", "DURATION:PT1H", "SEQUENCE:\(sequence)", "END:VEVENT",
        ]
    }

    @Test(arguments: [false, true])
    func `A date that another calendar of the file moves counts at its new time alone`(
        isDateFirst: Bool
    ) throws {
        let (series, date) = (Self.series, date(1))
        let found = calendar(
            isDateFirst ? date + Self.between + series : series + Self.between + date)
        #expect(found.remarks == [])
        #expect(try isBusy(found, at: "2026-12-01T10:00"))
        #expect(try !isBusy(found, at: "2026-12-08T10:00"))
        #expect(try isBusy(found, at: "2026-12-10T15:00"))
        #expect(try isBusy(found, at: "2026-12-15T10:00"))
    }

    @Test func `A message that cancels an event takes no time, with or without the event`() throws {
        let off = ["BEGIN:VEVENT", "UID:a", "DTSTART:20261201T090000Z", "SEQUENCE:2", "END:VEVENT"]
        let alone = calendar(["METHOD:CANCEL"] + off)
        #expect(alone.count == 0)
        let both = calendar(Self.series + Self.between + ["METHOD:CANCEL"] + off)
        #expect(try !isBusy(both, at: "2026-12-01T10:00"))
    }

    @Test(arguments: [(1, false), (2, false), (3, true)])
    func `A date of a cancelled series counts if it is newer`(
        _ sequence: Int, _ isTaken: Bool
    ) throws {
        let off = [
            "BEGIN:VEVENT", "UID:a", "DTSTART:20261201T090000Z", "RRULE:FREQ=WEEKLY;COUNT=3",
            "SEQUENCE:2", "STATUS:CANCELLED", "END:VEVENT",
        ]
        let found = calendar(off + date(sequence))
        #expect(try isBusy(found, at: "2026-12-10T15:00") == isTaken)
        #expect(try !isBusy(found, at: "2026-12-01T10:00"))
    }

    @Test func `Zones of one name in several calendars keep their rules`() throws {
        func zone(_ offset: String) -> [String] {
            [
                "BEGIN:VTIMEZONE", "TZID:Office", "BEGIN:STANDARD", "DTSTART:19700101T000000",
                "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD",
                "END:VTIMEZONE",
            ]
        }
        let date = [
            "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID:20261208T090000Z",
            "DTSTART;TZID=Office:20261210T140000", "DURATION:PT1H", "END:VEVENT",
        ]
        let series = [
            "BEGIN:VEVENT", "UID:a", "DTSTART;TZID=Office:20261201T090000", "DURATION:PT1H",
            "RRULE:FREQ=WEEKLY;COUNT=3", "END:VEVENT",
        ]
        let found = calendar(zone("+0000") + series + Self.between + zone("+0300") + date)
        #expect(try isBusy(found, at: "2026-12-01T10:00"))
        #expect(try !isBusy(found, at: "2026-12-08T10:00"))
        #expect(try isBusy(found, at: "2026-12-10T12:00"))
        #expect(try !isBusy(found, at: "2026-12-10T15:00"))
    }

    @Test func `A date in the unknown zone of its series is that date`() throws {
        let found = calendar([
            "BEGIN:VEVENT", "UID:a", "DTSTART;TZID=Mars/X:20261201T100000", "DURATION:PT1H",
            "RRULE:FREQ=WEEKLY;COUNT=2", "END:VEVENT",
            "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;TZID=Mars/X:20261208T100000",
            "DTSTART:20261220T100000Z", "DURATION:PT1H", "END:VEVENT",
        ])
        #expect(found.remarks.count == 1)
        #expect(try !isBusy(found, at: "2026-12-08T10:30"))
    }

    @Test func `A date in an unknown zone is the only one of its series near by`() throws {
        let found = calendar(
            Self.series + [
                "BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;TZID=Mars/X:20261208T040000",
                "DTSTART:20261220T100000Z", "DURATION:PT1H", "END:VEVENT",
            ])
        #expect(found.remarks == [])
        #expect(try !isBusy(found, at: "2026-12-08T10:30"))
        #expect(try isBusy(found, at: "2026-12-20T11:30"))
    }
}
