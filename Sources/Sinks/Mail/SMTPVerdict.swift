import Interchange
import Ledger
import Transport

/// The meaning of a mail server's replies for a delivery: codes of RFC 5321, refined by those of
/// RFC 3463.
enum SMTPVerdict {
    /// The wait for a greylisting server that names no time, in seconds. It is the default of
    /// postgrey.
    private static let greylistSeconds = 300

    /// Creates the report of an attempt.
    ///
    /// - Parameters:
    ///   - outcome: the outcome of sending the mail.
    ///   - hasTaken: whether the server accepted a mail from here before. If so, a refusal of the
    ///     sender does not concern this installation as a whole.
    /// - Returns: the report.
    static func report(_ outcome: SMTPOutcome, hasTaken: Bool = false) -> AttemptReport {
        switch outcome {
        case .accepted(let reply):
            AttemptReport(.accepted, code: "\(reply.code)", reply: reply.text)
        case .refused(let stage, let reply): report(stage, reply, hasTaken)
        case .unwanted: .held
        case .noUTF8:
            AttemptReport(
                .permanent, code: "5.6.7",
                reply: "the server does not accept addresses with non-ASCII letters (SMTPUTF8)")
        case .broken(let stage, let error): report(stage, error)
        }
    }

    private static func report(
        _ stage: SMTPOutcome.Stage, _ error: TransportError
    ) -> AttemptReport {
        switch (stage, error) {
        // The mail was being sent.
        case (.content, _): AttemptReport(.ambiguous, code: "354", reply: error.message)
        case (_, .cancelled):
            AttemptReport(.retry, code: AttemptReport.shutdownCode, reply: error.message)
        // Waiting does not repair a wrong certificate or missing encryption.
        case (.encryption, _): AttemptReport(.misconfigured, code: "tls", reply: error.message)
        case (.login, _): AttemptReport(.misconfigured, code: "login", reply: error.message)
        case (.greeting, .badURL), (.greeting, .badHeader):
            AttemptReport(.misconfigured, reply: error.message)
        default: AttemptReport(.retry, code: "network", reply: error.message)
        }
    }

    // MARK: Refusals

    private static func report(
        _ stage: SMTPOutcome.Stage, _ reply: SMTPReply, _ hasTaken: Bool
    ) -> AttemptReport {
        let refusal = SMTPRefusal(reply, ofReceiver: stage == .receiver)
        let isAfterReceiver = stage == .receiver || stage == .content
        if hasTaken, isAfterReceiver, refusal.refusesSender, !refusal.isOfLogin {
            return AttemptReport(
                .retry, code: refusal.code, reply: reply.text, concernsReceiverOnly: true)
        }
        if isOfSink(refusal, at: stage) {
            return AttemptReport(.misconfigured, code: refusal.code, reply: reply.text)
        }
        guard !refusal.isTransient else { return retry(refusal, at: stage) }
        return AttemptReport(
            .permanent, code: refusal.code, reply: reply.text,
            isAddressBad: refusal.isOfAddress && stage != .sender)
    }

    /// True if the refusal concerns this installation, not the mail.
    private static func isOfSink(_ refusal: SMTPRefusal, at stage: SMTPOutcome.Stage) -> Bool {
        if refusal.isOfLogin { return true }
        guard !refusal.isTransient else { return false }
        return switch stage {
        case .greeting, .encryption, .login: true
        case .sender: !refusal.isOfSize
        case .receiver, .content: refusal.refusesSender
        }
    }

    private static func retry(
        _ refusal: SMTPRefusal, at stage: SMTPOutcome.Stage
    ) -> AttemptReport {
        let isOfReceiver =
            (stage == .receiver || stage == .content) && refusal.isOfReceiver
        return AttemptReport(
            .retry, code: refusal.code, reply: refusal.text,
            retryAfterSeconds: refusal.wantedSeconds
                ?? (isOfReceiver && refusal.isGreylist ? greylistSeconds : nil),
            concernsReceiverOnly: isOfReceiver)
    }
}

/// A refusal, parsed.
struct SMTPRefusal {
    /// The three-digit code.
    let code: String
    let text: String
    /// The text without quoted addresses, which may contain any word.
    private let words: String
    private let number: Int
    private let isOfReceiverAlone: Bool
    /// The enhanced code, such as `5.1.1` (RFC 3463), in numbers; empty where there is none.
    private let enhanced: [Int]

