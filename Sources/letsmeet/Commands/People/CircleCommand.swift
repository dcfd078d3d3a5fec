import Ledger
import Agenda
import ArgumentParser
import Planning
import TextUI
import Wording

struct CircleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "circle", abstract: "Manage groups of people that you invite with one word.",
        discussion: "EXAMPLE: letsmeet circle new chess anna ben",
        subcommands: [
            CircleNew.self, CircleAdd.self, CircleRemove.self, CircleRename.self,
            CircleList.self, CircleShow.self, CircleHistory.self, CircleDelete.self,
        ])
}

/// The answer that shows a circle and its people.
struct CircleAnswer: Encodable {
    let circle: CircleView
    let people: [PersonLine]

    init(_ answer: (CircleView, [PersonLine])) {
        (circle, people) = answer
    }

    var text: String {
        var table = Table(cellColumnsMax: Table.listColumnsMax)
        for person in people { table.add("  \(person.name)", person.address) }
        let count = TimeWords.count(circle.count, "person", plural: "people")
        let head = "\(Style.bold(circle.name)): \(count)"
        return people.isEmpty ? head : "\(head)\n\(table.text)"
    }
}

struct CircleNew: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create a circle.",
        discussion: "EXAMPLE: letsmeet circle new chess anna ben")

    @Argument(help: "The name of the circle.") var name: String
    @Argument(help: "The people in it.", completion: Offers.people) var who: [String] = []
    @OptionGroup var more: WhoOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let answer = CircleAnswer(
            try await planner.addCircle(name, members: try await planner.people(who + more.named)))
        try common.confirm(answer) { answer.text }
        if let remark = try await planner.remark(onCircleNamed: answer.circle.name) {
            Terminal.say(remark)
        }
    }
}

struct CircleAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add people to a circle.",
        discussion: """
            If the circle is invited to coming meetings, the command asks whether to invite the \
            people to them, too. In scripts, give --invite or --no-invite; without them, nobody is \
            invited.

            EXAMPLE: letsmeet circle add chess carla
            """)

    @Argument(help: "The name of the circle.", completion: Offers.circles) var name: String
    @Argument(help: "The people to add.", completion: Offers.people) var who: [String] = []
    @OptionGroup var more: WhoOption
    @Flag(
        inversion: .prefixedNo,
        help: "Invite them to the coming meetings of the circle, or do not ask.")
    var invite: Bool?
    @Flag(help: "Show what would happen without saving anything.") var dryRun = false
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let circle: CircleView
        let people: [PersonLine]
        /// The coming meetings in which the added people did not take part.
        let meetings: [CircleInvitation]
        /// True if they were invited to these.
        let invited: Bool
    }

    func validate() throws { try more.checkAnybody(besides: who) }

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(
            named: name, advice: [.people(.makeCircle(name))])
        let people = try await planner.people(who + more.named)
        let missing = try await planner.missingInvitations(of: people, in: circle)
        guard !dryRun else { return try await preview(people, circle, missing, planner) }
        let invites = try await invites(missing, planner)
        let added = CircleAnswer(try await planner.addMembers(people, to: circle))
        let outcomes = invites ? try await planner.invite(missing, saving: true) : []
        let answer = Answer(
            circle: added.circle, people: added.people, meetings: missing, invited: invites)
        try common.confirm(answer) {
            ([added.text] + outcomes.map { OutcomeText(outcome: $0).done })
                .joined(separator: "\n")
        }
        guard !invites, !missing.isEmpty, invite == nil, !common.json else { return }
        let names = (who + more.named).map(\.shellWord).joined(separator: " ")
        Terminal.say(
            "Not invited yet:\n\(missing.lines)\nTo invite: letsmeet circle add "
                + "\(circle.name.shellWord) \(names) --invite")
    }

    private func preview(
        _ people: [PersonID], _ circle: Circle, _ missing: [CircleInvitation], _ planner: Planner
    ) async throws {
        if invite == true { _ = try await planner.invite(missing, saving: false) }
        let new = try await planner.newMembers(among: people, of: circle)
        let (present, members) = try await planner.members(of: circle)
        let answer = Answer(
            circle: present, people: members + new, meetings: missing, invited: invite == true)
        try common.answer(answer) {
            let names = new.map(\.name).joined(separator: ", ")
            let joining =
                new.isEmpty
                ? "Everybody is already in the circle \(circle.name)."
                : "To be added to the circle \(circle.name): \(names)"
            let heading = invite == true ? "To be invited" : "Not invited yet"
            return missing.isEmpty ? joining : "\(joining)\n\(heading):\n\(missing.lines)"
        }
        if !common.json { Terminal.say("Nothing was saved.") }
    }

    private func invites(
        _ missing: [CircleInvitation], _ planner: Planner
    ) async throws -> Bool {
        guard !missing.isEmpty, invite != false else { return false }
        let asks = invite == nil && Screen.isInteractive && !common.json
        guard invite == true || asks else { return false }
        // If an invitation is refused, nobody is added to the circle either.
        let count = try await planner.invite(missing, saving: false)
            .flatMap(\.notifications.added).count { $0.kind == .invitation }
        guard asks else { return true }
        return Terminal.confirms(
            "Not invited yet:\n\(missing.lines)\n"
                + "Send \(TimeWords.count(count, "invitation"))?")
    }
}

extension [CircleInvitation] {
    /// One line for each meeting: its title and start, and the people.
    fileprivate var lines: String {
        map { invitation in
            let meeting = invitation.meeting
            let names = invitation.people.map(\.name).joined(separator: ", ")
            let when =
                meeting.repeats ? "repeats, first on \(meeting.start.words)" : meeting.start.words
            return "  \(names): \(meeting.title), \(when)"
        }.joined(separator: "\n")
    }
}

