import ArgumentParser
import Planning
import Programs
import Settings
import Wording

/// The benchmark program. Each benchmark is a command in a file of its own, and checks its own
/// result.
@main
struct LetsmeetBench: Program {
    static let configuration = CommandConfiguration(
        commandName: "letsmeet-bench",
        abstract: "Measure the parts of letsmeet.",
        discussion: """
            Unless a benchmark says otherwise, times are processor times of this process. Compare \
            them only with others measured in turn on the same machine. If the result of a run is \
            wrong, the program exits with status 1.

            EXAMPLE: letsmeet-bench wheel --n 1000000 --json
            """,
        version: "letsmeet-bench \(Version.current)",
        subcommands: [
            WheelCommand.self, WheelFuzzCommand.self, LedgerCommand.self, CronCommand.self,
            RecurrenceCommand.self, FreeCommand.self,
            MailCommand.self, WebhookCommand.self, PageCommand.self, LiveCommand.self,
            CountCommand.self,
        ])

    static let leading = LeadingOptions(flags: ["--json"], valued: [])

    static func main() { begin() }

    /// Runs a benchmark and prints its report.
    ///
    /// - Throws: ``Refusal`` with `wrong_result`, status 1, if the result is wrong.
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
