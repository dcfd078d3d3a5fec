import Foundation
import Storage
import Synchronization

/// Records every statement that stores run in tests, each once, for `make judge`: one JSON string
/// per line, in the file that `LETSMEET_TEST_STATEMENTS` names.
final class StatementLog: Sendable {
    /// The listener for the stores of this process; `nil` if the variable is not set.
    static let listener: Store.StatementListener? = {
        guard let path = ProcessInfo.processInfo.environment["LETSMEET_TEST_STATEMENTS"] else {
            return nil
        }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let file = FileHandle(forWritingAtPath: path)
        else { preconditionFailure("\(path) cannot be written") }
        return StatementLog(file: file).add
    }()

    private let file: FileHandle
    private let known = Mutex<Set<String>>([])

    private init(file: FileHandle) {
        self.file = file
    }

    private func add(_ statement: String) {
        known.withLock { known in
            guard known.insert(statement).inserted else { return }
            let line = try? JSONEncoder().encode(statement)
            file.write((line ?? Data()) + Data("\n".utf8))
        }
    }
}
