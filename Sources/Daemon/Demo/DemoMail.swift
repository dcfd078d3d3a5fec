import Agenda
import Ledger
import Sinks
import Synchronization
import Timekeeping
import Web

/// Keeps messages for a page instead of mailing them.
final class DemoMail: Sink {
    /// The most messages that are kept.
    private static let messagesMax = 2000

    let name = SinkKind.mail.name
    let schedule = RetrySchedule.mail
    let policy = AmbiguityPolicy.resend
    let takesEnclosures = true

    private let sent = Mutex<[DemoMessage]>([])

    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        let message = DemoMessage(
            at: outgoing.due, kind: outgoing.kind, name: outgoing.name,
            address: outgoing.address, subject: outgoing.subject, text: outgoing.text)
        sent.withLock { sent in
            sent.append(message)
            if sent.count > Self.messagesMax { sent.removeFirst(sent.count - Self.messagesMax) }
        }
        return AttemptReport(.accepted, code: "demo", reply: "kept for the page of the demo")
    }

    /// The messages, the latest last.
    var messages: [DemoMessage] { sent.withLock(\.self) }
}
