import Agenda
import Interchange
import Ledger
import Planning
import Storage
import Timekeeping

/// Mails that other systems returned.
extension Planner {
    /// Processes a report.
    ///
    /// - Returns: what was done; `nil` if the reader of the mail wrote it: replies of programs for
    ///   people who are away may sound like a report.
    func receive(_ report: BounceReport, in mail: ReceivedMail) async throws -> MailReceipt? {
        let own = try surroundings.deliveryIdentities()
        let returned = (try surroundings.replyAddresses()?.deliveries(of: mail) ?? [])
            .filter { own.mail(with: $0) != nil }
        guard let found = try await sentMail(with: returned + report.identities) else {
            return .ignored("it is a bounce of a mail that was not sent from here")
        }
        let row = found.row
        let isOfReader =
            mail.author.map { MailReading.key($0) == MailReading.key(row.key.address) } == true
        guard !isOfReader || mail.hasDeliveryStatus else { return nil }
        let isOfOwner = [owner.address, actor.address].contains { address in
            mail.author.map { MailReading.key($0) == MailReading.key(address) } == true
        }
        guard
            mail.isFromMailSystem || !returned.isEmpty || isOfOwner
                || isOfReader && mail.isRejected
        else {
            return .ignored("it looks like a bounce, but no mail system sent it")
        }
        let isPerson = row.key.notification.receiver.person != nil
        guard let receiver = receiver(in: report, of: row) else {
            return .ignored(
                isPerson
                    ? "it reports no failure of a mail"
                    : "it is about a reader of a mailing list, and not about the list")
        }
        guard receiver.isFinal || receiver.action == "delayed" else {
            return .ignored("it says that the mail to \(row.key.address) was delivered")
        }
        let words = [receiver.status, receiver.words].filter { !$0.isEmpty }
            .joined(separator: " ")
        let isOwn = receiver.concerns(row.key.address)
        // A report about a person who has moved names their new address.
        let isMoved = receiver.status == "5.1.6"
        let forward = isOwn || isMoved ? nil : receiver.addresses.first
        let reason =
            "\(receiver.isFinal ? Store.bounceMark : "delayed: ")\(words)"
            + (forward.map { " (forwarded to \($0))" } ?? "")
        // Every reader of a mailing list knows the ids of its mails and could forge a bounce, so
        // the address of a list is never suppressed. Nor is an address that passes mails on to
        // several others, of which one takes them.
        let suppression =
            isPerson && !report.hasArrivedElsewhere
            ? receiver.suppression(of: row.key.address, because: reason, now: now) : nil
        let isDoubtful = suppression != nil && !found.isProven
        let failures = try await store.noteBounce(
            of: row.name, because: reason + (isDoubtful ? Self.doubt : ""),
            suppressing: isDoubtful ? nil : suppression, now: now,
            replanning: replanning(because: "mail to an address bounced"))
        guard let failures else { return .repeated("it was already recorded") }
        var receipt = MailReceipt(
            outcome: .bounced,
            reason: ([reason] + failures.map { "\($0.meeting): \($0.reason)" })
                .joined(separator: "; "))
        receipt.person = row.key.address
        let meeting = row.key.notification.meeting
        receipt.meeting = meeting.isEmpty ? nil : meeting
        return receipt
    }

    /// The remark about a bounce that others could have written.
    private static let doubt = " (not certain, so mails are still sent there)"

    /// Ends the suppression of an address that bounced and now wrote a person's answer, if it is
    /// one of theirs: who has the reply address of a guest could state any author.
    func endBounces(of address: String, for person: Person) async throws {
        let own = try await store.addresses(of: person.id).map(MailReading.key)
        guard own.contains(MailReading.key(address)) else { return }
        _ = try await store.endBounces(
            of: address, channel: SinkKind.mail.name, now: now,
            replanning: replanning(because: "an answer came from an address that had bounced"))
    }

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
            if let row = try await store.deliveries(filter).first?.row, row.name == mail.name,
                row.key.channel == SinkKind.mail.name, row.mayHaveArrived
            {
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

extension BounceReport.Receiver {
    /// True if one of the addresses is the same mailbox.
    fileprivate func concerns(_ address: String) -> Bool {
        addresses.contains { MailReading.key($0) == MailReading.key(address) }
    }

    /// The suppression of the address if it does not exist. If the mail was too large or unwanted,
    /// the next one may be accepted, so there is none.
    fileprivate func suppression(
        of address: String, because reason: String, now: Moment
    ) -> Suppression? {
        let ofAddress = ["5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1"]
        // Exchange Online refuses unknown addresses with the code of a refused connection.
        // Postfix reports domains that do not exist as hosts that cannot be found, and domains that
        // take no mail (RFC 7505) with a general code.
        let told = words.lowercased()
        let isUnknown =
            status == "5.4.1" && told.contains("recipient address rejected: access denied")
            || status == "5.4.4" && told.contains("domain name not found")
                && !told.contains("try again")
            || status == "5.1.0" && told.contains(/\bnull ?mx\b/)
        guard isFinal, ofAddress.contains(status) || isUnknown,
            !AddressRefusal.isAboutSomethingElse(words)
        else { return nil }
        return Suppression(
            address: address, channel: SinkKind.mail.name, origin: .bounce, reason: reason,
            since: now,
            until: now.advanced(bySeconds: Int64(Suppression.bounceDays) * 86_400))
    }
}
