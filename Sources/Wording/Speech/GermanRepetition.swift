import Timekeeping

/// A rule of recurrence in German: "alle 2 Wochen am Dienstag bis zum 3. März 2027".
///
/// What lays out the occurrences comes first, then what lets only some of these through, behind
/// "nur": "jeden Monat am 13., nur freitags". "Werktag" alone would be a Saturday, too.
struct GermanRepetition {
    private let rule: RecurrenceRule

    init(_ rule: RecurrenceRule) {
        self.rule = rule
    }

    var words: String {
        let (days, times) = (dayLists, timeWords)
        let laidDays = rule.frequency > .daily ? 1 : 0
        let laidMonths = laysOutMonths ? [monthWords] : []
        let pickedMonths = laysOutMonths ? [] : [monthWords]
        let laid = [steps] + days.prefix(laidDays) + laidMonths + [times.laid]
        let picked = days.dropFirst(laidDays) + pickedMonths + times.picked
        let only = picked.filter { !$0.isEmpty }.map { ", nur \($0)" }.joined()
        return Self.phrase(laid) + only + noteWords + endWords(isAfterComma: !only.isEmpty)
    }

    private static func phrase(_ words: [String]) -> String {
        words.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

// MARK: - Steps

extension GermanRepetition {
    /// "alle 2 Wochen", or, where days of the week say it all, "jeden Dienstag".
    private var steps: String {
        guard rule.frequency == .weekly, !rule.days.isEmpty else { return unitSteps }
        // What is picked is picked from each week, which is to be named then.
        guard rule.interval == 1, rule.positions.isEmpty else {
            return "\(unitSteps) \(weekdaysOfWeek)"
        }
        return isOfWorkdays ? weekdaysOfWeek : "jeden \(Self.sentence(weekdayNames))"
    }

    private var unitSteps: String {
        rule.interval == 1 ? "\(unit.each) \(unit.name)" : "alle \(rule.interval) \(unit.plural)"
    }

    private var unit: (each: String, name: String, plural: String) {
        switch rule.frequency {
        case .secondly: ("jede", "Sekunde", "Sekunden")
        case .minutely: ("jede", "Minute", "Minuten")
        case .hourly: ("jede", "Stunde", "Stunden")
        case .daily: ("jeden", "Tag", "Tage")
        case .weekly: ("jede", "Woche", "Wochen")
        case .monthly: ("jeden", "Monat", "Monate")
        case .yearly: ("jedes", "Jahr", "Jahre")
        }
    }

    /// "am Dienstag und Donnerstag", each once in a week that is named.
    private var weekdaysOfWeek: String {
        isOfWorkdays ? Self.workdays : "am \(Self.sentence(weekdayNames))"
    }
}

// MARK: - Days

extension GermanRepetition {
    private static let workdays = "montags bis freitags"

    /// The lists of days: the first one lays out the days of a step where steps have days, and the
    /// others pick from these.
    private var dayLists: [String] {
        var lists: [String] = []
        if !rule.weekNumbers.isEmpty {
            lists.append(Self.phrase([weekWords, isOfWeeks ? weekdaysOfWeek : ""]))
        }
        if !rule.yearDays.isEmpty {
            lists.append("am \(Self.numbers(rule.yearDays)) Tag des Jahres")
        }
        if !rule.monthDays.isEmpty { lists.append(monthDayWords) }
        if rule.frequency != .weekly, !rule.days.isEmpty, !isOfWeeks { lists.append(weekdayWords) }
        return lists
    }

    /// Whether days of the week are those of weeks by their numbers, and nothing else is named.
    private var isOfWeeks: Bool {
        !rule.days.isEmpty && !rule.weekNumbers.isEmpty && rule.monthDays.isEmpty
            && rule.yearDays.isEmpty
    }

    /// "in Kalenderwoche 1 und 20 und in der letzten Kalenderwoche".
    private var weekWords: String {
        let (first, last) = (rule.weekNumbers.filter { $0 > 0 }, rule.weekNumbers.filter { $0 < 0 })
        let parts = [
            first.isEmpty ? "" : "in Kalenderwoche \(Self.sentence(first.map(String.init)))",
            last.isEmpty ? "" : "in der \(Self.numbers(last)) Kalenderwoche",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " und ")
    }

    /// "am 1. und 15.", "am letzten Tag"; "am 24. Dezember" where that is all, and "am 5. jedes
    /// Monats" where months are not the steps.
    private var monthDayWords: String {
        let isFromEnd = rule.monthDays.contains { $0 < 0 }
        let isOfEach = rule.frequency == .yearly && rule.months.isEmpty
        let ending = isOfDates ? " \(monthNames[0])" : isOfEach ? " jedes Monats" : ""
        return "am \(Self.numbers(rule.monthDays))\(isFromEnd ? " Tag" : "")\(ending)"
    }

    /// Whether days and the month are those of dates, such as "24. Dezember".
    private var isOfDates: Bool {
        rule.frequency == .yearly && laysOutMonths && rule.months.count == 1
            && !rule.monthDays.isEmpty && rule.monthDays.allSatisfy { $0 > 0 }
    }

    /// "montags und am ersten und dritten Freitag", "am letzten Werktag (Mo–Fr)".
    private var weekdayWords: String {
        let isOfYear = isOfPlacedDays && rule.frequency == .yearly && rule.months.isEmpty
        return dayNames + (isOfYear ? " des Jahres" : "")
    }

    private var isOfPlacedDays: Bool { picksWorkdays || rule.days.contains { $0.place != 0 } }

    private var dayNames: String {
        if picksWorkdays { return "am \(Self.places(rule.positions)) Werktag (Mo–Fr)" }
        if isOfWorkdays { return Self.workdays }
        let each = rule.days.filter { $0.place == 0 }.map {
            "\(GermanSpeech.name($0.weekday).lowercased())s"
        }
        return Self.sentence(each + placedDays)
    }

    /// "am ersten und dritten Freitag", for each day of the week.
    private var placedDays: [String] {
        Weekday.allCases.compactMap { weekday in
            let places = rule.days.filter { $0.weekday == weekday && $0.place != 0 }.map(\.place)
            return places.isEmpty ? nil : "am \(Self.places(places)) \(GermanSpeech.name(weekday))"
        }
    }

    private var weekdayNames: [String] { rule.days.map { GermanSpeech.name($0.weekday) } }

    /// Monday to Friday, each.
    private var isOfWorkdays: Bool {
        rule.days == Weekday.allCases.dropLast(2).map { RecurrenceRule.Day($0) }
    }

    /// Whether positions pick from the days from Monday to Friday of a month or a year alone.
    private var picksWorkdays: Bool {
        let others = [
            rule.monthDays, rule.yearDays, rule.weekNumbers, rule.hours, rule.minutes, rule.seconds,
        ]
        return !rule.positions.isEmpty && isOfWorkdays && others.allSatisfy(\.isEmpty)
            && (rule.frequency == .monthly || rule.frequency == .yearly && rule.months.count <= 1)
    }
}

// MARK: - Months

extension GermanRepetition {
    /// Whether months say where the steps are, rather than which of them are let through.
    private var laysOutMonths: Bool {
        switch rule.frequency {
        case .yearly: rule.weekNumbers.isEmpty && rule.yearDays.isEmpty
        case .monthly: false
        case .secondly, .minutely, .hourly, .daily, .weekly: rule.interval == 1
        }
    }

    /// "im Juni und Juli"; "im Juni und im Juli" with places, which are those of each of them.
    private var monthWords: String {
        guard !isOfDates, !rule.months.isEmpty else { return "" }
        let hasPlaces = isOfPlacedDays || rule.monthDays.contains { $0 < 0 }
        return "im \(Self.sentence(monthNames, each: hasPlaces ? "im " : ""))"
    }

    private var monthNames: [String] { rule.months.map { GermanSpeech.months[$0 - 1] } }
}

// MARK: - Times

extension GermanRepetition {
    private static let timesMax = 6

    /// "um 09:00 und 17:00 Uhr", where these are few and no more than the seconds is left open.
    private var clockTimes: String? {
        let count = rule.hours.count * rule.minutes.count * max(1, rule.seconds.count)
        guard rule.frequency > .hourly, (1...Self.timesMax).contains(count) else { return nil }
        let times = rule.hours.flatMap { hour in
            rule.minutes.flatMap { minute in
                let start = Self.twoDigits(hour) + ":" + Self.twoDigits(minute)
                guard !rule.seconds.isEmpty else { return [start] }
                return rule.seconds.map { "\(start):\(Self.twoDigits($0))" }
            }
        }
        return "um \(Self.sentence(times)) Uhr"
    }

    /// "in Stunde 9", "zur Minute 0 und 30": what is as long as a step, or longer, only lets some
    /// of the steps through.
    private var timeWords: (laid: String, picked: [String]) {
        let lists: [(name: String, numbers: [Int], step: RecurrenceRule.Frequency)] = [
            ("in Stunde", rule.hours, .hourly), ("zur Minute", rule.minutes, .minutely),
            ("zur Sekunde", rule.seconds, .secondly),
        ]
        func words(_ isMeant: (RecurrenceRule.Frequency) -> Bool) -> [String] {
            lists.filter { !$0.numbers.isEmpty && isMeant($0.step) }.map { list in
                "\(list.name) \(Self.sentence(list.numbers.map(String.init)))"
            }
        }
        let laid = clockTimes ?? words { $0 < rule.frequency }.joined(separator: ", jeweils ")
        return (laid, words { $0 >= rule.frequency })
    }

    private static func twoDigits(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}

// MARK: - What is picked, and the end

extension GermanRepetition {
    /// "(je Woche nur der letzte Termin; Wochen beginnen am Sonntag)".
    private var noteWords: String {
        let notes = [positionWords, weekStartWords].filter { !$0.isEmpty }
        return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    }

    private var positionWords: String {
        guard !rule.positions.isEmpty, !picksWorkdays else { return "" }
        return "je \(unit.name) nur der \(Self.places(rule.positions, ending: "e")) Termin"
    }

    /// With which day weeks begin, where it matters and it is not Monday.
    private var weekStartWords: String {
        let picksWeeks = rule.interval > 1 || !rule.positions.isEmpty
        let matters = rule.frequency == .weekly && picksWeeks || !rule.weekNumbers.isEmpty
        guard matters, rule.weekStart != .monday else { return "" }
        return "Wochen beginnen am \(GermanSpeech.name(rule.weekStart))"
    }

    private func endWords(isAfterComma: Bool) -> String {
        switch rule.end {
        case .never: ""
        case .count(let count): count == 1 ? ", einmal" : ", \(count) Mal"
        case .until(let stamp): "\(isAfterComma ? "," : "") bis zum \(Self.words(of: stamp))"
        }
    }

    private static func words(of stamp: CalendarStamp) -> String {
        switch stamp {
        case .day(let date): GermanSpeech.day(date)
        case .wall(let wall): "\(GermanSpeech.day(wall.date)), \(wall.time.shortText) Uhr"
        case .utc(let moment):
            "\(words(of: .wall(WallTime(secondsSince1970: moment.seconds)))) UTC"
        }
    }
}

// MARK: - Numbers and lists

extension GermanRepetition {
    private static let stems = [
        "erst", "zweit", "dritt", "viert", "fünft", "sechst", "siebt", "acht", "neunt", "zehnt",
        "elft", "zwölft",
    ]

    /// "1., 15. und letzten", as numbers in a month or a year are written.
    private static func numbers(_ numbers: [Int]) -> String {
        sentence(ascending(numbers).map { $0 > 0 ? "\($0)." : place($0, ending: "en") })
    }

    /// "ersten, dritten und letzten".
    private static func places(_ numbers: [Int], ending: String = "en") -> String {
        sentence(ascending(numbers).map { place($0, ending: ending) })
    }

    /// Those from the beginning come before those from the end.
    private static func ascending(_ numbers: [Int]) -> [Int] {
        numbers.filter { $0 > 0 } + numbers.filter { $0 < 0 }
    }

    /// "dritten", "13.", "letzten", "vorletzten", "drittletzten", "13.-letzten".
    private static func place(_ number: Int, ending: String) -> String {
        switch number {
        case -1: "letzt\(ending)"
        case -2: "vorletzt\(ending)"
        case 1...stems.count: "\(stems[number - 1])\(ending)"
        case -stems.count ... -1: "\(stems[-number - 1])letzt\(ending)"
        default: number > 0 ? "\(number)." : "\(-number).-letzt\(ending)"
        }
    }

    /// "a, b und c", with an article before each but the first.
    private static func sentence(_ words: [String], each article: String = "") -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        let first = words.dropLast().joined(separator: ", \(article)")
        return "\(first) und \(article)\(last)"
    }
}
