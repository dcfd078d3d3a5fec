public import Ledger

/// A notification in words.
public struct NotificationText: Equatable, Sendable {
    /// One line.
    public let subject: String
    /// Any number of lines.
    public let text: String

    /// Takes words that were made before.
    public init(subject: String, text: String) {
        self.subject = subject
        self.text = text
    }

    /// The notification as a block to read on a terminal.
    ///
    /// - Parameters:
    ///   - kind: what it is about.
    ///   - name: the receiver's name.
    ///   - address: the receiver's address; may be empty.
    /// - Returns: lines that end with an empty one.
    public func block(kind: NotificationKind, name: String, address: String) -> String {
        let receiver = address.isEmpty ? name : "\(name) <\(address)>"
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let head = "── \(kind.rawValue) to \(receiver)\n   \(subject)\n"
        return head + lines.map { "   │ \($0)\n" }.joined() + "\n"
    }
}
