import Foundation
import TestKit
import Testing
import Timekeeping
import Wording

/// Recurrence rules in German.
@Suite struct GermanRepetitionTests {
    /// Common rules and their words.
    static let everyday = [
        ("FREQ=DAILY", "jeden Tag"), ("FREQ=DAILY;COUNT=1", "an einzelnen Terminen"),
        ("FREQ=DAILY;INTERVAL=3", "alle 3 Tage"),
        ("FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0", "jeden Tag um 09:00 und 17:00 Uhr"),
        ("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "jeden Tag, nur montags bis freitags"),
        ("FREQ=WEEKLY", "jede Woche"),
        ("FREQ=WEEKLY;BYDAY=TU", "jeden Dienstag"),
        ("FREQ=WEEKLY;BYDAY=TU,TH", "jeden Dienstag und Donnerstag"),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=1", "jeden Montag, Mittwoch und Freitag, einmal"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "montags bis freitags"),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU;UNTIL=20270303",
            "alle 2 Wochen am Dienstag bis zum 3. März 2027"
        ),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR", "alle 2 Wochen montags bis freitags"),
        ("FREQ=MONTHLY", "jeden Monat"),
        ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=10", "jeden Monat am letzten Freitag, 10 Mal"),
        ("FREQ=MONTHLY;BYDAY=1MO,3MO", "jeden Monat am ersten und dritten Montag"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "jeden Monat am 1. und 15."),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "jeden Monat am letzten Tag"),
        ("FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "jeden Monat am 13., nur freitags"),
        (
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "jeden Monat am letzten Werktag (Mo–Fr)"
        ),
        ("FREQ=YEARLY", "jedes Jahr"),
        ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24", "jedes Jahr am 24. Dezember"),
        ("FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24,31", "jedes Jahr am 24. und 31. Dezember"),
        ("FREQ=YEARLY;BYMONTH=5;BYDAY=2SU", "jedes Jahr am zweiten Sonntag im Mai"),
    ]

    @Test(arguments: everyday)
    func `A common rule is worded as people say it`(_ text: String, _ words: String) throws {
        #expect(try German.words(text) == words)
    }

    /// Rules with rare parts, and rules that could be confused with others.
    static let rare = [
        ("FREQ=SECONDLY;INTERVAL=100000000", "alle 100000000 Sekunden"),
        ("FREQ=MINUTELY;BYHOUR=9;BYSECOND=0", "jede Minute zur Sekunde 0, nur in Stunde 9"),
        ("FREQ=HOURLY;BYMONTH=7;BYDAY=SA,SU", "jede Stunde im Juli, nur samstags und sonntags"),
        ("FREQ=HOURLY;BYYEARDAY=-1,100", "jede Stunde, nur am 100. und letzten Tag des Jahres"),
        ("FREQ=DAILY;BYHOUR=9", "jeden Tag in Stunde 9"),
        ("FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0", "jeden Tag um 09:00:00 Uhr"),
        (
            "FREQ=DAILY;BYHOUR=8,9,10;BYMINUTE=0,20,40",
            "jeden Tag in Stunde 8, 9 und 10, jeweils zur Minute 0, 20 und 40"
        ),
        (
            "FREQ=DAILY;BYHOUR=9,17;BYMINUTE=0;BYSETPOS=-1",
            "jeden Tag um 09:00 und 17:00 Uhr (je Tag nur der letzte Termin)"
        ),
        ("FREQ=DAILY;INTERVAL=2;BYMONTH=6,7", "alle 2 Tage, nur im Juni und Juli"),
        ("FREQ=WEEKLY;BYMONTH=7;BYDAY=TU", "jeden Dienstag im Juli"),
        (
            "FREQ=WEEKLY;INTERVAL=2;BYMONTH=7;BYDAY=TU;UNTIL=20270303T180000",
            "alle 2 Wochen am Dienstag, nur im Juli, bis zum 3. März 2027, 18:00 Uhr"
        ),
        (
            "FREQ=WEEKLY;BYDAY=MO,SU;BYSETPOS=1;WKST=SU",
            "jede Woche am Montag und Sonntag"
                + " (je Woche nur der erste Termin; Wochen beginnen am Sonntag)"
        ),
        (
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU;UNTIL=20270303T180001Z",
            "alle 2 Wochen (Wochen beginnen am Sonntag) bis zum 3. März 2027, 18:00:01 Uhr UTC"
        ),
        ("FREQ=MONTHLY;BYMONTHDAY=-2,-1,1", "jeden Monat am 1., vorletzten und letzten Tag"),
        ("FREQ=MONTHLY;BYMONTHDAY=-3,-12,-13", dayList),
        ("FREQ=MONTHLY;BYMONTH=7;BYMONTHDAY=4", "jeden Monat am 4., nur im Juli"),
        ("FREQ=MONTHLY;BYDAY=TU,TH", "jeden Monat dienstags und donnerstags"),
        (
            "FREQ=MONTHLY;BYDAY=SU,2TU,-1FR,1TU",
            "jeden Monat sonntags, am ersten und zweiten Dienstag und am letzten Freitag"
        ),
        (
            "FREQ=MONTHLY;BYDAY=TU,TH;BYSETPOS=-2,3,13",
            "jeden Monat dienstags und donnerstags"
                + " (je Monat nur der dritte, 13. und vorletzte Termin)"
        ),
        ("FREQ=YEARLY;BYMONTHDAY=5", "jedes Jahr am 5. jedes Monats"),
        ("FREQ=YEARLY;BYMONTH=6,7", "jedes Jahr im Juni und Juli"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", "jedes Jahr am letzten Tag im Februar"),
        ("FREQ=YEARLY;BYMONTH=6,7;BYMONTHDAY=1", "jedes Jahr am 1. im Juni und Juli"),
        (
            "FREQ=YEARLY;BYMONTH=6,7;BYDAY=-1FR",
            "jedes Jahr am letzten Freitag im Juni und im Juli"
        ),
        ("FREQ=YEARLY;BYDAY=20MO", "jedes Jahr am 20. Montag des Jahres"),
        ("FREQ=YEARLY;BYDAY=FR;BYMONTH=3", "jedes Jahr freitags im März"),
        (
            "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1",
            "jedes Jahr am ersten Werktag (Mo–Fr) des Jahres"
        ),
        (
            "FREQ=YEARLY;BYMONTH=6,7;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
            "jedes Jahr montags bis freitags im Juni und Juli (je Jahr nur der letzte Termin)"
        ),
        ("FREQ=YEARLY;BYYEARDAY=100;BYMONTH=4", "jedes Jahr am 100. Tag des Jahres, nur im April"),
        (
            "FREQ=YEARLY;BYWEEKNO=1,20,-1;BYDAY=MO;WKST=SU",
            "jedes Jahr in Kalenderwoche 1 und 20 und in der letzten Kalenderwoche am Montag"
                + " (Wochen beginnen am Sonntag)"
        ),
        (
            "FREQ=YEARLY;BYWEEKNO=20;BYMONTHDAY=15;BYDAY=MO;BYHOUR=9;BYMINUTE=5",
            "jedes Jahr in Kalenderwoche 20 um 09:05 Uhr, nur am 15. jedes Monats, nur montags"
        ),
    ]

    private static let dayList =
        "jeden Monat am 13.-letzten, zwölftletzten und drittletzten Tag"

    @Test(arguments: rare)
    func `A rare rule is worded without ambiguity`(
        _ text: String, _ words: String
    ) throws {
        #expect(try German.words(text) == words)
    }

    @Test func `A rule in English is worded as the rule itself does`() throws {
        let rule = try RecurrenceRule("FREQ=WEEKLY;INTERVAL=2;BYDAY=TU")
        #expect(TimeWords.repetition(rule) == "every 2nd Tuesday")
    }

    /// Checks all known rules, and each of them with one part changed.
    @Test func `Different rules have different words`() throws {
        let texts = (Self.everyday + Self.rare).map(\.0) + (try German.truth)
        var rules: [String: Set<RecurrenceRule>] = [:]
        for text in texts.flatMap({ [$0] + German.variations(of: $0) }) {
            guard let rule = try? RecurrenceRule(text) else { continue }
            rules[TimeWords.repetition(rule, in: .german), default: []].insert(rule)
        }
        #expect(rules.count > 700, "\(rules.count)")
        #expect(!rules.keys.contains(""))
        for (words, same) in rules where same.count > 1 {
            #expect(try German.differOnlyInIdleWeekStart(same), "\(words): \(same)")
        }
    }
}

private enum German {
    private struct Answer: Decodable {
        let rrule: String?
    }

