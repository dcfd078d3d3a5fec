import ArgumentParser
import Planning
import Timekeeping

struct MeetingEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change facts of a meeting.",
        discussion: """
            A new time or place is told to everybody; a new title, note or link only with \
            --notify, alone for what was changed without a word before. A --start without a day \
            means that time on the meeting's own day. --remind takes the place of all the \
            reminders that the meeting had.

            EXAMPLE: letsmeet meeting edit "board games" --place "Library, room 2"
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Option(help: "The new title.") var title: String?
    @Option(help: "The new place; an empty text takes it away.") var place: String?
    @Option(help: "The line by which people are told the place.") var placeText: String?
    @Option(help: "The new start: \"sat 18:00\"; 18:00 alone on the meeting's own day.")
    var start: String?
    @Option(help: "The new length.") var duration: String?
    @Option(
        parsing: .upToNextOption,
        help: "The reminders instead of those it had: 1d 2h, or none.")
    var remind: [String] = []
    @Option(help: "The new note.") var note: String?
    @Option(help: "The new link.") var link: String?
    @Flag(help: "Tell people how it stands, whatever changed.") var notify = false
    @Flag(help: "Tell nobody.") var quiet = false
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
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
        try await consent.carryOut { [edit] saving in
            try await planner.editMeeting(meeting, edit, saving: saving)
        }
    }
}

struct MeetingMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Give a meeting another start.",
        discussion: """
            A time without a day means that time on the meeting's own day; the answer shows the \
            date.

            EXAMPLE: letsmeet meeting move next "sat 18:00"
            EXAMPLE: letsmeet meeting move "board games" 20:00
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "The new start.") var time: String?
    @Option(help: "The new start.") var start: String?
    @Flag(help: "Tell nobody.") var quiet = false
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
        edit.isQuiet = quiet
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { [edit] saving in
            try await planner.editMeeting(meeting, edit, saving: saving)
        }
    }
}

struct MeetingCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Call a meeting off.",
        discussion: "EXAMPLE: letsmeet meeting cancel \"board games\"")

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.cancelMeeting(meeting, saving: saving)
        }
    }
}

struct MeetingInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite more people to a meeting.",
        discussion: "EXAMPLE: letsmeet meeting invite next carla,chess-club")

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "Whom to invite: names, addresses, circles.") var who: [String]
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let names = try await planner.names(who, for: "WHO")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.invite(names, to: meeting, saving: saving)
        }
    }
}

struct MeetingUninvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninvite", abstract: "Take people off a meeting.",
        discussion: "EXAMPLE: letsmeet meeting uninvite next carla")

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: "Whom to take off.") var who: [String]
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let names = try await planner.names(who, for: "WHO")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.uninvite(names, from: meeting, saving: saving)
        }
    }
}
