import Foundation

/// A report in plain text or HTML, as qmail, Exim, Exchange and the large providers write it.
struct PlainBounce {
    let receiver: BounceReport.Receiver

    private static let textOctetsMax = 32 << 10
    private static let addressesMax = 20

    init?(_ mail: ReceivedMail) {
        let failed = mail.addresses(in: "X-Failed-Recipients")
        let report = Self.reportAlone(in: mail.readableText)
        guard !failed.isEmpty || Self.isReport(mail, report) else { return nil }
        let named = report.matches(of: /[^\s<>()\[\]",;:]+@[^\s<>()\[\]",;:]+/)
            .compactMap { MailAddress.plausible(String($0.output)) }
        let status =
            StatusCode.first(in: report)
            ?? (Self.unknownLine(in: report) == nil ? "" : "5.1.1")
        let isDelayed = !status.hasPrefix("5") && Self.isDelay(Self.head(of: mail), report)
        receiver = BounceReport.Receiver(
            addresses: Array((failed + named).withoutRepeats.prefix(Self.addressesMax)),
            action: isDelayed ? "delayed" : "failed", status: status,
            words: Self.reason(in: report))
    }

    /// The text without the returned mail, whose addresses are not those that failed.
    static func reportAlone(in text: String) -> String {
        let text = String(text.prefix(textOctetsMax))
        let end = text.firstMatch(
            of: /^(-{3,}|_{3,}).*(message|mail|header|original|copy).*$/
                .ignoresCase().anchorsMatchLineEndings())
        return end.map { String(text[..<$0.range.lowerBound]) } ?? text
    }

    // MARK: Recognizing a report

    /// True for a mail of a program that speaks of a failure. An automatic reply of a person, which
    /// has no address to return it to either, is none, even if the title of a meeting in its
    /// subject sounds like one.
    private static func isReport(_ mail: ReceivedMail, _ report: String) -> Bool {
        let author = (mail["From"] ?? "").lowercased()
        let isSystem = systems.contains { author.contains($0) }
        let isWithoutReturn = mail["Return-Path"]?.trimmingCharacters(in: .whitespaces) == "<>"
        let head = head(of: mail)
        let isNamed = subjects.contains { head.contains($0) }
        let isProven =
            report.contains(/\b[45][0-9]{2}[ :-]|\b[45]\.[0-9]{1,3}\.[0-9]{1,3}\b/)
            || unknownLine(in: report) != nil
        if isSystem { return isNamed || isProven }
        return isWithoutReturn && isNamed && isProven
    }

    private static let systems = [
        "mailer-daemon", "postmaster@", "mail delivery", "microsoftexchange", "mailerdaemon",
    ]

    /// The subject before the first colon, in lower case, without what filters put before it. The
    /// title of the returned mail follows.
    private static func head(of mail: ReceivedMail) -> String {
        let parts = (mail["Subject"] ?? "").lowercased().replacing(/\[[^\]]*\]/, with: " ")
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
        "kunde inte levereras", "ei voitu toimittaa", "配信", "无法送达", "退信",
    ]

    // MARK: Reading a report

    private static func isDelay(_ head: String, _ text: String) -> Bool {
        head.contains("delay") || head.contains("verzöger") || head.contains("warning")
            || text.lowercased().contains(
                /(has been|was|is|been|message) delayed|will (be )?retr(y|ied)|still (being|trying)/
            )
            || text.lowercased().contains(/not yet been delivered|delivery (is )?delay|verzögert/)
    }

    /// The first line that says that the address does not exist.
    static func unknownLine(in text: String) -> String? {
        lines(of: text).first { line in
            let line = line.lowercased().replacing("’", with: "'")
            return unknown.contains { line.contains($0) }
                || line.contains(/user doesn't have an? .*account/)
        }
    }

    private static let unknown = [
        "user unknown", "unknown user", "no such user", "no such recipient", "no such mailbox",
        "no such person", "no mailbox", "does not exist", "doesn't exist", "couldn't be found",
        "could not be found", "unrouteable", "mailbox unavailable", "mailbox not found",
        "recipientnotfound",
    ]

    /// The line with the error of the other system, or the first lines of the report.
    private static func reason(in text: String) -> String {
        let lines = lines(of: text)
        let told = lines.first {
            $0.contains(/\b[45][0-9]{2}[ :-]|\b[45]\.[0-9]{1,3}\.[0-9]{1,3}\b/)
        }
        return String(
            (told ?? unknownLine(in: text) ?? lines.prefix(2).joined(separator: " "))
                .prefix(BounceReport.Receiver.wordsCharactersMax))
    }

    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
