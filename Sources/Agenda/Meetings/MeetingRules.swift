public import Timekeeping

/// A rule that a meeting breaks, with a sentence for people.
public struct RuleViolation: Error, Equatable, CustomStringConvertible {
    /// A code for programs, such as `start_in_past`.
    public let code: String
    /// The problem and its remedy.
    public let message: String

    /// The message.
    public var description: String { message }

    /// True if a required text is empty.
    public var isOfEmptiness: Bool { code.hasPrefix("empty_") }

    /// Creates a violation.
    public init(code: String, message: String) {
        self.code = code
        self.message = message
    }
}

/// The limits of meetings, and the checks that enforce them.
public enum MeetingRules {
    /// The longest title, in characters.
    public static let titleCharactersMax = 200
    /// The longest note, in characters.
    public static let noteCharactersMax = 5000
    /// The longest link, in characters.
    public static let linkCharactersMax = 2000
    /// The longest meeting, in days.
    public static let durationDaysMax = 31
    /// The latest start of a meeting, in days from now: a hundred years.
    public static let startDaysMax = 36_525
    /// The most people in one meeting.
    public static let participantsMax = 4000
    /// The most reminders for one person and meeting.
    public static let remindersMax = 10
    /// The longest time from a reminder to the start, in days.
    public static let reminderDaysMax = 366
    /// The most bytes for a character on average: the longest emoji take 35.
    static let characterBytesMax = 40
    /// The longest text of a message, in characters.
    public static let messageCharactersMax = 5000
    /// The time after the end of a meeting in which its organizer can write to its people, in days.
    public static let lateMessageDays = 30

    /// Checks the texts, reminders and duration of a meeting.
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

    /// Checks that a start is in the future, but no more than a hundred years.
    public static func check(start: Moment, now: Moment) throws(RuleViolation) {
        guard start > now else {
            throw RuleViolation(
                code: "start_in_past", message: "That start has passed. Give one in the future.")
        }
        guard start.milliseconds(since: now) <= Int64(startDaysMax) * 86_400_000 else {
            throw RuleViolation(
                code: "start_too_far",
                message: "That start is more than a hundred years away. Give an earlier one.")
        }
    }

    /// Checks that a wall-clock time exists. If the clocks skip it, the message offers the nearest
    /// times before and after.
    public static func check(start: WallTime, in zone: Zone) throws(RuleViolation) {
        guard case .skipped(let before, let after, _) = zone.reading(of: start) else { return }
        throw RuleViolation(
            code: "skipped_time",
            message: "The clocks in \(zone.id) skip \(start). "
                + "Write \(before) or \(after) instead.")
    }

    /// Checks that a duration is positive and not longer than the limit.
    public static func check(duration: TimeSpan) throws(RuleViolation) {
        guard duration.days > 0 || duration.seconds > 0 else {
            throw RuleViolation(
                code: "no_duration",
                message: "A meeting ends after it starts. Give a duration such as 90m.")
        }
        guard duration.days * 86_400 + duration.seconds <= durationDaysMax * 86_400 else {
            throw RuleViolation(
                code: "duration_too_long",
                message: "A meeting can last at most \(durationDaysMax) days.")
        }
    }

    /// Checks the moment until which people are asked to answer: it lies ahead and, unless the
    /// meeting repeats, before the start.
    public static func check(answerBy deadline: Moment, of meeting: Meeting, now: Moment)
        throws(RuleViolation)
    {
        guard deadline > now else {
            throw RuleViolation(
                code: "answer_by_passed",
                message: "The time to answer by has passed. Give one in the future.")
        }
        let limit = meeting.series == nil ? meeting.time.startsAt : meeting.endsAt
        guard deadline < limit else {
            throw RuleViolation(
                code: "answer_by_after_start",
                message: meeting.series == nil
                    ? "The time to answer by must be before the start."
                    : "The time to answer by must be before the end of the last date.")
        }
    }

