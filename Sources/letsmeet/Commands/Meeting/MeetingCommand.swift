import ArgumentParser
import Planning
import Timekeeping
import Wording

struct MeetingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meeting", abstract: "Make meetings, and change them.",
        discussion: "EXAMPLE: letsmeet meeting list",
        subcommands: [
            MeetingNew.self, MeetingList.self, MeetingShow.self, MeetingEditCommand.self,
            MeetingMove.self, MeetingCancel.self, MeetingInvite.self, MeetingUninvite.self,
            MeetingAccept.self, MeetingRefuse.self, MeetingLink.self,
            MeetingExport.self,
        ])
}

struct MeetingNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Make a meeting and invite people to it.",
        discussion: """
            A WHO is a name, part of one, an address, or a circle; circle:Tennis and person:Tennis \
            tell which of the two is meant. A name with a comma in it is written as a whole, such \
            as --with "Berg, Ben"; that of a new guest in quotes: '"Berg, Ben" <ben@example.org>'. \
            Without --remind people are reminded a day and an hour before. Without arguments, on a \
            terminal, it asks for everything.

            A meeting that repeats is first on the first date by its rule, such as: daily; \
            weekdays; "every 2nd tuesday until 3 march"; "monthly on the last friday"; \
            "every 3 weeks, 10 times"; FREQ=WEEKLY;BYDAY=MO,TH.

            EXAMPLE: letsmeet meeting new "Board games" --with anna,ben --place "Café Engel" \
            --start "fri 19:00" --duration 3h --remind 1d 2h
            EXAMPLE: letsmeet meeting new Choir --with choir --start "tue 19:30" --repeat weekly
            """)

    @Argument(help: "What it is about.") var title: String?
    @Option(name: .customLong("title"), help: "What it is about.") var titleOption: String?
    @Option(parsing: .upToNextOption, help: ArgumentHelp("Whom to invite.", valueName: "who"))
    var with: [String] = []
    @Option(help: "A saved place, the id of one, or words.") var place: String?
    @Option(help: "The city in which the nearest place is taken.") var city: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("What kind of place is taken.", valueName: "interest"))
    var interest: String?
    @Option(help: "The line by which people are told the place.") var placeText: String?
    @Option(help: "When it starts: \"fri 19:00\", \"tomorrow 18:30\", 2026-12-01T18:00.")
    var start: String?
    @Option(help: "How long it takes: 90m, 1h30m, PT2H. One hour without it.")
    var duration: String?
    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "How it repeats: weekly, \"every 2nd tuesday\", or an RRULE.", valueName: "rule"))
    var repetition: String?
    @Option(
        parsing: .upToNextOption,
        help: "How long before the start people are reminded: 1d 2h, or none.")
    var remind: [String] = []
    @Option(help: "What else there is to say.") var note: String?
    @Option(help: "Where to join from afar.") var link: String?
    @Option(help: "Names this request: the same key twice makes one meeting.") var key: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

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
            try await planner.notingConflicts(
                in: planner.createMeeting(request, saving: saving))
        }
    }

    /// Whether nothing is said of the meeting.
    private var isBare: Bool {
        let texts = [
            title, titleOption, place, city, interest, placeText, start, duration,
            repetition, note, link, key,
        ]
        return texts.allSatisfy { $0 == nil } && with.isEmpty && remind.isEmpty
    }

    /// Asks for everything; what cannot be made at last goes back to the questions.
    private func guide(_ planner: Planner, _ consent: Consent) async throws {
        let guide = MeetingGuide(planner, asking: Terminal.questioner())
        var problem: String?
        while true {
            let request = try await guide.request(after: problem)
            do {
                return try await consent.carryOut(isAgreed: true) { saving in
                    try await planner.notingConflicts(
                        in: planner.createMeeting(request, saving: saving))
                }
            } catch {
                problem = try Refusal(answering: error).message
            }
        }
    }

    private func request(_ planner: Planner) async throws -> MeetingRequest {
        guard title == nil || titleOption == nil else {
            throw ValidationError("Give the title once: as TITLE, or with --title.")
        }
        var request = MeetingRequest()
        request.title = titleOption ?? title ?? ""
        request.with = try await planner.names(with, for: "--with")
        request.place = place
        request.city = city
        request.interest = interest
        request.placeText = placeText
        request.start = start ?? ""
        request.repetition = repetition
        request.duration = try duration.map { try TimeSpan.parse($0) }
        request.reminders = try ReminderOption.read(remind)
        request.note = note ?? ""
        request.link = link ?? ""
        request.key = key
        return request
    }
}

