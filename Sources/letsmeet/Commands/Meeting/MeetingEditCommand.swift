import Agenda
import ArgumentParser
import Planning
import TextUI
import Timekeeping

/// The dates of a recurring meeting that a command is about.
struct DateOptions: ParsableArguments {
    static let help: ArgumentHelp =
        "One date of a recurring meeting: its day, such as \"8 dec\", or next."

    @Option(help: help) var on: String?
    @Option(help: "This date of a recurring meeting and all later ones.") var from: String?

    func validate() throws {
        guard on == nil || from == nil else {
            throw ValidationError("Use --on or --from, not both.")
        }
    }
}

struct MeetingEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change a meeting.",
        discussion: """
            Everybody is notified of a new time or place, but of a new title, note or link only \
            with --notify. Use --notify alone to announce changes that were saved without a \
            message. A --start without a day keeps the meeting's day, and one without a time its \
            time of day. --remind replaces all reminders of the meeting. A meeting of whole days \
            keeps whole days unless --start or --end names a time of day.

            For a recurring meeting, --on changes one date. --from changes that date and all later \
            ones, which become a separate meeting. A single date can have its own time, duration, \
            place and people.

            More seats let people in who wait. Nobody loses a seat: if more people are going than \
            there would be seats, the command asks, or needs --yes.

            EXAMPLE: letsmeet meeting edit "board games" --place "Library, room 2"
            EXAMPLE: letsmeet meeting edit camp --all-day --end "6 jul"
            EXAMPLE: letsmeet meeting edit choir --on "8 dec" --place "The small hall"
            EXAMPLE: letsmeet meeting edit chess --open --audience circle:Club --seats 8
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: "The new title.") var title: String?
    @Option(help: "The new place; \"\" removes it.", completion: Offers.places) var place: String?
    @Option(help: "The place in the words that people read.") var placeText: String?
    @Option(help: "The new start: \"sat 18:00\", 18:00 for the same day, or sat for the same time.")
    var start: String?
    @OptionGroup var length: LengthOptions
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("The new repetition rule, or none.", valueName: "rule"))
    var repetition: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "The new reminders, which replace all old ones: 1d 2h for two, 1d2h for one, or none.",
            valueName: "remind"))
    var remind: [String] = []
    @Option(help: "The new time until which people are asked to answer, or none.")
    var answerBy: String?
    @OptionGroup var seating: SeatingOptions
    @Flag(help: "Nobody can join without an invitation any more.") var closed = false
    @Option(help: "The new note.") var note: String?
    @Option(help: "The new link.") var link: String?
    @Flag(help: "Notify people of the current state, whatever changed.") var notify = false
    @Flag(help: "Ask everybody to answer again, even if the start moves only a little.")
    var askAgain = false
    @Flag(help: "Notify no one.") var quiet = false
    @OptionGroup var dates: DateOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard repetition == nil || dates.on == nil else {
            throw ValidationError("A single date cannot repeat. Leave out --repeat or --on.")
        }
        guard !(notify && quiet) else {
            throw ValidationError("Use --notify or --quiet, not both.")
        }
        guard !closed || !seating.open && seating.audience == nil else {
            throw ValidationError("Use --closed or --open, not both.")
        }
        guard dates.on == nil || seating.isEmpty && !closed else {
            throw ValidationError(
                "Seats and the people who can join are those of all dates. Leave out --on.")
        }
    }

    func run() async throws {
        var edit = MeetingEdit()
        edit.title = title
        edit.place = place
        edit.placeText = placeText
        edit.start = start
        try edit.set(length)
        edit.reminders = try ReminderOption.read(remind)
        edit.answerBy = answerBy
        edit.note = note
        edit.link = link
        edit.repetition = repetition
        edit.date = dates.on
        edit.from = dates.from
        edit.isNotified = notify
        edit.isQuiet = quiet
        edit.asksAgain = askAgain
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: dates.on ?? dates.from)
        let consent = Consent(common: common, options: consent)
        var chosen = MeetingRequest()
        chosen.place = edit.place
        chosen.placeText = edit.placeText
        try await Leaving.caught {
            try await PlaceLine.settle(&chosen, planner: planner, consent: consent)
        }
        edit.place = chosen.place
        edit.placeText = chosen.placeText
        edit.seating = try await seatingEdit(of: id, planner)
        try await carryOut(edit, of: id, planner, consent)
    }

    /// The wishes for seats; `nil` if there are none. A meeting that is open keeps its audience
    /// unless another one is named.
    private func seatingEdit(of id: MeetingID, _ planner: Planner) async throws -> SeatingEdit? {
        guard closed || !seating.isEmpty else { return nil }
        var edit = seating.edit()
        if closed { edit.audience = "none" }
        if seating.open, seating.audience == nil {
            let view = try await planner.meeting(id)
            edit.audience = view.open ? nil : SeatingOptions.usualAudience
        }
        edit.isConfirmed = consent.yes
        return edit
    }

    /// Saves the change. If there would be fewer seats than people who are going, asks first.
    private func carryOut(
        _ edit: MeetingEdit, of id: MeetingID, _ planner: Planner, _ consent: Consent
    ) async throws {
        do {
            try await consent.carryOut { saving in
                try await planner.editMeeting(id, edit, saving: saving)
            }
        } catch let refusal as Refusal where refusal.code == "seats_below_going" && consent.asks {
            Terminal.say(refusal.message)
            try Consent.agree("Set this number of seats?")
            var edit = edit
            edit.seating?.isConfirmed = true
            try await consent.carryOut { [edit] saving in
                try await planner.editMeeting(id, edit, saving: saving)
            }
        }
    }
}

struct MeetingMove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a meeting to another time.",
        discussion: """
            A time without a day keeps the meeting's day, and a day without a time, such as sat \
            or "in 2 weeks", keeps its time of day. A weekday means the one in the meeting's week, \
            or the next one if that is over. With --end or --duration alone, the start stays. The \
            output shows the new date.

            Answers were given for the old time, so people are asked to answer again. After a move \
            on the same day by less than the meeting's length, answers stay valid unless you use \
            --ask-again. The preview shows whose answers do.

            For a recurring meeting, --on moves one date. --from moves that date and all later \
            ones, which become a separate meeting.

            EXAMPLE: letsmeet meeting move next "sat 18:00"
            EXAMPLE: letsmeet meeting move "board games" 20:00-22:30
            EXAMPLE: letsmeet meeting move choir --on "8 dec" "wed 20:00"
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The new start.") var time: String?
    @Option(help: "The new start.") var start: String?
    @OptionGroup var length: LengthOptions
    @Option(help: "Your words for the people who are notified, such as the reason.")
    var note: String?
    @Flag(help: "Ask everybody to answer again, even if the start moves only a little.")
    var askAgain = false
    @Flag(help: "Notify no one.") var quiet = false
    @OptionGroup var dates: DateOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        let isStartKept = time == nil && start == nil && !length.isEmpty
        guard isStartKept || (time == nil) != (start == nil) else {
            throw ValidationError(
                "Give the new start once, such as \"sat 18:00\", or a new end with --end.")
        }
        guard note == nil || !quiet else {
            throw ValidationError("Nobody reads a --note with --quiet. Use one of them.")
        }
    }

    func run() async throws {
        var edit = MeetingEdit()
        edit.start = time ?? start
        try edit.set(length)
        edit.message = note ?? ""
        edit.date = dates.on
        edit.from = dates.from
        edit.isQuiet = quiet
        edit.asksAgain = askAgain
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: dates.on ?? dates.from)
        try await Consent(common: common, options: consent).carryOut { [edit] saving in
            try await planner.editMeeting(id, edit, saving: saving)
        }
    }
}

