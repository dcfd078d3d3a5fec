import Foundation

/// The result of a task, in the language of the person who started it.
struct TaskResult: Codable, Equatable, Sendable {
    /// The result in a sentence.
    var text: String
    /// The parts that were skipped, and why.
    var skipped: [String] = []
    /// The parts that were perhaps not read as meant.
    var warnings: [String] = []
    /// The data that was not used.
    var unused: [String] = []
    /// The contacts that an undo left as they are, and why.
    var kept: [String] = []
    /// The page of the result, relative to the root of the site; empty for none.
    var path = ""
    /// True if the changes of an import were undone later; `nil` in older results.
    var isUndone: Bool?

    /// Writes the result as JSON.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    /// Reads a result; `nil` if there is none.
    static func read(_ json: String) -> TaskResult? {
        try? JSONDecoder().decode(TaskResult.self, from: Data(json.utf8))
    }
}

/// The end of the work of a task.
enum TaskEnd: Sendable {
    /// Everything was done.
    case done(TaskResult)
    /// The work stopped because it was asked to. What was saved until then stays.
    case stopped(TaskResult)
    /// The work could not be done.
    case failed(TaskResult)

    /// The result.
    var result: TaskResult {
        switch self {
        case .done(let result), .stopped(let result), .failed(let result): result
        }
    }
}