struct MeetingList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the meetings that lie ahead.",
        discussion: """
            Cancelled meetings are shown with --cancelled; with --json they always are, and say \
            it by their status.

            EXAMPLE: letsmeet meeting list --mine
            """)

    @Flag(help: "Only those that you organize.") var mine = false
    @Flag(help: "Only those to which you are invited.") var invited = false
    @Flag(help: "Those that are over.") var past = false
    @Flag(help: "Cancelled ones, too.") var cancelled = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [mine, invited, past].filter({ $0 }).count <= 1 else {
            throw ValidationError("Take one of --mine, --invited and --past.")
        }
    }

    func run() async throws {
        let scope: MeetingScope = mine ? .mine : invited ? .invited : past ? .past : .coming
        let answer = try await common.planner().meetings(scope)
        try common.answer(answer) {
            guard !answer.meetings.isEmpty else { return "No meetings." }
            return MeetingTable.text(answer, hidesCancelled: !cancelled)
        }
    }
}

/// Meetings in a table, a line each.
enum MeetingTable {
    /// The table; where it `hidesCancelled`, those that were cancelled are only counted.
    static func text(_ answer: MeetingLines, hidesCancelled: Bool = false) -> String {
        var table = Table()
        var hidden = 0
        for meeting in answer.meetings {
            let isOff = meeting.status == "cancelled"
            guard !(isOff && hidesCancelled) else {
                hidden += 1
                continue
            }
            table.add(
                String(decoding: meeting.id.utf8.prefix(6), as: UTF8.self), meeting.start.words,
                meeting.title, isOff ? "cancelled" : meeting.answers, meeting.place ?? "",
                meeting.repetition ?? "")
        }
        let notShown =
            hidden > 0
            ? "\(TimeWords.count(hidden, "cancelled meeting")) not shown: --cancelled" : nil
        let remarks = [answer.remark, notShown].compactMap(\.self).joined(separator: "\n")
        let rows = table.isEmpty ? "No meetings." : table.text
        return remarks.isEmpty ? rows : "\(rows)\n\(remarks)"
    }
}

struct MeetingShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a meeting with its people.",
        discussion: "EXAMPLE: letsmeet meeting show next --json")

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Option(help: DateOptions.help) var on: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let view = try await planner.meeting(meeting, on: on)
        let mayDecide = planner.mayDecide(on: view)
        try common.answer(view) { Self.text(view, decidingOnProposals: mayDecide) }
    }

    private static func text(_ view: MeetingView, decidingOnProposals mayDecide: Bool) -> String {
        var lines = [
            "\(Style.bold(view.title))  \(Style.faint(view.id))",
            "When       \(view.when)",
        ]
        if let there = view.whenThere { lines.append("There      \(there)") }
        lines += repetition(view)
        if let place = view.place {
            // A place of Foursquare's without words of one's own is called by its page.
            let map = place.map == place.text ? "" : "  \(place.map)"
            lines.append("Where      \(place.text)\(map)")
        }
        if !view.link.isEmpty { lines.append("Join       \(view.link)") }
        if view.status == "cancelled" { lines.append("Status     cancelled") }
        lines.append("Organizer  \(view.organizer.name)")
        lines.append("Reminders  \(SpanWords.before(view.reminders))")
        if !view.note.isEmpty { lines.append("\n\(view.note)") }
        var table = Table()
        for guest in view.participants {
            let plus = guest.plus > 0 ? " +\(guest.plus)" : ""
            let by =
                guest.byOther
                ? " (told by phone)" : guest.unsigned ? " (by mail, unsigned)" : ""
            table.add(
                "  \(guest.name)", guest.address ?? "", "\(guest.answer)\(plus)\(by)",
                Table.line(guest.note))
        }
        return (lines + ["", table.text] + proposals(view, mayDecide)).joined(separator: "\n")
    }

    private static func repetition(_ view: MeetingView) -> [String] {
        guard let words = view.repetition else { return [] }
        let dates = view.dates.filter(\.isOtherwise).map { date in
            "Otherwise  \(date.when)\(Self.what(isOtherwiseOn: date))"
        }
        let next = view.nextOccurrence.map { ["Next       \($0.words)"] } ?? []
        let isWhole = view.occurrence == nil
        return ["Repeats    \(words)"] + (isWhole ? next : []) + dates
    }

    private static func what(isOtherwiseOn date: MeetingView.Date) -> String {
        guard date.status != "cancelled" else { return "  cancelled" }
        let place = date.place.map { ", \($0)" } ?? ""
        let regular = date.regularStart.map { " instead of \($0.words)" } ?? ""
        let people = date.others.map {
            $0.isAsked ? "\($0.name) \($0.answer)" : "without \($0.name)"
        }
        return place + regular + (people.isEmpty ? "" : ": \(people.joined(separator: ", "))")
    }

    private static func proposals(_ view: MeetingView, _ mayDecide: Bool) -> [String] {
        let proposed = view.participants.compactMap { guest in
            guest.proposed.map { "\(guest.name) proposes another time: \($0.words)" }
        }
        guard !proposed.isEmpty else { return [] }
        guard mayDecide else { return [""] + proposed }
        let meeting = String(decoding: view.id.utf8.prefix(6), as: UTF8.self)
        let who = proposed.count == 1 ? "" : " WHO"
        return [""] + proposed + [
            "Take it: letsmeet meeting accept \(meeting)\(who); keep to the time that is set: "
                + "letsmeet meeting refuse \(meeting)\(who)"
        ]
    }
}
