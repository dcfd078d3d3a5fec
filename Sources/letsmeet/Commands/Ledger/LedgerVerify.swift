import ArgumentParser
import Planning

struct LedgerVerify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Check the ledger.",
        discussion: """
            Every row is checked against the rules of the ledger. If one breaks a rule, the \
            command lists it and exits with status 1.

            EXAMPLE: letsmeet ledger verify
            """)

    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().verifyLedger()
        try common.answer(report) {
            guard !report.holds else {
                return "The ledger has no errors: \(report.rows) deliveries checked."
            }
            return report.faults.map { "\($0.key)  \($0.rule)" }.joined(separator: "\n")
        }
        if !report.holds { throw ExitCode(1) }
    }
}
