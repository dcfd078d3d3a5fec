import Foundation

/// A report in plain text or HTML, as qmail, Exim, Exchange and the large providers write it.
struct PlainBounce {
    private(set) var receiver: BounceReport.Receiver

    private static let addressesMax = 20

    /// Reads a report; `nil` if the mail is none.
    ///
    /// - Parameters:
    ///   - mail: the mail.
    ///   - isQuotingOurs: true if it quotes the mark of a mail of ours. It needs no words of a
    ///     report in its subject then.
    init?(_ mail: ReceivedMail, isQuotingOurs: Bool) {
        let failed = mail.addresses(in: "X-Failed-Recipients")
        let text = ReportText(mail.readableText)
        let report = text.alone
        let isReport =
            !failed.isEmpty || Self.isReport(mail, report)
            || isQuotingOurs && Self.isReportOfOurs(mail, report)
        guard isReport else { return nil }
        let addresses = ReportedAddresses(
            in: text, stated: failed, between: ["To", "From"].flatMap(mail.addresses))
        let stated = StatusCode.first(in: report)
        let isLate = Self.isDelay(head: Self.head(of: mail))
        let isUnknown = !isLate && Self.unknownLine(in: report) != nil
        let words = Self.reason(in: report, of: addresses.failed)
        let status = isLate ? "" : stated ?? (isUnknown ? "5.1.1" : "")
        let isDelayed = isLate || !status.hasPrefix("5") && Self.isDelay(text: report)
        let isDelivered = !isLate && !isUnknown && DeliveryWords.sayDelivered(report)
        receiver = BounceReport.Receiver(
            addresses: Array(addresses.all.prefix(Self.addressesMax)),
            action: isDelivered ? "delivered" : isDelayed ? "delayed" : "failed", status: status,
            words: words)
        receiver.finalAddresses =
            addresses.all.isEmpty ? nil : Array(addresses.failed.prefix(Self.addressesMax))
    }

    // MARK: Recognizing a report

    /// True for a mail of a program that speaks of a failure. A reply of a person is none. Nor is
    /// an automatic reply, which has no address to return it to either, even if the title of a
    /// meeting in its subject sounds like a report.
    private static func isReport(_ mail: ReceivedMail, _ report: String) -> Bool {
        guard !mail.isReply else { return false }
        let head = head(of: mail)
        let address = (mail.author ?? "").lowercased()
        let name = (mail["From"] ?? "").lowercased()
        let isWithoutReturn = mail["Return-Path"]?.trimmingCharacters(in: .whitespaces) == "<>"
        let isNamed = subjects.contains { head.contains($0) }
        let hasCode = StatusCode.first(in: report) != nil
        let hasReply = report.contains(/\b[45][0-9]{2}[ :-]/)
        let isUnknown = unknownLine(in: report) != nil
        if systems.contains(where: { address.hasPrefix($0) }) {
            // A line that begins with a code quotes the other system.
            let isQuoted = report.contains(/(?:^|\n)[^0-9A-Za-z\n]{0,5}[45][0-9]{2}[ :-]/)
            return isNamed || hasCode || isQuoted && isUnknown
        }
        return (isWithoutReturn || name.contains("mail delivery")) && isNamed
            && (hasCode || hasReply || isUnknown)
    }

    /// True for a mail of a program that says of a mail of ours, which it quotes, that it cannot
    /// arrive, or has to wait.
    private static func isReportOfOurs(_ mail: ReceivedMail, _ report: String) -> Bool {
        guard mail.isFromMailSystem || mail.isAutomatic, !mail.isReply else { return false }
        let words = report.lowercased().replacing("’", with: "'")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return report.contains(/\b5\.[0-9]{1,3}\.[0-9]{1,3}\b/)
            || report.contains(/(?:^|\n)[^0-9A-Za-z\n]{0,5}5[0-9]{2}[ :-]/)
            || unknownLine(in: report) != nil || isDelay(text: report)
            || DeliveryWords.sayDelivered(report)
            || DeliveryWords.failures.contains { words.contains($0) }
    }

    private static let systems = [
        "mailer-daemon@", "mailerdaemon@", "postmaster@", "microsoftexchange",
    ]

    /// True if the subject of a mail is that of a reply, or of a mail that a person forwards.
    static func isReply(_ mail: ReceivedMail) -> Bool {
        replies.contains(head(of: mail)) || isForwarded(mail)
    }

    /// True if the subject of a mail is that of one that a person forwards.
    static func isForwarded(_ mail: ReceivedMail) -> Bool { forwards.contains(head(of: mail)) }

    /// The subjects of replies, before their colon.
    private static let replies: Set = ["re", "aw", "sv", "vs", "antw", "odp", "rif", "r", "ref"]
    /// The subjects of forwarded mails.
    private static let forwards: Set = ["fw", "fwd", "wg", "tr", "rv", "vb", "vl", "i", "enc"]

    /// The longest subject that is read, in characters.
    private static let subjectCharactersMax = 1000

    /// The subject before the first colon, in lower case, without what filters put before it. The
    /// title of the returned mail follows.
    private static func head(of mail: ReceivedMail) -> String {
        let subject = (mail["Subject"] ?? "").prefix(subjectCharactersMax)
        let parts = subject.lowercased().replacing(/\[[^\[\]]*\]/, with: " ")
            .split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
        return parts.first { !filters.contains($0) } ?? ""
    }

