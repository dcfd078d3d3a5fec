import ArgumentParser
import Planning
import Timekeeping

/// The length of a meeting.
struct LengthOptions: ParsableArguments {
    @Option(
        name: [.long, .customLong("length")],
        help: "The duration: 90m, 1h30m, PT2H, or 3d with --all-day.")
    var duration: String?
    @Option(
        help: "The end, not the duration: 22:00, \"sun 12:00\", or the last day with --all-day.")
    var end: String?
    @Flag(help: "The meeting lasts whole days: --start and --end are days.") var allDay = false

    /// True if none is given.
    var isEmpty: Bool { duration == nil && end == nil && !allDay }

    /// The duration.
    ///
    /// - Returns: `nil` if none is given.
    /// - Throws: `TimeTextError` if it cannot be read.
    func span() throws -> TimeSpan? { try duration.map { try TimeSpan.parse($0) } }
}

/// The time until which people are asked to answer.
struct AnswerByOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Ask people to answer by this time: \"fri\", \"fri 18:00\".", valueName: "time"))
    var answerBy: String?
}

extension MeetingEdit {
    /// Sets the length.
    ///
    /// - Parameter length: the options.
    /// - Throws: `TimeTextError` if the duration cannot be read.
    mutating func set(_ length: LengthOptions) throws {
        duration = try length.span()
        end = length.end
        isAllDay = length.allDay
    }
}
