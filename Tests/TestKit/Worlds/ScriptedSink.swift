public import Ledger
public import Sinks
import Synchronization

/// A sink that answers as a test scripts it, and records its messages.
public final class ScriptedSink: Sink {
    /// Returns the report for a message; `number` counts from 1.
    public typealias Script =
        @Sendable (_ outgoing: OutgoingMessage, _ number: Int) async -> AttemptReport

    /// The name of the sink.
    public let name: String
    /// The schedule of retries.
    public let schedule: RetrySchedule
    /// The policy for attempts that may or may not have arrived.
    public let policy: AmbiguityPolicy
    /// True if the sink delivers the parts for programs, too.
    public let takesEnclosures: Bool
    private let script: Script
    private let taken = Mutex<[OutgoingMessage]>([])

    /// Creates a sink that follows a script. By default it accepts everything.
    public init(
        name: String = "stdout", schedule: RetrySchedule = .stdout,
        policy: AmbiguityPolicy = .resend, takesEnclosures: Bool = false,
        script: @escaping Script = { _, _ in AttemptReport(.accepted) }
    ) {
        self.name = name
        self.schedule = schedule
        self.policy = policy
        self.takesEnclosures = takesEnclosures
        self.script = script
    }

    /// The messages so far.
    public var messages: [OutgoingMessage] { taken.withLock { $0 } }

    /// Records the message and reports what the script returns.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let number = taken.withLock { messages in
            messages.append(outgoing)
            return messages.count
        }
        return await script(outgoing, number)
    }
}
