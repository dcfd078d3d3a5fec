import Timekeeping

/// A recurrence rule in German: "alle 2 Wochen am Dienstag bis zum 3. März 2027".
///
/// The parts that generate the occurrences come first. The parts that filter them follow after
/// "nur": "jeden Monat am 13., nur freitags". Working days are written as "Werktag (Mo–Fr)",
/// because "Werktag" alone includes Saturday.
struct GermanRepetition {
    private let rule: RecurrenceRule

    init(_ rule: RecurrenceRule) {
        self.rule = rule
    }

    var words: String {
        guard rule != .once else { return "an einzelnen Terminen" }
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
    /// The interval, as in "alle 2 Wochen"; or the weekdays alone if these are enough, as in
    /// "jeden Dienstag".
    private var steps: String {
        guard rule.frequency == .weekly, !rule.days.isEmpty else { return unitSteps }
        // Positions pick from each week, so the week must be named.
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

    /// The weekdays within a week that is already named, as in "am Dienstag und Donnerstag".
    private var weekdaysOfWeek: String {
        isOfWorkdays ? Self.workdays : "am \(Self.sentence(weekdayNames))"
    }
}

// MARK: - Days

extension GermanRepetition {
    private static let workdays = "montags bis freitags"

    /// The lists of days. If an interval spans several days, the first list generates the days and
    /// the others filter them.
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

    /// True if the weekdays belong to numbered weeks, and no days of the month or year are given.
    private var isOfWeeks: Bool {
        !rule.days.isEmpty && !rule.weekNumbers.isEmpty && rule.monthDays.isEmpty
            && rule.yearDays.isEmpty
    }

    /// The numbered weeks, as in "in Kalenderwoche 1 und 20 und in der letzten Kalenderwoche".
    private var weekWords: String {
        let (first, last) = (rule.weekNumbers.filter { $0 > 0 }, rule.weekNumbers.filter { $0 < 0 })
        let parts = [
            first.isEmpty ? "" : "in Kalenderwoche \(Self.sentence(first.map(String.init)))",
            last.isEmpty ? "" : "in der \(Self.numbers(last)) Kalenderwoche",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: " und ")
    }

    /// The days of the month, as in "am 1. und 15." or "am letzten Tag"; with the month, as in
    /// "am 24. Dezember"; and "am 5. jedes Monats" in a yearly rule without months.
    private var monthDayWords: String {
        let isFromEnd = rule.monthDays.contains { $0 < 0 }
        let isOfEach = rule.frequency == .yearly && rule.months.isEmpty
        let ending = isOfDates ? " \(monthNames[0])" : isOfEach ? " jedes Monats" : ""
        return "am \(Self.numbers(rule.monthDays))\(isFromEnd ? " Tag" : "")\(ending)"
    }

    /// True if the rule names dates of one month, such as "24. Dezember".
    private var isOfDates: Bool {
        rule.frequency == .yearly && laysOutMonths && rule.months.count == 1
            && !rule.monthDays.isEmpty && rule.monthDays.allSatisfy { $0 > 0 }
    }

    /// The weekdays, as in "montags und am ersten und dritten Freitag" or
    /// "am letzten Werktag (Mo–Fr)".
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

    /// The numbered weekdays, as in "am ersten und dritten Freitag"; one text for each weekday.
    private var placedDays: [String] {
        Weekday.allCases.compactMap { weekday in
            let places = rule.days.filter { $0.weekday == weekday && $0.place != 0 }.map(\.place)
            return places.isEmpty ? nil : "am \(Self.places(places)) \(GermanSpeech.name(weekday))"
        }
    }

    private var weekdayNames: [String] { rule.days.map { GermanSpeech.name($0.weekday) } }

    /// True if the weekdays are exactly Monday to Friday.
    private var isOfWorkdays: Bool {
        rule.days == Weekday.allCases.dropLast(2).map { RecurrenceRule.Day($0) }
    }

    /// True if positions pick from Monday to Friday of a month or a year, and from nothing else.
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
    /// True if the months generate the occurrences instead of filtering them.
    private var laysOutMonths: Bool {
        switch rule.frequency {
        case .yearly: rule.weekNumbers.isEmpty && rule.yearDays.isEmpty
        case .monthly: false
        case .secondly, .minutely, .hourly, .daily, .weekly: rule.interval == 1
        }
    }

    /// The months, as in "im Juni und Juli"; as in "im Juni und im Juli" if positions count within
    /// each month.
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

    /// The times of day, as in "um 09:00 und 17:00 Uhr"; `nil` if there are more than six, if the
    /// rule gives no hours or no minutes, or if it repeats hourly or more often.
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

    /// The hours, minutes and seconds, as in "in Stunde 9" or "zur Minute 0 und 30". A unit that is
    /// at least as long as the rule's frequency only filters the occurrences.
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

// MARK: - Positions and end

extension GermanRepetition {
    /// The remarks in parentheses, as in
    /// "(je Woche nur der letzte Termin; Wochen beginnen am Sonntag)".
    private var noteWords: String {
        let notes = [positionWords, weekStartWords].filter { !$0.isEmpty }
        return notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))"
    }

    private var positionWords: String {
        guard !rule.positions.isEmpty, !picksWorkdays else { return "" }
        return "je \(unit.name) nur der \(Self.places(rule.positions, ending: "e")) Termin"
    }

    /// The first day of the week, if it matters and is not Monday.
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

    /// Days or weeks by number within a month or a year, as in "1., 15. und letzten".
    private static func numbers(_ numbers: [Int]) -> String {
        sentence(ascending(numbers).map { $0 > 0 ? "\($0)." : place($0, ending: "en") })
    }

    /// Positions as ordinal words, as in "ersten, dritten und letzten".
    private static func places(_ numbers: [Int], ending: String = "en") -> String {
        sentence(ascending(numbers).map { place($0, ending: ending) })
    }

    /// The numbers with those counted from the start first, then those counted from the end.
    private static func ascending(_ numbers: [Int]) -> [Int] {
        numbers.filter { $0 > 0 } + numbers.filter { $0 < 0 }
    }

    /// One position, as in "dritten", "13.", "letzten", "vorletzten", "drittletzten" or
    /// "13.-letzten".
    private static func place(_ number: Int, ending: String) -> String {
        switch number {
        case -1: "letzt\(ending)"
        case -2: "vorletzt\(ending)"
        case 1...stems.count: "\(stems[number - 1])\(ending)"
        case -stems.count ... -1: "\(stems[-number - 1])letzt\(ending)"
        default: number > 0 ? "\(number)." : "\(-number).-letzt\(ending)"
        }
    }

    /// A list as in "a, b und c", with the article before each item but the first.
    private static func sentence(_ words: [String], each article: String = "") -> String {
        guard words.count > 1, let last = words.last else { return words.first ?? "" }
        let first = words.dropLast().joined(separator: ", \(article)")
        return "\(first) und \(article)\(last)"
    }
}
