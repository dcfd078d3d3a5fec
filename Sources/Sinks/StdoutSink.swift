import Agenda
import Dispatch
import Glibc
public import Ledger
import Synchronization
public import Timekeeping
import Transport
import Wording

/// Shows each delivery to the operator on standard output, or on any other open file.
///
/// For a program at the other end of a pipe, one JSON object a line; for a person at a terminal, a
/// block to read. Each delivery is one write, and is reported as accepted after it.
public struct StdoutSink: Sink {
    /// How a delivery is shown.
    public enum Form: Sendable {
        /// One JSON object a line.
        case lines
        /// A block to read.
        case blocks
    }

    static let definition = SinkDefinition(.stdout) { world, _ in StdoutSink(clock: world.clock) }

    /// `stdout`.
    public let name = SinkKind.stdout.name
    /// Soon and then less and less often.
    public let schedule = RetrySchedule.stdout
    /// A line may come twice; its `id` says so.
    public let policy = AmbiguityPolicy.resend

    private let file: OpenFile
    private let form: Form
    private let clock: any WallClock
    /// A reader that does not read blocks the writer: on a queue of its own, that harms nobody.
    private let queue = DispatchQueue(label: "letsmeet.stdout")

    /// Writes to an open file.
    ///
    /// - Parameters:
    ///   - descriptor: the file.
    ///   - form: how deliveries are shown; chosen by what the file is when it is not given.
    ///   - clock: on which is waited for a reader who is stuck.
    public init(descriptor: CInt = 1, form: Form? = nil, clock: any WallClock) {
        self.clock = clock
        file = OpenFile(descriptor: descriptor)
        self.form = form ?? (isatty(descriptor) == 1 ? .blocks : .lines)
    }

    /// How long a write that nobody reads may hold up the end of the program, in milliseconds.
    private static let graceMilliseconds: Int64 = 500

    /// Writes the delivery out. When the task is cancelled while a reader is stuck, nobody can say
    /// how much of it arrived.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let text = text(of: outgoing)
        let answer = FirstAnswer()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                queue.async { answer.give(write(text)) }
            }
        } onCancel: {
            // A task of its own, because the one that was cancelled cannot wait any more, nor can
            // any that belongs to it. It ends by itself after half a second.
            Task { [clock] in
                try? await clock.sleep(
                    until: clock.now.advanced(byMilliseconds: Self.graceMilliseconds))
                answer.give(
                    AttemptReport(.ambiguous, code: "stuck", reply: "nobody read it to its end"))
            }
        }
    }

    private func text(of outgoing: OutgoingMessage) -> String {
        switch form {
        case .lines: outgoing.line()
        case .blocks: VisibleText.of(outgoing.block)
        }
    }

    private func write(_ text: String) -> AttemptReport {
        do throws(OpenFile.Failure) {
            try file.write(text)
            return AttemptReport(.accepted)
        } catch {
            return Self.report(error)
        }
    }

    private static func report(_ failure: OpenFile.Failure) -> AttemptReport {
        let words = failure.words
        let code = "errno \(failure.number)"
        if failure.isPartly {
            return AttemptReport(.ambiguous, code: code, reply: "cut off: \(words)")
        }
        switch failure.number {
        case EPIPE, EBADF, EINVAL:
            return AttemptReport(.misconfigured, code: code, reply: "nobody reads it: \(words)")
        default:
            return AttemptReport(.retry, code: code, reply: words)
        }
    }
}

/// Hands the first of two answers to who waits for one.
private final class FirstAnswer: Sendable {
    private let waiter = Mutex<CheckedContinuation<AttemptReport, Never>?>(nil)

    func wait(_ continuation: CheckedContinuation<AttemptReport, Never>) {
        waiter.withLock { $0 = continuation }
    }

    func give(_ report: AttemptReport) {
        let waiter = waiter.withLock { waiter in
            defer { waiter = nil }
            return waiter
        }
        waiter?.resume(returning: report)
    }
}

extension OutgoingMessage {
    /// The delivery as one JSON object on a line.
    func line() -> String { DeliveryPayload(self).json.text + "\n" }

    /// The delivery as a block to read.
    var block: String {
        NotificationText(subject: subject, text: text).block(
            kind: kind, name: name, address: address)
    }
}
