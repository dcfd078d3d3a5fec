import Interchange
import TestKit
import Testing
import Timekeeping

/// Reading well-formed and damaged calendar objects.
@Suite struct CalendarReaderTests {
    private static let zones = ZoneDirectory()

    private static let event =
        "BEGIN:VEVENT\nUID:a\nDTSTAMP:20261201T120000Z\nDTSTART:20261206T140000Z\nSUMMARY:A\n"
        + "END:VEVENT\n"

    private func read(_ text: String) -> CalendarReading { CalendarReader.read(Array(text.utf8)) }

    private func calendar(_ text: String) -> String {
        "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\n\(text)END:VCALENDAR\n"
    }

    private func summaries(_ reading: CalendarReading) -> [String?] {
        reading.entries(by: Self.zones).map(\.summary)
    }

    private func problems(_ text: String) -> [String] {
        read(text).check(by: Self.zones).map { "\($0.line) \($0.severity) \($0.message)" }
    }

    @Test func `A line that is too long is cut between two characters`() {
        let text = String(repeating: "ä", count: ContactLimits.lineBytesMax / 2 + 9)
        let event = "BEGIN:VEVENT\nUID:a\nSUMMARY:x\(text)\nDTSTART:20261206T140000Z\nEND:VEVENT\n"
        let reading = read(calendar(event))
        let summary = reading.calendars.first?.components.first?.line("SUMMARY")?.value
        #expect(summary?.hasPrefix("xää") == true && summary?.hasSuffix("ä") == true)
        #expect((summary?.utf8.count ?? 0) <= ContactLimits.lineBytesMax)
        #expect(reading.problems.contains { $0.message.contains("too long") && $0.line == 6 })
    }

    @Test func `All kinds of unused properties are counted, and the first are named`() {
        let lines = (0..<70).map { "X-KIND-\($0):1\n" }.joined()
        let event = "BEGIN:VEVENT\nUID:a\n\(lines)X-KIND-60:2\nEND:VEVENT\n"
        let unused = read(calendar(event)).unused
        #expect(unused.count == 51 && unused.map(\.count).reduce(0, +) == 71)
        #expect(unused.last?.what == "20 more properties" && unused.last?.count == 21)
        #expect(unused.last?.line == 56)
    }

    @Test(arguments: [
        ("CRLF and a BOM", "\u{FEFF}BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", 1),
        ("lower case and blanks", "begin:vcalendar\n\n \nend:VCalendar \n\n", 1),
        ("two objects", "BEGIN:VCALENDAR\nEND:VCALENDAR\nBEGIN:VCALENDAR\nEND:VCALENDAR", 2),
        ("carriage returns alone", "BEGIN:VCALENDAR\rVERSION:2.0\rEND:VCALENDAR\r", 1),
    ])
    func `All line ends and letters of either case are accepted`(
        _ name: String, _ text: String, _ count: Int
    ) {
        #expect(read(text).calendars.count == count)
        #expect(read(text).problems == [])
    }

    @Test func `Folds inside words and characters are removed`() {
        let text = "BEGIN:VEVENT\nSUM\n MARY:Gr\u{FC}\n ße\\, und\n\t mehr\\nZeilen\nEND:VEVENT\n"
        #expect(summaries(read(calendar(text))) == ["Gr\u{FC}ße, und mehr\nZeilen"])
        var octets = Array("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:Caf\u{C3}".utf8)
        octets.removeLast(2)
        octets += [0xC3, 0x0D, 0x0A, 0x20, 0xA9]
        octets += Array("\nEND:VEVENT\nEND:VCALENDAR".utf8)
        #expect(summaries(CalendarReader.read(octets)) == ["Caf\u{E9}"])
    }

    @Test func `Damaged components are reported, and intact ones are kept`() {
        let cut = calendar(Self.event).dropLast("END:VCALENDAR\n".count)
        let reading = read(cut + "BEGIN:VEVENT\nSUMMARY:B\nDTST")
        #expect(summaries(reading) == ["A"])
        #expect(reading.problems.map(\.line) == [10, 12])
        let unended = calendar("BEGIN:VEVENT\nSUMMARY:B\n" + Self.event)
        #expect(summaries(read(unended)) == ["B", "A"])
        #expect(read(unended).problems.map(\.line) == [4])
        let stray = "hello\n" + calendar(Self.event + "END:VTODO\nno property\n")
        #expect(summaries(read(stray)) == ["A"])
        #expect(read(stray).problems.map(\.line) == [1, 11, 12])
    }

