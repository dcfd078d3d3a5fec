import ArgumentParser
import Operations
import Planning
import Settings
import Wording

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the whole home to a file, and verify it.",
        discussion: """
            The backup contains people, places, meetings and the ledger, letsmeet.yaml, \
            letsmeet.key, the crontab, your own templates, and passwords that were given on a \
            page. letsmeetd can keep running. Only you can read the backup.

            EXAMPLE: letsmeet backup ~/letsmeet-2026-12-01.backup
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Replace an existing file.") var force = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().backup(to: file, overwriting: force)
        try common.confirm(report) { "Saved \(BackupText.of(report)) in \(report.file)." }
        if !common.json { report.remarks.forEach { Terminal.say($0.shown) } }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore a home from a backup.",
        discussion: """
            The backup is verified first. The current database and the other files that are \
            replaced are kept in the home folder. Stop letsmeetd before, and start it again \
            afterwards. On a terminal, the command asks first. Elsewhere it replaces files only \
            with --yes or --json.

            EXAMPLE: letsmeet restore ~/letsmeet-2026-12-01.backup
            """)

    @Argument(help: "The backup file.", completion: .file()) var file: String
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let surroundings = try common.surroundings()
        try await Planner.checkMayRestore(surroundings)
        let plan = try RestorePlan(surroundings, from: file)
        if !common.json { plan.lines.forEach { Terminal.say($0) } }
        if common.asks(unless: yes) {
            try Consent.agree("Restore \(file) into \(surroundings.home.path)?")
        } else if !yes, !common.json, !plan.replaced.isEmpty {
            throw ValidationError(
                "The restore would replace files, and without a terminal nobody can be asked. To "
                    + "replace them, add --yes.")
        }
        let report = try await Planner.restore(surroundings, from: file)
        try common.confirm(report) {
            let kept = report.previous.map { "\nThe previous database is kept: \($0)" } ?? ""
            let files =
                report.previousFiles.map { "\nThe other replaced files are kept: \($0)" } ?? ""
            return "Restored \(BackupText.of(report)) from \(report.file).\(kept)\(files)"
        }
        if !common.json { report.remarks.forEach { Terminal.say($0.shown) } }
    }
}

/// The content of a backup as text.
private enum BackupText {
    static func of(_ report: BackupReport) -> String {
        let meetings = TimeWords.count(report.meetings, "meeting")
        let people = TimeWords.count(report.people, "person", plural: "people")
        let deliveries = TimeWords.count(report.deliveries, "delivery", plural: "deliveries")
        let files =
            report.files.isEmpty
            ? "" : " and \(TimeWords.count(report.files.count, "other file"))"
        return "\(meetings), \(people), \(deliveries)\(files) (\(report.bytes >> 10) KB)"
    }
}
