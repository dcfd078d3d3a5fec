import Agenda
public import Ledger

/// Puts deliveries into the inbox of a person with an account.
///
/// The store adds a delivery to the inbox in the transaction that records it as accepted, whatever
/// its channel is. So nothing is left to do here, and nothing can fail.
public struct PageSink: Sink {
    static let definition = SinkDefinition(.page) { _, _ in PageSink() }

    /// `page`.
    public let name = SinkKind.page.name
    /// Nothing is ever tried again.
    public let schedule = RetrySchedule.stdout
    /// A delivery of which the outcome was lost comes again, and stands in the inbox once.
    public let policy = AmbiguityPolicy.resend
    /// As many as the queue takes at once, because none waits for anything.
    public let limits = DestinationLimits(concurrency: 64)

    /// Creates the sink.
    public init() {}

    /// Accepts the delivery.
    public func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport {
        AttemptReport(.accepted)
    }
}
