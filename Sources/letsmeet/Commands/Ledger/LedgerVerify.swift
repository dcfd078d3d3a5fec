import ArgumentParser
import Planning

struct LedgerVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Hold every row of the ledger against its rules.",
        discussion: """
            Ends with status 1 and the rows, when a rule does not hold.

            EXAMPLE: letsmeet ledger verify
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().verifyLedger()
        try common.answer(report) {
            guard !report.holds else {
                return "The ledger holds: \(report.rows) deliveries, every rule kept."
            }
            return report.faults.map { "\($0.key)  \($0.rule)" }.joined(separator: "\n")
        }
        if !report.holds { throw ExitCode(1) }
    }
}
