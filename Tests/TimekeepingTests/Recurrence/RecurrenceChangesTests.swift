import Testing
import Timekeeping

/// Additions to a recurring event, exceptions and changes, and its end.
@Suite struct RecurrenceChangesTests {
    private func override(
        _ original: String, _ start: String?, following: Bool = false
    ) throws -> Recurrence.Override {
        Recurrence.Override(
            try stamp(original), start: try start.map(stamp), isOfFollowing: following)
    }

    private func walls(_ recurrence: Recurrence, _ count: Int = 12) -> String {
        recurrence.prefix(count).map { CalendarStamp.wall($0.wall).description.dropFirst(4) }
            .joined(separator: " ")
    }

    @Test func `An occurrence moved to the time of another is returned beside it`() throws {
        var daily = try recurrence("20261201T090000", "FREQ=DAILY;COUNT=3")
        // An occurrence that the rule names and that is added counts once, and so does one that is
        // named twice and moved.
        daily.additions = [try stamp("20261202T090000"), try stamp("20261202T090000")]
        daily.overrides = [
            try override("20261203T090000", "20261202T090000"),
            try override("20261201T090000", "20261202T090000"),
        ]
        #expect(walls(daily) == "1202T090000 1202T090000 1202T090000")
        let originals = daily.map { CalendarStamp.wall($0.original).description }
        #expect(originals == ["20261201T090000", "20261202T090000", "20261203T090000"])
    }

