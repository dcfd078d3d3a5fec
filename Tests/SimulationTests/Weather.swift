import Ledger
import TestKit

/// The behaviour of a sink for a while.
enum Weather: CaseIterable, Sendable {
    case fair, flaky, down, misconfigured, silent, slow, hanging, garbage, busy

    /// The result of sending one message.
    struct Deed: Sendable {
        /// The time it takes.
        var seconds: Int64 = 0
        /// True if the receiver gets it.
        let isArrived: Bool
        let report: AttemptReport
    }

    /// The result for a message. It depends only on the seed, the message and the number of the
    /// attempt.
    func deed(seed: UInt64, outgoing: String, attempt: Int) -> Deed {
        let name = "\(seed) \(outgoing) \(attempt)".utf8
        var random = SeededRandom(
            seed: name.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 })
        let luck = Int.random(in: 0..<100, using: &random)
        switch self {
        case .fair: return Self.taken
        case .flaky: return Self.flaky(luck)
        case .down:
            return Deed(
                isArrived: false, report: AttemptReport(.retry, code: "111", reply: "refused"))
        case .misconfigured:
            return Deed(
                isArrived: false, report: AttemptReport(.misconfigured, reply: "no such host"))
        case .silent:
            return Deed(isArrived: luck < 50, report: AttemptReport(.ambiguous, reply: ""))
        case .slow:
            var deed = Self.flaky(luck)
            deed.seconds = Int64.random(in: 1...100, using: &random)
            return deed
        case .hanging:
            return Deed(
                seconds: 300 + Int64(luck), isArrived: luck < 30,
                report: AttemptReport(.ambiguous, code: "110", reply: "timed out"))
        case .garbage: return Self.garbage(luck)
        case .busy:
            return Deed(
                isArrived: false,
                report: AttemptReport(
                    .retry, code: "429", reply: "later", retryAfterSeconds: 30 + luck * luck))
        }
    }

    private static let taken = Deed(isArrived: true, report: AttemptReport(.accepted))

    private static func flaky(_ luck: Int) -> Deed {
        switch luck {
        case ..<50: taken
        case ..<65: Deed(isArrived: false, report: AttemptReport(.retry, reply: "not now"))
        case ..<75: Deed(isArrived: true, report: AttemptReport(.ambiguous, reply: "cut off"))
        case ..<85: Deed(isArrived: false, report: AttemptReport(.ambiguous, reply: "cut off"))
        case ..<95:
            Deed(
                isArrived: false,
                report: AttemptReport(.retry, reply: "mailbox full", concernsReceiverOnly: true))
        default: Deed(isArrived: false, report: AttemptReport(.permanent, reply: "no such user"))
        }
    }

    /// Answers that no well-behaved receiver gives.
    private static func garbage(_ luck: Int) -> Deed {
        let reply = String(repeating: "\u{0}\u{7}é\n", count: 1000)
        switch luck {
        case ..<40:
            return Deed(
                isArrived: true,
                report: AttemptReport(.ambiguous, code: reply, reply: reply))
        case ..<70:
            return Deed(
                isArrived: false,
                report: AttemptReport(.retry, reply: reply, retryAfterSeconds: -luck))
        case ..<90:
            return Deed(
                isArrived: false, report: AttemptReport(.misconfigured, code: reply, reply: ""))
        default:
            return Deed(isArrived: false, report: AttemptReport(.permanent, code: "", reply: reply))
        }
    }
}
