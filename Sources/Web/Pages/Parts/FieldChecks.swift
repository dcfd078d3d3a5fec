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
            if case .wall(let wall) = try TypedTime.parse(text, now: now) { start = wall.date }
        }
        guard let start, let repetition, repetition.contains(where: { !$0.isWhitespace }) else {
            return
        }
        let planner = planner
        try check("repeat") { try planner.checkRepetition(repetition, from: start) }
    }
}
