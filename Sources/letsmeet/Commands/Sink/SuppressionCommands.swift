import ArgumentParser
import Planning
import Timekeeping

struct LedgerSuppressions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppressions", abstract: "List the addresses to which nothing is sent.",
        discussion: "EXAMPLE: letsmeet ledger suppressions")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let suppressions: [SuppressionView]
        let truncated: Bool
    }

    func run() async throws {
        let list = try await common.planner().suppressions()
        try common.answer(Answer(suppressions: list.rows, truncated: list.isTruncated)) {
            var table = Table()
            for entry in list { table.add(entry.address, entry.scope, entry.reason) }
            return table.isEmpty
                ? "Nothing is kept from any address." : table.text(with: list.remark)
        }
    }
}

extension SuppressionView {
    /// "by mail until Thu 31 Dec 2026, 13:00 EET".
    fileprivate var scope: String {
        let end = until.map { isOver ? "ended \($0.words)" : "until \($0.words)" } ?? "for good"
        return "\(channel.map { "by \($0)" } ?? "by all ways") \(end)"
    }
}

extension SuppressionOutcome: Readable {
    var heading: [String] {
        guard let suppression else { return ["\(address) is written to again."] }
        return ["Nothing is sent to \(address) \(suppression.scope): \(suppression.reason)."]
    }
    var times: [String] { [] }
    var setsHours: Bool { true }
}

struct LedgerSuppress: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppress", abstract: "Send nothing more to an address.",
        discussion: """
            What waits for it is suppressed, and what would be planned for it as well. Where a \
            channel has no addresses, that of the person counts.

            EXAMPLE: letsmeet ledger suppress anna@example.org --reason "asked not to be written to"
            """)

    @Argument(help: "The address.") var address: String
    @Option(help: "Only by this channel.") var channel: String?
    @Option(help: ArgumentHelp("Up to this time.", valueName: "time")) var until: String?
    @Option(help: ArgumentHelp("Why, in words.", valueName: "text")) var reason: String?
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
        commandName: "unsuppress", abstract: "Send to an address again.",
        discussion: """
            What was kept from it and is still of use is sent.

            EXAMPLE: letsmeet ledger unsuppress anna@example.org
            """)

    @Argument(help: "The address.") var address: String
    @Option(help: "Only by this channel.") var channel: String?
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
