public import Timekeeping

/// Why a meeting cannot be as somebody wants it, in a sentence for them.
public struct RuleViolation: Error, Equatable {
    /// A word for programs, such as `start_in_past`.
    public let code: String
    /// What is wrong, and what to do.
    public let message: String

    /// Whether a text is empty that must say something.
    public var isOfEmptiness: Bool { code.hasPrefix("empty_") }

    /// Names a broken rule.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

/// The limits within which meetings are kept, and the checks that hold them.
public enum MeetingRules {
    /// The longest title, in characters.
    public static let titleCharactersMax = 200
    /// The longest note, in characters.
    public static let noteCharactersMax = 5000
    /// The longest link, in characters.
    public static let linkCharactersMax = 2000
    /// The longest meeting, in days.
    public static let durationDaysMax = 31
    /// How far ahead a meeting may start, in days: a hundred years.
    public static let startDaysMax = 36_525
    /// The most people in one meeting.
    public static let participantsMax = 4000
    /// The most reminders for one person and meeting.
    public static let remindersMax = 10
    /// The longest time before the start that a reminder may come, in days.
    public static let reminderDaysMax = 366
    /// How many bytes a character takes at most on average: the longest emoji take 35.
    static let characterBytesMax = 40
    /// The longest text of a message, in characters.
    public static let messageCharactersMax = 5000

    /// Holds a meeting to the limits of its texts and reminders.
    public static func check(_ meeting: Meeting) throws(RuleViolation) {
        try checkLine(meeting.title, named: "title", charactersMax: titleCharactersMax)
        try checkText(meeting.note, named: "note", charactersMax: noteCharactersMax)
        try checkLink(meeting.link)
        try check(reminders: meeting.reminders)
        try check(duration: meeting.time.duration)
        guard let place = meeting.place else { return }
        try checkLine(
            place.text, named: "place", charactersMax: MeetingPlace.textCharactersMax)
    }

    /// A start must lie ahead, and not absurdly far.
    public static func check(start: Moment, now: Moment) throws(RuleViolation) {
        guard start > now else {
            throw RuleViolation(
                code: "start_in_past", message: "That start has passed. Give one that lies ahead.")
        }
        guard start.milliseconds(since: now) <= Int64(startDaysMax) * 86_400_000 else {
            throw RuleViolation(
                code: "start_too_far",
                message: "That start is more than a hundred years away. Give an earlier one.")
        }
    }

    /// A wall time that the clocks skip does not exist; both neighbours are offered.
    public static func check(start: WallTime, in zone: Zone) throws(RuleViolation) {
        guard case .skipped(let before, let after, _) = zone.reading(of: start) else { return }
        throw RuleViolation(
            code: "skipped_time",
            message: "The clocks in \(zone.id) skip \(start). "
                + "Write \(before) or \(after) instead.")
    }

    /// A meeting takes some time, and not more than a month.
    public static func check(duration: TimeSpan) throws(RuleViolation) {
        guard duration.days > 0 || duration.seconds > 0 else {
            throw RuleViolation(
                code: "no_duration",
                message: "A meeting ends after it starts. Give a duration such as 90m.")
        }
        guard duration.days * 86_400 + duration.seconds <= durationDaysMax * 86_400 else {
            throw RuleViolation(
                code: "duration_too_long",
                message: "A meeting takes at most \(durationDaysMax) days.")
        }
    }

    /// A few reminders, none of them longer ahead than a year.
    public static func check(reminders: [TimeSpan]) throws(RuleViolation) {
        guard reminders.count <= remindersMax else {
            throw RuleViolation(
                code: "too_many_reminders",
                message: "At most \(remindersMax) reminders for a meeting.")
        }
        guard !reminders.contains(.zero) else {
            throw RuleViolation(
                code: "reminder_at_start",
                message: "A reminder comes before the start. Say how long before, such as 10m.")
        }
        for span in reminders
        where span.days * 86_400 + span.seconds > reminderDaysMax * 86_400 {
            throw RuleViolation(
                code: "reminder_too_early",
                message: "A reminder comes at most \(reminderDaysMax) days before the start.")
        }
    }

    /// Not more people than one meeting holds.
    public static func check(participantCount count: Int) throws(RuleViolation) {
        guard count <= participantsMax else {
            throw RuleViolation(
                code: "too_many_people",
                message:
                    "A meeting holds at most \(participantsMax) people; that would be \(count).")
        }
    }

    /// A text of one line: not too long, without control characters, and, unless it may be left
    /// out, with something to see.
    public static func checkLine(
        _ text: String, named name: String, charactersMax: Int, mayShowNothing: Bool = false
    ) throws(RuleViolation) {
        guard mayShowNothing || !text.allSatisfy(\.isWhitespace) else {
            throw RuleViolation(code: "empty_\(name)", message: "The \(name) is empty.")
        }
        guard !text.unicodeScalars.contains(where: { $0.isControl || $0.endsLine }) else {
            throw RuleViolation(
                code: "bad_\(name)",
                message: "The \(name) holds a line break or another control character.")
        }
        guard mayShowNothing || !text.showsNothing else {
            throw RuleViolation(
                code: "empty_\(name)",
                message: "The \(name) holds only characters that nobody can see. "
                    + "Write one with letters, numbers or signs.")
        }
        try checkLength(text, named: name, charactersMax: charactersMax)
    }

    /// A text of any number of lines.
    public static func checkText(
        _ text: String, named name: String, charactersMax: Int
    ) throws(RuleViolation) {
        guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" })
        else {
            throw RuleViolation(
                code: "bad_\(name)", message: "The \(name) holds control characters.")
        }
        try checkLength(text, named: name, charactersMax: charactersMax)
    }

    private static func checkLength(
        _ text: String, named name: String, charactersMax: Int
    ) throws(RuleViolation) {
        guard text.count <= charactersMax else {
            throw RuleViolation(
                code: "long_\(name)",
                message: "The \(name) is longer than \(charactersMax) characters.")
        }
        // A character may be made of any number of scalars.
        let bytesMax = charactersMax * characterBytesMax
        guard text.utf8.count <= bytesMax else {
            throw RuleViolation(
                code: "long_\(name)", message: "The \(name) takes more than \(bytesMax) bytes.")
        }
    }

    private static func checkLink(_ link: String) throws(RuleViolation) {
        guard !link.isEmpty else { return }
        try checkLine(link, named: "link", charactersMax: linkCharactersMax)
        let scheme = link.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), link.hasPrefix("\(link.prefix(scheme.count))://"),
            !link.contains(where: \.isWhitespace)
        else {
            throw RuleViolation(
                code: "bad_link",
                message: "The link must begin with https:// or http:// and hold no spaces.")
        }
    }
}