struct CircleRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove people from a circle.",
        discussion: """
            They stay invited to the meetings to which they were invited with the circle. The \
            output lists the coming ones.

            EXAMPLE: letsmeet circle remove chess carla
            """)

    @Argument(help: "The name of the circle.", completion: Offers.circles) var name: String
    @Argument(help: "The people to remove.", completion: Offers.people) var who: [String] = []
    @OptionGroup var more: WhoOption
    @OptionGroup var common: CommonOptions

    func validate() throws { try more.checkAnybody(besides: who) }

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(named: name)
        let people = try await planner.people(who + more.named)
        let left = CircleAnswer(try await planner.removeMembers(people, from: circle))
        let remaining = try await planner.remainingInvitations(of: people, with: circle)
        try common.confirm(
            Answer(circle: left.circle, people: left.people, meetings: remaining)
        ) { left.text }
        guard let first = remaining.first, !common.json else { return }
        let names = first.people.map(\.id.shellWord).joined(separator: " ")
        Terminal.say(
            "Still invited:\n\(remaining.lines)\nTo remove them from a meeting: letsmeet meeting "
                + "uninvite \(first.meeting.id) \(names)")
    }

    private struct Answer: Encodable {
        let circle: CircleView
        let people: [PersonLine]
        /// The coming meetings to which the removed people are still invited.
        let meetings: [CircleInvitation]
    }
}

struct CircleRename: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Give a circle another name.",
        discussion: """
            The people, channels and quiet hours of the circle stay. An import of contacts that \
            still have the old name as a category creates a circle with the old name.

            EXAMPLE: letsmeet circle rename chess "Chess club"
            """)

    @Argument(help: "The name of the circle.", completion: Offers.circles) var name: String
    @Argument(help: "The new name.") var newName: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(named: name)
        let answer = CircleAnswer(try await planner.renameCircle(circle, to: newName))
        try common.confirm(answer) { answer.text }
        if let remark = try await planner.remark(onCircleNamed: answer.circle.name) {
            Terminal.say(remark)
        }
    }
}

struct CircleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List circles.",
        discussion: "EXAMPLE: letsmeet circle list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let circles: [CircleView]
    }

    func run() async throws {
        let circles = try await common.planner().circles()
        try common.list(Answer(circles: circles)) {
            var table = Table(["Circle", "Size"], cellColumnsMax: Table.listColumnsMax)
            for circle in circles {
                table.add(circle.name, TimeWords.count(circle.count, "person", plural: "people"))
            }
            return table.isEmpty ? "No circles." : table.text
        }
    }
}

struct CircleShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the people in a circle.",
        discussion: "EXAMPLE: letsmeet circle show chess")

    @Argument(help: "The name of the circle.", completion: Offers.circles) var name: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(named: name)
        let answer = CircleAnswer(try await planner.members(of: circle))
        try common.list(answer) { answer.text }
    }
}

struct CircleHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List the meetings to which a circle was invited.",
        discussion: """
            Coming, past and cancelled meetings are listed, the latest first. The last column \
            says how many people answered that they come, also people outside the circle.

            EXAMPLE: letsmeet circle history chess
            """)

    @Argument(help: "The name of the circle.", completion: Offers.circles) var name: String
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let meetings: [CircleMeetingView]
    }

    func run() async throws {
        let planner = try await common.planner()
        let circle = try await planner.circle(named: name)
        let meetings = try await planner.history(of: circle)
        try common.list(Answer(meetings: meetings)) {
            guard !meetings.isEmpty else { return "No meetings with \(circle.name)." }
            var table = Table(
                ["Id", "When", "Meeting", "People"], uncut: [0, 1], troubles: ["cancelled"])
            for meeting in meetings {
                table.add(
                    String(meeting.id.prefix(6)), meeting.startWords,
                    meeting.title + (meeting.repeats ? " (repeats)" : ""),
                    meeting.status == .cancelled ? "cancelled" : "\(meeting.going) going")
            }
            return table.text
        }
    }
}

struct CircleDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a circle and its channels, but not its people.",
        discussion: """
            On a terminal, the command says what is deleted and asks. --dry-run only says it.

            EXAMPLE: letsmeet circle delete chess
            """)

    @Argument(help: "The name of the circle.", completion: Offers.circles) var name: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let circle: CircleView
        let channels: [String]
    }

    func run() async throws {
        let planner = try await common.planner()
        let known = try await planner.circle(named: name)
        if consent.dryRun || Consent(common: common, options: consent).asks {
            let planned = try await planner.deleteCircle(known, saving: false)
            guard !consent.dryRun else {
                try common.answer(Answer(circle: planned.circle, channels: planned.channels)) {
                    Self.preview(planned.circle, planned.channels)
                }
                if !common.json { Terminal.say("Nothing was saved.") }
                return
            }
            Terminal.say(Self.preview(planned.circle, planned.channels))
            try Consent.agree("Delete this circle?")
        }
        let (circle, channels) = try await planner.deleteCircle(known)
        try common.confirm(Answer(circle: circle, channels: channels)) {
            "Deleted the circle \(circle.name)."
                + (channels.isEmpty ? "" : " Also deleted: \(Self.named(channels)).")
        }
    }

    /// The effects of a deletion.
    private static func preview(_ circle: CircleView, _ channels: [String]) -> String {
        let people = TimeWords.count(circle.count, "person", plural: "people")
        let more = channels.isEmpty ? "" : " Also deleted: \(named(channels))."
        return "This deletes the circle \(circle.name) with \(people), who stay contacts.\(more)"
    }

    private static func named(_ channels: [String]) -> String {
        let what = channels.count == 1 ? "its channel" : "its channels"
        return "\(what) \(channels.joined(separator: ", "))"
    }
}
