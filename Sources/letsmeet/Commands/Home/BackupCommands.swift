import ArgumentParser
import Planning
import Settings
import Wording

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Copy the database into one file, verified.",
        discussion: """
            That is people, places, meetings and the ledger. Beside it the home holds \
            letsmeet.yaml and templates of your own: copy them as files. A daemon may go on \
            working meanwhile. The backup is readable by you alone.

            EXAMPLE: letsmeet backup ~/letsmeet-2026-12-01.backup
            """)

    @Argument(help: "The file to write.", completion: .file()) var file: String
    @Flag(help: "Replace a file of that name.") var force = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().backup(to: file, overwriting: force)
        try common.confirm(report) { "Saved: \(BackupText.of(report))." }
    }
}

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Take everything back from a backup.",
        discussion: """
            The backup is verified first, and the database that was there is kept beside. Stop \
            letsmeetd before, and start it again afterwards.

            EXAMPLE: letsmeet restore ~/letsmeet-2026-12-01.backup
            """)

    @Argument(help: "The backup.", completion: .file()) var file: String
    @Flag(name: .shortAndLong, help: "Do it without asking.") var yes = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let surroundings = try common.surroundings()
        try await Planner.checkMayRestore(surroundings)
        if common.asks(unless: yes) {
            try Consent.agree("Replace what \(surroundings.home.path) holds by \(file)?")
        }
        let report = try await Planner.restore(surroundings, from: file)
        try common.confirm(report) {
            let kept = report.previous.map { "\nWhat was there before is kept: \($0)" } ?? ""
            return "Restored: \(BackupText.of(report)).\(kept)"
        }
        if !common.json { report.remarks.forEach { Terminal.say($0) } }
    }
}

/// What a backup holds, in words.
private enum BackupText {
    static func of(_ report: BackupReport) -> String {
        let meetings = TimeWords.count(report.meetings, "meeting")
        let people = TimeWords.count(report.people, "person", plural: "people")
        let deliveries = TimeWords.count(report.deliveries, "delivery", plural: "deliveries")
        return "\(meetings), \(people) and \(deliveries) in \(report.file) "
            + "(\(report.bytes >> 10) KB)"
    }
}
