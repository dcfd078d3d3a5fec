import Agenda
import Testing
import Timekeeping

@Suite struct WeekSpanTests {
    @Test(arguments: [
        ("22:00-08:00", "22:00-08:00"), ("mon-fri 09:00-18:00", "mon-fri 09:00-18:00"),
        ("Monday-FRIDAY 9-18", "mon-fri 09:00-18:00"), ("sun", "sun"), ("sat,sun", "sat-sun"),
        ("fri-mon 00:00-24:00", "mon,fri-sun"), ("mon-sun", "00:00-24:00"),
        ("tue,thu 7:30-8", "tue,thu 07:30-08:00"), ("22:00-00:00", "22:00-24:00"),
        ("  sat   10:00-12:00 ", "sat 10:00-12:00"), ("10pm-8am", "22:00-08:00"),
        ("mon-fri 9AM-6pm", "mon-fri 09:00-18:00"), ("10:30pm-7am", "22:30-07:00"),
        ("22-8 Uhr", "22:00-08:00"), ("mo-fr 9-18 uhr", "mon-fri 09:00-18:00"),
        ("Sa,So", "sat-sun"),
        ("12pm-12am", "12:00-24:00"), ("12:30am-1am", "00:30-01:00"),
    ])
    func `A parsed text is written in a normal form that parses equally`(
        text: String, written: String
    ) throws {
        let span = try WeekSpan.parse(text)
        #expect(span.description == written)
        #expect(try WeekSpan.parse(written) == span)
    }

    @Test(arguments: [
        "", " ", "22:00", "22:00-", "-08:00", "25:00-08:00", "22:60-08:00", "24:01-08:00",
        "24:00-08:00", "noday 09:00-18:00", "mon- 09:00-18:00", "mon,,tue 09:00-10:00", "mon-",
        "09:00-18:00 mon", "mon 09:00-18:00 x", "mon-tue-wed", "+1:00-08:00", "1:0-2:00",
        "١٠:٠٠-١٢:٠٠", "mon fri", "09:00-10:00-11:00", "100:00-101:00",
        "10-8am", "13pm-8am", "0am-8am", "10pmam-8am", "pm-am",
    ])
    func `An invalid part of a week is refused`(text: String) {
        #expect(throws: WeekSpanError.unreadable(text)) { try WeekSpan.parse(text) }
    }

    @Test(arguments: ["08:00-08:00", "mon 0:00-0:00"])
    func `A part that ends when it begins is refused`(text: String) {
        #expect(throws: WeekSpanError.empty(text)) { try WeekSpan.parse(text) }
    }

    @Test(arguments: [
        // 2026-12-04 is a Friday.
        ("22:00-08:00", "2026-12-04T22:00", true), ("22:00-08:00", "2026-12-04T21:59", false),
        ("22:00-08:00", "2026-12-04T07:59", true), ("22:00-08:00", "2026-12-04T08:00", false),
        ("fri 22:00-08:00", "2026-12-04T23:00", true),
        ("fri 22:00-08:00", "2026-12-05T03:00", true),
        ("fri 22:00-08:00", "2026-12-04T03:00", false),
        ("sun 22:00-08:00", "2026-12-07T03:00", true), ("sun", "2026-12-06T23:59", true),
        ("sun", "2026-12-07T00:00", false), ("sun", "2026-12-05T23:59", false),
        ("mon-fri 09:00-18:00", "2026-12-04T09:00", true),
        ("mon-fri 09:00-18:00", "2026-12-05T09:00", false),
        ("22:00-24:00", "2026-12-04T23:59", true), ("22:00-24:00", "2026-12-04T00:00", false),
    ])
    func `A part over midnight belongs to the day on which it begins`(
        text: String, at: String, isIn: Bool
    ) throws {
        #expect(try WeekSpan.parse(text).contains(WallTime.parse(at)) == isIn)
    }
}
