import Foundation

/// A mail provider's report about a mail that one of its readers got (RFC 5965), also in the form
/// of Outlook.com, which attaches the mail with a field of its own.
public struct FeedbackReport: Equatable, Sendable {
    /// The kinds of reports.
    public enum Kind: Sendable {
        /// The reader called the mail unwanted, or wants no more of them.
        case complaint
        /// The reader says that the mail is wanted (RFC 6430).
        case approval
        /// The mail failed a check of its authentication (RFC 6591), which no reader did.
        case authentication
    }

    /// The kind. Unknown types of reports are complaints.
    public let kind: Kind
    /// The identities of our mails that the report leads to, the most reliable first.
    public let identities: [String]

    /// The report in a mail; `nil` if there is none.
    public init?(_ mail: ReceivedMail) {
        let part = mail.parts.first { $0.type == "message/feedback-report" }
        guard part != nil || Self.isOfOutlook(mail) else { return nil }
        let fields = part.map { MailEntity($0.octets[...]).fields } ?? []
        kind =
            switch fields.first(where: { $0.name == "feedback-type" })?.decoded.lowercased() {
            case "not-spam": .approval
            case "auth-failure", "dmarc": .authentication
            default: .complaint
            }
        identities = NamedIdentities(in: mail).all
    }

    private static func isOfOutlook(_ mail: ReceivedMail) -> Bool {
        mail.parts.contains { part in
            part.type == "message/rfc822"
                && MailEntity(part.octets[...]).fields.contains {
                    $0.name == "x-hmxmroriginalrecipient"
                }
        }
    }
}

extension ReceivedMail {
    /// True for a provider's report about the mails of a domain: their DMARC (RFC 7489, 7.2.1.1),
    /// or their encryption (RFC 8460, 5.3).
    public var isDomainReport: Bool {
        let subject = (self["Subject"] ?? "").prefix(Self.reportSubjectMax).lowercased()
        return subject.contains("report domain:") && subject.contains("submitter:")
            || typeParameters["report-type"]?.lowercased() == "tlsrpt"
    }

    /// The longest subject that is read, in characters.
    private static let reportSubjectMax = 1000
}