    private static let filters: Set = ["", "ext", "extern", "external", "externe", "externo"]

    /// The words in the subjects of reports.
    private static let subjects = [
        "undeliver", "failure", "failed", "returned", "delivery", "not delivered", "rejected",
        "delay", "warning", "could not send", "unzustellbar", "nicht zustellbar", "zustellung",
        "non remis", "non distribu", "échec de la remise", "échec de remise",
        "no se puede entregar",
        "no entregado", "no se entreg", "non recapitabile", "mancato recapito", "onbestelbaar",
        "niet bezorgd", "não entregue", "não é possível entregar", "не доставлено", "недоставлен",
        "kunde inte levereras", "ei voitu toimittaa", "配信", "无法送达", "退信", "différée",
        "retrasad", "blocked by our bulk email filter",
    ]

    // MARK: Reading a report

    private static func isDelay(head: String) -> Bool {
        delays.contains { head.contains($0) }
    }

    /// The words in the subjects of reports about mails that may still arrive.
    private static let delays = [
        "delay", "warning", "verzöger", "différée", "retard", "retrasad", "demorad", "ritardat",
        "vertraagd", "försenad", "atrasad",
    ]

    private static func isDelay(text: String) -> Bool {
        let text = text.lowercased()
        return text.contains(
            /(has been|was|is|been|message) delayed|will (be )?retr(y|ied)|still (being|trying)/)
            || text.contains(/not yet been delivered|delivery (is )?delay|verzögert/)
    }

    /// The first line that says that the address does not exist; `nil` if the report is about the
    /// sender, or about what the mail looks like: the address may exist then.
    static func unknownLine(in text: String) -> String? {
        let whole = text.lowercased()
        guard !elsewhere.contains(where: { whole.contains($0) }),
            !AddressRefusal.isFull(whole)
        else { return nil }
        return lines(of: text).first { line in
            let line = line.lowercased().replacing("’", with: "'")
            return unknown.contains { line.contains($0) }
                || line.contains("user doesn't have a") && line.contains("account")
        }
    }

    /// The words of reports about the sender, or about the mail.
    private static let elsewhere =
        AddressRefusal.sender + [
            "verification failed for", "spf", "dkim", "dmarc", "policy", "blacklist", "block list",
            "blocklist", "block listed", "blocked", "whitelist", "reputation", "spam", "your ip",
            "your host", "your server", "ptr record", "reverse dns",
        ]

    private static let unknown = [
        "user unknown", "unknown user", "no such user", "no such recipient", "no such mailbox",
        "no such person", "no mailbox", "does not exist", "doesn't exist", "couldn't be found",
        "could not be found", "unrouteable", "mailbox unavailable", "mailbox not found",
        "recipientnotfound", "not listed in domino directory", "user not found",
        "unknown local-part", "unknown local part", "mailbox is disabled", "account is disabled",
        "unknown recipient", "recipient unknown", "invalid recipient", "recipient not found",
        "recipient name is not recognized", "unbekannter empfänger", "unbekannter empfaenger",
        "empfänger unbekannt", "empfaenger unbekannt", "empfänger existiert nicht",
        "unbekannter benutzer", "benutzer unbekannt", "benutzer existiert nicht",
        "wasn't found at", "mail-adresse konnte nicht gefunden werden",
        "que vous avez entrée est introuvable", "no se encontró la dirección de correo",
        "utilisateur inconnu", "destinataire inconnu", "usuario desconocido",
        "destinatario desconocido", "el usuario no existe", "utente sconosciuto",
        "destinatario sconosciuto", "onbekende gebruiker", "onbekende ontvanger",
    ]

    /// The line with the error of the other system, or the one below a failed address, or the first
    /// lines of the report.
    private static func reason(in text: String, of addresses: [String]) -> String {
        quotedLine(in: text)
            ?? String(
                (unknownLine(in: text) ?? line(below: addresses, in: text)
                    ?? lines(of: text).prefix(2).joined(separator: " "))
                    .prefix(BounceReport.Receiver.wordsCharactersMax))
    }

    /// The line right below one that begins with an address; `nil` if there is none, or it has an
    /// address, too.
    private static func line(below addresses: [String], in text: String) -> String? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let place = lines.firstIndex { line in
            let start = line.drop { $0.isWhitespace || "<\"".contains($0) }.lowercased()
            return addresses.contains { start.hasPrefix($0.lowercased()) }
        }
        guard let place, place + 1 < lines.endIndex else { return nil }
        let next = lines[place + 1].trimmingCharacters(in: .whitespaces)
        return next.isEmpty || next.contains("@") ? nil : next
    }

    /// The first line with a reply code (RFC 5321, 4.2) or an enhanced status code (RFC 3463).
    static func quotedLine(in text: String) -> String? {
        lines(of: text).first {
            $0.contains(/\b[45][0-9]{2}[ :-]|\b[45]\.[0-9]{1,3}\.[0-9]{1,3}\b/)
        }
        .map { String($0.prefix(BounceReport.Receiver.wordsCharactersMax)) }
    }

    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
