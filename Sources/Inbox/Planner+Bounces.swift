import Agenda
import Interchange
import Ledger
import Planning
import Storage

/// Mails that other systems returned.
extension Planner {
    /// Processes a report.
    ///
    /// - Returns: what was done; `nil` if the reader of the mail wrote it: replies of programs for
    ///   people who are away may sound like a report.
    func receive(_ report: BounceReport, in mail: ReceivedMail) async throws -> MailReceipt? {
        let returned = try returnedIdentities(of: mail)
        guard let found = try await sentMail(with: returned + report.identities) else {
            return .ignored("it is a bounce of a mail that was not sent from here")
        }
        let row = found.row
        let isOfReader = try await isWritten(mail, byReaderOf: row)
        guard !isOfReader || mail.hasDeliveryStatus else { return nil }
        let isOfOwner = [owner.address, actor.address].contains { address in
            mail.author.map { MailReading.key($0) == MailReading.key(address) } == true
        }
        guard
            mail.isFromMailSystem || !returned.isEmpty || isOfOwner
                || isOfReader && mail.isRejected || !isOfReader && mail.isAutomatic
        else {
            return try await unread("it looks like a bounce, but no mail system sent it", row)
        }
        guard let receiver = receiver(in: report, of: row) else {
            guard row.key.notification.receiver.person != nil else {
                return .ignored("it is about a reader of a mailing list, and not about the list")
            }
            return try await unread("it reports no failure of a mail", row)
        }
        guard receiver.isFinal || receiver.action == "delayed" else {
            return .ignored("it says that the mail to \(row.key.address) was delivered")
        }
        return try await note(
            MailBounce(
                of: found, by: receiver, hasArrivedElsewhere: report.hasArrivedElsewhere, now: now),
            of: row)
    }

    /// The receipt of a mail that a mail system wrote about a mail of ours, in words that are not
    /// understood.
    ///
    /// - Returns: the receipt; `nil` for other mails, such as replies of programs for people who
    ///   are away.
    func unreadReport(_ mail: ReceivedMail) async throws -> MailReceipt? {
        guard mail.isFromMailSystem || mail.isAutomatic, !mail.isReply else { return nil }
        let named = try returnedIdentities(of: mail) + mail.namedIdentities
        guard let row = try await sentMail(with: named)?.row,
            try await !isWritten(mail, byReaderOf: row)
        else { return nil }
        return try await unread(
            "it is about a mail to \(row.key.address), in words that are not understood", row)
    }

    /// The receipt of a mail about a mail of ours that a person has to read.
    func unread(_ reason: String, _ row: LedgerRow) async throws -> MailReceipt {
        var receipt = MailReceipt.ignored(reason)
        receipt.finding.isReport = true
        let key = row.key.notification
        if !key.meeting.isEmpty,
            let bundle = try await store.meetingBundle(MeetingID(text: key.meeting))
        {
            receipt.finding.meeting = bundle.meeting.id
            receipt.finding.person = key.receiver.person.map { PersonID(text: $0) }
                .flatMap { bundle.people[$0]?.id }
        }
        return receipt
    }

    /// The return addresses of our mails to which a mail was sent.
    func returnedIdentities(of mail: ReceivedMail) throws -> [String] {
        let own = try surroundings.deliveryIdentities()
        return (try surroundings.replyAddresses()?.deliveries(of: mail) ?? [])
            .filter { own.mail(with: $0) != nil }
    }

    /// True if the reader of a mail of ours wrote another mail, from any of their addresses.
    private func isWritten(
        _ mail: ReceivedMail, byReaderOf row: LedgerRow
    ) async throws -> Bool {
        guard let author = mail.author.map(MailReading.key) else { return false }
        let key = row.key.notification
        var known: Set = [row.key.address]
        if let person = key.receiver.person, !key.meeting.isEmpty {
            let names = try await store.mailNames(in: MeetingID(text: key.meeting))
            known.formUnion(names.addresses[PersonID(text: person)] ?? [])
        }
        return known.contains { MailReading.key($0) == author }
    }

