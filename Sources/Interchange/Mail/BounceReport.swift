import Foundation

/// A mail system's report about a mail that it could not deliver: in the form of RFC 3464 or RFC
/// 6533, or in plain text.
public struct BounceReport: Equatable, Sendable {
    /// The result for one recipient.
    public struct Receiver: Equatable, Sendable {
        /// The recipient's addresses: the one to which the last system sent the mail, and the
        /// original one, as far as the report states them.
        public let addresses: [String]
        /// The action in lower case: `failed`, `delayed`, `delivered`, `relayed` or `expanded`.
        public let action: String
        /// The enhanced status code, such as `5.1.1`; empty if there is none.
        public let status: String
        /// The error message of the system that refused the mail.
        public let words: String

        /// True if delivery has failed for good and is not retried (RFC 3464, 2.3.3), even if the
        /// last error was a temporary one.
        public var isFinal: Bool { action == "failed" }
    }

    /// The identities of our mails that the report leads to, the most reliable first.
    public let identities: [String]
    /// The results by recipient.
    public let receivers: [Receiver]

    /// The field by which a mail carries its identity through systems that replace its Message-ID.
    public static let identityField = "X-Letsmeet-Delivery"
    /// The end of each identity.
    public static let identityDomain = "@letsmeet"

    /// The report in a mail; `nil` if the mail is not a report.
    public init?(_ mail: ReceivedMail) {
        let status = mail.parts.first {
            ["message/delivery-status", "message/global-delivery-status"].contains($0.type)
        }
        if let status {
            receivers = DeliveryStatus(status.octets).receivers
        } else if let receiver = PlainBounce(mail)?.receiver {
            receivers = [receiver]
        } else {
            return nil
        }
        identities = Self.identities(in: mail)
    }

    /// The types of parts that contain the returned mail, or its header.
    private static let returnedTypes = [
        "message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global",
        "message/global-headers",
    ]

    private static func identities(in mail: ReceivedMail) -> [String] {
        let returned = mail.parts.filter { returnedTypes.contains($0.type) }
            .map { MailEntity($0.octets[...]).fields }
        let fields = [identityField.lowercased(), "message-id", "x-original-message-id"]
        let stated = returned.flatMap { header in
            fields.flatMap { name in header.filter { $0.name == name }.map(\.decoded) }
        }
        let around = [
            identityField, "In-Reply-To", "References", "X-Original-Message-ID",
            "Original-Message-ID",
        ].flatMap(mail.values)
        let told = mail.parts.map {
            String(decoding: $0.octets.prefix(scannedOctetsMax), as: UTF8.self)
        }
        return (stated + around + told).flatMap(identities).withoutRepeats
    }

    private static let scannedOctetsMax = 64 << 10
    /// The most identities that are looked for in one text.
    private static let identitiesMax = 20

    private static func identities(in text: String) -> [String] {
        text.matches(of: /[A-Za-z0-9]{1,64}@letsmeet\b/).prefix(identitiesMax)
            .map { String($0.output).lowercased() }
    }
}

/// The machine-readable part of a report (RFC 3464, 2; RFC 6533, 3).
private struct DeliveryStatus {
    let receivers: [BounceReport.Receiver]

    init(_ octets: [UInt8]) {
        let blocks = String(decoding: octets, as: UTF8.self).replacing("\r\n", with: "\n")
            .split(separator: "\n\n").prefix(MailEntity.partsMax)
        receivers = blocks.map { MailEntity(Array($0.utf8)[...]).fields }.flatMap(Self.groups)
            .compactMap(BounceReport.Receiver.init)
    }

    /// The fields of each recipient. Some systems leave out the blank lines between them.
    private static func groups(_ fields: [MailField]) -> [[MailField]] {
        fields.reduce(into: [[]]) { groups, field in
            let group = groups[groups.count - 1].map(\.name)
            let isNext =
                switch field.name {
                case "original-recipient":
                    group.contains("original-recipient") || group.contains("action")
                case "final-recipient": group.contains("final-recipient")
                default: false
                }
            if isNext { groups.append([]) }
            groups[groups.count - 1].append(field)
        }
    }
}

extension BounceReport.Receiver {
    /// The longest error message of another system, in characters.
    fileprivate static let wordsCharactersMax = 500

