public import Ledger

/// The text of a notification.
public struct NotificationText: Equatable, Sendable {
    /// The subject, in one line.
    public let subject: String
    /// The text below the subject, in any number of lines.
    public let text: String

    /// Creates a notification from a finished subject and text.
    public init(subject: String, text: String) {
        self.subject = subject
        self.text = text
    }

    /// The notification as a block to read on a terminal.
    ///
    /// - Parameters:
    ///   - kind: the kind of notification.
    ///   - name: the receiver's name.
    ///   - address: the receiver's address; may be empty.
    /// - Returns: the lines of the block, followed by an empty line.
    public func block(kind: NotificationKind, name: String, address: String) -> String {
        let receiver = address.isEmpty ? name : "\(name) <\(address)>"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let head = "── \(kind.rawValue) to \(receiver)\n   \(subject)\n"
        return head + lines.map { "   │ \($0)\n" }.joined() + "\n"
    }
}
