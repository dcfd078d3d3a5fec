import ArgumentParser
import Operations
import Planning
import Settings
import Wording

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the database to a file, and verify it.",
        discussion: """
            The backup contains people, places, meetings and the ledger. It does not contain \
            letsmeet.yaml and your own templates: copy these files from the home folder yourself. \
            letsmeetd can keep running. Only you can read the backup.

            EXAMPLE: letsmeet backup ~/letsmeet-2026-12-01.backup
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Replace an existing file.") var force = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().backup(to: file, overwriting: force)
        try common.confirm(report) { "Saved \(BackupText.of(report)) in \(report.file)." }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore the database from a backup.",
        discussion: """
            The backup is verified first, and the current database is kept beside it. Stop \
            letsmeetd before, and start it again afterwards.

            EXAMPLE: letsmeet restore ~/letsmeet-2026-12-01.backup
            """)

    @Argument(help: "The backup file.", completion: .file()) var file: String
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let surroundings = try common.surroundings()
        try await Planner.checkMayRestore(surroundings)
        if common.asks(unless: yes) {
            try Consent.agree("Replace the database in \(surroundings.home.path) with \(file)?")
        }
        let report = try await Planner.restore(surroundings, from: file)
        try common.confirm(report) {
            let kept = report.previous.map { "\nThe previous database is kept: \($0)" } ?? ""
            return "Restored \(BackupText.of(report)) from \(report.file).\(kept)"
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
        return "\(meetings), \(people) and \(deliveries) "
            + "(\(report.bytes >> 10) KB)"
    }
}
