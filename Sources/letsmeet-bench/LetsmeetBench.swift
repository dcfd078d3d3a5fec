import ArgumentParser
import Planning
import Programs
import Settings
import Wording

/// The benchmarks: each is a command with a file of its own, and checks its own result.
@main
struct LetsmeetBench: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeet-bench",
        abstract: "Measure what letsmeet is made of.",
        discussion: """
            Where a benchmark does not say otherwise, times are those that the processor spent on \
            this process. Compare them only with others taken in turn on the same machine. A run \
            whose result is wrong ends with status 1.

            EXAMPLE: letsmeet-bench wheel --n 1000000 --json
            """,
        version: "letsmeet-bench \(Version.current)",
        subcommands: [
            WheelCommand.self, WheelFuzzCommand.self, LedgerCommand.self, CronCommand.self,
            RecurrenceCommand.self, FreeCommand.self,
            MailCommand.self, WebhookCommand.self,
        ])

    static let leading = LeadingOptions(flags: ["--json"], valued: [])

    static func main() { begin() }

    /// Runs a benchmark and says what it has found.
    ///
    /// - Throws: ``Refusal`` with `wrong_result`, status 1.
    static func show(
        asJSON json: Bool, _ benchmark: () async throws -> BenchReport
    ) async throws {
        do {
            let report = try await benchmark()
            say(try json ? JSONText.of(report) : report.text, to: .answers)
        } catch let fault as BenchFault {
            throw Refusal(.refused, code: "wrong_result", "The result is wrong: \(fault.reason).")
        }
    }
}
