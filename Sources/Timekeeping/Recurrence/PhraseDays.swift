/// The days that a phrase names, collected one by one until it is known that one rule covers them
/// all.
struct PhraseDays {
    /// A named day.
    enum Item: Hashable {
        /// "tuesdays".
        case each(Weekday)
        /// "the last friday".
        case weekday(Weekday, place: Int)
        /// "the last weekday".
        case workday(place: Int)
        /// "the 15th", "the last day".
        case number(Int)

        /// The kind of the item. Only items of one kind fit into one rule.
        fileprivate var kind: Int {
            switch self {
            case .each: 0
            case .weekday: 1
            case .workday: 2
            case .number: 3
            }
        }
    }

    private struct Entry: Hashable {
        let item: Item
        /// The month that is named with it; `nil` if none is.
        var month: Int?
    }

    private var entries: [Entry] = []
    /// True if Saturday and Sunday are named together as the weekend.
    var hasWeekend = false
    /// True if "every" stands before the weekdays.
    var saysEach = false

    var isEmpty: Bool { entries.isEmpty }
    /// The named days, without their months.
    var items: Set<Item> { Set(entries.map(\.item)) }
    /// The months that are named together with days.
    var months: Set<Int> { Set(entries.compactMap(\.month)) }
    var hasEach: Bool { entries.contains { $0.item.kind == 0 } }
    /// True if all items are plain weekdays.
    var isOfEach: Bool { entries.allSatisfy { $0.item.kind == 0 } }

    /// Adds days of the same months. Months after several days apply to all of them: "the first
    /// monday and the last friday of july".
    mutating func add(_ items: [Item], of months: [Int] = []) {
        let isDated = entries.contains { $0.month != nil }
        let open = isDated || months.isEmpty ? [] : entries.map(\.item)
        if !open.isEmpty { entries = [] }
        for item in open + items {
            let dated = months.map { Entry(item: item, month: $0) }
            entries += dated.isEmpty ? [Entry(item: item)] : dated
        }
    }

    /// Converts weekdays to weekdays with a place, because "every second tuesday of the month" is a
    /// place and not a step.
    mutating func place(at place: Int) {
        entries = entries.map { entry in
            guard case .each(let weekday) = entry.item else { return entry }
            return Entry(item: .weekday(weekday, place: place), month: entry.month)
        }
    }

    /// Checks that the days fit into one rule. A rule takes each of its days in each of its months,
    /// and it takes days of two kinds only if both match at once.
    ///
    /// - Throws: ``RecurrenceFault`` if the named days need several rules.
    func checkIsOneRule() throws(RecurrenceFault) {
        guard Set(entries.map(\.item.kind)).count <= 1 else {
            throw RecurrenceFault(
                "", "two kinds of days do not fit into one rule: write a rule for each of them")
        }
        let isDated = !months.isEmpty
        let count = items.count * (isDated ? months.count : 1)
        guard Set(entries).count == count, !isDated || entries.allSatisfy({ $0.month != nil })
        else {
            throw RecurrenceFault(
                "",
                "different days of different months do not fit into one rule: "
                    + "write a rule for each of them")
        }
    }
}

extension PhraseDays {
    /// Monday to Friday.
    static let workdays = Weekday.allCases.dropLast(2)

    /// Parses days one after the other: "mondays and thursdays", "the first, third and last
    /// friday", "4 july".
    ///
    /// - Throws: ``RecurrenceFault`` if there is no day.
    mutating func read(_ words: inout PhraseWords) throws(RecurrenceFault) {
        repeat { try readItem(&words) } while words.take("and", "&", "or") || words.beginsDay
    }

    private mutating func readItem(_ words: inout PhraseWords) throws(RecurrenceFault) {
        _ = words.take("on")
        if words.takeEvery() { saysEach = true }
        _ = words.take("the")
        if words.takeWorkday() {
            add(Self.workdays.map { .each($0) })
        } else if words.takeWeekend() {
            hasWeekend = true
            add([.each(.saturday), .each(.sunday)])
        } else if let weekday = words.takeWeekday() {
            add(words.takeFurtherDays(after: weekday).map { .each($0) })
        } else if let month = words.takeMonth() {
            guard let day = words.takeDayNumber() else { throw words.fault }
            add([.number(day)], of: [month])
        } else {
            try readPlaces(&words)
        }
    }

    /// Parses days with a place or a number: "last friday", "first, third and fifth monday", "last
    /// day", "first weekday", "15th", "4 july", "4th of july".
    private mutating func readPlaces(_ words: inout PhraseWords) throws(RecurrenceFault) {
        let place = words.takePlace()
        guard let first = place ?? words.takeDayNumber(), place != nil || words.next != "last"
        else {
            throw words.fault
        }
        var places = [first]
        while let place = words.takeFurtherPlace() { places.append(place) }
        if let weekday = words.takeWeekday() {
            guard place != nil else { throw Self.unplaced(first, weekday.name) }
            let items = places.map { Item.weekday(weekday, place: $0) }
            return add(items, of: words.takeMonths(afterNumber: false))
        }
        if words.takeWorkday() {
            guard place != nil else { throw Self.unplaced(first, "weekday") }
            let items = places.map { Item.workday(place: $0) }
            return add(items, of: words.takeMonths(afterNumber: false))
        }
        guard words.take("day", "days") || places.allSatisfy({ $0 > 0 }) else {
            throw RecurrenceFault(
                "", "\"the last\" has no day: write \"the last day\" or \"the last friday\"")
        }
        add(places.map { .number($0) }, of: words.takeMonths(afterNumber: true))
    }

    /// The error for phrases such as "3 thursdays", which may be the third one or the next three.
    private static func unplaced(_ number: Int, _ name: String) -> RecurrenceFault {
        let times = number > 1 ? " or \"\(name)s \(number) times\"" : ""
        return RecurrenceFault(
            "",
            "\"\(number) \(name)\" is unclear: "
                + "write \"the \(RecurrenceRule.ordinal(number)) \(name)\"\(times)")
    }
}
