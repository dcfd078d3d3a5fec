import Agenda
import Dispatch
import Glibc
public import Ledger
import Settings
import Synchronization
public import Timekeeping
import Transport
import Wording

/// Shows each delivery to the operator on standard output, or in any other open file.
///
/// A program that reads from a pipe gets one JSON object per line; a person at a terminal gets a
/// readable block. Each delivery is one write, after which it is reported as accepted.
public struct StdoutSink: Sink {
    /// The form in which deliveries are shown.
    public enum Form: Sendable {
        /// One JSON object per line.
        case lines
        /// A readable block.
        case blocks
    }

    static let definition = SinkDefinition(.stdout) { world, _ in
        StdoutSink(isOnPurpose: world.configuration.namesSinks, clock: world.clock)
    }

    /// `stdout`.
    public let name = SinkKind.stdout.name
    /// Retries soon at first, then less and less often.
    public let schedule = RetrySchedule.stdout
    /// A line may be written twice; its `id` shows that.
    public let policy = AmbiguityPolicy.resend

    private let file: OpenFile
    private let form: Form
    /// The code of accepted deliveries.
    private let code: String
    private let clock: any WallClock
    /// A reader that does not read blocks the writer. A separate queue keeps this from blocking
    /// others.
    private let queue = DispatchQueue(label: "letsmeet.stdout")

    /// Writes to an open file.
    ///
    /// - Parameters:
    ///   - descriptor: the file.
    ///   - form: the form of the deliveries; by default chosen by the type of the file.
    ///   - isOnPurpose: false if it is enabled only because nothing else is, so that the people
    ///     whom the deliveries are for do not see them.
    ///   - clock: the clock for waiting on a reader that is stuck.
    public init(
        descriptor: CInt = 1, form: Form? = nil, isOnPurpose: Bool = true, clock: any WallClock
    ) {
        self.clock = clock
        code = isOnPurpose ? "" : AttemptReport.printedCode
        file = OpenFile(descriptor: descriptor)
        self.form = form ?? (isatty(descriptor) == 1 ? .blocks : .lines)
    }

    /// The time for which a write that nobody reads may delay the end of the program, in
    /// milliseconds.
    private static let graceMilliseconds: Int64 = 500

    /// Writes the delivery. If the task is cancelled while a reader is stuck, it is unknown how
    /// much was written.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let text = text(of: outgoing)
        let answer = FirstAnswer()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answer.wait(continuation)
                queue.async { answer.give(write(text)) }
            }
        } onCancel: {
            // A separate task, because neither the cancelled task nor its children can wait any
            // more. It ends by itself after half a second.
            Task { [clock] in
                try? await clock.sleep(
                    until: clock.now.advanced(byMilliseconds: Self.graceMilliseconds))
                answer.give(
                    AttemptReport(.ambiguous, code: "stuck", reply: "the reader stopped reading"))
            }
        }
    }

    /// The delivery as it is written, with the line end.
    public func text(of outgoing: OutgoingMessage) -> String {
        switch form {
        case .lines: outgoing.line()
        case .blocks: VisibleText.of(outgoing.block)
        }
    }

    private func write(_ text: String) -> AttemptReport {
        do throws(OpenFile.Failure) {
            try file.write(text)
            return AttemptReport(.accepted, code: code)
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
            return AttemptReport(
                .misconfigured, code: code, reply: "nobody reads the output: \(words)")
        default:
            return AttemptReport(.retry, code: code, reply: words)
        }
    }
}

/// Passes the first of two answers to the waiter.
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
    /// The delivery as one JSON object on one line.
    func line() -> String { DeliveryPayload(self).json.text + "\n" }

    /// The delivery as a readable block.
    var block: String {
        NotificationText(subject: subject, text: text).block(
            kind: kind, name: name, address: address)
    }
}