    init(_ reply: SMTPReply, ofReceiver isOfReceiverAlone: Bool) {
        number = reply.code
        code = "\(reply.code)"
        text = reply.text
        words = reply.text.replacing(/<[^<>]*>/, with: "").lowercased()
        self.isOfReceiverAlone = isOfReceiverAlone
        let word = reply.text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        // Some servers write the enhanced code last: "no mailbox here by that name (#5.1.1)".
        let marked = reply.text.firstMatch(of: /#([245](?:\.[0-9]{1,3}){2})\b/)?.1
        let parts = (word.contains(".") ? word : marked ?? word)
            .split(separator: ".", omittingEmptySubsequences: false)
            .compactMap { $0.count <= 3 ? Int($0) : nil }
        enhanced = parts.count == 3 && [2, 4, 5].contains(parts[0]) ? parts : []
    }

    /// The subject and the detail of the enhanced code: `1.1` of `5.1.1`.
    private var detail: String { enhanced.dropFirst().map(String.init).joined(separator: ".") }

    /// True if a later attempt may succeed. Servers report a full mailbox or too many receivers
    /// with temporary and with permanent codes (RFC 5321, 4.5.3.1.10).
    var isTransient: Bool {
        if number < 500 { return true }
        return detail == "2.2" || detail == "5.3" || detail == "2.1" && isOfSomethingElse
            || number == 552 && enhanced.isEmpty && isOfReceiverAlone
    }

    /// True if the address itself is invalid or does not exist.
    var isOfAddress: Bool {
        guard !isOfSomethingElse, !refusesSender else { return false }
        return AddressRefusal.isOfAddress("5.\(detail)", words)
            || isGeneral && AddressRefusal.saysUnknown(words)
            || number == 553 && enhanced.dropFirst().first == 1
    }

    /// True if no enhanced code says more than that the mail is refused. Outlook.com refuses
    /// unknown users with 5.5.0.
    private var isGeneral: Bool {
        number >= 500 && (enhanced.isEmpty || ["0.0", "1.0", "5.0"].contains(detail))
    }

    private var isOfSomethingElse: Bool {
        AddressRefusal.isAboutSomethingElse(words)
    }

    /// True if the mail is too large.
    var isOfSize: Bool { detail == "3.4" || detail == "2.3" || number == 552 }

    /// True if this installation must log in differently, or may not send from its address. Code
    /// 454 means a temporary failure instead.
    var isOfLogin: Bool {
        [530, 534, 535, 538].contains(number) || number >= 500 && detail == "7.26"
    }

    /// True if the server refuses this installation, and not the receiver or the content of the
    /// mail: it does not relay for it, does not accept its sender address, wants a login, or blocks
    /// its network address.
    var refusesSender: Bool {
        guard number >= 500, !isOfSize else { return false }
        if refusesRelay || Self.sender.contains(detail) { return true }
        return (enhanced.isEmpty || enhanced[1] == 7) && AddressRefusal.refusesSender(words)
    }

    /// The details of the codes that are about the sender: its address (RFC 3463, 3.2), its login,
    /// DKIM, SPF, DMARC and the name of its host (RFC 3463, 3.8; RFC 7372; RFC 7505), and those of
    /// Exchange Online for a sender or a network address that it does not accept.
    private static let sender: Set = [
        "1.7", "1.8", "2.252", "7.8", "7.9", "7.11", "7.13", "7.20", "7.21", "7.22", "7.23",
        "7.24", "7.25", "7.26", "7.27", "7.57", "7.60", "7.509", "7.511", "7.606", "7.708",
        "7.750",
    ]

    /// True if the server refuses to relay mails for this installation.
    private var refusesRelay: Bool {
        guard enhanced.isEmpty || enhanced[1] == 7 else { return false }
        return words.contains(/relay(ing)?( access)? (denied|not permitted|prohibited)/)
            || words.contains("to relay")
    }

    /// True if the server still accepts mails for other receivers. It does not if the whole server
    /// is busy or closing (421), or if its system or network has a problem (RFC 3463, 3.4 and 3.5).
    var isOfReceiver: Bool {
        number != 421 && enhanced.dropFirst().first != 3 && enhanced.dropFirst().first != 4
    }

    /// True if the server greylists: it only checks that the sender tries again (RFC 6647).
    var isGreylist: Bool {
        let isPolicy = (number == 450 || number == 451) && enhanced.dropFirst().first == 7
        return isPolicy || detail == "2.0" || words.contains("greylist")
            || words.contains("graylist")
    }

    /// The number of seconds after which the server wants another attempt, if it says so: "in 300
    /// seconds".
    var wantedSeconds: Int? {
        let wish = /\b(?<number>\d{1,6})\s*(?<unit>s|sec|secs|seconds?|m|min|mins|minutes?)\b/
        guard let found = words.firstMatch(of: wish), let number = Int(found.number) else {
            return nil
        }
        return found.unit.hasPrefix("m") ? number * 60 : number
    }
}
