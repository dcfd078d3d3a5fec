import Testing
import Timekeeping
import Wording

struct TimeWordsTests {
    @Test(arguments: [
        (
            "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z",
            "Sun 25 October 2026, 03:30 EEST – 03:30 EET (Europe/Helsinki)"
        ),
        (
            "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z",
            "Sat 28 March 2026, 14:00 EET – Sun 29 March 2026, 15:00 EEST (Europe/Helsinki)"
        ),
        (
            "2026-10-25T10:00:00Z", "2026-10-25T11:30:00Z",
            "Sun 25 October 2026, 12:00–13:30 (Europe/Helsinki)"
        ),
        (
            "2026-12-01T21:00:00Z", "2026-12-01T23:00:00Z",
            "Tue 1 December 2026, 23:00–Wed 2 December 2026, 01:00 (Europe/Helsinki)"
        ),
    ])
    func `A range over a change of the UTC offset shows both abbreviations`(
        start: String, end: String, words: String
    ) throws {
        let range = TimeWords.range(
            from: try Moment.parse(start), to: try Moment.parse(end),
            in: try ZoneDirectory().zone("Europe/Helsinki"), at: nil)
        #expect(range == words)
    }

    @Test func `A start at midnight where the meeting takes place is named by its day`() throws {
        let zones = ZoneDirectory()
        let home = try zones.zone("Europe/Helsinki")
        let reader = try zones.zone("America/New_York")
        let day = home.startOfDay(try CivilDate(year: 2026, month: 12, day: 12))
        #expect(TimeWords.start(day, in: reader, at: home) == "Sat 12 December 2026")
        #expect(TimeWords.start(day, in: reader, at: home, .german) == "Sa, 12. Dezember 2026")
        #expect(TimeWords.shortStart(day, in: reader, at: home) == "Sat 12 Dec 2026")
        let hour = day.advanced(bySeconds: 3600)
        #expect(TimeWords.start(hour, in: home, at: nil) == "Sat 12 December 2026, 01:00")
        #expect(
            TimeWords.shortStart(hour, in: reader, at: home) == "Fri 11 Dec 2026, 18:00 EST")
    }

    @Test(arguments: [
        (13, "Sat 12 December 2026, all day", "Sa, 12. Dezember 2026, ganztägig"),
        (
            15, "Sat 12 December 2026 – Mon 14 December 2026",
            "Sa, 12. Dezember 2026 – Mo, 14. Dezember 2026"
        ),
    ])
    func `Whole days are the same for readers elsewhere`(
        _ next: Int, _ english: String, _ german: String
    ) throws {
        let zones = ZoneDirectory()
        let home = try zones.zone("Europe/Helsinki")
        let start = home.startOfDay(try CivilDate(year: 2026, month: 12, day: 12))
        let end = home.startOfDay(try CivilDate(year: 2026, month: 12, day: next))
        for reader in ["Europe/Helsinki", "America/New_York", "Pacific/Kiritimati"] {
            let zone = try zones.zone(reader)
            #expect(TimeWords.range(from: start, to: end, in: zone, at: home) == english)
            #expect(TimeWords.range(from: start, to: end, in: zone, at: home, .german) == german)
            let short = TimeWords.short(start, to: end, in: zone, at: home)
            #expect(short.hasPrefix("Sat 12 ") && short.hasSuffix("Dec 2026"))
        }
        let elsewhere = try zones.zone("America/New_York")
        #expect(
            TimeWords.range(
                from: start, to: start.advanced(bySeconds: 3600), in: elsewhere, at: home)
                == "Fri 11 December 2026, 17:00–18:00 (America/New_York)")
    }

    @Test(arguments: [
        ((2026, 12, 12), (2026, 12, 13), "Sat 12 Dec 2026"),
        ((2026, 12, 4), (2026, 12, 7), "Fri 4 – Sun 6 Dec 2026"),
        ((2026, 11, 30), (2026, 12, 3), "Mon 30 Nov – Wed 2 Dec 2026"),
        ((2026, 12, 30), (2027, 1, 3), "Wed 30 Dec 2026 – Sat 2 Jan 2027"),
    ])
    func `A list shows the first and the last of several days`(
        _ first: (Int, Int, Int), _ next: (Int, Int, Int), _ words: String
    ) throws {
        let home = try ZoneDirectory().zone("Europe/Helsinki")
        let dates = try [first, next].map { try CivilDate(year: $0.0, month: $0.1, day: $0.2) }
        #expect(
            TimeWords.short(
                home.startOfDay(dates[0]), to: home.startOfDay(dates[1]), in: .utc, at: home)
                == words)
    }

    @Test func `A zone that is named by its rules is shown by its offset`() throws {
        let zone = try #require(Zone(posix: "<+05>-5<+06>-6,M3.2.0/2,M11.1.0/2"))
        let start = try Moment.parse("2026-07-01T10:00:00Z")
        #expect(
            TimeWords.range(from: start, to: start.advanced(bySeconds: 3600), in: zone, at: zone)
                == "Wed 1 July 2026, 16:00–17:00 (UTC+06:00)")
        #expect(TimeWords.longMoment(start, in: zone) == "Wednesday 1 July 2026, 16:00, UTC+06:00")
    }

    @Test(arguments: [
        (4, 5, "on Fri 4 December 2026", "am Fr, 4. Dezember 2026"),
        (
            4, 7, "from Fri 4 December 2026 to Sun 6 December 2026",
            "von Fr, 4. Dezember 2026 bis So, 6. Dezember 2026"
        ),
    ])
    func `A period of whole days names no times`(
        _ first: Int, _ next: Int, _ english: String, _ german: String
    ) throws {
        let home = try ZoneDirectory().zone("Europe/Helsinki")
        let ends = try [first, next].map {
            home.startOfDay(try CivilDate(year: 2026, month: 12, day: $0))
        }
        #expect(TimeWords.period(ends[0]..<ends[1], in: home) == english)
        #expect(TimeWords.period(ends[0]..<ends[1], in: home, .german) == german)
    }
}
