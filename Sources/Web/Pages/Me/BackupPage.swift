import Agenda
import Ledger
import NIOHTTP1
import Operations
import Planning
import Storage
import Wording

/// The page on which the owner makes a backup of the whole home.
struct BackupPage: PageModel {
    static let template = "backup"
    static let names = TemplateNames(
        [
            "folder", "isRunning", "isStopping", "hasTotal", "done", "total", "progress", "result",
            "trouble", "hasBackups",
        ],
        lists: ["remarks": ["line"], "backups": ["file", "size"]])

    /// The most backups that are listed.
    private static let rowsMax = 50

    let phase: BackupRunner.Phase
    /// The path of the folder of backups.
    let folder: String
    /// The backups in the folder, the newest first.
    let entries: [BackupFolder.Entry]
    /// The reason why the latest backup could not be made.
    let trouble: String?

    var topics: [String] {
        if case .running = phase { ["t/\(BackupRunner.id.text)"] } else { [] }
    }

    func title(_ words: PageWords) -> String { words("Backup") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "folder": .text(folder), "hasBackups": .flag(!entries.isEmpty),
            "backups": .list(
                entries.prefix(Self.rowsMax).map {
                    ["file": .text($0.name), "size": .text(words.size($0.bytes))]
                }),
        ]
        values[text: "trouble"] = trouble
        switch phase {
        case .none, .failed: break
        case .running(let done, let total, let isStopping):
            values["isRunning"] = .flag(true)
            values["isStopping"] = .flag(isStopping)
            values["hasTotal"] = .flag(total > 0)
            values["done"] = .text("\(min(done, total))")
            values["total"] = .text("\(total)")
            values[text: "progress"] = words.progress(done, of: total)
        case .stopped:
            values["result"] = .text(words("The backup was cancelled. It left no file."))
        case .done(let report):
            values["result"] = .text(words.result(report))
            values["remarks"] = .list(report.remarks.map { ["line": .text(words($0))] })
        }
        return values
    }
}

extension PageWords {
    /// The size of a file: `840 KB`, or `12 MB`.
    fileprivate func size(_ bytes: Int64) -> String {
        let kilobytes = Int((bytes + 1023) >> 10)
        return kilobytes < 10_000 ? number(kilobytes) + " KB" : number(kilobytes >> 10) + " MB"
    }

    /// The part of the database that is copied; `nil` if it is not known.
    fileprivate func progress(_ done: Int, of total: Int) -> String? {
        guard total > 0 else { return nil }
        return done < total
            ? self(
                "%done% of %total% are copied.",
                ["done": size(Int64(done)), "total": size(Int64(total))])
            : self("The database is copied, and the copy is verified.")
    }

    fileprivate func result(_ report: BackupReport) -> String {
        let name = report.file.split(separator: "/").last.map(String.init) ?? report.file
        return self(
            "The backup was made and verified: %name%, %size%.",
            ["name": name, "size": size(report.bytes)])
    }
}

extension Site {
    /// Making a backup.
    var backupRoutes: [Route] {
        [
            route(.get, "/me/backup", backupPage),
            confirmedRoute(.post, "/me/backup", makeBackup),
            route(.post, "/me/backup/cancel") { _, visitor in
                try visitor.planner.checkIsOwner(to: "make a backup")
                backups.stop()
                return redirect(to: .backup)
            },
        ]
    }

    private func backupPage(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        try visitor.planner.checkIsOwner(to: "make a backup")
        let folder = BackupFolder(of: visitor.planner)
        let phase = backups.phase
        let page = BackupPage(
            phase: phase, folder: folder.folder, entries: folder.entries,
            trouble: trouble(of: phase, visitor))
        var answer = show(page, in: frame(request, visitor))
        // The progress and the files change without the database, so the page is not kept.
        answer.fields.removeAll { $0.name == "Cache-Control" }
        answer.fields.append(("Cache-Control", "no-store"))
        return answer
    }

    private func trouble(of phase: BackupRunner.Phase, _ visitor: Visitor) -> String? {
        guard case .failed(let error) = phase else { return nil }
        if let text = try? sentence(error, visitor) { return text }
        return Frame(visitor: visitor).words(world)(
            "The backup could not be made. The log of letsmeetd names the reason.")
    }

    private func makeBackup(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        try planner.checkIsOwner(to: "make a backup")
        backups.start(for: planner.actor.id) { mayGoOn in
            try await HeavyWork.run {
                try await BackupFolder(of: planner).backUp(planner, mayGoOn: mayGoOn)
            }
        }
        return redirect(to: .backup)
    }
}
