import Foundation
import Glibc
import Synchronization

/// Sends mails to one server over a few persistent connections.
///
/// libcurl's multi interface waits for the last reply to a mail without serving the other
/// transfers, so each connection has its own thread. Threads start when there are mails and end
/// after a while without any.
public final class SMTPClient: Sendable {
    /// The stack size of a thread, in bytes. Mails are composed on these threads, too.
    private static let stackBytes = 2 << 20
    /// The time for which a thread waits for another mail, in milliseconds.
    private static let idleMilliseconds: CInt = 30_000

    private struct Job {
        let mail: SMTPTransfer
        let completion: @Sendable (SMTPOutcome) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var threads = 0
        var idle = 0
        /// The number of threads that are sending; the others look for the next mail in a moment.
        var sending = 0
        var isClosed = false
    }

    /// The maximum duration of sending one mail, in seconds, from the moment its turn comes.
    public static let secondsMax = SMTPTransfer.secondsMax

    /// The server.
    public let server: SMTPServer
    /// The maximum number of connections.
    public let connectionsMax: Int
    private let uptime: @Sendable () -> Duration
    private let transcript: Transcript?
    private let state = Mutex(State())
    private let followUps = FollowUpExecutor()
    /// A socket pair. Each byte in it wakes one waiting thread.
    private let news: (reading: CInt, writing: CInt)

    /// Creates a client without connections.
    ///
    /// - Parameters:
    ///   - server: the server that accepts the mails.
    ///   - connectionsMax: the maximum number of connections; at least one.
    ///   - uptime: a monotonic clock.
    ///   - transcript: records the conversation; `nil` to record nothing.
    /// - Throws: ``TransportError/failed(_:)`` if the system has no file descriptors left.
    public init(
        server: SMTPServer, connectionsMax: Int, uptime: @escaping @Sendable () -> Duration,
        transcript: Transcript? = nil
    ) throws(TransportError) {
        self.transcript = transcript
        self.server = server
        self.connectionsMax = max(1, connectionsMax)
        self.uptime = uptime
        news = try Self.pipe()
    }

    private static func pipe() throws(TransportError) -> (reading: CInt, writing: CInt) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(kind), 0, &ends) == 0 else {
            throw .failed("the system has no file descriptors left")
        }
        return (ends[0], ends[1])
    }

    // Each thread keeps a reference to the client while it runs.
    deinit {
        Glibc.close(news.reading)
        Glibc.close(news.writing)
    }

    /// The best executor for a task that sends one mail after another: the sending threads, while
    /// they are not sending.
    public var executor: any TaskExecutor { followUps }

    /// Sends a mail and waits for the server's final reply.
    ///
    /// Cancelling the task ends the conversation within about a second. Once the server has the
    /// whole mail, the client waits a little longer for the final reply.
    public func send(_ message: SMTPMessage) async -> SMTPOutcome {
        let mail = SMTPTransfer(message, to: server, uptime: uptime)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                start(Job(mail: mail) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            mail.cancel()
        }
    }

    /// Closes the connections as soon as nothing more is sent over them.
    public func close() {
        let idle = state.withLock { state in
            state.isClosed = true
            return state.idle
        }
        for _ in 0..<idle { tell() }
    }

    private func start(_ job: Job) {
        let (needsThread, isAwaited) = state.withLock { state in
            state.waiting.append(job)
            guard state.waiting.count > state.threads - state.sending,
                state.threads < connectionsMax
            else {
                return (false, state.idle > 0)
            }
            state.threads += 1
            return (true, false)
        }
        // A busy thread looks for the next mail by itself.
        if isAwaited { tell() }
        guard needsThread else { return }
        let thread = Thread { self.run() }
        thread.name = "mail"
        thread.stackSize = Self.stackBytes
        thread.start()
    }

    private func tell() {
        // A full socket holds wake-ups for more threads than can exist.
        var byte: UInt8 = 1
        _ = write(news.writing, &byte, 1)
    }

    private func run() {
        var job = next()
        while let first = job { job = serve(first) }
    }

    /// Sends mails over one handle until one fails or none is left. The mail that it returns needs
    /// a new handle.
    private func serve(_ first: Job) -> Job? {
        var job = first
        do throws(TransportError) {
            let handle = try SMTPHandle.of(server, transcript: transcript)
            while true {
                let (outcome, isHandleFit) = job.mail.send(over: handle, to: server)
                end(job, outcome)
                guard let following = next() else { return nil }
                guard isHandleFit else { return following }
                job = following
            }
        } catch {
            end(job, .broken(.greeting, error))
            return next()
        }
    }

    private func end(_ job: Job, _ outcome: SMTPOutcome) {
        job.mail.message.onEnd(outcome)
        state.withLock { $0.sending -= 1 }
        followUps.end { job.completion(outcome) }
    }

    /// The next mail; `nil` if this thread must end.
    private func next() -> Job? {
        while true {
            let (job, isOver) = state.withLock { state -> (Job?, Bool) in
                guard state.waiting.isEmpty else {
                    state.sending += 1
                    return (state.waiting.removeFirst(), false)
                }
                if state.isClosed { state.threads -= 1 } else { state.idle += 1 }
                return (nil, state.isClosed)
            }
            if job != nil || isOver { return job }
            guard waitForNews() else { return nil }
        }
    }

    /// Waits for a wake-up. True if this thread may have something to do; false if it must end.
    private func waitForNews() -> Bool {
        var wait = pollfd(fd: news.reading, events: Int16(POLLIN), revents: 0)
        let isLate = poll(&wait, 1, Self.idleMilliseconds) == 0
        var byte: UInt8 = 0
        _ = read(news.reading, &byte, 1)
        return state.withLock { state in
            state.idle -= 1
            guard isLate, state.waiting.isEmpty else { return true }
            state.threads -= 1
            return false
        }
    }
}
