/// What a server said (RFC 5321, 4.2).
public struct SMTPReply: Equatable, Sendable {
    /// Three digits.
    public let code: Int
    /// Its lines without their codes, joined by line feeds.
    public let text: String

    /// A reply.
    public init(code: Int, text: String) {
        self.code = code
        self.text = text
    }
}

/// How an attempt to hand a mail over ended.
public enum SMTPOutcome: Equatable, Sendable {
    /// Where a conversation was.
    public enum Stage: Equatable, Sendable {
        /// Connecting, and the greetings.
        case greeting
        /// Making the connection secure.
        case encryption
        /// Logging in.
        case login
        /// The sender's address.
        case sender
        /// The receiver's address.
        case receiver
        /// The mail itself.
        case content
    }

    /// The server took it, and answers for it from now on.
    case accepted(SMTPReply)
    /// The server said no.
    case refused(Stage, SMTPReply)
    /// The server cannot take an address of that kind: it does not know SMTPUTF8.
    case noUTF8
    /// The conversation broke off. Where the mail was on its way, nobody knows whether it arrived.
    case broken(Stage, TransportError)
}

/// The replies of a server as they come in, line by line.
struct SMTPReplies {
    private static let textBytesMax = 4000

    /// Whether the server asked for the mail.
    private(set) var isMailWanted = false
    /// What it said behind that; the last word on the mail.
    private(set) var verdict: SMTPReply?
    /// The last reply that was a no: libcurl takes its leave after it, and gets an answer to that.
    private(set) var refusal: SMTPReply?
    /// Whether it said in this conversation that it knows SMTPUTF8.
    private(set) var offersUTF8 = false
    /// Whether the connection was opened for this conversation.
    private(set) var isFresh = false
    /// Whether a login was taken.
    private(set) var isLoggedIn = false
    private var lines: [String] = []

    mutating func take(_ line: some Collection<UInt8>) {
        let text = String(decoding: line, as: UTF8.self)
        guard let code = Int(text.prefix(3)), (200...599).contains(code) else { return }
        let words = text.dropFirst(4).trimming { $0.isWhitespace }
        if code == 250, words.uppercased() == "SMTPUTF8" { offersUTF8 = true }
        if lines.reduce(0, { $0 + $1.utf8.count }) < Self.textBytesMax {
            lines.append(String(words))
        }
        guard text.dropFirst(3).first != "-" else { return }
        let reply = SMTPReply(code: code, text: lines.joined(separator: "\n"))
        lines = []
        switch code {
        case 400...: refusal = reply
        // The answer to libcurl's farewell takes nothing back.
        case 221: break
        default: refusal = nil
        }
        if code == 220 { isFresh = true }
        if code == 235 { isLoggedIn = true }
        if isMailWanted, verdict == nil { verdict = reply }
        if code == 354 { isMailWanted = true }
    }
}

extension Substring {
    fileprivate func trimming(_ isBlank: (Character) -> Bool) -> Substring {
        var text = drop(while: isBlank)
        while let last = text.last, isBlank(last) { text = text.dropLast() }
        return text
    }
}
