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
    /// The longest code that is kept, in UTF-8 bytes.
    public static let codeBytesMax = 100
    /// The code of an attempt that never began to send, because its time had passed when it was
    /// its turn: it counts against no schedule.
    public static let heldCode = "held"
    /// Of what was held back: nobody has heard of it.
    public static var held: AttemptReport {
        AttemptReport(.retry, code: heldCode, reply: "it was not sent")
    }
    /// The code of one that was begun, and given up before anything was sent because the program
    /// ends: it is withdrawn. Earlier versions noted it, and it counts against no schedule either.
    public static let shutdownCode = "shutdown"
    /// The code of one whose worker died under it.
    public static let deathCode = "restart"
    /// The code of one that went nowhere, because its receiver had said before that nothing more
    /// is to come.
    public static let closedCode = "closed"
    /// The longest time that a receiver may ask to be left alone, in seconds: a day.
    public static let retryAfterSecondsMax = 86_400

    /// How it ended.
    public let outcome: AttemptOutcome
    /// The receiver's code, such as `250` or `errno 28`; empty where there is none.
    public let code: String
    /// The receiver's own words without control characters, cut to ``replyBytesMax``.
    public let reply: String
    /// How long the receiver asked to be left alone, in seconds, from 1 to
    /// ``retryAfterSecondsMax``.
    public let retryAfterSeconds: Int?
    /// Whether the receiver said that nothing will ever reach this address, whatever is sent.
    public let isAddressBad: Bool
    /// The SHA-256 of the address, in hexadecimal digits, where its receiver said for good that
    /// nothing more is to come there; else `nil`.
    public var closedAddressHash: String?
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
        self.code = Self.readable(code, bytesMax: Self.codeBytesMax)
        self.reply = Self.readable(reply, bytesMax: Self.replyBytesMax)
        self.retryAfterSeconds = retryAfterSeconds.map {
            min(max($0, 1), Self.retryAfterSecondsMax)
        }
        self.concernsReceiverOnly = concernsReceiverOnly
        self.isAddressBad = isAddressBad
    }

    /// What kind of code it is, of which there are few: `4xx` of a code of three digits, else its
    /// first word; `none` where there is no code.
    public var codeClass: String {
        let word = code.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let first = word.first else { return "none" }
        guard first.isNumber else { return String(word.prefix(Self.codeClassCharactersMax)) }
        return word.count == 3 ? "\(first)xx" : "other"
    }

    private static let codeClassCharactersMax = 20

    /// A receiver may answer with anything. What SQLite would take for the end of a text is left
    /// out, with all that nobody can read.
    private static func readable(_ text: String, bytesMax: Int) -> String {
        guard !text.isEmpty else { return text }
        let bytes = text.utf8.lazy.map { byte in
            byte >= 0x20 && byte != 0x7F || byte == 0x0A ? byte : 0x20
        }
        return String(
            decoding: bytes.drop { $0 == 0x20 || $0 == 0x0A }.prefix(bytesMax), as: UTF8.self)
    }
}
