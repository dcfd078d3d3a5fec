import Agenda
import Interchange
import Ledger
import Planning
import Timekeeping

/// Reports of mail providers about mails that arrived (RFC 5965).
extension Planner {
    /// The reason why a report about the mails of a domain is not taken.
    static let isOfAuthentication =
        "it reports how mails of your domain were authenticated or encrypted, and is no answer"

    /// Processes a report. After a complaint, no mail is sent to the address until the owner allows
    /// it again.
    ///
    /// Whoever forges a complaint could stop the mails of a guest. So it counts only if it contains
    /// an identity that nobody can know but those who handle the mail for its receiver.
    func receive(_ report: FeedbackReport, in mail: ReceivedMail) async throws -> MailReceipt {
        switch report.kind {
        case .authentication: return .ignored(Self.isOfAuthentication)
        case .approval: return .ignored("it says that a mail is wanted, and not spam")
        case .complaint: break
        }
        let identities = try returnedIdentities(of: mail) + report.identities
        guard let found = try await sentMail(with: identities) else {
            return .ignored("it is a complaint about a mail that was not sent from here")
        }
        guard found.isProven, found.row.key.notification.receiver.person != nil else {
            return try await unread(
                "it says that a reader of \(found.row.key.address) complained about a mail",
                found.row)
        }
        return try await note(
            MailBounce(complaintAbout: found, now: now), of: found.row, as: .complained,
            replanningBecause: "a reader complained about a mail")
    }
}

extension MailBounce {
    /// A complaint about a mail, which arrived.
    fileprivate init(complaintAbout mail: SentMail, now: Moment) {
        let reason = "the reader reported a mail as unwanted"
        self.init(
            reason: "complaint: \(reason)", isReturned: false,
            suppression: Suppression(
                address: mail.row.key.address, channel: SinkKind.mail.name,
                origin: .unsubscribed, reason: reason, since: now),
            isDoubtful: false)
    }
}