    @Test func `Text broken over lines without folding is read completely`() throws {
        let reading = read(calendar("BEGIN:VEVENT\nDESCRIPTION:One\nand two, three\nEND:VEVENT\n"))
        let text = reading.calendars.first?.components.first?.line("DESCRIPTION")?.text
        #expect(text == "One\nand two, three")
        #expect(reading.problems.map(\.severity) == [.warning])
        let again = CalendarReader.read(try #require(reading.calendars.first).octets)
        #expect(again.problems == [])
        #expect(again.calendars.first?.components.first?.line("DESCRIPTION")?.text == text)
    }

    /// vCalendar 1.0 has quoted-printable values, with line breaks inside them.
    @Test(arguments: [
        (
            "SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9, at=\n last",
            "Café\\, at last"
        ),
        ("SUMMARY;QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Caf=E9", "Café"),
        ("SUMMARY;ENCODING=quoted-printable:one=0D=0Atwo\\; three", "one\\ntwo\\; three"),
        ("SUMMARY;X-A=\"b;QUOTED-PRINTABLE:c=\n d\":e=", "e="),
    ])
    func `Quoted-printable values are decoded and written as plain text`(
        _ line: String, _ value: String
    ) throws {
        let event = Self.event.replacing("SUMMARY:A", with: line)
        let written = try #require(read(calendar(event)).calendars.first).octets
        let again = try #require(CalendarReader.read(written).calendars.first)
        #expect(again.components.first?.line("SUMMARY")?.value == value)
        #expect(again.octets == written)
        #expect(!String(decoding: written, as: UTF8.self).contains("ENCODING"))
    }

    @Test func `A colon inside a long quoted parameter does not end the head`() throws {
        let equals = String(repeating: "=", count: 2000)
        let line = "SUMMARY;X-A=\"a;ENCODING=QUOTED-PRINTABLE:\(equals)\":b"
        let event = Self.event.replacing("SUMMARY:A", with: line)
        let written = try #require(read(calendar(event)).calendars.first).octets
        let again = try #require(CalendarReader.read(written).calendars.first)
        #expect(again.octets == written)
        #expect(again.components.first?.line("SUMMARY")?.value == "b")
    }

    /// Written with its controls, the parameter would be read as ENCODING the next time.
    @Test func `A quoted-printable line loses control characters everywhere`() throws {
        let line = "X-A;E\u{0}NCODING=a\u{2};X-B=\u{3}b;CHARSET=ISO-8859-1:Caf\u{E9}"
        let octets = calendar(Self.event.replacing("SUMMARY:A", with: line))
            .unicodeScalars.map { UInt8($0.value) }
        let written = try #require(CalendarReader.read(octets).calendars.first).octets
        #expect(String(decoding: written, as: UTF8.self).contains("\r\nX-A;X-B=b:Café\r\n"))
        let again = try #require(CalendarReader.read(written).calendars.first)
        #expect(again.octets == written)
    }

    /// An earlier version parsed the line again from its start after each of these lines.
    @Test(arguments: ["X" + String(repeating: ";a", count: 400) + ";b=\":", "SUMMARY:x"])
    func `Many continuation lines without content are read quickly`(_ head: String) {
        for more in [" ", "a", " \""] {
            let lines = String(repeating: more + "\n", count: 200_000)
            let reading = read("BEGIN:VCALENDAR\n\(head)\n\(lines)END:VCALENDAR\n")
            #expect(reading.calendars.count == 1)
        }
    }

    @Test func `Deep nesting and many errors are limited`() {
        let deep = String(repeating: "BEGIN:VEVENT\nBEGIN:VTODO\n", count: 50_000)
        let problems = read("BEGIN:VCALENDAR\n" + deep).problems
        #expect(problems.count <= 2000)
        #expect(problems.total > problems.count)
        let junk = String(repeating: "junk\n", count: 100_000)
        #expect(read(junk).problems.count == 1)
        #expect(
            read("").problems.map(\.message) == [
                "The file has no BEGIN:VCALENDAR, so it is not a calendar file."
            ])
    }