    /// Records what follows from a report.
    func note(
        _ bounce: MailBounce, of row: LedgerRow, as outcome: MailReceipt.Outcome = .bounced,
        replanningBecause cause: String = "mail to an address bounced"
    ) async throws -> MailReceipt {
        let failures = try await store.noteBounce(
            of: row.name, because: bounce.notedReason, isReturned: bounce.isReturned,
            suppressing: bounce.suppression, now: now,
            replanning: replanning(because: cause))
        guard let failures else { return .repeated(Self.isNoted) }
        var receipt = MailReceipt(
            outcome: outcome,
            reason: ([bounce.reason] + failures.map { "\($0.meeting): \($0.reason)" })
                .joined(separator: "; "))
        receipt.person = row.key.address
        let meeting = row.key.notification.meeting
        receipt.meeting = meeting.isEmpty ? nil : meeting
        return receipt
    }

    /// The reason why a mail that counted before changes nothing.
    static let isNoted = "it was already recorded"

    /// Finds the mail of ours to which a returned mail refers.
    ///
    /// - Parameter identities: the return addresses and Message-IDs in the returned mail. Return
    ///   addresses are tried first.
    /// - Returns: the mail; `nil` if we sent none with any of them.
    /// - Throws: ``StoreError``, or ``Refusal`` if the key of this installation is not valid.
    func sentMail(with identities: [String]) async throws -> SentMail? {
        let own = try surroundings.deliveryIdentities()
        let named = identities.prefix(Self.triesMax).compactMap(own.mail)
        let ordered = named.filter(\.isReturned) + named.filter { !$0.isReturned }
        for mail in ordered.prefix(Self.identitiesMax) {
            var filter = LedgerFilter(limit: 1)
            filter.keyPrefix = mail.name
            if let story = try await store.stories(filter).first,
                story.record.row.name == mail.name,
                story.record.row.key.channel == SinkKind.mail.name,
                story.attempts.contains(where: \.hasLeft)
            {
                let row = story.record.row
                let isHidden = try await isAnsweredToOwner(row)
                return SentMail(row: row, isProven: mail.isReturned || isHidden)
            }
        }
        return nil
    }

    /// True if replies to a mail go to the owner of the installation or to nobody. Other organizers
    /// see the Message-IDs of the mails that their guests reply to, and could forge bounces.
    private func isAnsweredToOwner(_ row: LedgerRow) async throws -> Bool {
        let meeting = row.key.notification.meeting
        guard !meeting.isEmpty else { return true }
        let facts = try await store.meetingFacts(MeetingID(text: meeting))
        return facts?.meeting.organizer == owner.id
    }

    /// The most identities that are looked up for one report.
    private static let identitiesMax = 20
    /// The most texts of one report that are tried, so that nobody guesses many marks in one mail.
    private static let triesMax = 100

    /// The result in a report for the address of a delivery. A mail to a person is theirs alone, so
    /// another address in its report is one to which their mail is forwarded.
    private func receiver(
        in report: BounceReport, of row: LedgerRow
    ) -> BounceReport.Receiver? {
        let own = report.receivers.first { $0.concerns(row.key.address) }
        guard row.key.notification.receiver.person != nil else { return own }
        // A mail that was passed on may have failed behind the address.
        let isPassedOn = own.map { !$0.isFinal && $0.action != "delayed" } ?? true
        let failed = report.receivers.first(where: \.isFinal)
        return (isPassedOn ? failed : nil) ?? own ?? report.receivers.first
    }
}

/// A mail of ours that another mail is about.
struct SentMail {
    /// The delivery.
    let row: LedgerRow
    /// True if nobody could know the identity but those who handle the mail for its receiver, and
    /// the owner.
    let isProven: Bool
}

extension AttemptRecord {
    /// True if the message may have left, even if it came back.
    fileprivate var hasLeft: Bool {
        code == AttemptReport.returnedCode || outcome?.mayHaveArrived ?? true
    }
}
