import Subprocess
import Synchronization
import SystemPackage

/// Reads pictures from outside, in a program of its own. A picture can only harm that program,
/// which may use no files, no network, 1 GiB of memory and 30 seconds.
public struct PictureReader: Sendable {
    /// The name of the program.
    public static let programName = "letsmeet-pictures"
    /// The most programs at once; further pictures wait.
    public static let programsMax = 2
    /// The most pictures that wait.
    public static let waitingMax = 64

    private let answer: @Sendable (PictureRequest) async throws(PictureRefusal) -> PictureAnswer
    private let turns = PictureTurns(runningMax: programsMax, waitingMax: waitingMax)

    /// Creates a reader with these answers.
    public init(
        answering answer:
            @escaping @Sendable (PictureRequest) async throws(PictureRefusal) -> PictureAnswer
    ) {
        self.answer = answer
    }

    /// Creates a reader that starts a program for each picture.
    ///
    /// - Parameters:
    ///   - path: the path of the program. It need not exist.
    ///   - deadline: returns when a program must have ended. A program ends itself after 30
    ///     seconds.
    public init(program path: String, deadline: @escaping @Sendable () async throws -> Void) {
        self.init { request throws(PictureRefusal) in
            try await PictureRun(path: path).answer(request, by: deadline)
        }
    }

    /// The path of the program beside the running one, such as `/usr/bin/letsmeet-pictures`.
    ///
    /// - Parameter executable: the path of the running program.
    /// - Returns: the path, whether or not there is a file.
    public static func path(beside executable: String) -> String {
        let folder = FilePath(executable).removingLastComponent()
        return folder.appending(programName).string
    }

    /// Reads a picture.
    ///
    /// - Parameters:
    ///   - picture: the octets of a JPEG, PNG, WebP or HEIF.
    ///   - sizes: the sides of the wanted squares, in pixels, the largest first.
    /// - Returns: a JPEG of each size, upright, in sRGB and without metadata.
    /// - Throws: ``PictureRefusal``.
    public func renditions(
        of picture: [UInt8], sizes: [Int]
    ) async throws(PictureRefusal) -> [Rendition] {
        try await read(picture, sizes: sizes).result.get()
    }

    /// The same with the parts of the sandbox.
    ///
    /// - Parameters:
    ///   - picture: the octets of a picture.
    ///   - sizes: the sides of the wanted squares, in pixels, the largest first.
    /// - Returns: the answer of the program, which can be a refusal.
    /// - Throws: ``PictureRefusal`` if there is no answer.
    public func read(
        _ picture: [UInt8], sizes: [Int]
    ) async throws(PictureRefusal) -> PictureAnswer {
        guard !picture.isEmpty else { throw .damaged }
        let request = try PictureRequest(sizes: sizes, picture: picture)
        guard await turns.begin() else { throw .busy }
        defer { turns.end() }
        return try await answer(request)
    }
}

/// One run of the program.
private struct PictureRun {
    let path: String

    /// Without the variables of the parent. The last two keep libvips from compiling code, and from
    /// loaders that are not meant for files from outside.
    private static let variables: [Environment.Key: String] = [
        "PATH": "/usr/bin:/bin", "VIPS_NOVECTOR": "1", "VIPS_BLOCK_UNTRUSTED": "1",
    ]

    /// Sends the request, and reads the answer.
    func answer(
        _ request: PictureRequest, by deadline: @escaping @Sendable () async throws -> Void
    ) async throws(PictureRefusal) -> PictureAnswer {
        guard let octets = try await run(request.octets, by: deadline) else { throw .tooMuchWork }
        return try PictureAnswer(octets: octets, sizes: request.sizes)
    }

    /// - Returns: the output; `nil` if the program was ended by a signal or the deadline.
    private func run(
        _ octets: [UInt8], by deadline: @escaping @Sendable () async throws -> Void
    ) async throws(PictureRefusal) -> [UInt8]? {
        do {
            return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                group.addTask { try await output(for: octets) }
                group.addTask {
                    try await deadline()
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        } catch let error as SubprocessError where error.code == .executableNotFound {
            throw .noHelper
        } catch let refusal as PictureRefusal {
            throw refusal
        } catch {
            throw .tooMuchWork
        }
    }

    private func output(for octets: [UInt8]) async throws -> [UInt8]? {
        let result = try await Subprocess.run(
            .path(FilePath(path)), environment: .custom(Self.variables),
            workingDirectory: "/", input: .inputWriter,
            output: .bytes(limit: PictureLimits.answerOctetsMax), error: .discarded
        ) { execution in
            // The program may end without reading all. If the library wrote the picture, that would
            // end the whole daemon.
            let writer = execution.standardInputWriter
            _ = try? await writer.write(octets)
            try await writer.finish()
        }
        // The dynamic linker did not find libvips.
        guard result.terminationStatus != .exited(127) else { throw PictureRefusal.noHelper }
        return result.terminationStatus == .exited(0) ? result.standardOutput : nil
    }
}

/// Lets a few tasks work at the same time; the others wait in order.
private final class PictureTurns: Sendable {
    private struct State {
        var running = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let runningMax: Int
    private let waitingMax: Int
    private let state = Mutex(State())

    init(runningMax: Int, waitingMax: Int) {
        self.runningMax = runningMax
        self.waitingMax = waitingMax
    }

    /// Waits for a turn. The caller must end it.
    ///
    /// - Returns: false if too many wait; the caller has no turn then.
    func begin() async -> Bool {
        let isFree = state.withLock { state in
            if state.running < runningMax {
                state.running += 1
                return true
            }
            return false
        }
        if isFree { return true }
        guard state.withLock({ $0.waiting.count < waitingMax }) else { return false }
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                guard state.running < runningMax else {
                    state.waiting.append(turn)
                    return false
                }
                state.running += 1
                return true
            }
            if isFree { turn.resume() }
        }
        return true
    }

    /// Gives the turn to the task that has waited longest.
    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.running -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
