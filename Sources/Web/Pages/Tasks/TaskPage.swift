import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Timekeeping
import Wording

/// A task: how far it is, and its result.
struct TaskPage: PageModel {
    static let template = "task"
    static let names = TemplateNames(
        [
            "taskId", "state", "isOpen", "isStopping", "hasTotal", "done", "total", "progress",
            "result", "resultPath", "mayUndo", "hasNotes", "hasSkipped", "hasWarnings",
            "hasUnused", "hasKept", "undone",
        ],
        lists: [
            "skipped": ["line"], "warnings": ["line"], "unused": ["line"], "kept": ["line"],
        ])

    let task: LongTask
    let mayUndo: Bool

    var topics: [String] { task.state.isFinal ? [] : ["t/\(task.id.text)"] }

    func title(_ words: PageWords) -> String { TaskLine.title(of: task, words) }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "taskId": .text(Link.segment(task.id.text)),
            "state": .text(TaskLine.state(of: task, words)),
            "isOpen": .flag(!task.state.isFinal), "isStopping": .flag(task.state == .stopping),
            "hasTotal": .flag(task.total > 0), "done": .text("\(min(task.done, task.total))"),
            "total": .text("\(task.total)"), "mayUndo": .flag(mayUndo),
        ]
        values[text: "progress"] = TaskLine.progress(of: task, words)
        guard let result = TaskResult.read(task.result) else { return values }
        values[text: "result"] = result.text
        values[text: "undone"] = result.isUndone == true ? words("This import was undone.") : nil
        values[text: "resultPath"] = result.path.isEmpty ? nil : result.path
        let lists = [
            ("skipped", "hasSkipped", result.skipped),
            ("warnings", "hasWarnings", result.warnings), ("unused", "hasUnused", result.unused),
            ("kept", "hasKept", result.kept),
        ]
        for (name, flag, lines) in lists {
            values[name] = .list(lines.map { ["line": .text($0)] })
            values[flag] = .flag(!lines.isEmpty)
        }
        values["hasNotes"] = .flag(lists.contains { !$0.2.isEmpty })
        return values
    }
}

/// A task in words.
enum TaskLine {
    /// The title of a task.
    static func title(of task: LongTask, _ words: PageWords) -> String {
        let name = ["name": task.subject]
        return switch task.kind {
        case .contacts: words("Import of %name%", name)
        case .undo: words("Undo of the import of %name%", name)
        case .fetch: words("Places of %name%", name)
        }
    }

    /// The state of a task in a sentence, with what to do next.
    static func state(of task: LongTask, _ words: PageWords) -> String {
        switch task.state {
        case .queued: words("Waiting for other tasks to finish.")
        case .running: words("In progress. You can leave this page; the task continues.")
        case .stopping: words("Stopping.")
        case .done: words("Done.")
        case .failed: words("This could not be done.")
        case .cancelled: words("Cancelled. What was saved before stays.")
        case .interrupted:
            words(
                "Interrupted, because letsmeetd was stopped. What was saved before stays. Start it "
                    + "again: what is there already is not added twice.")
        }
    }

    /// The progress of an open task; `nil` if it is not known.
    static func progress(of task: LongTask, _ words: PageWords) -> String? {
        guard task.total > 0, !task.state.isFinal else { return nil }
        let values = [
            "done": words.number(min(task.done, task.total)), "total": words.number(task.total),
        ]
        return switch task.kind {
        case .contacts: words("%done% of %total% cards", values)
        case .undo: words("%done% of %total% contacts", values)
        case .fetch: words("%done% of %total% steps", values)
        }
    }
}

/// The tasks of the reader.
struct TasksPage: PageModel {
    static let template = "tasks"
    static let names = TemplateNames(
        [], lists: ["tasks": ["taskId", "taskTitle", "state", "when"]])

    /// The most tasks of the list.
    static let rowsMax = 50

    let tasks: [LongTask]
    let zone: Zone

    var topics: [String] { ["t/"] }

    func title(_ words: PageWords) -> String { words("Tasks") }

    func values(_ words: PageWords) -> TemplateValues {
        [
            "tasks": .list(
                tasks.map { task in
                    [
                        "taskId": .text(Link.segment(task.id.text)),
                        "taskTitle": .text(TaskLine.title(of: task, words)),
                        "state": .text(
                            TaskLine.progress(of: task, words)
                                ?? TaskLine.state(of: task, words)),
                        "when": .text(words.moment(task.queuedAt, in: zone)),
                    ]
                })
        ]
    }
}

extension PageWords {
    /// A number with marks between the thousands.
    func number(_ number: Int) -> String {
        let digits = Array(String(number))
        let mark = language == .german ? "." : ","
        return digits.enumerated().map { place, digit in
            let isFirst = place > 0 && (digits.count - place) % 3 == 0
            return (isFirst ? mark : "") + String(digit)
        }.joined()
    }
}

extension Site {
    /// The tasks of the reader.
    var taskRoutes: [Route] {
        [
            route(.get, "/tasks") { request, visitor in
                let planner = visitor.planner
                let tasks = try await planner.store.tasks(
                    of: planner.actor.id, limit: TasksPage.rowsMax)
                return show(
                    TasksPage(tasks: tasks, zone: planner.zone), in: frame(request, visitor))
            },
            route(.get, "/tasks/:task", task), route(.post, "/tasks/:task/cancel", cancelTask),
            route(.post, "/tasks/:task/undo", undoTask),
        ]
    }

    /// A task of the reader; those of others are as unknown as those that do not exist.
    private func task(
        named id: String, _ visitor: Visitor
    ) async throws -> LongTask {
        let planner = visitor.planner
        let task = try await planner.store.task(LongTaskID(text: id), of: planner.actor.id)
        guard let task else {
            throw Refusal(.refused, code: "unknown_task", "There is no task with this id.")
        }
        return task
    }

    private func mayUndo(_ task: LongTask, _ visitor: Visitor) async throws -> Bool {
        guard task.kind == .contacts, task.state.isFinal else { return false }
        return try await visitor.planner.mayUndoImport(task.id.text)
    }

    private func task(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let task = try await task(named: request["task"], visitor)
        let page = TaskPage(task: task, mayUndo: try await mayUndo(task, visitor))
        return show(page, in: frame(request, visitor))
    }

    private func cancelTask(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        let task = try await task(named: request["task"], visitor)
        try await tasks.stop(task.id, of: visitor.planner.actor.id)
        return redirect(to: .task(task.id.text))
    }

    private func undoTask(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let task = try await task(named: request["task"], visitor)
        guard try await mayUndo(task, visitor) else { return redirect(to: .task(task.id.text)) }
        return redirect(to: .task(try await startUndo(of: task, visitor).text))
    }
}
