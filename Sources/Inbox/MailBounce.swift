import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping

/// The consequences of a report about a mail.
struct MailBounce {
    /// The bounce in words.
    let reason: String
    /// True if it is certain that the mail did not arrive.
    let isReturned: Bool
    /// The suppression of the address; `nil` if mails are still sent there.
    let suppression: Suppression?
    /// True if the address would be suppressed, had nobody else been able to write the report.
    let isDoubtful: Bool

    /// The remark about a bounce that others could have written.
    private static let doubt = " (not certain, so mails are still sent there)"

    /// The reason as the ledger keeps it.
    var notedReason: String { reason + (isDoubtful ? Self.doubt : "") }

    init(reason: String, isReturned: Bool, suppression: Suppression?, isDoubtful: Bool) {
        self.reason = reason
        self.isReturned = isReturned
        self.suppression = suppression
        self.isDoubtful = isDoubtful
    }

    /// Decides what follows from the result for one recipient.
    ///
    /// Every reader of a mailing list knows the ids of its mails and could forge a bounce, so the
    /// mail counts as arrived, and the address of a list is never suppressed. The same holds for an
    /// address that passes mails on: it exists, and others may read there.
    init(
        of mail: SentMail, by receiver: BounceReport.Receiver, hasArrivedElsewhere: Bool,
        now: Moment
    ) {
        let row = mail.row
        // A report about a person who has moved names their new address.
        let isOwn = receiver.hasFailed(at: row.key.address) || receiver.status == "5.1.6"
        let forward = isOwn ? nil : receiver.forward
        let words = [receiver.status, receiver.words].filter { !$0.isEmpty }
            .joined(separator: " ")
        let reason =
            "\(receiver.isFinal ? Store.bounceMark : "delayed: ")\(words)"
            + (forward.map { " (forwarded to \($0))" } ?? "")
        let isLost =
            isOwn && receiver.isFinal && !hasArrivedElsewhere
            && row.key.notification.receiver.person != nil
        let suppression =
            isLost
            ? receiver.suppression(of: row.key.address, because: reason, now: now) : nil
        self.reason = reason
        isReturned = isLost && mail.isProven
        self.suppression = mail.isProven ? suppression : nil
        isDoubtful = suppression != nil && !mail.isProven
    }
}

extension BounceReport.Receiver {
    /// True if one of the addresses is the same mailbox.
    func concerns(_ address: String) -> Bool {
        addresses.contains { MailReading.key($0) == MailReading.key(address) }
    }

    /// True if delivery failed at this address itself, and not behind it, as far as the report
    /// tells the two apart.
    fileprivate func hasFailed(at address: String) -> Bool {
        finalAddresses.map { finals in
            finals.contains { MailReading.key($0) == MailReading.key(address) }
        } ?? concerns(address)
    }

    /// The address to which the mail was passed on, in words; `nil` if the report names none.
    fileprivate var forward: String? {
        finalAddresses.map { $0.first ?? "another address" } ?? addresses.first
    }

    /// The suppression of the address if it does not exist. If the mail was too large or unwanted,
    /// the next one may be accepted, so there is none.
    fileprivate func suppression(
        of address: String, because reason: String, now: Moment
    ) -> Suppression? {
        guard isFinal, AddressRefusal.isOfAddress(status, words) else { return nil }
        return Suppression(
            address: address, channel: SinkKind.mail.name, origin: .bounce, reason: reason,
            since: now,
            until: now.advanced(bySeconds: Int64(Suppression.bounceDays) * 86_400))
    }
}