struct MeetingCancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a meeting.",
        discussion: """
            A recurring meeting is cancelled as a whole. With --on, only one date is cancelled; \
            with --from, the series ends before that date. Everybody who knows of the meeting is \
            notified, so that nobody comes in vain.

            EXAMPLE: letsmeet meeting cancel "board games" --note "The café is closed."
            EXAMPLE: letsmeet meeting cancel choir --on "22 dec"
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: "Your words for the people who are notified, such as the reason.")
    var note: String?
    @OptionGroup var dates: DateOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: dates.on ?? dates.from)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.cancelMeeting(
                id, on: dates.on, from: dates.from, message: note ?? "", saving: saving)
        }
    }
}

struct MeetingUncancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uncancel", abstract: "Take back the cancellation of a meeting.",
        discussion: """
            People who were told of the cancellation are told that the meeting takes place after \
            all, with an invitation. Their answers and reminders are as they were. Dates that \
            --from cut off are no cancelled dates: change the rule of the series with \
            letsmeet meeting edit --repeat.

            EXAMPLE: letsmeet meeting uncancel "board games" --note "The café is open after all."
            EXAMPLE: letsmeet meeting uncancel choir --on "22 dec"
            """)

    @Argument(help: "The meeting: an id, part of its title, or last.", completion: Offers.meetings)
    var meeting: String
    @Option(help: "The cancelled date of a recurring meeting.") var on: String?
    @Option(help: "Your words for the people who are invited again.") var note: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on, isOff: on == nil)
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.uncancelMeeting(id, on: on, message: note ?? "", saving: saving)
        }
    }
}

struct MeetingInvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Invite more people to a meeting.",
        discussion: "EXAMPLE: letsmeet meeting invite next carla,chess-club")

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The people to invite: names, addresses or circles.", completion: Offers.people)
    var who: [String] = []
    @OptionGroup var more: WhoOption
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try more.checkAnybody(besides: who) }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on)
        let names = try await planner.names(who + more.named, for: "WHO")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.invite(names, to: id, on: on, saving: saving)
        }
    }
}

struct MeetingUninvite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "uninvite", abstract: "Remove people from a meeting.",
        discussion: """
            If a circle was invited, its name removes those who came with it. Members who were \
            also invited by name stay; to remove them, name them.

            EXAMPLE: letsmeet meeting uninvite next carla
            EXAMPLE: letsmeet meeting uninvite next circle:chess-club
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: "The people to remove.", completion: Offers.people) var who: [String] = []
    @OptionGroup var more: WhoOption
    @Option(help: DateOptions.help) var on: String?
    @Option(help: "Your words for the people who are notified, such as the reason.")
    var note: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try more.checkAnybody(besides: who) }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting, on: on)
        let names = try await planner.names(who + more.named, for: "WHO")
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.uninvite(
                named: names, from: id, on: on, message: note ?? "", saving: saving)
        }
    }
}
