public import Agenda

/// What a channel of somebody's own needs, by the kind of its sink.
public struct ChannelForm: Sendable {
    /// Whether something is needed.
    public enum Need: Sendable {
        /// There is no such thing.
        case no
        /// It may be left out.
        case mayBe
        /// Without it nothing goes.
        case must
        /// It is made by letsmeet, and shown once.
        case made
    }

    /// The address of the service.
    public let url: Need
    /// What the channel is called at the service.
    public let target: Need
    /// What opens it.
    public let secret: Need
    /// What these are, in a sentence for who adds one.
    public let words: String
    private let checker: @Sendable (ChannelTarget) throws -> Void

    init(
        url: Need, target: Need = .no, secret: Need, words: String,
        check: @escaping @Sendable (ChannelTarget) throws -> Void
    ) {
        self.url = url
        self.target = target
        self.secret = secret
        self.words = words
        checker = check
    }

    /// Holds a target to what the service needs.
    ///
    /// - Throws: ``SinkFault``, or what else says why it will not do.
    public func check(_ target: ChannelTarget) throws { try checker(target) }
}
