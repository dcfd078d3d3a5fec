import ArgumentParser
import Planning
import TextUI
import Wording

struct PeopleUndoImport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo-import", abstract: "Take back an import of contacts.",
        discussion: """
            This works once, for 30 days after an import. New contacts that nothing uses are \
            removed, and changed ones get their old values back. What was used or changed since \
            stays, and is listed.

            EXAMPLE: letsmeet people undo-import k3v7q2m5x4b6n7p2
            """)

    @Argument(help: "The id that the import printed.") var id: String
    @Flag(help: "Show what would happen without saving anything.") var dryRun = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let report = try await planner.undoImport(id, saving: !dryRun) { done, total in
            if total > Self.quietRowsMax { Terminal.progress("\(done) of \(total)") }
            return true
        }
        Terminal.progress("")
        guard dryRun else { return try common.confirm(report) { Self.text(report) } }
        try common.answer(report) { Self.text(report) }
        if !common.json { Terminal.say("Nothing was saved.") }
    }

    /// The size of an import up to which no progress is shown, because it ends quickly.
    private static let quietRowsMax = 500
    private static let keptMax = 20

    private static func text(_ report: ImportUndoReport) -> String {
        let counts =
            "\(TimeWords.count(report.removed, "contact")) removed, \(report.restored) restored, "
            + "\(report.keptCount) left as they are."
        let more = report.keptCount - min(report.kept.count, keptMax)
        return
            ([counts] + report.kept.prefix(keptMax).map { "  \($0.name) \($0.reason)" }
            + (more > 0 ? ["  and \(more) more"] : [])).joined(separator: "\n")
    }
}
