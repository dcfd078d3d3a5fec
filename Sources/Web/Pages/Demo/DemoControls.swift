public import Ledger
public import Timekeeping

/// A message that a demo has kept instead of sending it.
public struct DemoMessage: Sendable {
    package let at: Moment
    let kind: NotificationKind
    let name: String
    let address: String
    let subject: String
    let text: String

    /// Creates a message.
    ///
    /// - Parameters:
    ///   - at: the time at which it was due.
    ///   - kind: the kind of notification.
    ///   - name: the name of the receiver.
    ///   - address: the address of the receiver.
    ///   - subject: the subject, a single line.
    ///   - text: the text.
    public init(
        at: Moment, kind: NotificationKind, name: String, address: String, subject: String,
        text: String
    ) {
        self.at = at
        self.kind = kind
        self.name = name
        self.address = address
        self.subject = subject
        self.text = text
    }
}

/// The actions on the pages of a demo.
public struct DemoControls: Sendable {
    /// The messages, the latest last.
    let messages: @Sendable () -> [DemoMessage]
    /// Lets time pass until a moment.
    let play: @Sendable (Moment) async throws -> Void
    /// The time of the next message; `nil` if none is planned.
    let next: @Sendable () async throws -> Moment?
    /// Ends the demo soon.
    let leave: @Sendable () -> Void

    /// Creates the controls.
    public init(
        messages: @escaping @Sendable () -> [DemoMessage],
        play: @escaping @Sendable (Moment) async throws -> Void,
        next: @escaping @Sendable () async throws -> Moment?, leave: @escaping @Sendable () -> Void
    ) {
        self.messages = messages
        self.play = play
        self.next = next
        self.leave = leave
    }
}