    @Test(
        arguments: [
            ("20261206", "20261206", "20261207"), ("20261206T140000Z", "20261206T140000Z", nil),
            ("20261206T140000", "20261206T140000", nil),
        ] as [(String, String, String?)])
    func `Without an end, a whole day lasts one day and a point in time has no length`(
        _ start: String, _ expected: String, _ end: String?
    ) {
        let entry = read(calendar("BEGIN:VEVENT\nDTSTART:\(start)\nEND:VEVENT\n"))
            .entries(by: Self.zones).first
        #expect(entry?.start?.words == expected)
        #expect(entry?.end?.words == end ?? expected)
    }

    /// 14:00 on 6 July 2026 in zones as different programs name them.
    @Test(arguments: [
        ("Europe/Paris", "20260706T120000Z"),
        ("/freeassociation.sourceforge.net/Europe/Paris", "20260706T120000Z"),
        ("Romance Standard Time", "20260706T120000Z"),
        ("\"(UTC+01:00) Brussels, Copenhagen, Madrid, Paris\"", "20260706T120000Z"),
        ("\"Canberra, Melbourne, Sydney\"", "20260706T040000Z"),
        ("\"(UTC-03:00) Brasília\"", "20260706T170000Z"), ("Mars/Olympus", "20260706T140000"),
        ("\"(UTC+08:00) 北京\"", "20260706T060000Z"), ("(UTC) London", "20260706T130000Z"),
        ("\"(GMT+01.00) Amsterdam / Berlin\"", "20260706T120000Z"),
    ])
    func `The zone names of different programs are recognized`(_ name: String, _ start: String) {
        let text = calendar("BEGIN:VEVENT\nDTSTART;TZID=\(name):20260706T140000\nEND:VEVENT\n")
        let entry = read(text).entries(by: Self.zones).first
        #expect(entry?.start?.words == start)
        let isKnown = start.hasSuffix("Z")
        #expect(problems(text).contains { $0.contains("the unknown time zone") } == !isKnown)
    }

    @Test func `Two events with the same UID in two calendars of a file are reported`() {
        let event = "BEGIN:VEVENT\nUID:a\nDTSTART:20261206T140000Z\nEND:VEVENT\n"
        let date = event.replacing("UID:a", with: "UID:a\nRECURRENCE-ID:20261206T140000Z")
        func isReported(_ other: String) -> Bool {
            problems(calendar(event) + calendar(other)).contains { $0.contains("appears twice") }
        }
        #expect(isReported(event) && !isReported(date))
    }

    @Test func `A described zone precedes Windows names, and the default zone comes last`() {
        let zone =
            "BEGIN:VTIMEZONE\nTZID:Romance Standard Time\nBEGIN:STANDARD\nDTSTART:16010101T000000\n"
            + "TZOFFSETFROM:+0500\nTZOFFSETTO:+0500\nEND:STANDARD\nEND:VTIMEZONE\n"
        let event = "DTSTART;TZID=Romance Standard Time:20260706T140000\nEND:VEVENT\n"
        let described = read(calendar(zone + "BEGIN:VEVENT\n" + event)).entries(by: Self.zones)
        #expect(described.first?.start?.words == "20260706T090000Z")
        let usual = calendar(
            "X-WR-TIMEZONE:Asia/Tokyo\nBEGIN:VEVENT\nDTSTART;TZID=Nowhere:20260706T140000\n"
                + "END:VEVENT\n")
        #expect(read(usual).entries(by: Self.zones).first?.start?.words == "20260706T050000Z")
    }

