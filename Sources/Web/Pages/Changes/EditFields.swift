import Agenda
import Planning
import Timekeeping

/// The fields of a meeting as a form shows them.
struct EditFields: Equatable, Sendable {
    var title = ""
    var place = ""
    var date = ""
    var time = ""
    var duration = ""
    /// "1" if the meeting lasts whole days, and has no time of day; otherwise empty.
    var allDay = ""
    /// The last of whole days.
    var lastDay = ""
    var repetition = ""
    /// The time until which people are asked to answer; empty for none.
    var answerBy = ""
    var reminders = ""
    var link = ""
    var note = ""
    /// The seats and the people who can join.
    var seating = SeatingFields()

    /// The names of the fields.
    static var all: [(name: String, path: WritableKeyPath<EditFields, String>)] {
        let part: WritableKeyPath<EditFields, SeatingFields> = \.seating
        var all = plain
        for (name, path) in SeatingFields.fields {
            all.append((name: name, path: part.appending(path: path)))
        }
        return all
    }

    private static var plain: [(name: String, path: WritableKeyPath<EditFields, String>)] {
        [
            ("title", \.title), ("place", \.place), ("date", \.date), ("time", \.time),
            ("duration", \.duration), ("allDay", \.allDay), ("lastDay", \.lastDay),
            ("repeat", \.repetition), ("answerBy", \.answerBy), ("reminders", \.reminders),
            ("link", \.link),
            ("note", \.note),
        ]
    }
    /// The beginning of the names of fields that keep the state in which the form was opened.
    static let before = "was-"

    /// The fields of a meeting, with times in the time zone of the meeting.
    init(_ meeting: MeetingView) {
        title = meeting.title
        place = meeting.place?.text ?? ""
        let zone = meeting.start.zone ?? meeting.start.reader
        let start = zone.wallTime(at: meeting.start.moment)
        date = "\(start.date)"
        let last = max(meeting.start.moment, meeting.end.moment.advanced(bySeconds: -1))
        lastDay = "\(zone.wallTime(at: last).date)"
        allDay = meeting.allDay ? "1" : ""
        time = meeting.allDay ? "" : start.time.shortText
        let minutes = meeting.end.moment.milliseconds(since: meeting.start.moment) / 60_000
        duration = "\(minutes)m"
        repetition = meeting.`repeat`.map { Repetitions.value(of: $0, from: start.date) } ?? ""
        answerBy = meeting.answerBy.map { Self.typed(zone.wallTime(at: $0.moment)) } ?? ""
        reminders = meeting.reminders.compactMap { try? TimeSpan.parse($0).typedText }
            .joined(separator: ", ")
        link = meeting.link
        note = meeting.note
        seating = SeatingFields(meeting, in: zone)
    }

    /// A date and time as forms write them.
    private static func typed(_ wall: WallTime) -> String { "\(wall.date)T\(wall.time.shortText)" }

    /// The fields of a submitted form.
    init(_ form: FormFields, before: String = "") {
        for field in Self.all {
            self[keyPath: field.path] =
                form[before + field.name].replacing("\r\n", with: "\n")
        }
        let picked = form["pick"].split(separator: " ").map(String.init)
        if before.isEmpty, picked.count == 3 { (date, time) = (picked[0], picked[1]) }
        if before.isEmpty, let typed = TypedPeriod(times: time), typed.isLikely {
            (time, duration) = (typed.start, typed.length.typedText)
        }
        let words = form[before + "repeatWords"]
        if !words.allSatisfy(\.isWhitespace) {
            repetition = words
        } else if repetition == Repetitions.inWords {
            repetition = form[Self.before + "repeat"]
        }
    }

    var isAllDay: Bool { allDay == "1" }

    /// The start as a person would type it.
    var start: String { isAllDay || time.isEmpty ? date : "\(date) \(time)" }
}

extension TimeSpan {
    /// The span as people type it, as in "1d" or "1h30m".
    var typedText: String {
        let parts = [(days, "d"), (seconds / 3600, "h"), (seconds % 3600 / 60, "m")]
            .filter { $0.0 > 0 }
        return parts.isEmpty ? "0m" : parts.map { "\($0.0)\($0.1)" }.joined()
    }
}

