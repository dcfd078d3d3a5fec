import Agenda
import Planning
import Timekeeping
import Wording

/// A meeting as lists show it.
struct MeetingCard: Sendable {
    let id: String
    let occurrence: String?
    let name: String
    let place: String?
    let startsAt: Moment
    let endsAt: Moment
    /// The time zone of the reader.
    let zone: Zone
    /// The time zone of the meeting.
    let home: Zone?
    /// The days that it fills; `nil` if it has a time of day.
    let days: WholeDays?
    /// The days on which the reader sees it.
    let span: MeetingDays
    /// The day of whose list it is a part; `nil` in a list without days.
    private var shownDay: CivilDate?
    let repeats: String?
    let counts: String
    let isCancelled: Bool
    /// The answer of the reader.
    let own: Answer?
    /// True if the reader answers this date alone, and not the series.
    let isAnsweredByDate: Bool
    /// The minutes since the end of the meeting before it on the same day.
    var gapMinutes: Int?

    init(_ line: MeetingLine, _ visitor: Visitor) {
        id = line.id
        occurrence = line.occurrence
        name = line.title
        place = line.place
        startsAt = line.start.moment
        endsAt = line.end.moment
        zone = visitor.planner.zone
        home = line.start.zone
        days = line.days
        span = line.shownDays(in: visitor.planner.zone)
        repeats = line.repetition(in: visitor.language)
        counts = line.answers(in: visitor.language)
        isCancelled = line.status == .cancelled
        own = line.own
        isAnsweredByDate = line.isAnsweredByDate
    }

    /// The day on which it starts, for the reader.
    var day: CivilDate { span.first }

    /// The same meeting in the list of a day.
    func on(_ day: CivilDate) -> MeetingCard {
        var card = self
        card.shownDay = day
        return card
    }

    /// The number of the day on which it is shown; `nil` if it has only one day, or is in a list
    /// without days.
    private var dayNumber: Int? { span.count > 1 ? shownDay.map(span.number(of:)) : nil }

    /// The time at which it starts, or on a later day the time at which it ends.
    private func start(_ words: PageWords) -> String {
        guard days == nil else { return words("All day") }
        switch dayNumber {
        case nil, 1: return zone.wallTime(at: startsAt).time.shortText
        case span.count:
            return words("until %time%", ["time": zone.wallTime(at: endsAt).time.shortText])
        default: return words("All day")
        }
    }

    /// True if the reader's time is taken.
    private var takesTime: Bool { !isCancelled && own != .declined && days == nil }

    /// The same cards, each of those that the reader attends with the time since the one before it.
    static func spaced(_ cards: [MeetingCard]) -> [MeetingCard] {
        var latest: Moment?
        return cards.map { card in
            var card = card
            guard card.takesTime else { return card }
            if let latest {
                card.gapMinutes = Int(card.startsAt.milliseconds(since: latest) / 60_000)
            }
            latest = max(latest ?? card.endsAt, card.endsAt)
            return card
        }
    }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "id": .text(id), "query": .text(occurrence.map { "?date=\($0)" } ?? ""),
            "name": .text(name), "counts": .text(counts), "isCancelled": .flag(isCancelled),
            "start": .text(start(words)),
            "startISO": .text(startsAt.utcText),
            "answerQuery": .text(
                isAnsweredByDate ? occurrence.map { "?date=\($0)" } ?? "" : ""),
            "startForForm": .text("\(startsAt.milliseconds)"),
            "length": .text(
                days == nil && dayNumber != nil
                    ? "" : words.length(endsAt.milliseconds(since: startsAt) / 60_000)),
            "when": .text(words.plainRange(from: startsAt, to: endsAt, in: zone, at: home)),
            "isTight": .flag((gapMinutes ?? 60) < 30),
        ]
        values[text: "place"] = place
        values[text: "repeats"] = repeats
        values[text: "dayOf"] = dayNumber.map {
            words("day %n% of %count%", ["n": "\($0)", "count": "\(span.count)"])
        }
        values[text: "ownAnswer"] =
            switch own {
            case .declined? where !isCancelled: words("You're not coming")
            case .maybe? where !isCancelled: words("You may come")
            default: nil
            }
        values[text: "gap"] = gapMinutes.map { gap in
            gap < 0
                ? words("Overlaps with the meeting before")
                : words("%length% until the next meeting", ["length": words.length(Int64(gap))])
        }
        return values
    }

    /// The names of its variables.
    static let names = [
        "id", "query", "name", "counts", "isCancelled", "start", "startISO", "startForForm",
        "answerQuery",
        "length", "when",
        "isTight", "place", "repeats", "gap", "ownAnswer", "dayOf",
    ]
}

extension PageWords {
    /// A period in the reader's time zone, which is not named: all lists are in it.
    func plainRange(from start: Moment, to end: Moment, in zone: Zone, at home: Zone?) -> String {
        let text = TimeWords.range(from: start, to: end, in: zone, at: home, language)
        let name = " (\(zone.id))"
        return text.hasSuffix(name) ? String(text.dropLast(name.count)) : text
    }

    /// A moment in the reader's time zone, exact to the minute, as in "Tue 1 December 2026, 18:00".
    func moment(_ moment: Moment, in zone: Zone) -> String {
        let wall = zone.wallTime(at: Moment(seconds: moment.seconds / 60 * 60))
        return "\(TimeWords.date(wall.date, in: language)), \(wall.time.shortText)"
    }

    /// The start of a meeting, as in "Tue 1 December 2026, 18:00"; of whole days, the first one.
    func start(_ start: Timestamp, in zone: Zone) -> String {
        TimeWords.start(start.moment, in: zone, at: start.zone, language)
    }

    /// The start of a meeting, or all its days if it lasts whole days.
    func start(_ start: Timestamp, through end: Timestamp, in zone: Zone) -> String {
        start.days(through: end).map { TimeWords.days($0, in: language) }
            ?? moment(start.moment, in: zone)
    }

    /// A length of time, as in "1 h 30 min".
    func length(_ minutes: Int64) -> String {
        let (hours, rest) = (minutes / 60, minutes % 60)
        if hours >= 24, hours % 24 == 0, rest == 0 {
            return self(Int(hours / 24), "1 day", "%n% days")
        }
        let parts = [hours > 0 ? "\(hours) h" : "", rest > 0 || hours == 0 ? "\(rest) min" : ""]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