    fileprivate init?(_ fields: [MailField]) {
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.decoded }
        func typed(_ name: String) -> String? {
            value(name).flatMap { text in
                text.split(separator: ";", maxSplits: 1).last.map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
        }
        let addresses = ["final-recipient", "original-recipient"].compactMap(typed)
            .compactMap(Self.address)
        guard !addresses.isEmpty else { return nil }
        let words = String((typed("diagnostic-code") ?? "").prefix(Self.wordsCharactersMax))
        let status = value("status").map { String($0.prefix { !$0.isWhitespace }.prefix(12)) } ?? ""
        // A remark in parentheses may follow the action.
        let action = value("action").map { String($0.lowercased().prefix(while: \.isLetter)) }
        guard let action = action ?? (status.hasPrefix("5") ? "failed" : nil), !action.isEmpty
        else {
            return nil
        }
        // Some systems report only a general failure, and the code is in the other system's
        // message.
        let isBare = status.isEmpty || status.hasSuffix(".0.0")
        self.init(
            addresses: addresses, action: action,
            status: isBare ? StatusCode.first(in: words) ?? status : status, words: words)
    }

    /// The address in a field, without a remark, and with the escapes of RFC 6533 decoded.
    private static func address(_ text: String) -> String? {
        let plain = text.replacing(/\\x\{([0-9A-Fa-f]{1,6})\}/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
        return AddressList.parts(of: plain).first ?? (plain.isEmpty ? nil : plain)
    }
}

/// Enhanced status codes (RFC 3463).
private enum StatusCode {
    static func first(in text: String) -> String? {
        text.firstMatch(of: /\b[245]\.[0-9]{1,3}\.[0-9]{1,3}\b/).map { String($0.output) }
    }
}

/// A report in plain text, as qmail, Exim, Exchange and the large providers write it.
private struct PlainBounce {
    let receiver: BounceReport.Receiver

    private static let textOctetsMax = 32 << 10
    private static let addressesMax = 20

    init?(_ mail: ReceivedMail) {
        let failed = mail.addresses(in: "X-Failed-Recipients")
        guard !failed.isEmpty || Self.isFromMailSystem(mail) else { return nil }
        let text = String((mail.text ?? "").prefix(Self.textOctetsMax))
        // The returned mail follows, whose addresses are not those that failed.
        let end = text.firstMatch(
            of: /^(-{3,}|_{3,}).*(message|mail|header|original|copy).*$/
                .ignoresCase().anchorsMatchLineEndings())
        let report = end.map { String(text[..<$0.range.lowerBound]) } ?? text
        let named = report.matches(of: /[^\s<>()\[\]",;:]+@[^\s<>()\[\]",;:]+/)
            .compactMap { MailAddress.plausible(String($0.output)) }
        let words = Self.reason(in: report)
        receiver = BounceReport.Receiver(
            addresses: Array((failed + named).withoutRepeats.prefix(Self.addressesMax)),
            action: Self.isDelay(mail["Subject"] ?? "", report) ? "delayed" : "failed",
            status: StatusCode.first(in: report) ?? (Self.isUnknown(report) ? "5.1.1" : ""),
            words: words)
    }

    /// True for a mail of a program, with no address to return it to, that speaks of a failure.
    private static func isFromMailSystem(_ mail: ReceivedMail) -> Bool {
        let author = (mail["From"] ?? "").lowercased()
        let isSystem =
            ["mailer-daemon", "postmaster", "mail delivery", "microsoftexchange"].contains {
                author.contains($0)
            } || mail["Return-Path"]?.trimmingCharacters(in: .whitespaces) == "<>"
        let subject = (mail["Subject"] ?? "").lowercased()
        return isSystem && subjects.contains { subject.contains($0) }
    }

    private static let subjects = [
        "undeliver", "failure", "failed", "returned", "delivery", "not delivered", "unzustellbar",
        "rejected", "delay", "warning",
    ]

    private static func isDelay(_ subject: String, _ text: String) -> Bool {
        "\(subject)\n\(text)".lowercased().contains(
            /delayed|will (be )?retr(y|ied)|still (being|trying)|not yet been delivered|verzögert/)
    }

    private static func isUnknown(_ text: String) -> Bool {
        let text = text.lowercased().replacing("’", with: "'")
        return unknown.contains { text.contains($0) }
    }

    private static let unknown = [
        "user unknown", "unknown user", "no such user", "no such recipient", "no such mailbox",
        "no such person", "no mailbox", "does not exist", "doesn't exist", "couldn't be found",
        "could not be found", "unrouteable", "mailbox unavailable", "mailbox not found",
    ]

    /// The line with the error of the other system, or the first lines of the report.
    private static func reason(in text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        let told = lines.first {
            $0.contains(/\b[45][0-9]{2}[ -]|\b[45]\.[0-9]{1,3}\.[0-9]{1,3}\b/)
        }
        return String(
            (told ?? lines.prefix(2).joined(separator: " "))
                .prefix(BounceReport.Receiver.wordsCharactersMax))
    }
}
