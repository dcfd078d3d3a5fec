import ArgumentParser
import Planning
import TextUI
import Timekeeping

struct LedgerSuppressions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppressions", abstract: "List suppressed addresses.",
        discussion: "EXAMPLE: letsmeet ledger suppressions")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let suppressions: [SuppressionView]
        let truncated: Bool
    }

    func run() async throws {
        let list = try await common.planner().suppressions()
        try common.list(Answer(suppressions: list.rows, truncated: list.isTruncated)) {
            var table = Table(["Address", "For", "Reason"], uncut: [0])
            for entry in list { table.add(entry.address, entry.scope, entry.reason) }
            return table.isEmpty
                ? "No addresses are suppressed." : table.text(with: list.remark)
        }
    }
}

extension SuppressionView {
    /// "for mail until Thu 31 Dec 2026, 13:00 EET".
    fileprivate var scope: String {
        let end = until.map { isOver ? "(ended \($0.words))" : "until \($0.words)" } ?? "for good"
        return "\(channel.map { "for \($0)" } ?? "for all channels") \(end)"
    }
}

extension SuppressionOutcome: Readable {
    var heading: [String] {
        guard let suppression else { return ["\(address) is no longer suppressed."] }
        return ["\(address) is suppressed \(suppression.scope): \(suppression.reason)."]
    }
    var times: [String] { [] }
    var setsHours: Bool { true }
}

struct LedgerSuppress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppress", abstract: "Stop sending to an address.",
        discussion: """
            Waiting and future deliveries to the address are suppressed. For a channel without \
            addresses, the address of the person counts.

            EXAMPLE: letsmeet ledger suppress anna@example.org --reason "asked not to be written to"
            """)

    @Argument(help: "The address.") var address: String
    @Option(help: "Only for this channel.") var channel: String?
    @Option(help: ArgumentHelp("Only until this time.", valueName: "time")) var until: String?
    @Option(help: ArgumentHelp("The reason.", valueName: "text")) var reason: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.suppress(
                address, channel: channel, until: until, reason: reason, saving: saving)
        }
    }
}

struct LedgerUnsuppress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unsuppress", abstract: "Resume sending to an address.",
        discussion: """
            Suppressed deliveries that are still useful are sent.

            EXAMPLE: letsmeet ledger unsuppress anna@example.org
            """)

    @Argument(help: "The address.") var address: String
    @Option(help: "Only for this channel.") var channel: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let consent = Consent(
            common: common, options: consent, asksWhereNobodyIsTold: false)
        try await consent.carryOut { saving in
            try await planner.unsuppress(address, channel: channel, saving: saving)
        }
    }
}
