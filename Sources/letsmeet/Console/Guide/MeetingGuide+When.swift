import Agenda
import Planning
import TextUI
import Timekeeping
import Wording

extension MeetingGuide {
    func askStart() async throws {
        let question = Question(
            label: "Start", text: form.startText, notes: zoneChange.map { [$0] } ?? [],
            help: "Examples: fri 19:00, tomorrow 18:30-21:00, in 2 hours, 12 dec, all day")
        let place = form.place?.planned
        let start = try await questioner.settle(question) { [planner] text in
            guard let start = try? planner.plannedStart(text, at: place) else { return Hints() }
            let moment = start.zone.moment(of: start.wall)
            let way = TimeWords.distance(from: planner.now, to: moment)
            return Hints(notes: ["\(SpanWords.start(start)), \(way)"])
        } reading: { [planner] reply in
            let words = reply.words
            guard !words.isEmpty else {
                throw Refusal(.invalid, code: "no_start", "A meeting needs a start.")
            }
            return try planner.plannedStart(words, at: place)
        }
        set(start)
    }

    /// Sets the start. An end that was typed with it answers the question for the duration.
    private func set(_ start: PlannedStart) {
        let wasAllDay = form.start?.isAllDay ?? false
        form.start = start
        if let duration = start.duration {
            let isKept = wasAllDay && start.isAllDay
            form.duration = isKept ? form.duration : duration
            if !start.isAllDay { open.removeAll { $0 == .duration } }
        } else if wasAllDay {
            form.duration = Meeting.durationDefault
        }
    }

    /// Says that times are now in another time zone than the one in which the start was typed, as
    /// the place decides; otherwise `nil`.
    var zoneChange: String? {
        let zone = planner.plannedZone(at: form.place?.planned)
        guard let before = form.start?.zone, before.id != zone.id else { return nil }
        return "Times are now in \(zone.id), no longer in \(before.id)."
    }

    func askDuration() async throws {
        let question = Question(label: "Duration", text: SpanWords.typed(form.duration))
        let isAllDay = form.start?.isAllDay ?? false
        let usual = isAllDay ? TimeSpan(days: 1, seconds: 0) : Meeting.durationDefault
        form.duration = try await questioner.settle(question) { text in
            guard let span = try? TimeSpan.parse(text) else { return Hints() }
            return Hints(notes: [SpanWords.of(span)])
        } reading: { reply in
            let words = reply.words
            let duration = words.isEmpty ? usual : try TimeSpan.parse(words)
            try MeetingRules.check(duration: duration)
            guard !isAllDay || duration.seconds == 0 else {
                throw Refusal(
                    .invalid, code: "usage",
                    "The duration of whole days is a number of days, as in 2d.")
            }
            return duration
        }
    }

    func askReminders() async throws {
        let question = Question(
            label: "Reminders", text: SpanWords.typed(form.reminders),
            help: "Times before the start, such as 1d, 1h", skipped: "none")
        form.reminders = try await questioner.settle(question) { text in
            guard let spans = try? ReminderOption.read(line: text) else { return Hints() }
            return Hints(notes: [SpanWords.before(spans)])
        } reading: { reply in
            let spans = try ReminderOption.read(line: reply.words)
            try MeetingRules.check(reminders: spans)
            return spans
        }
    }

    func askRepetition() async throws {
        let question = Question(
            label: "Repeats", text: form.repetition,
            help: "Examples: weekly, every 2nd tuesday, monthly on the last friday until 30 june",
            skipped: "never")
        let start = form.start?.wall.date
        form.repetition = try await questioner.settle(question) { text in
            let rule = start.flatMap { try? RecurrenceRule(typed: text, from: $0) }
            return Hints(notes: rule.map { [$0.words] } ?? [])
        } reading: { [planner] reply in
            try planner.checkRepetition(reply.words, from: start)
        }
    }
}
