import StreamSafe

/// A reply of an SMTP server (RFC 5321, 4.2).
public struct SMTPReply: Equatable, Sendable {
    /// The code, which has three digits.
    public let code: Int
    /// The lines without their codes, joined by line feeds.
    public let text: String

    /// Creates a reply.
    public init(code: Int, text: String) {
        self.code = code
        self.text = text
    }
}

/// The outcome of an attempt to send a mail.
public enum SMTPOutcome: Equatable, Sendable {
    /// A stage of the conversation.
    public enum Stage: Equatable, Sendable {
        /// Connecting and greeting.
        case greeting
        /// Starting the encryption.
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

    /// The server accepted the mail and is responsible for it from now on.
    case accepted(SMTPReply)
    /// The server refused at this stage.
    case refused(Stage, SMTPReply)
    /// The mail was no longer wanted when its turn came. The server received nothing.
    case unwanted
    /// The server does not support SMTPUTF8, which the address needs.
    case noUTF8
    /// The conversation failed. At the stage `content`, it is unknown whether the mail arrived.
    case broken(Stage, TransportError)
}

/// Parses the replies of a server line by line as they arrive.
struct SMTPReplies {
    private static let textBytesMax = 4000

    /// True if the server has asked for the mail.
    private(set) var isMailWanted = false
    /// The first reply after that, which is final for the mail.
    private(set) var verdict: SMTPReply?
    /// The last reply, if it was a refusal. libcurl sends QUIT after it, and the server replies to
    /// that.
    private(set) var refusal: SMTPReply?
    /// True if the server offered SMTPUTF8 in this conversation.
    private(set) var offersUTF8 = false
    /// True if the connection was opened for this conversation.
    private(set) var isFresh = false
    /// True if the server accepted a login.
    private(set) var isLoggedIn = false
    /// The text so far of a reply that continues on further lines.
    private var text: String?
    private var textBytes = 0

    mutating func take(_ line: some BidirectionalCollection<UInt8>) {
        guard let code = Self.code(of: line) else { return }
        let words = String(decoding: Self.words(of: line).prefix(Self.textBytesMax), as: UTF8.self)
            .streamSafe
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
        // The reply to libcurl's QUIT changes nothing.
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