/// A form after others may have changed the meeting: the changes of this person win,
/// everything else is kept as the others left it.
struct EditMerge: Sendable {
    /// The fields to show and save.
    let fields: EditFields
    /// The fields that both changed, by name, each with the value of the others.
    let conflicts: [(name: String, theirs: String)]
    /// The fields that differ from the meeting.
    let changed: Set<String>

    /// - Parameters:
    ///   - mine: the submitted fields.
    ///   - base: the fields as the form was opened.
    ///   - theirs: the fields as they are now.
    init(_ mine: EditFields, since base: EditFields, theirs: EditFields) {
        var merged = theirs
        var conflicts: [(String, String)] = []
        var changed: Set<String> = []
        for (name, path) in EditFields.all where mine[keyPath: path] != base[keyPath: path] {
            merged[keyPath: path] = mine[keyPath: path]
            guard mine[keyPath: path] != theirs[keyPath: path] else { continue }
            changed.insert(name)
            if theirs[keyPath: path] != base[keyPath: path] {
                conflicts.append((name, theirs[keyPath: path]))
            }
        }
        fields = merged
        self.conflicts = conflicts
        self.changed = changed
    }

    /// The faults of the changed fields.
    ///
    /// - Throws: an error that is a bug.
    func faults(_ planner: Planner) throws -> [FieldFault] {
        var checks = FieldChecks(for: planner)
        if changed.contains("title") { try checks.title(fields.title) }
        if !changed.isDisjoint(with: ["date", "time", "allDay", "repeat"]) {
            try checks.time(fields.start, repetition: fields.repetition)
        }
        if fields.isAllDay, changed.contains("lastDay") {
            try checks.lastDay(fields.lastDay, from: fields.date)
        } else if changed.contains("duration") {
            try checks.duration(fields.duration)
        }
        if changed.contains("answerBy") { try checks.answerBy(fields.answerBy) }
        if changed.contains("reminders") { try checks.reminders(fields.reminders) }
        if changed.contains("link") { try checks.link(fields.link) }
        if changed.contains("note") { try checks.note(fields.note) }
        return checks.faults
    }

    /// True if a field about the seats differs.
    var changesSeating: Bool {
        !changed.isDisjoint(with: SeatingFields.fields.map(\.name))
    }

    /// The edit that saves the changed fields.
    ///
    /// - Throws: `TimeTextError` if a span cannot be read.
    func edit(on target: ChangeTarget) throws -> MeetingEdit {
        var edit = MeetingEdit()
        edit.date = target.date
        edit.from = target.from
        func value(_ name: String, _ text: String) -> String? {
            changed.contains(name) ? text : nil
        }
        edit.title = value("title", fields.title)
        edit.place = value("place", fields.place)
        edit.note = value("note", fields.note)
        edit.link = value("link", fields.link)
        edit.repetition = value("repeat", fields.repetition.isEmpty ? "none" : fields.repetition)
        edit.answerBy = value("answerBy", fields.answerBy)
        edit.seating = fields.seating.edit(of: changed)
        edit.reminders = try value("reminders", fields.reminders).map(ReminderText.parse)
        try setTime(of: &edit)
        return edit
    }

    /// Sets the new time. Whole days keep their number unless another last day is chosen.
    private func setTime(of edit: inout MeetingEdit) throws {
        let isNewKind = changed.contains("allDay")
        let isMoved = changed.contains("date") || changed.contains("time") || isNewKind
        edit.isAllDay = isMoved && fields.isAllDay
        edit.start = isMoved ? fields.start : nil
        if fields.isAllDay {
            edit.end = changed.contains("lastDay") ? fields.lastDay : nil
        } else if isNewKind || changed.contains("duration") {
            edit.duration = try TimeSpan.parse(fields.duration)
        }
    }
}

/// The times of reminders as people type them.
enum ReminderText {
    /// Reads spans between commas or spaces: "1d, 2h" and "1d 2h" are two, "1d2h" and "1 hour 30
    /// minutes" are one. An empty text means none.
    ///
    /// - Throws: `TimeTextError` if a span cannot be read.
    static func parse(_ text: String) throws -> [TimeSpan] {
        try text.split(separator: ",").map(\.trimmingSpaces).filter { !$0.isEmpty }
            .flatMap { part -> [TimeSpan] in
                let words = part.split(whereSeparator: \.isWhitespace)
                let spans = words.compactMap { try? TimeSpan.parse(String($0)) }
                return try spans.count == words.count ? spans : [TimeSpan.parse(part)]
            }
    }
}
