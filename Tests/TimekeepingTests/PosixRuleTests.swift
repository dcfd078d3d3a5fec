import Testing
import Timekeeping

/// The rules in the footers of zone files and in the variable TZ.
struct PosixRuleTests {
    struct Case: Sendable {
        let rule: String
        /// Moments with their abbreviation and offset.
        let expected: [(String, String, Int)]
    }

    static let cases = [
        Case(
            rule: "EET-2EEST,M3.5.0/3,M10.5.0/4",
            expected: [
                ("2090-03-26T00:59:59Z", "EET", 7200), ("2090-03-26T01:00:00Z", "EEST", 10_800),
                ("2090-10-29T00:59:59Z", "EEST", 10_800), ("2090-10-29T01:00:00Z", "EET", 7200),
                ("0001-01-01T00:00:00Z", "EET", 7200), ("9999-12-31T23:59:59Z", "EET", 7200),
            ]),
        // South of the equator, summer extends over the end of the year.
        Case(
            rule: "NZST-12NZDT,M9.5.0,M4.1.0/3",
            expected: [
                ("2026-01-01T00:00:00Z", "NZDT", 46_800), ("2026-04-04T14:00:00Z", "NZST", 43_200),
                ("2026-09-26T14:00:00Z", "NZDT", 46_800), ("2026-12-31T23:59:59Z", "NZDT", 46_800),
            ]),
        // Ireland has daylight saving time in winter, with the smaller offset.
        Case(
            rule: "IST-1GMT0,M10.5.0,M3.5.0/1",
            expected: [("2090-01-01T00:00Z", "GMT", 0), ("2090-07-01T00:00Z", "IST", 3600)]),
        // Hours before the day and far after it, as Greenland and Gaza have had.
        Case(
            rule: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
            expected: [
                ("2090-03-26T00:59:59Z", "-02", -7200), ("2090-03-26T01:00:00Z", "-01", -3600),
                ("2090-10-29T01:00:00Z", "-02", -7200),
            ]),
        Case(
            rule: "EET-2EEST,M3.4.4/50,M10.4.4/50",
            expected: [
                ("2090-03-24T23:59:59Z", "EET", 7200), ("2090-03-25T00:00:00Z", "EEST", 10_800),
            ]),
        // Days by number: J60 is always 1 March, 59 is 29 February in leap years.
        Case(
            rule: "AAA3BBB,J60/0,J300/0",
            expected: [
                ("2024-03-01T02:59:59Z", "AAA", -10_800), ("2024-03-01T03:00:00Z", "BBB", -7200),
                ("2023-03-01T02:59:59Z", "AAA", -10_800), ("2023-03-01T03:00:00Z", "BBB", -7200),
            ]),
        Case(
            rule: "AAA3BBB,59/0,300/0",
            expected: [
                ("2024-02-29T02:59:59Z", "AAA", -10_800), ("2024-02-29T03:00:00Z", "BBB", -7200),
                ("2023-03-01T02:59:59Z", "AAA", -10_800), ("2023-03-01T03:00:00Z", "BBB", -7200),
            ]),
        // Changes that leave their year.
        Case(
            rule: "AAA0BBB,0/-167,200/0",
            expected: [
                ("2025-12-25T00:59:59Z", "AAA", 0), ("2025-12-25T01:00:00Z", "BBB", 3600),
                ("2026-01-01T00:00:00Z", "BBB", 3600), ("2026-07-19T22:59:59Z", "BBB", 3600),
                ("2026-07-19T23:00:00Z", "AAA", 0),
            ]),
        Case(
            rule: "AAA0BBB,100/0,J365/167",
            expected: [
                ("2026-12-31T00:00:00Z", "BBB", 3600), ("2027-01-06T21:59:59Z", "BBB", 3600),
                ("2027-01-06T22:00:00Z", "AAA", 0),
            ]),
        // Daylight saving time all year, as RFC 8536 section 3.3.1 writes it.
        Case(
            rule: "XXX3EDT4,0/0,J365/23",
            expected: [
                ("2026-01-01T02:59:59Z", "EDT", -14_400), ("2026-01-01T03:00:00Z", "EDT", -14_400),
                ("2028-07-01T00:00:00Z", "EDT", -14_400),
            ]),
        Case(
            rule: "EST5EDT,M3.2.0,M11.1.0",
            expected: [
                ("2026-03-08T07:00:00Z", "EDT", -14_400), ("2026-11-01T06:00:00Z", "EST", -18_000),
            ]),
        Case(rule: "<+0545>-5:45", expected: [("2026-01-01T00:00:00Z", "+0545", 20_700)]),
        Case(rule: "LMT-1:39:49", expected: [("2026-01-01T00:00:00Z", "LMT", 5989)]),
    ]