    @Test(arguments: [
        ("DTSTART:20261301T000000Z", "7 error DTSTART is not a time: \"20261301T000000Z\""),
        (
            "DTSTART:20261206T140000Z\nDTEND:20261206T130000Z",
            "8 error DTEND is before DTSTART."
        ),
        (
            "DTSTART:20261206T140000Z\nDURATION:-PT1H", "8 error DURATION is invalid: \"-PT1H\""
        ),
        (
            "DTSTART:20261206T140000Z\nRRULE:FREQ=WEEKLY;BYDAY=XX",
            "8 error RRULE: BYDAY: XX is not a day of the week"
        ),
        (
            "DTSTART:20261206T140000Z\nSUMMARY:a\nSUMMARY:b",
            "9 warning SUMMARY appears several times; the first one is used."
        ),
        (
            "DTSTART:20261206T140000Z\nEXDATE:20261206T140000Z,soon",
            "8 error EXDATE is not a time: \"soon\""
        ),
        (
            "DTSTART:20261206T140000Z\nGEO:1;200",
            "8 warning GEO is not a latitude and longitude: \"1;200\""
        ),
        (
            "DTSTART:20261206T140000Z\nBEGIN:VALARM\nTRIGGER:soon\nEND:VALARM",
            "9 warning TRIGGER is not a time or duration: \"soon\""
        ),
        ("SUMMARY:x", "4 error VEVENT has no DTSTART, so its start is unknown."),
    ])
    func `An error in an event is reported with its line`(_ lines: String, _ problem: String) {
        let text = calendar(
            "BEGIN:VEVENT\nUID:a\nDTSTAMP:20261201T120000Z\n\(lines)\nEND:VEVENT\n")
        let found = problems(text)
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(problem) == true, "\(found)")
    }

    @Test func `Every Windows zone name is mapped to a known zone`() throws {
        for name in [
            "UTC", "FLE Standard Time", "Tokyo Standard Time", "Line Islands Standard Time",
        ] {
            let text = calendar("BEGIN:VEVENT\nDTSTART;TZID=\(name):20260706T140000\nEND:VEVENT\n")
            let start = read(text).entries(by: Self.zones).first?.start
            #expect(start?.moment != nil, "\(name)")
        }
    }

    private static let pieces = [
        "\r\n", "\n", " ", ":", ";", "=", "\"", "\\", "^", ",", "BEGIN:VEVENT\n", "END:VEVENT\n",
        "BEGIN:VCALENDAR\n", "END:VCALENDAR\n", "RRULE:FREQ=SECONDLY\n", "TZID=", "VALUE=DATE",
        "BEGIN:VTIMEZONE\n", "DTSTART:99991231T235959Z\n", "DURATION:P99999999999D\n",
        "TZOFFSETTO:+9999\n", "RDATE:20260101/P1D\n", "Ä", "\0",
    ].map { Array($0.utf8) }

    @Test(arguments: [
        ("20261210T090000Z/20261210T100000Z", false), ("20261210T090000Z/PT1H", false),
        ("20261210T090000Z/20261210T080000Z", true), ("20261210T090000Z/-PT1H", true),
        ("20261210T090000Z/PT0S", true), ("20261210T090000Z/soon", true),
    ])
    func `An added date that does not end after its start is reported`(
        _ period: String, _ isReported: Bool
    ) {
        let event =
            "BEGIN:VEVENT\nUID:a\nDTSTAMP:20261101T000000Z\nDTSTART:20261202T180000Z\n"
            + "RDATE;VALUE=PERIOD:\(period)\nEND:VEVENT\n"
        let found = problems(calendar(event)).contains {
            $0.hasPrefix("8 warning A period of RDATE does not end after its start")
        }
        #expect(found == isReported)
    }

    @Test(arguments: [
        (
            "TZID=Europe/Berlin:20261202T180000", "EXDATE;TZID=Europe/Berlin:20261209T190000",
            "T190000"
        ),
        ("TZID=Europe/Berlin:20261202T180000", "EXDATE:20261209T180000Z", "T180000Z"),
        ("TZID=Europe/Berlin:20261202T180000", "EXDATE;VALUE=DATE:20261210", nil),
        ("TZID=Europe/Berlin:20261202T180000", "EXDATE:20261209T170000Z,20261216T170000Z", ""),
        ("TZID=Europe/Berlin:20261202T180000", "EXDATE;VALUE=DATE:20261209", ""),
        ("TZID=Europe/Berlin:20261202T180000", "EXDATE:20261103T180000Z,20280103T180000Z", ""),
        (
            "TZID=Europe/Berlin:20261202T180000",
            "RDATE:20261210T090000Z\nEXDATE:20261210T090000Z", ""
        ),
        ("20261202T180000Z", "EXDATE:20261209T180000", ""),
        ("VALUE=DATE:20261202", "EXDATE:20261209T230000Z", ""),
        ("VALUE=DATE:20261202", "EXDATE;VALUE=DATE:20261208", nil),
    ])
    func `A removed date that the series does not have is reported`(
        _ start: String, _ removed: String, _ end: String?
    ) throws {
        let separator = start.hasPrefix("2") ? ":" : ";"
        let event =
            "BEGIN:VEVENT\nUID:a\nDTSTAMP:20261101T000000Z\nDTSTART\(separator)\(start)\n"
            + "RRULE:FREQ=WEEKLY;COUNT=10\n\(removed)\nEND:VEVENT\n"
        let unmet = problems(calendar(event)).filter { $0.contains("EXDATE removes no date") }
        #expect(unmet.count == (end == "" ? 0 : 1))
        guard let message = unmet.first else { return }
        #expect(message.hasPrefix("9 warning"))
        #expect(message.hasSuffix((end ?? String(removed.suffix(8))) + "\"."))
    }

    @Test func `Of several lists of removed dates, the one with the wrong date is named`() {
        let event =
            "BEGIN:VEVENT\nUID:a\nDTSTAMP:20261101T000000Z\nDTSTART:20261202T180000Z\n"
            + "RRULE:FREQ=WEEKLY;COUNT=10\nEXDATE:20261209T180000Z\nEXDATE:20261216T190000Z\n"
            + "END:VEVENT\n"
        let unmet = problems(calendar(event)).filter { $0.contains("EXDATE removes no date") }
        #expect(unmet.first?.hasPrefix("10 warning") == true, "\(unmet)")
    }

    @Test(arguments: [21, 22, 23, 24] as [UInt64])
    func `Random damage does not stop the reader, and the result can be rewritten`(_ seed: UInt64) {
        print("calendar fuzz, seed \(seed)")
        let zone =
            "BEGIN:VTIMEZONE\nTZID:Z\nBEGIN:STANDARD\nDTSTART:19701025T030000\n"
            + "TZOFFSETFROM:+0200\nTZOFFSETTO:+0100\nRRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10\n"
            + "END:STANDARD\nEND:VTIMEZONE\n"
        let rich =
            "BEGIN:VEVENT\nUID:b\nDTSTART;TZID=Z:20261206T140000\nDURATION:PT1H30M\n"
            + "RRULE:FREQ=MONTHLY;BYDAY=1SU;COUNT=4\nEXDATE;TZID=Z:20270103T140000\nBEGIN:VALARM\n"
            + "TRIGGER:-PT15M\nEND:VALARM\nDESCRIPTION;ALTREP=\"cid:x\":One\\, two\n"
            + " folded\nEND:VEVENT\n"
        let source = Array(calendar(zone + rich + Self.event).utf8)
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            let reading = CalendarReader.read(mutated(source, using: &random))
            _ = reading.check(by: Self.zones)
            let written = reading.calendars.flatMap(\.octets)
            let again = CalendarReader.read(written)
            #expect(again.calendars.flatMap(\.octets) == written)
        }
    }

    private func mutated(_ source: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var octets = source
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0...octets.count, using: &random)
            let end = min(octets.count, place + Int.random(in: 0...20, using: &random))
            switch Int.random(in: 0...3, using: &random) {
            case 0 where place < octets.count:
                octets[place] = UInt8.random(in: 0...255, using: &random)
            case 1: octets.removeSubrange(place..<end)
            case 2: octets.insert(contentsOf: Array(octets[place..<end]), at: place)
            default:
                let piece = Self.pieces.randomElement(using: &random) ?? []
                octets.insert(contentsOf: piece, at: place)
            }
        }
        return octets
    }
}
