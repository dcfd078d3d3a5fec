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
    /// When its turn came nobody wanted it any more: the server heard nothing of it.
    case unwanted
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
    /// What came of a reply that goes on.
    private var text: String?
    private var textBytes = 0

    mutating func take(_ line: some BidirectionalCollection<UInt8>) {
        guard let code = Self.code(of: line) else { return }
        let words = String(decoding: Self.words(of: line), as: UTF8.self)
        if code == 250, words.uppercased() == "SMTPUTF8" { offersUTF8 = true }
        if textBytes < Self.textBytesMax {
            text = text.map { "\($0)\n\(words)" } ?? words
            textBytes += words.utf8.count + 1
        }
        guard line.dropFirst(3).first != UInt8(ascii: "-") else { return }
        heed(SMTPReply(code: code, text: text ?? ""))
        text = nil
        textBytes = 0
    }

    private mutating func heed(_ reply: SMTPReply) {
        switch reply.code {
        case 400...: refusal = reply
        // The answer to libcurl's farewell takes nothing back.
        case 221: break
        default: refusal = nil
        }
        if reply.code == 220 { isFresh = true }
        if reply.code == 235 { isLoggedIn = true }
        if isMailWanted, verdict == nil { verdict = reply }
        if reply.code == 354 { isMailWanted = true }
    }

    private static func code(of line: some Collection<UInt8>) -> Int? {
        let digits = line.prefix(3)
        guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        let code = digits.reduce(0) { $0 * 10 + Int($1 & 15) }
        return (200...599).contains(code) ? code : nil
    }

    private static func words<Line: BidirectionalCollection<UInt8>>(
        of line: Line
    ) -> Line.SubSequence {
        let isBlank = { (octet: UInt8) in octet == 0x20 || (0x09...0x0D).contains(octet) }
        var words = line.dropFirst(4).drop(while: isBlank)
        while let last = words.last, isBlank(last) { words = words.dropLast() }
        return words
    }
}
