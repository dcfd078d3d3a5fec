import Ledger
import Agenda
import ArgumentParser
import Planning
import Programs
import TextUI
import Timekeeping
import Wording

struct MeetingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meeting", abstract: "Create and manage meetings.",
        discussion: "EXAMPLE: letsmeet meeting list",
        subcommands: [
            MeetingNew.self, MeetingCopyCommand.self, MeetingList.self, MeetingShow.self,
            MeetingEditCommand.self,
            MeetingMove.self, MeetingCancel.self, MeetingUncancel.self, MeetingInvite.self,
            MeetingUninvite.self,
            MeetingAccept.self, MeetingRefuse.self, MeetingRequests.self, MeetingAdmit.self,
            MeetingConfirm.self, MeetingLink.self, MeetingExport.self,
        ])
}

struct MeetingNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a meeting and invite people to it.",
        discussion: """
            Without arguments, the command asks for everything on a terminal. Without --remind, \
            people are reminded a day and an hour before the start. Without an end or a duration, \
            a meeting lasts one hour. Reminders of whole days come on the evening before. A \
            --start such as "3 jul - 5 jul" means these whole days.

            A WHO is a name or part of one, an address, or a circle. If a person and a circle have \
            the same name, write person:Tennis or circle:Tennis. Write a name with a comma as a \
            whole, as in --who "Berg, Ben". Put the name of a new guest in quotes: \
            '"Berg, Ben" <ben@example.org>'.

            Examples of repetition rules: daily; weekdays; "every 2nd tuesday until 3 march"; \
            "monthly on the last friday"; "every 3 weeks, 10 times"; FREQ=WEEKLY;BYDAY=MO,TH. The \
            meeting first takes place on the first date that matches its rule.

            With --open, people join without an invitation, and --who is not needed. Seats are for \
            you, the people who come and those whom they bring; also answers of invited people \
            beyond them wait. With --minimum 4 --by "thu 18:00", the meeting takes place only if 4 \
            people have joined by then, and is cancelled otherwise.

            EXAMPLE: letsmeet meeting new "Board games" --who anna,ben --place "Café Engel" \
            --start "fri 19:00-22:00" --remind 1d 2h
            EXAMPLE: letsmeet meeting new "Summer camp" --all-day --start "3 jul" --end "5 jul"
            EXAMPLE: letsmeet meeting new Choir --who choir --start "tue 19:30" --repeat weekly
            EXAMPLE: letsmeet meeting new Chess --start "fri 19:00" --open --seats 4
            """)

    @Argument(help: "The title.") var title: String?
    @Option(name: .customLong("title"), help: "The title.") var titleOption: String?
    @Option(
        name: [.customLong("who"), .customLong("with")], parsing: .upToNextOption,
        help: ArgumentHelp("The people to invite.", valueName: "who"), completion: Offers.people)
    var with: [String] = []
    @Option(help: "A saved place, the id of a place, or your own words.", completion: Offers.places)
    var place: String?
    @Option(help: "The city in which to choose the nearest place for --for.") var city: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The kind of place to choose, such as lunch.", valueName: "interest"))
    var interest: String?
    @Option(help: "The place in the words that people read.") var placeText: String?
    @Option(help: "The start: \"fri 19:00\", \"tomorrow 18:30\", 2026-12-01T18:00.")
    var start: String?
    @OptionGroup var length: LengthOptions
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "The repetition rule: weekly, \"every 2nd tuesday\", or an RRULE.", valueName: "rule"))
    var repetition: String?
    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "When to remind people before the start: 1d 2h for two reminders, 1d2h for one, or "
                + "none.", valueName: "remind"))
    var remind: [String] = []
    @OptionGroup var deadline: AnswerByOption
    @OptionGroup var seating: SeatingOptions
    @Option(help: "A note for everybody.") var note: String?
    @Option(help: "The link to join online.") var link: String?
    @Option(help: "A request key: the same key twice creates one meeting.") var key: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws { try seating.checkNew() }

    func run() async throws {
        let planner = try await common.planner()
        let consent = Consent(common: common, options: consent)
        guard !isBare || !consent.asks else {
            return try await Leaving.caught { try await guide(planner, consent) }
        }
        var request = try await request(planner)
        try await Leaving.caught {
            try await PlaceLine.settle(&request, planner: planner, consent: consent)
        }
        try await consent.carryOut { [request] saving in
            try await planner.createMeeting(request, saving: saving)
        }
    }

    /// Whether no argument describes the meeting.
    private var isBare: Bool {
        let texts = [
            title, titleOption, place, city, interest, placeText, start, repetition, note, link,
            key, deadline.answerBy,
        ]
        return texts.allSatisfy { $0 == nil } && with.isEmpty && remind.isEmpty && length.isEmpty
            && seating.isEmpty
    }

    /// Asks for everything, and asks again if the meeting cannot be created in the end.
    private func guide(_ planner: Planner, _ consent: Consent) async throws {
        let guide = MeetingGuide(planner, asking: Terminal.questioner())
        var problem: String?
        while true {
            let request = try await guide.request(after: problem)
            do {
                return try await consent.carryOut(isAgreed: true) { saving in
                    try await planner.createMeeting(request, saving: saving)
                }
            } catch {
                problem = try Refusal(answering: error).message
            }
        }
    }

    private func request(_ planner: Planner) async throws -> MeetingRequest {
        guard title == nil || titleOption == nil else {
            throw ValidationError("Give the title once: as TITLE or with --title.")
        }
        guard let title = titleOption ?? title else {
            throw Refusal(
                .invalid, code: "empty_title",
                "The title is missing. Write it after \"new\", as in: letsmeet meeting new \"Board "
                    + "games\" --start \"fri 19:00\"")
        }
        var request = MeetingRequest()
        request.title = title
        request.with = try await planner.names(with, for: "--who")
        request.place = place
        request.city = city
        request.interest = interest
        request.placeText = placeText
        request.start = start ?? ""
        request.repetition = repetition
        request.duration = try length.span()
        request.end = length.end
        request.isAllDay = length.allDay
        request.reminders = try ReminderOption.read(remind)
        request.answerBy = deadline.answerBy
        request.seating = seating.forNewMeeting()
        request.note = note ?? ""
        request.link = link ?? ""
        request.key = key
        return request
    }
}

