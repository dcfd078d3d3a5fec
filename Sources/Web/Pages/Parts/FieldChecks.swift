import Agenda
import Planning
import Timekeeping

/// Checks the fields of a form for a meeting one by one, so that each fault stands beside its
/// field, and all are shown at once.
struct FieldChecks {
    private(set) var faults: [FieldFault] = []
    private let planner: Planner

    init(for planner: Planner) { self.planner = planner }

    /// Notes the error of a check as the fault of a field.
    ///
    /// - Throws: an error that is a bug.
    private mutating func check(_ field: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            faults.append(try FieldFault(error, field: field))
        }
    }

    mutating func title(_ text: String) throws {
        try check("title") {
            try MeetingRules.checkLine(
                text, named: "title", charactersMax: MeetingRules.titleCharactersMax)
        }
    }

    mutating func note(_ text: String) throws {
        try check("note") {
            try MeetingRules.checkText(
                text, named: "note", charactersMax: MeetingRules.noteCharactersMax)
        }
    }

    mutating func link(_ text: String) throws {
        try check("link") { try MeetingRules.checkLink(text) }
    }

    mutating func duration(_ text: String) throws {
        try check("duration") { try MeetingRules.check(duration: try TimeSpan.parse(text)) }
    }

    /// Checks the last of whole days.
    mutating func lastDay(_ text: String, from first: String) throws {
        guard !text.isEmpty, let start = day(first) else { return }
        let last = day(text, ownDay: OwnDay(ofStart: start))
        try check("lastDay") {
            guard let last, last >= start else {
                throw Refusal(
                    .invalid, code: "bad_end", "The last day is before the first.")
            }
            let days = last.daysSince1970 - start.daysSince1970 + 1
            try MeetingRules.check(duration: TimeSpan(days: days, seconds: 0))
        }
    }

    /// Checks the time until which people are asked to answer.
    mutating func answerBy(_ text: String) throws {
        let now = planner.zone.wallTime(at: planner.now)
        try check("answerBy") {
            if !text.isEmpty { _ = try TypedTime.parse(text, now: now) }
        }
    }

    private func day(_ text: String, ownDay: OwnDay? = nil) -> CivilDate? {
        TypedTime.day(text, now: planner.zone.wallTime(at: planner.now), ownDay: ownDay)
    }

    mutating func reminders(_ text: String) throws {
        try check("reminders") {
            try MeetingRules.check(reminders: try ReminderText.parse(text))
        }
    }

    mutating func zone(_ name: String?) throws {
        guard let name else { return }
        let zones = planner.surroundings.zones
        try check("zone") { _ = try zones.zone(name) }
    }

    /// Checks a date and time, and a repetition from there.
    mutating func time(_ text: String, repetition: String?) throws {
        var start: CivilDate?
        let now = planner.zone.wallTime(at: planner.now)
        try check("date") {
            if let period = TypedPeriod(text, now: now), !period.isLikely {
                throw Refusal(
                    .invalid, code: "bad_end",
                    "The end \(period.end.shortText) is not after the start. Correct it, or give "
                        + "the length.")
            }
            switch try TypedTime.parse(text, now: now) {
            case .wall(let wall): start = wall.date
            case .date(let date): start = date
            case .instant, .fromNow: break
            }
        }
        guard let start, let repetition, repetition.contains(where: { !$0.isWhitespace }) else {
            return
        }
        let planner = planner
        try check("repeat") { try planner.checkRepetition(repetition, from: start) }
    }
}
