import Foundation
import Glibc
import Synchronization

/// Hands mails to one server, on a few connections that are kept open.
///
/// libcurl's interface for many transfers at once waits for a mail's last reply without looking at
/// the others, so each connection has a thread of its own. Threads come with the mails and go when
/// there were none for a while.
public final class SMTPClient: Sendable {
    /// Mails are written there, too.
    private static let stackBytes = 2 << 20
    /// How long a thread waits for another mail.
    private static let idleMilliseconds: CInt = 30_000

    private struct Job {
        let mail: SMTPTransfer
        let completion: @Sendable (SMTPOutcome) -> Void
    }

    private struct State {
        var waiting: [Job] = []
        var threads = 0
        var idle = 0
        /// How many are busy with a mail; the others look for the next one in a moment.
        var sending = 0
        var isClosed = false
    }

    /// No mail takes longer, in seconds, once it is its turn.
    public static let secondsMax = SMTPTransfer.secondsMax

    /// The server.
    public let server: SMTPServer
    /// How many connections there are at most.
    public let connectionsMax: Int
    private let uptime: @Sendable () -> Duration
    private let transcript: Transcript?
    private let state = Mutex(State())
    private let followUps = FollowUpExecutor()
    /// A byte for each time that a thread which waits shall look around.
    private let news: (reading: CInt, writing: CInt)

    /// A client without connections yet.
    ///
    /// - Parameters:
    ///   - server: who takes the mails.
    ///   - connectionsMax: how many connections there are at most, at least one.
    ///   - uptime: a clock that nobody sets.
    ///   - transcript: hears what is said; nobody does without it.
    /// - Throws: ``TransportError/failed(_:)`` when the system has no room for it.
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
            throw .failed("the system has no files left to open")
        }
        return (ends[0], ends[1])
    }

    // Each thread holds the client as long as it runs.
    deinit {
        Glibc.close(news.reading)
        Glibc.close(news.writing)
    }

    /// Where a task that sends one mail after the other had best run: on the threads that send
    /// them, while they do not.
    public var executor: any TaskExecutor { followUps }

    /// Hands a mail over, and waits for the server's last word on it.
    ///
    /// Cancelling the task breaks the conversation off within about a second; once the server has
    /// the whole mail, its last word is waited for a little longer.
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

    /// Lets the connections go as soon as nothing more is sent over them.
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
        // A thread that is busy looks for the next mail by itself.
        if isAwaited { tell() }
        guard needsThread else { return }
        let thread = Thread { self.run() }
        thread.name = "mail"
        thread.stackSize = Self.stackBytes
        thread.start()
    }

    private func tell() {
        // Full, it has news for more threads than there can be.
        var byte: UInt8 = 1
        _ = write(news.writing, &byte, 1)
    }

    private func run() {
        var job = next()
        while let first = job { job = serve(first) }
    }

    /// Sends mails over one handle until one goes wrong, or none is left; the next one is for
    /// another handle.
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

    /// The next mail; `nil` when this thread shall end.
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

    /// Waits; whether there is something to do for this thread.
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