    static func words(_ text: String) throws -> String {
        TimeWords.repetition(try RecurrenceRule(text), in: .german)
    }

    /// The rules from the shared test data beside the checkout; empty if there is none.
    static var truth: [String] {
        get throws {
            let file = Checkout.shared + "/truth/rrule_open.jsonl"
            guard FileManager.default.fileExists(atPath: file) else { return [] }
            return try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
                .compactMap { try JSONDecoder().decode(Answer.self, from: Data($0.utf8)).rrule }
        }
    }

    /// Variations of a rule's text: with one part left out, with another number in one part, with
    /// another frequency, and with one part added. Some are not valid rules.
    static func variations(of text: String) -> [String] {
        let parts = text.split(separator: ";").map(String.init)
        let without = parts.map { part in parts.filter { $0 != part }.joined(separator: ";") }
        let raised = parts.map { part in
            text.replacing(part, with: part.replacing(#/\d+/#) { "\((Int($0.output) ?? 0) + 1)" })
        }
        let turned = parts.map { text.replacing($0, with: $0.replacing("=", with: "=-")) }
        let steps = RecurrenceRule.Frequency.allCases.map { step in
            text.replacing(#/FREQ=[A-Z]+/#, with: "FREQ=\(step.rawValue)")
        }
        return without + raised + turned + steps + further.map { "\(text);\($0)" }
    }

    /// Parts to add: at least one of each kind.
    private static let further = [
        "INTERVAL=4", "COUNT=7", "UNTIL=20300101", "UNTIL=20300101T000000",
        "UNTIL=20300101T000000Z", "WKST=WE", "BYMONTH=2", "BYMONTH=2,3", "BYWEEKNO=-3",
        "BYYEARDAY=77", "BYMONTHDAY=-31", "BYMONTHDAY=9,-1", "BYDAY=WE", "BYDAY=-2WE,3TH",
        "BYDAY=MO,TU,WE,TH,FR", "BYHOUR=5", "BYMINUTE=6", "BYSECOND=7", "BYSETPOS=1,-366",
    ]

    /// True if rules with the same words differ only in the first day of the week, and their
    /// occurrences are the same.
    static func differOnlyInIdleWeekStart(_ rules: Set<RecurrenceRule>) throws -> Bool {
        let rest = Set(rules.map { $0.description.replacing(#/;WKST=../#, with: "") })
        let times = try [1, 4].map { day in
            let date = try CivilDate(year: 2026, month: 12, day: day)
            let start = CalendarStamp.wall(WallTime(date: date, time: .noon))
            return Set(
                try rules.map { rule in
                    Array(try Recurrence(start: start, in: nil, rule: rule).prefix(20).map(\.wall))
                })
        }
        return rest.count == 1 && times.allSatisfy { $0.count == 1 }
    }
}
