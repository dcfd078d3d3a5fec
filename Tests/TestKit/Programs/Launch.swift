public import Foundation
import Glibc

/// A program to start, with its arguments, environment and streams.
///
/// The program inherits only the three streams that a test gives it and no other open file.
/// Foundation's `Process` reads past the end of a buffer if a thousand files are open, as in tests
/// that run in parallel, and sometimes crashes all of them.
public struct Launch {
    /// The path of the program.
    public var path: String
    /// The arguments, without the name of the program.
    public var arguments: [String]
    /// The environment; by default that of the tests.
    public var environment = ProcessInfo.processInfo.environment
    /// Standard input; empty by default.
    public var input: FileHandle?
    /// Standard output; by default that of the tests.
    public var output: FileHandle?
    /// Standard error; by default that of the tests.
    public var errors: FileHandle?

    /// Creates a launch without starting the program.
    public init(_ path: String, _ arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// Starts the program. The handles belong to it from now on, and are closed here.
    ///
    /// - Throws: `POSIXError` if the program cannot be started.
    public func start() throws -> ChildProcess { ChildProcess(id: try spawn()) }

    /// Runs the program to its end, without blocking a thread.
    ///
    /// - Returns: the exit status, or the signal that ended the program.
    /// - Throws: `POSIXError` if the program cannot be started.
    public func runToEnd() async throws -> Int32 { try await start().end() }

    /// Runs the program to its end and blocks until then.
    ///
    /// - Returns: the exit status, or the signal that ended the program, and all its output.
    /// - Throws: `POSIXError` if the program cannot be started.
    public func answer() throws -> (status: Int32, output: Data) {
        var launch = self
        let pipe = Pipe()
        launch.output = pipe.fileHandleForWriting
        let id = try launch.spawn()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        return (ChildProcess.status(of: id), output)
    }

    private func spawn() throws -> pid_t {
        guard let addCloseFrom = Self.addCloseFrom else { throw POSIXError(.ENOSYS) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.fileDescriptor, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        for (handle, number) in [(output, CInt(1)), (errors, 2)] {
            guard let handle else { continue }
            posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, number)
        }
        addCloseFrom(&actions, 3)
        var id = pid_t()
        let failure = Self.withPointers([path] + arguments) { arguments in
            Self.withPointers(environment.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&id, path, &actions, nil, arguments, environment)
            }
        }
        for handle in Set([input, output, errors].compactMap(\.self)) { try? handle.close() }
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EINVAL) }
        return id
    }

    /// `posix_spawn_file_actions_addclosefrom_np`, which glibc's headers declare only for GNU
    /// sources. With it, no program keeps the pipes of another run open.
    private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
        unsafeBitCast($0, to: AddCloseFrom.self)
    }
    private typealias AddCloseFrom =
        @convention(c) (
            UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt
        ) -> Void

    private static func withPointers<Result>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
    ) -> Result {
        let pointers = texts.map { strdup($0) }
        defer { pointers.forEach { free($0) } }
        return body(pointers + [nil])
    }
}

/// A program that has been started.
public struct ChildProcess: Sendable {
    /// The process id.
    public let id: pid_t
    private let statuses: AsyncStream<Int32>

    fileprivate init(id: pid_t) {
        self.id = id
        let (statuses, status) = AsyncStream.makeStream(of: Int32.self)
        self.statuses = statuses
        Thread.detachNewThread {
            status.yield(Self.status(of: id))
            status.finish()
        }
    }

    /// Waits for the end of the process. Call it once.
    ///
    /// - Returns: the exit status, or the signal that ended the process.
    public func end() async -> Int32 {
        for await status in statuses { return status }
        return -1
    }

    /// Waits for a process and decodes the status as `WIFEXITED` and `WTERMSIG` of wait(2) do.
    fileprivate static func status(of id: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 {
            guard errno == EINTR else { return -1 }
        }
        return status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F
    }
}
