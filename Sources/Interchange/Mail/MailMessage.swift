/// A mail to one recipient (RFC 5322).
public struct MailMessage: Sendable {
    /// The sender.
    public var from: Mailbox
    /// The address for answers, if it is not the sender's.
    public var replyTo: Mailbox?
    /// The recipient.
    public var to: Mailbox
    /// The subject, in one line.
    public var subject: String
    /// The date in the form of RFC 5322, 3.3: `Tue, 12 Jan 2027 19:00:00 +0200`.
    public var date: String
    /// The permanent Message-ID, without angle brackets.
    public var messageID: String
    /// The identity by which the mail is recognized if it is returned: ``messageID`` unless set.
    public var returnIdentity: String
    /// The Message-IDs of the mails that this one follows, the nearest last, without angle
    /// brackets.
    public var references: [String] = []
    /// The address for unsubscribing (RFC 2369, 3.2).
    public var unsubscribe: String?
    /// True if mail programs may unsubscribe with one click (RFC 8058).
    public var isUnsubscribedByOneClick = false
    /// The body.
    public var body: MailPart

    /// A mail without Reply-To, references or a way to unsubscribe.
    public init(
        from: Mailbox, to: Mailbox, subject: String, date: String, messageID: String,
        body: MailPart
    ) {
        self.from = from
        self.to = to
        self.subject = subject
        self.date = date
        self.messageID = messageID
        returnIdentity = messageID
        self.body = body
    }

    /// True if only servers with SMTPUTF8 accept the mail (RFC 6531).
    public var needsUTF8: Bool {
        from.needsUTF8 || to.needsUTF8 || (replyTo?.needsUTF8 ?? false)
    }

    /// The mail as it is sent: lines end with CRLF and have at most 78 octets where they can be
    /// folded.
    public var octets: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(Self.octetsUsual)
        for header in headers { header.append(to: &output) }
        body.append(to: &output, mark: String(returnIdentity.prefix { $0 != "@" }))
        return output
    }

    /// The usual size of a mail with an invitation, in octets.
    private static let octetsUsual = 8192

    private var headers: [MailHeader] {
        var headers = [
            MailHeader("Date", tokens: date), MailHeader("From", [from]), MailHeader("To", [to]),
        ]
        if let replyTo { headers.append(MailHeader("Reply-To", [replyTo])) }
        headers += [
            MailHeader("Subject", text: subject),
            MailHeader("Message-ID", tokens: "<\(messageID)>"),
            // Some relays replace the Message-ID, but keep fields that they do not know.
            MailHeader(BounceReport.identityField, tokens: returnIdentity),
        ]
        if let nearest = references.last {
            let all = references.map { "<\($0)>" }.joined(separator: " ")
            headers += [
                MailHeader("In-Reply-To", tokens: "<\(nearest)>"),
                MailHeader("References", tokens: all),
            ]
        }
        // Tells programs that answer automatically, such as holiday responders, not to answer (RFC
        // 3834).
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
