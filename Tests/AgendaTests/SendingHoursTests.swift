import Agenda
import TestKit
import Testing
import Timekeeping

@Suite struct SendingHoursTests {
    private static func hours(
        quiet: [String] = [], windows: [String] = []
    ) throws -> SendingHours {
        try SendingHours(
            quiet: quiet.map { try WeekSpan.parse($0) },
            windows: windows.map { try WeekSpan.parse($0) })
    }

    @Test(arguments: [
        (["22:00-08:00"], [], "2026-12-04T23:00:00+02:00", "2026-12-05T08:00:00+02:00"),
        (["22:00-08:00"], [], "2026-12-04T12:00:00+02:00", "2026-12-04T12:00:00+02:00"),
        (["22:00-08:00"], [], "2026-12-04T08:00:00+02:00", "2026-12-04T08:00:00+02:00"),
        (["22:00-08:00"], [], "2026-12-05T07:59:59+02:00", "2026-12-05T08:00:00+02:00"),
        ([], ["mon-fri 09:00-18:00"], "2026-12-04T18:00:00+02:00", "2026-12-07T09:00:00+02:00"),
        ([], ["mon-fri 09:00-18:00"], "2026-12-04T17:59:00+02:00", "2026-12-04T17:59:00+02:00"),
        (
            ["12:00-13:00"], ["mon-fri 09:00-13:00", "sat 10:00-12:00"],
            "2026-12-04T12:30:00+02:00", "2026-12-05T10:00:00+02:00"
        ),
        (["sat-sun"], [], "2026-12-05T00:00:00+02:00", "2026-12-07T00:00:00+02:00"),
        // Spring: 03:00 becomes 04:00 on 28 March. If the end of the quiet hours is skipped, they
        // end with the jump.
        (["22:00-03:30"], [], "2027-03-28T02:59:00+02:00", "2027-03-28T04:00:00+03:00"),
        ([], ["03:00-03:30"], "2027-03-28T02:00:00+02:00", "2027-03-29T03:00:00+03:00"),
        ([], ["sun 03:00-04:00"], "2027-03-27T12:00:00+02:00", "2027-04-04T03:00:00+03:00"),
        // Autumn: 04:00 becomes 03:00 on 25 October. A time that occurs twice counts both times.
        (["22:00-03:30"], [], "2026-10-25T02:00:00+03:00", "2026-10-25T03:30:00+03:00"),
        (["22:00-03:30"], [], "2026-10-25T03:10:00+02:00", "2026-10-25T03:30:00+02:00"),
        (["03:30-04:00"], [], "2026-10-25T03:40:00+03:00", "2026-10-25T03:00:00+02:00"),
        ([], ["sun 03:30-04:00"], "2026-10-25T03:00:00+02:00", "2026-10-25T03:30:00+02:00"),
    ])
    func `A row wanted at a closed time waits for the next opening`(
        quiet: [String], windows: [String], from: String, to: String
    ) throws {
        let hours = try Self.hours(quiet: quiet, windows: windows)
        let opening = hours.opening(
            from: try Moment.parse(from), in: try Gathering.helsinki.get())
        #expect(opening == (try Moment.parse(to)))
    }

    @Test(arguments: [
        (["00:00-24:00"], []), (["mon-fri", "sat", "sun"], []),
        (["08:00-20:00", "20:00-08:00"], []), (["09:00-18:00"], ["mon-fri 10:00-12:00"]),
        (["sun"], ["sun 10:00-12:00"]),
    ])
    func `Sending hours that leave no time are refused`(
        quiet: [String], windows: [String]
    ) {
        #expect(throws: SendingHoursError.never) {
            try Self.hours(quiet: quiet, windows: windows)
        }
    }

    @Test func `One open minute a week is enough, and too many spans are refused`() throws {
        let rest = ["mon-sat", "sun 00:00-23:59"]
        let hours = try Self.hours(quiet: rest)
        let opening = hours.opening(
            from: try Moment.parse("2026-12-07T00:00:00Z"), in: .utc)
        #expect(opening == (try Moment.parse("2026-12-13T23:59:00Z")))
        #expect(throws: SendingHoursError.tooMany) {
            try Self.hours(quiet: Array(repeating: "sun", count: SendingHours.spansMax + 1))
        }
    }

    @Test func `A day that a zone skips delays rows that wait for it`() throws {
        // Samoa had no 30 December 2011, a Friday.
        let apia = try ZoneDirectory().zone("Pacific/Apia")
        let hours = try Self.hours(windows: ["fri 09:00-10:00"])
        let opening = hours.opening(
            from: try Moment.parse("2011-12-29T12:00:00-10:00"), in: apia)
        #expect(opening == (try Moment.parse("2012-01-06T09:00:00+14:00")))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `An opening is the first open moment`(_ seed: UInt64) throws {
        print("sending hours: seed \(seed)")
        var random = SeededRandom(seed: seed)
        let zones = ["Europe/Helsinki", "America/New_York", "Australia/Lord_Howe", "UTC"]
        let directory = ZoneDirectory()
        for _ in 0..<60 {
            let zone = try directory.zone(zones.randomElement(using: &random) ?? "UTC")
            guard let hours = try? Self.random(using: &random) else { continue }
            let minutes = Int64.random(in: 29_800_000...30_900_000, using: &random)
            let from = Moment(seconds: minutes * 60 + 7)
            let opening = hours.opening(from: from, in: zone)
            #expect(hours.obstacle(at: zone.wallTime(at: opening)) == nil)
            var between = from
            while between < opening {
                #expect(hours.obstacle(at: zone.wallTime(at: between)) != nil)
                between = between.advanced(bySeconds: 1801)
            }
        }
    }

    private static func random(using random: inout SeededRandom) throws -> SendingHours {
        let times = ["00:00", "02:30", "03:00", "08:00", "12:00", "18:00", "22:00"]
        let days = ["", "mon-fri ", "sat,sun ", "wed "]
        func spans(_ count: Int) -> [String] {
            (0..<count).map { _ in
                (days.randomElement(using: &random) ?? "")
                    + "\(times.randomElement(using: &random) ?? "")-"
                    + (times.randomElement(using: &random) ?? "")
            }
        }
        return try hours(
            quiet: spans(Int.random(in: 0...2, using: &random)),
            windows: spans(Int.random(in: 0...2, using: &random)))
    }
}
