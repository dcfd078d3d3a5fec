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
        let returned = try surroundings.replyAddresses()?.deliveries(of: mail) ?? []
        let identities = returned.map { $0 + BounceReport.identityDomain } + report.identities
        guard let row = try await row(of: identities) else {
            return .ignored("it is a bounce of a mail that was not sent from here")
        }
        let isOfReader =
            mail.author.map { MailReading.key($0) == MailReading.key(row.key.address) } == true
        guard !isOfReader || mail.hasDeliveryStatus else { return nil }
        let isOfOwner = [owner.address, actor.address].contains { address in
            mail.author.map { MailReading.key($0) == MailReading.key(address) } == true
        }
        guard mail.isFromMailSystem || !returned.isEmpty || isOfOwner else {
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
        let forward = isOwn ? nil : receiver.addresses.first
        let reason =
            "\(receiver.isFinal ? Store.bounceMark : "delayed: ")\(words)"
            + (forward.map { " (forwarded to \($0))" } ?? "")
        let failures = try await store.noteBounce(
            of: row.name, because: reason,
            // Every reader of a mailing list knows the ids of its mails and could forge a bounce,
            // so the address of a list is never suppressed. Nor is an address that passes mails on
            // to several others, of which one takes them.
            suppressing: !isPerson || report.hasArrivedElsewhere
                ? nil : receiver.suppression(of: row.key.address, because: reason, now: now),
            now: now, replanning: replanning(because: "mail to an address bounced"))
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

    /// Ends the suppression of an address that bounced and now wrote an answer.
    func endBounces(of address: String) async throws {
        _ = try await store.endBounces(
            of: address, channel: SinkKind.mail.name, now: now,
            replanning: replanning(because: "an answer came from an address that had bounced"))
    }

    /// The delivery that a report is about. A mail that was never sent cannot bounce.
    func row(of identities: [String]) async throws -> LedgerRow? {
        for identity in identities.prefix(Self.identitiesMax) {
            var filter = LedgerFilter(limit: 1)
            filter.keyPrefix = String(identity.dropLast(BounceReport.identityDomain.count))
            if let row = try await store.deliveries(filter).first?.row, row.identity == identity,
                row.key.channel == SinkKind.mail.name, row.mayHaveArrived
            {
                return row
            }
        }
        return nil
    }

    /// The most identities that are looked up for one report.
    private static let identitiesMax = 20

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
        // Postfix reports domains that do not exist as hosts that cannot be found.
        let told = words.lowercased()
        let isUnknown =
            status == "5.4.1" && told.contains("recipient address rejected: access denied")
            || status == "5.4.4" && told.contains("domain name not found")
                && !told.contains("try again")
        guard isFinal, ofAddress.contains(status) || isUnknown,
            !AddressRefusal.isAboutSomethingElse(words)
        else { return nil }
        return Suppression(
            address: address, channel: SinkKind.mail.name, origin: .bounce, reason: reason,
            since: now,
            until: now.advanced(bySeconds: Int64(Suppression.bounceDays) * 86_400))
    }
}
