/// How one attempt to deliver ended.
public enum AttemptOutcome: String, CaseIterable, Codable, Sendable {
    /// The receiver took it.
    case accepted
    /// It did not go now, and may go later.
    case retry
    /// It will never go this way.
    case permanent
    /// The sink itself is set up wrongly: nothing is held against this delivery.
    case misconfigured
    /// It may have gone: no final answer came.
    case ambiguous

    /// Whether the receiver has it, or may have it.
    public var mayHaveArrived: Bool {
        switch self {
        case .accepted, .ambiguous: true
        case .retry, .permanent, .misconfigured: false
        }
    }
}

/// What a sink says of one attempt.
public struct AttemptReport: Equatable, Sendable {
    /// The longest reply that is kept, in UTF-8 bytes.
    public static let replyBytesMax = 2000
    /// The code of an attempt that never began to send, because its time had passed when it was
    /// its turn: it counts against no schedule.
    public static let heldCode = "held"
    /// What earlier versions noted of what was begun and not sent when they were told to end; it
    /// counts against no schedule either.
    public static let shutdownCode = "shutdown"
    /// The code of one whose worker died under it.
    public static let deathCode = "restart"
    /// The longest time that a receiver may ask to be left alone, in seconds: a day.
    public static let retryAfterSecondsMax = 86_400

    /// How it ended.
    public let outcome: AttemptOutcome
    /// The receiver's code, such as `250` or `errno 28`; empty where there is none.
    public let code: String
    /// The receiver's own words, cut to ``replyBytesMax``.
    public let reply: String
    /// How long the receiver asked to be left alone, in seconds, from 1 to
    /// ``retryAfterSecondsMax``.
    public let retryAfterSeconds: Int?
    /// Whether the receiver said that nothing will ever reach this address, whatever is sent.
    public let isAddressBad: Bool
    /// Whether what went wrong concerns this receiver, and not the destination that others share
    /// with it: a full mailbox, a greylist.
    public let concernsReceiverOnly: Bool

    /// Reports an attempt.
    public init(
        _ outcome: AttemptOutcome, code: String = "", reply: String = "",
        retryAfterSeconds: Int? = nil, concernsReceiverOnly: Bool = false,
        isAddressBad: Bool = false
    ) {
        self.outcome = outcome
        self.code = code
        self.reply = String(decoding: reply.utf8.prefix(Self.replyBytesMax), as: UTF8.self)
        self.retryAfterSeconds = retryAfterSeconds.map {
            min(max($0, 1), Self.retryAfterSecondsMax)
        }
        self.concernsReceiverOnly = concernsReceiverOnly
        self.isAddressBad = isAddressBad
    }
}
