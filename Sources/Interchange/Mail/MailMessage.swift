/// A mail to one receiver (RFC 5322).
public struct MailMessage: Sendable {
    /// Who is named as its sender.
    public var from: Mailbox
    /// Where answers go, if not to the sender.
    public var replyTo: Mailbox?
    /// Who gets it.
    public var to: Mailbox
    /// What it is about, in one line.
    public var subject: String
    /// When it was written, as RFC 5322, 3.3 has it: `Tue, 12 Jan 2027 19:00:00 +0200`.
    public var date: String
    /// Its name for ever, without angle brackets.
    public var messageID: String
    /// The mails that it goes on from, the nearest last, without angle brackets.
    public var references: [String] = []
    /// Where its reader says that no more of its kind shall come (RFC 2369, 3.2).
    public var unsubscribe: String?
    /// Whether programs may say it there for them, with one click (RFC 8058).
    public var isUnsubscribedByOneClick = false
    /// What it says.
    public var body: MailPart

    /// A mail without answers' address, references or a way to unsubscribe.
    public init(
        from: Mailbox, to: Mailbox, subject: String, date: String, messageID: String,
        body: MailPart
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.date = date
        self.messageID = messageID
        self.body = body
    }

    /// Whether only servers that know SMTPUTF8 take it (RFC 6531).
    public var needsUTF8: Bool {
        from.needsUTF8 || to.needsUTF8 || (replyTo?.needsUTF8 ?? false)
    }

    /// The mail as it is sent: lines of at most 78 octets where they can be folded, each with CRLF.
    public var octets: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(Self.octetsUsual)
        for header in headers { header.append(to: &output) }
        body.append(to: &output, mark: String(messageID.prefix { $0 != "@" }))
        return output
    }

    /// What a mail with an invitation has, in octets.
    private static let octetsUsual = 8192

    private var headers: [MailHeader] {
        var headers = [
            MailHeader("Date", tokens: date), MailHeader("From", [from]), MailHeader("To", [to]),
        ]
        if let replyTo { headers.append(MailHeader("Reply-To", [replyTo])) }
        headers += [
            MailHeader("Subject", text: subject),
            MailHeader("Message-ID", tokens: "<\(messageID)>"),
        ]
        if let nearest = references.last {
            let all = references.map { "<\($0)>" }.joined(separator: " ")
            headers += [
                MailHeader("In-Reply-To", tokens: "<\(nearest)>"),
                MailHeader("References", tokens: all),
            ]
        }
        // Programs that answer by themselves, for somebody on holiday, leave it alone (RFC 3834).
        headers += [
            MailHeader("Auto-Submitted", tokens: "auto-generated"),
            MailHeader("X-Auto-Response-Suppress", tokens: "OOF, AutoReply"),
        ]
        if let unsubscribe {
            headers.append(MailHeader("List-Unsubscribe", tokens: "<\(unsubscribe)>"))
        }
        if unsubscribe != nil, isUnsubscribedByOneClick {
            headers.append(
                MailHeader("List-Unsubscribe-Post", tokens: "List-Unsubscribe=One-Click"))
        }
        return headers + [MailHeader("MIME-Version", tokens: "1.0")]
    }
}
