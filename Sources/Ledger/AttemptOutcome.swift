public import Timekeeping

/// The outcome of one delivery attempt.
public enum AttemptOutcome: String, CaseIterable, Codable, Sendable {
    /// The receiver accepted it.
    case accepted
    /// It failed now, but may succeed later.
    case retry
    /// It will never succeed through this channel.
    case permanent
    /// The sink itself is configured wrongly. This does not count against the delivery.
    case misconfigured
    /// It may have been sent, but no final answer came.
    case ambiguous

    /// True if the receiver has it, or may have it.
    public var mayHaveArrived: Bool {
        switch self {
        case .accepted, .ambiguous: true
        case .retry, .permanent, .misconfigured: false
        }
    }
}

/// The report of a sink about one attempt.
public struct AttemptReport: Equatable, Sendable {
    /// The maximum length of a stored reply, in UTF-8 bytes.
    public static let replyBytesMax = 2000
    /// The maximum length of a stored code, in UTF-8 bytes.
    public static let codeBytesMax = 100
    /// The code of an attempt that was never sent, because its time had passed before the
    /// sink was ready for it. It does not count against the retry schedule.
    public static let heldCode = "held"
    /// The report of an attempt that was held back, so that nothing was sent.
    public static var held: AttemptReport {
        AttemptReport(.retry, code: heldCode, reply: "it was not sent")
    }
    /// The code of an attempt that was started and given up before anything was sent, because the
    /// program stops. Such attempts are withdrawn now. Earlier versions recorded them, and they do
    /// not count against the retry schedule either.
    public static let shutdownCode = "shutdown"
    /// The code of an attempt that only printed a message, because no way to its reader was set up.
    public static let printedCode = "printed"
    /// The code of an attempt whose worker crashed.
    public static let deathCode = "restart"
    /// The code of an attempt of which a report said later that the message did not arrive. Its
    /// outcome is then ``AttemptOutcome/permanent``, and its reply stays.
    public static let returnedCode = "returned"
    /// The code of an attempt that was not sent, because the receiver had asked earlier to receive
    /// nothing more.
    public static let closedCode = "closed"
    /// The maximum wait that a receiver may ask for, in seconds: a day.
    public static let retryAfterSecondsMax = 86_400

    /// The outcome.
    public let outcome: AttemptOutcome
    /// The receiver's code, such as `250` or `errno 28`; empty if there is none.
    public let code: String
    /// The receiver's reply without control characters, cut to ``replyBytesMax``.
    public let reply: String
    /// The wait that the receiver asked for, in seconds, from 1 to ``retryAfterSecondsMax``.
    public let retryAfterSeconds: Int?
    /// The time until which the receiver asked to wait, if it stated no length of time.
    public let retryAt: Moment?
    /// True if the receiver said that nothing can ever be delivered to this address.
    public let isAddressBad: Bool
    /// The SHA-256 of the address in hexadecimal digits, if the receiver permanently refused
    /// further messages there; otherwise `nil`.
    public var closedAddressHash: String?
    /// True if the failure concerns only this receiver, and not the destination that others share
    /// with it: for example a full mailbox or a greylist.
    public let concernsReceiverOnly: Bool

    /// Creates a report.
    public init(
        _ outcome: AttemptOutcome, code: String = "", reply: String = "",
        retryAfterSeconds: Int? = nil, retryAt: Moment? = nil, concernsReceiverOnly: Bool = false,
        isAddressBad: Bool = false
    ) {
        self.outcome = outcome
        self.code = Self.readable(code, bytesMax: Self.codeBytesMax)
        self.reply = Self.readable(reply, bytesMax: Self.replyBytesMax)
        self.retryAfterSeconds = retryAfterSeconds.map {
            min(max($0, 1), Self.retryAfterSecondsMax)
        }
        self.retryAt = retryAt
        self.concernsReceiverOnly = concernsReceiverOnly
        self.isAddressBad = isAddressBad
    }

    /// The wait that the receiver asked for, in seconds from now, from 1 to
    /// ``retryAfterSecondsMax``; `nil` if it asked for none.
    func wait(from now: Moment) -> Int64? {
        retryAfterSeconds.map { Int64($0) }
            ?? retryAt.map {
                min(max($0.seconds - now.seconds, 1), Int64(Self.retryAfterSecondsMax))
            }
    }

    /// The class of the code, of which there are few: for example `4xx` for a code of three digits,
    /// otherwise its first word; `none` if there is no code.
    public var codeClass: String {
        let word = code.prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
        guard let first = word.first else { return "none" }
        guard first.isNumber else { return String(word.prefix(Self.codeClassCharactersMax)) }
        return word.count == 3 ? "\(first)xx" : "other"
    }

    private static let codeClassCharactersMax = 20

    /// A receiver may answer with anything. Control characters are replaced, including the byte
    /// that SQLite would take for the end of a text.
    private static func readable(_ text: String, bytesMax: Int) -> String {
        guard !text.isEmpty else { return text }
        let bytes = text.utf8.lazy.map { byte in
            byte >= 0x20 && byte != 0x7F || byte == 0x0A ? byte : 0x20
        }
        return String(
            decoding: bytes.drop { $0 == 0x20 || $0 == 0x0A }.prefix(bytesMax), as: UTF8.self)
    }
}
