import ArgumentParser

/// Somebody ended a conversation before its end.
enum Leaving: Error, Equatable {
    /// With Ctrl-C.
    case interrupted
    /// In words, with Ctrl-D, or because no more input comes.
    case ended

    /// The status with which the command ends; for Ctrl-C the one that shells give it.
    var exitStatus: Int32 {
        switch self {
        case .interrupted: 130
        case .ended: 1
        }
    }

    /// Runs what asks; who leaves is told that nothing was saved.
    static func caught<Value>(in body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let leaving as Leaving {
            Terminal.say("Nothing was saved.")
            throw ExitCode(leaving.exitStatus)
        }
    }
}