struct MeetingList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List coming meetings.",
        discussion: """
            Cancelled meetings are shown only with --cancelled. With --json they are always \
            included, and their status says cancelled.

            With --to, each date of a series is listed. With --from, meetings that have ended \
            since that day are listed, too. With --past, a day without a year is the last one.

            EXAMPLE: letsmeet meeting list --mine --past
            EXAMPLE: letsmeet meeting list --search "café" --who anna
            EXAMPLE: letsmeet meeting list --circle Hikers --past
            EXAMPLE: letsmeet meeting list --from "1 jan" --to "31 mar"
            """)

    @Flag(help: "Only meetings that you organize.") var mine = false
    @Flag(help: "Only meetings to which you are invited.") var invited = false
    @Flag(help: "Only meetings that you joined, or for whose seats you wait.") var joined = false
    @Flag(help: "Only open meetings of people whom you follow.") var friends = false
    @Flag(help: "Only past meetings.") var past = false
    @Flag(help: "Include cancelled meetings.") var cancelled = false
    @Option(help: "Only meetings with this text in the title or place.") var search: String?
    @Option(help: "Only meetings with this text in the place.") var place: String?
    @Option(help: "Only meetings to which this circle was invited.", completion: Offers.circles)
    var circle: String?
    @Option(
        name: [.customLong("who"), .customLong("with")], parsing: .upToNextOption,
        help: "Only meetings with all these people.", completion: Offers.people)
    var people: [String] = []
    @Option(help: "Only meetings from this day on.") var from: String?
    @Option(help: "Only meetings up to and including this day.") var to: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !invited || !mine && !past else {
            throw ValidationError("Use --invited without --mine and --past.")
        }
        guard [mine, invited, joined, friends].count(where: \.self) <= 1 else {
            throw ValidationError("Use one of --mine, --invited, --joined and --friends.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        var query = MeetingQuery(invited ? .invited : past ? .past : .coming)
        query.isMine = mine
        query.isJoined = joined
        query.isOfFriends = friends
        query.text = search ?? ""
        query.place = place ?? ""
        query.circle = circle
        query.people = try people.names(for: "--who")
        query.from = try from.map { past ? try planner.pastDay($0) : try planner.day($0) }
        query.through = try to.map {
            past && query.from == nil
                ? try planner.pastDay($0) : try planner.day($0, from: query.from)
        }
        let answer = try await planner.meetings(query)
        try common.list(answer) {
            guard !answer.meetings.isEmpty else { return NoMeetingsText.of(query) }
            return MeetingTable.text(answer, hidesCancelled: !cancelled)
        }
    }
}

/// A table of meetings, one per line.
enum MeetingTable {
    /// The table. If it `hidesCancelled`, cancelled meetings are only counted.
    static func text(_ answer: MeetingLines, hidesCancelled: Bool = false) -> String {
        var table = Table(
            ["Id", "When", "Meeting", "Answers", "Place", "Repeats"], uncut: [0, 1],
            troubles: ["cancelled"])
        var hidden = 0
        for meeting in answer.meetings {
            let isOff = meeting.status == .cancelled
            guard !(isOff && hidesCancelled) else {
                hidden += 1
                continue
            }
            table.add(
                String(decoding: meeting.id.utf8.prefix(6), as: UTF8.self), meeting.startWords,
                meeting.title + (meeting.organizer.map { " (by \($0))" } ?? ""),
                isOff ? "cancelled" : meeting.answers, meeting.place ?? "",
                meeting.repetition ?? "")
        }
        let notShown =
            hidden > 0
            ? "\(TimeWords.count(hidden, "cancelled meeting")) hidden; --cancelled shows all" : nil
        let remarks = [answer.remark, notShown].compactMap(\.self).joined(separator: "\n")
        let rows = table.isEmpty ? "No meetings." : table.text
        return remarks.isEmpty ? rows : "\(rows)\n\(remarks)"
    }
}
