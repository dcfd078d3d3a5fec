public import Ledger
public import Sinks
import Synchronization

/// A sink that answers as a test says, and remembers what it was given.
public final class ScriptedSink: Sink {
    /// Decides the answer to a parcel; `number` counts from 1.
    public typealias Script =
        @Sendable (_ outgoing: OutgoingMessage, _ number: Int) async -> AttemptReport

    /// The channel that it stands for.
    public let name: String
    /// When to try again.
    public let schedule: RetrySchedule
    /// What to do when a send may have arrived.
    public let policy: AmbiguityPolicy
    /// Whether it is given what programs read, too.
    public let takesEnclosures: Bool
    private let script: Script
    private let taken = Mutex<[OutgoingMessage]>([])

    /// A sink that follows a script; without one it accepts everything.
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

    /// What it was given so far.
    public var messages: [OutgoingMessage] { taken.withLock { $0 } }

    /// Answers by the script.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let number = taken.withLock { messages in
            messages.append(outgoing)
            return messages.count
        }
        return await script(outgoing, number)
    }
}