    @Test(arguments: cases) func `A rule gives the offset and the abbreviation`(
        _ item: Case
    ) throws {
        let zone = try #require(Zone(posix: item.rule))
        #expect(zone.id == item.rule)
        for (text, abbreviation, offset) in item.expected {
            let moment = try moment(text)
            #expect(zone.abbreviation(at: moment) == abbreviation, "\(text)")
            #expect(zone.offsetSeconds(at: moment) == offset, "\(text)")
        }
    }

    @Test(arguments: [
        "", "A0", "AB0", "ABC", "<AB>0", "<ABC0", "ABC25", "ABC0:60", "ABC0:0", "ABC+", "1BC0",
        "ABC0DEF", "ABC0DEF1", "ABC0DEF,", "ABC0DEF,M1.1.0", "ABC0DEF,M1.1.0,",
        "ABC0DEF,M0.1.0,M2.1.0",
        "ABC0DEF,M13.1.0,M2.1.0", "ABC0DEF,M1.6.0,M2.1.0", "ABC0DEF,M1.0.0,M2.1.0",
        "ABC0DEF,M1.1.7,M2.1.0", "ABC0DEF,J0,J1", "ABC0DEF,J366,J1", "ABC0DEF,366,1",
        "ABC0DEF,M1.1.0/168,M2.1.0", "ABC0DEF,M1.1.0/-168,M2.1.0", "ABC0DEF,M1.1.0,M2.1.0 ",
        "ABC0DEF,M1.1.0,M2.1.0,M3.1.0", "ABC0DEF25,M1.1.0,M2.1.0", "ABC0DE", "Europe/Helsinki",
    ]) func `A rule that breaks the grammar is refused`(rule: String) {
        #expect(Zone(posix: rule) == nil)
    }

    @Test func `All clock changes are found, forwards and backwards`() throws {
        let zone = try #require(Zone(posix: "EET-2EEST,M3.5.0/3,M10.5.0/4"))
        let expected = try [
            "2026-03-29T01:00Z", "2026-10-25T01:00Z", "2027-03-28T01:00Z", "2027-10-31T01:00Z",
        ].map(moment)
        #expect(try transitions(of: zone, years: 2026..<2028).map(\.moment) == expected)
        var backwards: [Moment] = []
        for _ in expected {
            let next = try backwards.last ?? moment("2028-01-01T00:00Z")
            backwards.append(try #require(zone.previousTransition(before: next)).moment)
        }
        #expect(backwards.reversed() == expected)
        let first = try #require(zone.nextTransition(after: try moment("2026-01-01T00:00Z")))
        #expect(first.before.abbreviation == "EET" && first.after.abbreviation == "EEST")
        #expect(!first.before.isDaylight && first.after.isDaylight)
    }

    @Test func `A zone whose clocks never change has no transitions`() throws {
        for rule in ["UTC0", "XXX3EDT4,0/0,J365/23", "AAA0BBB,5/0,5/1"] {
            let zone = try #require(Zone(posix: rule))
            #expect(zone.nextTransition(after: Moment(seconds: 0)) == nil, "\(rule)")
            #expect(zone.previousTransition(before: Moment(seconds: 0)) == nil, "\(rule)")
        }
        let end = try #require(Zone(posix: "EST5EDT,M3.2.0,M11.1.0"))
        #expect(end.nextTransition(after: Moment(milliseconds: .max)) == nil)
        #expect(end.nextTransition(after: try moment("9999-12-01T00:00Z")) == nil)
        #expect(end.previousTransition(before: Moment(milliseconds: .min)) == nil)
    }
}