    @Test func `Following occurrences moved onto others are returned beside them`() throws {
        var daily = try recurrence("20261201T090000", "FREQ=DAILY;COUNT=5", in: "Europe/Berlin")
        daily.overrides = [try override("20261203T090000", "20261202T090000", following: true)]
        #expect(
            walls(daily) == "1201T090000 1202T090000 1202T090000 1203T090000 1204T090000")
    }

    @Test func `Of two changes to one occurrence, the last one counts`() throws {
        var daily = try recurrence("20261201T090000", "FREQ=DAILY;COUNT=3", in: "Europe/Berlin")
        daily.overrides = [
            try override("20261202T090000", "20261202T100000"),
            try override("20261202T080000Z", "20261202T110000"),
        ]
        #expect(walls(daily) == "1201T090000 1202T110000 1203T090000")
        daily.overrides.append(try override("20261202T090000", nil))
        #expect(walls(daily) == "1201T090000 1203T090000")
        daily.overrides = [
            try override("20261202T090000", nil, following: true),
            try override("20261202T090000", "20261202T120000"),
        ]
        #expect(walls(daily) == "1201T090000 1202T120000 1203T090000")
    }

    @Test func `An occurrence with its own change stays when all later ones are cancelled`() throws
    {
        var daily = try recurrence("20261201T090000", "FREQ=DAILY")
        daily.overrides = [
            try override("20261203T090000", nil, following: true),
            try override("20261205T090000", "20261206T090000"),
        ]
        #expect(walls(daily) == "1201T090000 1202T090000 1206T090000")
        daily.overrides.append(try override("20261210T090000", "20261209T090000", following: true))
        #expect(
            walls(daily, 5) == "1201T090000 1202T090000 1206T090000 1209T090000 1210T090000")
    }

    /// The queue of waiting occurrences holds six hours' worth of seconds.
    @Test(.timeLimit(.minutes(1)))
    func `Many occurrences moved much earlier stay in order and are found quickly`() throws {
        var dense = try recurrence("20260101T000000", "FREQ=SECONDLY")
        dense.overrides = [try override("20260101T060000", "20260101T000000", following: true)]
        let found = dense.prefix(10_000).map(\.wall.secondsSince1970)
        let first = try #require(found.first)
        // Each second of the rule until six o'clock, and with it a later one that was moved there.
        #expect(found == (0..<10_000).map { first + $0 / 2 })
    }

    /// 02:30 is 03:30 in summer time, and 03:00 comes before it.
    @Test func `An end between a skipped time and the next drops only the skipped one`() throws {
        let rule = "FREQ=MINUTELY;INTERVAL=30;UNTIL=20270328T011500Z"
        let until = try recurrence("20270328T010000", rule, in: "Europe/Berlin")
        #expect(walls(until) == "0328T010000 0328T013000 0328T030000")
        var off = try recurrence(
            "20270328T010000", "FREQ=MINUTELY;INTERVAL=30", in: "Europe/Berlin")
        off.overrides = [try override("20270328T031500", nil, following: true)]
        #expect(walls(off) == "0328T010000 0328T013000 0328T030000")
        // If there are only skipped times, the rule ends as well.
        let yearly = "FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20280101T000000Z"
        let skipped = try recurrence("20270328T023000", yearly, in: "Europe/Berlin")
        #expect(walls(skipped) == "0328T033000")
    }

    @Test func `Occurrences outside of the calendar are left out`() throws {
        var late = try recurrence("99991229T090000", "FREQ=DAILY")
        late.overrides = [try override("99991230T090000", "99991231T090000", following: true)]
        #expect(walls(late) == "1229T090000 1231T090000")
    }

    @Test(arguments: [
        ("99991231T200000", "America/New_York", 0), ("99991230T200000", "America/New_York", 3),
        ("99991231T120000", "America/New_York", 2), ("00010101T000000", "Asia/Tokyo", 1),
        ("99991231T120000", "Asia/Tokyo", 2),
    ])
    func `Occurrences with moments outside of the calendar are left out`(
        _ start: String, _ zone: String, _ count: Int
    ) throws {
        let found = try Array(recurrence(start, "FREQ=HOURLY;INTERVAL=6;COUNT=3", in: zone))
        #expect(found.count == count)
        let shown = found.compactMap { $0.moment.map { CalendarStamp.utc($0).description } }
        #expect(Set(shown).count == count)
    }

    /// Samoa had no 30 December 2011: an occurrence named for it is on the 31st.
    @Test func `An excluded day is a wall-clock day`() throws {
        var daily = try recurrence("20111228T090000", "FREQ=DAILY;COUNT=5", in: "Pacific/Apia")
        #expect(walls(daily) == "1228T090000 1229T090000 1231T090000 0101T090000")
        daily.exceptions = [try stamp("20111230")]
        #expect(walls(daily) == "1228T090000 1229T090000 1231T090000 0101T090000")
        daily.exceptions = [try stamp("20111231")]
        #expect(walls(daily) == "1228T090000 1229T090000 0101T090000")
    }

    @Test func `Many occurrences on excluded days are skipped at once`() throws {
        var seconds = try recurrence("20260301T000000", "FREQ=SECONDLY", in: "Europe/Paris")
        let first = try CivilDate(year: 2026, month: 3, day: 1)
        seconds.exceptions = (0..<2000).map { .day(first.adding(days: $0)) }
        let last = first.adding(days: 2000)
        #expect(seconds.first { _ in true }?.wall == WallTime(date: last, time: .midnight))
        var counted = try recurrence(
            "20260101T103000", "FREQ=MINUTELY;INTERVAL=7;COUNT=5000", in: "America/New_York")
        let all = Array(counted)
        counted.exceptions = (5..<90).filter { $0 % 3 != 0 }.map {
            .day(first.adding(days: $0 - 59))
        }
        let days = Set(counted.exceptions)
        #expect(Array(counted) == all.filter { !days.contains(.day($0.wall.date)) })
    }

    /// Excluded days of a rule with several times a day.
    @Test(arguments: [
        "FREQ=DAILY;BYHOUR=8,9,10;BYMINUTE=0,20,40;COUNT=4000",
        "FREQ=YEARLY;BYHOUR=3,9;BYDAY=MO,TU,FR",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;BYHOUR=1,2,3;BYSETPOS=1,-1;COUNT=900",
        "FREQ=MONTHLY;BYMONTHDAY=1,5,-1;BYMINUTE=0,30;COUNT=300",
        "FREQ=HOURLY;BYMINUTE=0,30;COUNT=3000",
    ])
    func `All times of an excluded day are left out, and count`(_ rule: String) throws {
        var some = try recurrence("20260105T010000", rule, in: "Europe/Paris")
        let all = Array(some.prefix(1500))
        let first = try CivilDate(year: 2026, month: 1, day: 1)
        some.exceptions = (0..<700).filter { $0 % 7 < 4 }.map { .day(first.adding(days: $0)) }
        let days = Set(some.exceptions)
        let left = all.filter { !days.contains(.day($0.wall.date)) }
        #expect(!left.isEmpty)
        #expect(Array(some.prefix(left.count)) == left)
    }

    @Test func `A rule ends if all its occurrences are left out for very long`() throws {
        var some = try recurrence(
            "20260101T000000", "FREQ=SECONDLY;BYSECOND=0,1,2,3,4,5,6,7,8,9;COUNT=2000000000")
        let first = try CivilDate(year: 2026, month: 1, day: 1)
        some.exceptions = (0..<9000).map { .day(first.adding(days: $0)) }
        var occurrences = some.makeIterator()
        #expect(occurrences.next() == nil)
        #expect(occurrences.leftOut == 10_000_000)
    }

    @Test(arguments: [
        "FREQ=SECONDLY;COUNT=2000000000", "FREQ=HOURLY;INTERVAL=5;COUNT=2147483647",
        "FREQ=DAILY;INTERVAL=2;COUNT=800000", "FREQ=WEEKLY;INTERVAL=3;COUNT=200000;WKST=SU",
    ])
    func `A counted rule that began long ago is not computed from its start`(
        _ rule: String
    ) throws {
        let counted = try recurrence("00010103T104500", rule, in: "Europe/Paris")
        let free = try recurrence(
            "00010103T104500",
            rule.split(separator: ";").filter { !$0.hasPrefix("COUNT") }.joined(separator: ";"),
            in: "Europe/Paris")
        let since = try Moment.parse("0060-05-05T00:00:00Z")
        let isHere = { (occurrence: Occurrence) in (occurrence.moment ?? since) > since }
        let found = IteratorSequence(counted.occurrences(since: since)).lazy.filter(isHere)
        let expected = IteratorSequence(free.occurrences(since: since)).lazy.filter(isHere)
        #expect(Array(found.prefix(50)) == Array(expected.prefix(50)))
    }

    @Test(arguments: [
        "FREQ=DAILY;COUNT=40", "FREQ=WEEKLY;INTERVAL=2;COUNT=9", "FREQ=HOURLY;COUNT=700",
    ])
    func `A counted rule has the same end wherever the iteration begins`(_ rule: String) throws {
        let counted = try recurrence("20260320T023000", rule, in: "Europe/Paris")
        let all = Array(counted)
        for place in stride(from: 0, to: all.count, by: max(1, all.count / 40)) {
            let since = try #require(all[place].moment)
            let left = Array(IteratorSequence(counted.occurrences(since: since)))
            #expect(left.filter { $0.moment ?? since >= since } == Array(all[place...]))
        }
        let after = try #require(all.last?.moment).advanced(bySeconds: 40 * 86_400)
        #expect(
            IteratorSequence(counted.occurrences(since: after)).allSatisfy {
                $0.moment ?? after < after
            })
    }
}
