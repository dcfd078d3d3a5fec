import Agenda
import Foundation
import Glibc
import Ledger
import Logging
import Planning
import Settings
import Storage
import Wording

/// The work of tasks.
extension Site {
    /// The most cards of an import that are saved in one transaction, so that no delivery waits
    /// longer than some 30 ms.
    private static let cardsEach = 100
    /// The mark in the names of uploaded files that a task reads.
    private static let stagedMark = ".task."

    /// Ends the tasks of an earlier daemon, and removes the files that they were reading.
    public func recoverTasks() async {
        let planner = world.planner
        let folder = planner.surroundings.home.uploads
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.contains(Self.stagedMark) { unlink(folder + "/" + name) }
        do {
            try await planner.store.interruptTasks(now: planner.now)
        } catch {
            logger.error("cannot end the tasks of an earlier letsmeetd: \(error)")
        }
    }

    /// Stops the tasks and the backup when the daemon ends.
    public func runTasks() async {
        let (endings, continuation) = AsyncStream<Void>.makeStream()
        for await _ in endings {}
        continuation.finish()
        await tasks.close()
        await backups.close()
    }

    /// A new task of a visitor.
    private func task(_ kind: LongTask.Kind, about subject: String, of visitor: Visitor) -> LongTask
    {
        LongTask(
            id: visitor.planner.surroundings.chance.id(), person: visitor.planner.actor.id,
            kind: kind, subject: String(subject.prefix(200)), queuedAt: visitor.planner.now)
    }

    // MARK: Contacts

    /// Starts the import of an uploaded file.
    ///
    /// - Returns: the task; `nil` if the file cannot be kept.
    func startImport(of file: UploadedFile, _ visitor: Visitor) async throws -> LongTaskID? {
        // The kind of an address book is known by the end of its name.
        let ending = file.name.lowercased().hasSuffix(".csv") ? "csv" : "vcf"
        let staged = file.path + Self.stagedMark + ending
        guard rename(file.path, staged) == 0 else { return nil }
        let task = task(.contacts, about: file.name, of: visitor)
        try await tasks.start(
            task, in: visitor.planner.store, cleanUp: { unlink(staged) },
            work: { await self.importContacts(staged, task, visitor, $0) })
        return task.id
    }

    private func importContacts(
        _ path: String, _ task: LongTask, _ visitor: Visitor, _ steps: TaskSteps
    ) async -> TaskEnd {
        let words = Frame(visitor: visitor).words(world)
        let pace = ImportPace(
            id: ContactImportID(text: task.id.text), rowsMax: Self.cardsEach,
            mayGoOn: steps.mayGoOn, isStopped: { steps.isStopped })
        do {
            let report = try await visitor.planner.importSentPeople(path, pace: pace)
            let result = TaskResult(report, words)
            return report.isStopped ? .stopped(result) : .done(result)
        } catch {
            var result = failure(error, visitor)
            result.text = result.text.replacing(path, with: task.subject)
            result.path = "people"
            return .failed(result)
        }
    }

    /// Starts to take an import of contacts back.
    func startUndo(of task: LongTask, _ visitor: Visitor) async throws -> LongTaskID {
        let person = visitor.planner.actor.id
        // Several imports may come from files of the same name.
        if let known = tasks.open(.undo, about: task.id.text, of: person) { return known }
        let undo = self.task(.undo, about: task.subject, of: visitor)
        try await tasks.start(undo, key: task.id.text, in: visitor.planner.store) { steps in
            let words = Frame(visitor: visitor).words(world)
            do {
                let report = try await visitor.planner.undoImport(
                    task.id.text, mayGoOn: steps.mayGoOn)
                let result = TaskResult(report, words)
                if !report.isStopped { try await markUndone(task, visitor.planner.store) }
                return report.isStopped ? .stopped(result) : .done(result)
            } catch {
                return .failed(failure(error, visitor))
            }
        }
        return undo.id
    }