    /// Checks the number of reminders and their times before the start.
    public static func check(reminders: [TimeSpan]) throws(RuleViolation) {
        guard reminders.count <= remindersMax else {
            throw RuleViolation(
                code: "too_many_reminders",
                message: "A meeting can have at most \(remindersMax) reminders.")
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

    /// Checks the number of people.
    public static func check(participantCount count: Int) throws(RuleViolation) {
        guard count <= participantsMax else {
            throw RuleViolation(
                code: "too_many_people",
                message:
                    "A meeting can have at most \(participantsMax) people, but this one would have "
                    + "\(count).")
        }
    }

    /// Checks a text of one line: its length, the absence of control characters and, unless it may
    /// be empty, that something of it is visible.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - name: the word for the text, which is also a part of the code of a violation.
    ///   - thing: the kind of object that the text belongs to, if that is not obvious.
    ///   - charactersMax: its maximum length.
    ///   - mayShowNothing: whether it may be empty or invisible.
    /// - Throws: ``RuleViolation`` with the code `empty_NAME`, `bad_NAME` or `long_NAME`.
    public static func checkLine(
        _ text: String, named name: String, of thing: String? = nil, charactersMax: Int,
        mayShowNothing: Bool = false
    ) throws(RuleViolation) {
        let subject = "The \(name)" + (thing.map { " of the \($0)" } ?? "")
        guard mayShowNothing || !text.allSatisfy(\.isWhitespace) else {
            throw RuleViolation(code: "empty_\(name)", message: "\(subject) is empty.")
        }
        guard !text.unicodeScalars.contains(where: { $0.isControl || $0.endsLine }) else {
            throw RuleViolation(
                code: "bad_\(name)",
                message: "\(subject) contains a line break or another control character.")
        }
        guard mayShowNothing || !text.showsNothing else {
            throw RuleViolation(
                code: "empty_\(name)",
                message: "\(subject) contains only characters that nobody can see. "
                    + "Use letters, numbers or symbols.")
        }
        try checkLength(text, named: name, subject, charactersMax: charactersMax)
    }

    /// Checks a text of any number of lines.
    public static func checkText(
        _ text: String, named name: String, charactersMax: Int
    ) throws(RuleViolation) {
        guard !text.unicodeScalars.contains(where: { $0.isControl && $0 != "\n" && $0 != "\t" })
        else {
            throw RuleViolation(
                code: "bad_\(name)", message: "The \(name) contains control characters.")
        }
        try checkLength(text, named: name, "The \(name)", charactersMax: charactersMax)
    }

    private static func checkLength(
        _ text: String, named name: String, _ subject: String, charactersMax: Int
    ) throws(RuleViolation) {
        guard text.count <= charactersMax else {
            throw RuleViolation(
                code: "long_\(name)",
                message: "\(subject) is longer than \(charactersMax) characters.")
        }
        // A character may consist of any number of Unicode scalars.
        let bytesMax = charactersMax * characterBytesMax
        guard text.utf8.count <= bytesMax else {
            throw RuleViolation(
                code: "long_\(name)", message: "\(subject) takes more than \(bytesMax) bytes.")
        }
    }

    /// Checks the link for a call, which may be empty.
    public static func checkLink(_ link: String) throws(RuleViolation) {
        guard !link.isEmpty else { return }
        try checkLine(link, named: "link", charactersMax: linkCharactersMax)
        let scheme = link.prefix { $0 != ":" }.lowercased()
        guard ["http", "https"].contains(scheme), link.hasPrefix("\(link.prefix(scheme.count))://"),
            !link.contains(where: \.isWhitespace),
            !link.unicodeScalars.contains(where: { $0.properties.generalCategory == .format })
        else {
            throw RuleViolation(
                code: "bad_link",
                message: "The link must begin with https:// or http:// and contain no spaces or "
                    + "invisible characters.")
        }
    }
}

extension StringProtocol {
    /// True if nothing of the text is visible: it is empty, or has only spaces, control characters
    /// and characters that are not drawn (U+200B, U+2060, U+00AD, direction marks).
    public var showsNothing: Bool { unicodeScalars.allSatisfy(\.showsNothing) }
}

extension Unicode.Scalar {
    /// True if it is not drawn by itself (Unicode's Default_Ignorable_Code_Point and White_Space,
    /// and the empty Braille pattern, which is drawn as a space).
    fileprivate var showsNothing: Bool {
        properties.isWhitespace || properties.isDefaultIgnorableCodePoint || isControl
            || self == "\u{2800}"
    }

    /// True if it is a control character (Unicode category Cc).
    var isControl: Bool { properties.generalCategory == .control }

    /// True if it is one of the separators U+2028 and U+2029, which also end lines.
    var endsLine: Bool {
        [.lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
    }
}
