import ArgumentParser
import Planning
import Timekeeping

/// Which dates of a meeting that repeats are meant.
struct DateOptions: ParsableArguments {
    static let help: ArgumentHelp =
        "One date of a meeting that repeats: its day, such as \"8 dec\", or next."

    @Option(help: help) var on: String?
    @Option(help: "That date of a meeting that repeats, and all that follow.") var from: String?

    func validate() throws {
        guard on == nil || from == nil else {
            throw ValidationError("Take one of --on and --from.")
        }
    }
}

struct MeetingEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change facts of a meeting.",
        discussion: """
            A new time or place is told to everybody; a new title, note or link only with \
            --notify, alone for what was changed without a word before. A --start without a day \
            means that time on the meeting's own day. --remind takes the place of all the \
            reminders that the meeting had.

            Of a meeting that repeats, --on changes one date and --from that one and all that \
            follow, which are a meeting of their own from then on. A single date has a time, a \
            length, a place and people of its own.

            EXAMPLE: letsmeet meeting edit "board games" --place "Library, room 2"
            EXAMPLE: letsmeet meeting edit choir --on "8 dec" --place "The small hall"
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Option(help: "The new title.") var title: String?
    @Option(help: "The new place; an empty text takes it away.") var place: String?
    @Option(help: "The line by which people are told the place.") var placeText: String?
    @Option(help: "The new start: \"sat 18:00\"; 18:00 alone on the meeting's own day.")
    var start: String?
    @Option(help: "The new length.") var duration: String?
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("How it repeats, or none.", valueName: "rule"))
    var repetition: String?
    @Option(
        parsing: .upToNextOption,
        help: "The reminders instead of those it had: 1d 2h, or none.")
    var remind: [String] = []
    @Option(help: "The new note.") var note: String?
    @Option(help: "The new link.") var link: String?
    @Flag(help: "Tell people how it stands, whatever changed.") var notify = false
    @Flag(help: "Tell nobody.") var quiet = false
    @OptionGroup var dates: DateOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard repetition == nil || dates.on == nil else {
            throw ValidationError("A single date does not repeat: leave out --repeat or --on.")
        }
        guard !(notify && quiet) else {
            throw ValidationError("Take one of --notify and --quiet.")
        }
    }

    func run() async throws {
        var edit = MeetingEdit()
        edit.title = title
        edit.place = place
        edit.placeText = placeText
        edit.start = start
        edit.duration = try duration.map { try TimeSpan.parse($0) }
        edit.reminders = try ReminderOption.read(remind)
        edit.note = note
        edit.link = link
        edit.repetition = repetition
        edit.date = dates.on
        edit.from = dates.from
        edit.isNotified = notify
        edit.isQuiet = quiet
        let planner = try await common.planner()
        let consent = Consent(common: common, options: consent)
        var chosen = MeetingRequest()
        chosen.place = edit.place
        chosen.placeText = edit.placeText
        try await Leaving.caught {
            try await PlaceLine.settle(&chosen, planner: planner, consent: consent)
        }
        edit.place = chosen.place
        edit.placeText = chosen.placeText
        let isTimed = edit.start != nil || edit.duration != nil || edit.repetition != nil
        try await consent.carryOut { [edit] saving in
            let outcome = try await planner.editMeeting(meeting, edit, saving: saving)
            return isTimed ? try await planner.notingConflicts(in: outcome) : outcome
        }
    }
}

struct MeetingMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Give a meeting another start.",
        discussion: """
            A time without a day means that time on the meeting's own day; the answer shows the \
            date. Of a meeting that repeats, --on moves one date, and --from that one and all that \
            follow, which are a meeting of their own from then on; a day of the week is then the \
            one next to that date.

            EXAMPLE: letsmeet meeting move next "sat 18:00"
            EXAMPLE: letsmeet meeting move "board games" 20:00
            EXAMPLE: letsmeet meeting move choir --on "8 dec" "wed 20:00"
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "The new start.") var time: String?
    @Option(help: "The new start.") var start: String?
    @Flag(help: "Tell nobody.") var quiet = false
    @OptionGroup var dates: DateOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (time == nil) != (start == nil) else {
            throw ValidationError("Give the new start once, such as \"sat 18:00\".")
        }
    }

    func run() async throws {
        var edit = MeetingEdit()
        edit.start = time ?? start
        edit.date = dates.on
        edit.from = dates.from
        edit.isQuiet = quiet
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { [edit] saving in
            try await planner.notingConflicts(
                in: planner.editMeeting(meeting, edit, saving: saving))
        }
    }
}

struct MeetingCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Call a meeting off.",
        discussion: """
            A meeting that repeats is called off as a whole, or one date with --on; --from ends it \
            before a date.

            EXAMPLE: letsmeet meeting cancel "board games"
            EXAMPLE: letsmeet meeting cancel choir --on "22 dec"
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @OptionGroup var dates: DateOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.cancelMeeting(
                meeting, on: dates.on, from: dates.from, saving: saving)
        }
    }
}

struct MeetingInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite more people to a meeting.",
        discussion: "EXAMPLE: letsmeet meeting invite next carla,chess-club")

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "Whom to invite: names, addresses, circles.") var who: [String]
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let names = try await planner.names(who, for: "WHO")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.notingConflicts(
                in: planner.invite(names, to: meeting, on: on, saving: saving))
        }
    }
}

struct MeetingUninvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninvite", abstract: "Take people off a meeting.",
        discussion: "EXAMPLE: letsmeet meeting uninvite next carla")

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "Whom to take off.") var who: [String]
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let names = try await planner.names(who, for: "WHO")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.uninvite(names, from: meeting, on: on, saving: saving)
        }
    }
}
