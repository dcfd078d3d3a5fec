public import Agenda

/// The fields that a channel needs, by the kind of its sink.
public struct ChannelForm: Sendable {
    /// The need for a field.
    public enum Need: Sendable {
        /// The field does not exist.
        case no
        /// The field is optional.
        case mayBe
        /// The field is required.
        case must
        /// letsmeet generates the value and shows it once.
        case made
    }

    /// The address of the service.
    public let url: Need
    /// The name of the channel's destination at the service.
    public let target: Need
    /// The password, token or key of the channel.
    public let secret: Need
    /// An explanation of each field for the person who adds a channel.
    public let hints: KeyValuePairs<RequestField, String>
    private let checker: @Sendable (ChannelTarget) throws -> Void

    init(
        url: Need, target: Need = .no, secret: Need, hints: KeyValuePairs<RequestField, String>,
        check: @escaping @Sendable (ChannelTarget) throws -> Void
    ) {
        self.url = url
        self.target = target
        self.secret = secret
        self.hints = hints
        checker = check
    }

    /// Checks that a target has what the service needs.
    ///
    /// - Throws: ``SinkFault``, or another error that says what is wrong.
    public func check(_ target: ChannelTarget) throws { try checker(target) }
}
