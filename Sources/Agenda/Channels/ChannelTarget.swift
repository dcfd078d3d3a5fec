/// Where somebody's own channel leads, and what opens it. Its description shows no secret.
public struct ChannelTarget: Equatable, Sendable {
    /// The address of the service; empty for a channel that needs none.
    public let url: String
    /// What the channel is called at the service: a topic, a room, an address; or the request that
    /// is made there. Empty where there is nothing more to say.
    public let target: String
    /// What the receiver knows the sender by: a key to sign with, a token; empty for none.
    public let secret: String
    /// The secret before, as long as it is good beside the other one.
    public let oldSecret: String?

    /// Describes a target.
    public init(url: String, target: String = "", secret: String = "", oldSecret: String? = nil) {
        self.url = url
        self.target = target
        self.secret = secret
        self.oldSecret = oldSecret
    }
}

extension ChannelTarget: CustomStringConvertible, CustomReflectable {
    /// Nothing: the address may be a secret, too.
    public var description: String { "(a channel's target)" }

    /// Keeps dumps from showing it.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// That a receiver said for good that nothing more is to come.
public struct ChannelClosure: Equatable, Sendable {
    /// The SHA-256 of the address at which it said so: another address is another matter.
    public let addressHash: String
    /// What it said.
    public let reason: String

    /// Describes a closure.
    public init(addressHash: String, reason: String) {
        self.addressHash = addressHash
        self.reason = reason
    }
}
