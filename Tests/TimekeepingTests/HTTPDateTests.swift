import Testing
import Timekeeping

/// Dates of HTTP with a year of two digits.
@Suite struct HTTPDateTests {
    @Test(arguments: [
        ("2026-12-01T00:00:00Z", "01-Jan-27 00:00:00", "2027-01-01T00:00:00Z"),
        ("2026-12-01T00:00:00Z", "01-Jan-70 00:00:00", "2070-01-01T00:00:00Z"),
        ("2026-12-01T00:00:00Z", "30-Nov-76 00:00:00", "2076-11-30T00:00:00Z"),
        ("2026-12-01T00:00:00Z", "02-Dec-76 00:00:00", "1976-12-02T00:00:00Z"),
        ("2026-12-01T00:00:00Z", "06-Nov-94 08:49:37", "1994-11-06T08:49:37Z"),
        ("2099-12-31T23:00:00Z", "01-Jan-00 00:00:00", "2100-01-01T00:00:00Z"),
        ("2081-01-01T00:00:00Z", "01-Jan-81 00:01:00", "2081-01-01T00:01:00Z"),
    ])
    func `A year of two digits is at most fifty years in the future`(
        _ now: String, _ text: String, _ meant: String
    ) throws {
        let now = try Moment.parse(now)
        let moment = try Moment.parse(meant)
        #expect(HTTPDate.parse("Friday, \(text) GMT", near: now) == moment)
        #expect(HTTPDate.parseLeniently("fri, \(text) utc", near: now) == moment)
    }

    @Test func `Without a clock, a year of two digits is from 1970 to 2069`() throws {
        let early = try Moment.parse("1970-01-01T00:00:00Z")
        #expect(HTTPDate.parse("Thursday, 01-Jan-70 00:00:00 GMT") == early)
        #expect(HTTPDate.parse("Friday, 29-Feb-69 00:00:00 GMT", near: early) == nil)
    }
}