    /// Notes on the task of an import that its changes were undone.
    private func markUndone(_ task: LongTask, _ store: Store) async throws {
        var result = TaskResult.read(task.result) ?? TaskResult(text: "", path: "people")
        result.isUndone = true
        try await store.replaceResult(of: task.id, with: try result.json)
    }

    // MARK: Places

    /// Starts to fetch the places of a city, as the owner.
    func startFetch(ofCity name: String, _ visitor: Visitor) async throws -> LongTaskID {
        let planner = visitor.planner
        try planner.checkIsOwner(to: "fetch places")
        let city = try planner.city(called: name)
        if let known = tasks.open(.fetch, about: city.label, of: planner.actor.id) { return known }
        let task = task(.fetch, about: city.label, of: visitor)
        try await tasks.start(task, in: planner.store) { steps in
            let words = Frame(visitor: visitor).words(world)
            let path = "places?city=\(Link.segment(city.label))"
            do {
                let view = try await planner.fetchPlaces(city: "\(city.id)", radiusMeters: nil) {
                    guard try await steps.mayGoOn($0, $1) else { throw CancellationError() }
                }
                return .done(TaskResult(view, path, words))
            } catch  where steps.isStopped {
                return .stopped(
                    TaskResult(text: words("Places that were saved until then stay."), path: path))
            } catch {
                var result = failure(error, visitor)
                result.path = path
                return .failed(result)
            }
        }
        return task.id
    }

    /// The result of work that failed. The log gets the details of a fault of the installation.
    private func failure(_ error: any Error, _ visitor: Visitor) -> TaskResult {
        if let text = try? sentence(error, visitor) { return TaskResult(text: text) }
        logger.error("a task failed: \(error)")
        let words = Frame(visitor: visitor).words(world)
        return TaskResult(
            text: words(
                "Something went wrong here. Tell the people who run this installation: their log "
                    + "names the reason."))
    }
}

extension TaskResult {
    /// The result of an import of contacts.
    init(_ report: ImportReport, _ words: PageWords) {
        let notes = ImportNotes(report)
        self.init(
            text: words.imported(
                added: report.imported, changed: report.updated,
                skipped: report.skipped.placeCount),
            skipped: notes.skipped(words), warnings: notes.warnings(words),
            unused: notes.unused(words), path: "people")
    }

    /// The most contacts that are listed.
    private static let keptMax = 50

    /// The result of an undo.
    init(_ report: ImportUndoReport, _ words: PageWords) {
        let counts = [
            words(report.removed, "1 contact was removed", "%n% contacts were removed"),
            words(
                report.restored, "1 has its old values again", "%n% have their old values again"),
            report.keptCount == 0
                ? nil : words(report.keptCount, "1 was kept", "%n% were kept"),
        ].compactMap(\.self)
        let more = report.keptCount - min(report.kept.count, Self.keptMax)
        self.init(
            text: counts.joined(separator: ", ") + ".",
            kept: report.kept.prefix(Self.keptMax).map { "\($0.name): \(words($0.cause))" }
                + (more > 0 ? [words(more, "and 1 more", "and %n% more")] : []),
            path: "people")
    }

    /// The result of fetching the places of a city.
    init(_ view: PlaceImportView, _ path: String, _ words: PageWords) {
        let counts = [
            words(view.imported, "1 place is new", "%n% places are new"),
            words(view.updated, "1 changed", "%n% changed"),
        ]
        self.init(
            text: counts.joined(separator: ", ") + ".", warnings: view.warnings, path: path)
    }
}

extension PageWords {
    /// The reason why an undo left a contact as it is.
    fileprivate func callAsFunction(_ cause: UndoneContact.Reason) -> String {
        switch cause {
        case .changed: self("changed since the import")
        case .used: self("used since the import: in a meeting, a circle, a message or settings")
        case .joined: self("is the guest of a meeting")
        }
    }
}
