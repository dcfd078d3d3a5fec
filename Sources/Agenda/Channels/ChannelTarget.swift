/// The destination of a personal channel, with its credentials. Its description shows no secret.
public struct ChannelTarget: Equatable, Sendable {
    /// The address of the service; empty for a channel that needs none.
    public let url: String
    /// The name of the channel at the service, such as a topic, a room or an address, or the
    /// request to send there. Empty if there is none.
    public let target: String
    /// The secret that proves the sender's identity to the receiver, such as a signing key or a
    /// token; empty for none.
    public let secret: String
    /// The previous secret, as long as it is still valid beside the new one.
    public let oldSecret: String?
    /// True if the exceptions for addresses of this machine and of private networks do not hold,
    /// because somebody else than the owner of the installation chose the address.
    public let isPublicOnly: Bool

    /// Creates a target.
    public init(
        url: String, target: String = "", secret: String = "", oldSecret: String? = nil,
        isPublicOnly: Bool = false
    ) {
        self.url = url
        self.target = target
        self.secret = secret
        self.oldSecret = oldSecret
        self.isPublicOnly = isPublicOnly
    }
}

extension ChannelTarget: CustomStringConvertible, CustomReflectable {
    /// A fixed text, because the address may be a secret, too.
    public var description: String { "(a channel's target)" }

    /// Hides the contents from dumps.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A receiver's permanent refusal of further deliveries.
public struct ChannelClosure: Equatable, Sendable {
    /// The SHA-256 of the address that refused. Another address of the channel is not affected.
    public let addressHash: String
    /// The receiver's reason.
    public let reason: String

    /// Creates a closure.
    public init(addressHash: String, reason: String) {
        self.addressHash = addressHash
        self.reason = reason
    }
}
