import Agenda
import ArgumentParser
import Ledger
import Planning
import Programs
import TextUI
import Timekeeping

struct LedgerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger", abstract: "Inspect and manage deliveries.",
        discussion: "EXAMPLE: letsmeet ledger list --state failed",
        subcommands: [
            LedgerList.self, LedgerShow.self, LedgerRetry.self, LedgerDrop.self,
            LedgerVerify.self, LedgerStatsCommand.self, LedgerSuppressions.self,
            LedgerSuppress.self, LedgerUnsuppress.self,
        ])
}

struct LedgerList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List deliveries in the order of their due times.",
        discussion: """
            Where a terminal has no room for the reason and the channel, they are left out. To see \
            them: letsmeet ledger show KEY.

            EXAMPLE: letsmeet ledger list --state planned --limit 20
            """)

    @Option(
        parsing: .upToNextOption,
        help: "Only these states: \(DeliveryState.allValueStrings.joined(separator: " ")).",
        completion: .list(DeliveryState.allValueStrings))
    var state: [String] = []
    @Option(help: "Only deliveries of this meeting.", completion: Offers.meetings)
    var meeting: String?
    @Option(help: "Only deliveries to this person.", completion: Offers.people) var who: String?
    @Option(help: "The most deliveries to show.") var limit: Int = Planner.listRowsMax
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let deliveries: [DeliveryView]
        let truncated: Bool
    }

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit must be at least 1.") }
        guard limit < .max else { throw ValidationError("--limit must be below \(Int.max).") }
        guard state.isEmpty || !state.splitAtCommas.isEmpty else {
            throw ValidationError("--state is empty.")
        }
        for word in state.splitAtCommas where DeliveryState(argument: word) == nil {
            throw ValidationError(
                "There is no state \"\(word)\". The states are: "
                    + DeliveryState.allValueStrings.joined(separator: ", ") + ".")
        }
    }

    func run() async throws {
        let states = Set(state.splitAtCommas.compactMap { DeliveryState(argument: $0) })
        let planner = try await common.planner()
        let stories = try await planner.ledger(
            states: states, meeting: try await planner.meetingID(meeting),
            to: try await planner.knownPerson(who)?.id, limit: limit)
        let answer = Answer(deliveries: stories.map(\.delivery), truncated: stories.isTruncated)
        try common.list(answer) {
            var table = Table(
                ["Key", "Due", "Kind", "To", "By", "State", "Reason"], uncut: [0, 1, 2, 5],
                expendable: [6, 4],
                troubles: ["failed", "ambiguous", "expired", "suppressed", "parked"])
            for story in stories {
                let row = story.delivery
                table.add(
                    String(row.key.prefix(8)), row.due.words, row.kind.rawValue, story.receiver,
                    row.channel,
                    row.state.rawValue, row.reason)
            }
            return table.isEmpty ? "No deliveries." : table.text(with: stories.remark)
        }
    }
}

struct LedgerShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the full history of a delivery.",
        discussion: "EXAMPLE: letsmeet ledger show k3v7q2md")

    @Argument(help: "The key of the delivery, or its beginning.") var key: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let story = try await common.planner().delivery(key)
        try common.answer(story) { StoryText.of(story) }
    }
}

extension String {
    /// The text in one line, with spaces in place of line breaks.
    fileprivate var inOneLine: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// The history of a delivery as text.
enum StoryText {
    static func of(_ story: StoryView) -> String {
        let delivery = story.delivery
        let kind = [delivery.kind.rawValue, story.which].filter { !$0.isEmpty }.joined(
            separator: " ")
        var lines = [
            "\(Style.bold("\(kind) to \(story.receiver)")) by \(delivery.way): "
                + "\(delivery.isOnlyPrinted ? "printed, not sent" : delivery.state.rawValue)  "
                + Style.faint(delivery.key)
        ]
        lines.append("  \(story.because)")
        // Quoted, so that no line of the message looks like a line of the history.
        lines += story.body.map { $0.split(whereSeparator: \.isNewline).map { "  > \($0)" } } ?? []
        lines += story.events.map { "  \($0.at.words)  \($0.what.inOneLine)" }
        if !story.next.text.isEmpty { lines.append("  \(story.next.text)") }
        lines += story.next.advice.map { "  \(AdviceText.sentence($0))" }
        return lines.joined(separator: "\n")
    }
}

struct LedgerRetry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Send failed, parked or dropped deliveries again.",
        discussion: "EXAMPLE: letsmeet ledger retry k3v7q2md")

    @Argument(help: "The keys of the deliveries, or their beginnings.") var keys: [String]
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.retryDeliveries(keys, saving: saving)
        }
    }
}

struct LedgerDrop: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Drop deliveries, so that they are not sent.",
        discussion: "EXAMPLE: letsmeet ledger drop k3v7q2md")

    @Argument(help: "The keys of the deliveries, or their beginnings.") var keys: [String]
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let consent = Consent(common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.dropDeliveries(keys, saving: saving)
        }
    }
}

struct LedgerStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats", abstract: "Count deliveries by state, and show how late they were.",
        discussion: "EXAMPLE: letsmeet ledger stats")

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let stats = try await common.planner().ledgerStats()
        try common.answer(stats) {
            var table = Table()
            for (state, count) in stats.states.sorted(by: { $0.key < $1.key }) {
                table.add(state, String(count))
            }
            table.add("oldest overdue", "\(stats.oldestDueSeconds) s")
            let late = stats.latenessMs
            table.add(
                "lateness", "median \(late.p50) ms, 99 % within \(late.p99) ms, max \(late.max) ms")
            return table.text(in: .plain)
        }
    }
}
