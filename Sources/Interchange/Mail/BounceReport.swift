import Foundation

/// A mail system's report about a mail that it could not deliver: in the form of RFC 3464 or RFC
/// 6533, or in plain text.
public struct BounceReport: Equatable, Sendable {
    /// The result for one recipient.
    public struct Receiver: Equatable, Sendable {
        /// The recipient's addresses: the one to which the last system sent the mail, and the
        /// original one, as far as the report states them.
        public let addresses: [String]
        /// The addresses at which delivery failed: those to which the last system sent the mail;
        /// `nil` if the report does not tell them from the others. Empty if the report names only
        /// addresses that have passed the mail on.
        public internal(set) var finalAddresses: [String]?
        /// The action in lower case: `failed`, `delayed`, `delivered`, `relayed` or `expanded`.
        public let action: String
        /// The enhanced status code, such as `5.1.1`; empty if there is none.
        public internal(set) var status: String
        /// The error message of the system that refused the mail.
        public internal(set) var words: String

        /// True if delivery has failed for good and is not retried (RFC 3464, 2.3.3), even if the
        /// last error was a temporary one.
        public var isFinal: Bool { action == "failed" }
    }

    /// The identities of our mails that the report leads to, the most reliable first.
    public let identities: [String]
    /// The results by recipient.
    public let receivers: [Receiver]

    /// True if the mail has reached one of its recipients, or may still do.
    public var hasArrivedElsewhere: Bool { receivers.contains { !$0.isFinal } }

    /// The field by which a mail carries its identity through systems that replace its Message-ID.
    public static let identityField = "X-Letsmeet-Delivery"
    /// The end of each identity.
    public static let identityDomain = "@letsmeet"

    /// The report in a mail, or in a mail that is attached to it; `nil` if there is none.
    public init?(_ mail: ReceivedMail) {
        if let report = Self.report(in: mail) {
            self = report
            return
        }
        let attached = mail.parts.filter { $0.type == "message/rfc822" }.prefix(Self.attachedMax)
        guard
            let report = attached.lazy.compactMap({ Self.report(in: ReceivedMail($0.octets)) })
                .first
        else { return nil }
        self = report
    }

    private init(identities: [String], receivers: [Receiver]) {
        self.identities = identities
        self.receivers = receivers
    }

    /// The most attached mails that are examined.
    private static let attachedMax = 5

    fileprivate static let statusTypes: Set = [
        "message/delivery-status", "message/global-delivery-status",
    ]

    private static func report(in mail: ReceivedMail) -> BounceReport? {
        let status = mail.parts.first { Self.statusTypes.contains($0.type) }
        let named = NamedIdentities(in: mail)
        if let rejection = mail.rejection {
            return BounceReport(identities: named.all, receivers: [rejection])
        }
        guard let status else {
            return PlainBounce(mail, isQuotingOurs: named.isQuotingDelivery).map {
                BounceReport(identities: named.all, receivers: [$0.receiver])
            }
        }
        var receivers = DeliveryStatus(status.octets).receivers
        let told = ReportText(mail.readableText).alone
        if receivers.count == 1 { receivers[0].learn(from: told) }
        let origins = ReportedAddresses.origins(in: told)
        for place in receivers.indices { receivers[place].leaveOut(origins) }
        return BounceReport(identities: named.all, receivers: receivers)
    }
}

extension ReceivedMail {
    /// True if a mail filter of the reader has refused the mail.
    public var isRejected: Bool { rejection != nil }

    /// The failure if a mail filter of the reader has refused the mail, in the form of a receipt
    /// (RFC 5429, 2.1); else `nil`.
    fileprivate var rejection: BounceReport.Receiver? {
        guard let disposition else { return nil }
        let text = ReportText(readableText).alone
        guard let rejected = text.firstRange(of: /automatically (?:rejected|refused)/.ignoresCase())
        else { return nil }
        return BounceReport.Receiver(
            refused: MailEntity(disposition.octets[...]).fields,
            because: text[rejected.upperBound...])
    }

    /// True if the subject is that of a reply, or of a mail that a person forwards.
    public var isReply: Bool { PlainBounce.isReply(self) }

    /// True if the subject is that of a mail that a person forwards.
    public var isForwarded: Bool { PlainBounce.isForwarded(self) }

    /// The identities of our mails that the mail names anywhere.
    public var namedIdentities: [String] { NamedIdentities(in: self).all }

    /// True if a mail system sent the mail: it has no return path (RFC 5321, 4.5.5), or its author
    /// has the name or the address of one.
    public var isFromMailSystem: Bool {
        if self["Return-Path"]?.trimmingCharacters(in: .whitespaces) == "<>" { return true }
        guard let author else { return true }
        let local = author.prefix { $0 != "@" }.lowercased()
        let name = (self["From"] ?? "").lowercased()
        return Self.systemWords.contains { local.contains($0) || name.contains($0) }
    }

    private static let systemWords = [
        "daemon", "postmaster", "microsoftexchange", "mail delivery", "mail system", "delivery",
        "bounce", "mail administrator", "noreply", "no-reply", "postoffice",
    ]

    /// True if the mail has the machine-readable part of a report (RFC 3464; RFC 6533).
    public var hasDeliveryStatus: Bool {
        parts.contains { BounceReport.statusTypes.contains($0.type) } || rejection != nil
    }
}

/// The machine-readable part of a report (RFC 3464, 2; RFC 6533, 3).
struct DeliveryStatus {
    let receivers: [BounceReport.Receiver]

    /// Reads the results.
    ///
    /// - Parameters:
    ///   - octets: the content of the part.
    ///   - parsing: reads the fields of a block.
    init(
        _ octets: [UInt8],
        parsing: (ArraySlice<UInt8>) -> [MailField] = { MailEntity($0).fields }
    ) {
        let blocks = String(decoding: octets, as: UTF8.self).replacing("\r\n", with: "\n")
            .split(separator: "\n\n").prefix(MailEntity.partsMax)
        // Each block is parsed once: a lazy collection would parse it again for each of its groups.
        let groups = blocks.map { parsing(Array($0.utf8)[...]) }.flatMap(Self.groups)
        receivers = groups.prefix(Self.groupsMax).compactMap(BounceReport.Receiver.init)
    }

    /// The most groups of fields that are read. A mail of ours has one recipient.
    private static let groupsMax = 1000

    /// The fields of each recipient. Some systems leave out the blank lines between them.
    private static func groups(_ fields: [MailField]) -> [[MailField]] {
        var names: Set<String> = []
        return fields.reduce(into: [[]]) { groups, field in
            let isNext =
                switch field.name {
                case "original-recipient":
                    names.contains("original-recipient") || names.contains("action")
                case "final-recipient": names.contains("final-recipient")
                default: false
                }
            if isNext {
                groups.append([])
                names = []
            }
            names.insert(field.name)
            groups[groups.count - 1].append(field)
        }
    }
}

extension BounceReport.Receiver {
    /// The longest error message of another system, in characters.
    static let wordsCharactersMax = 500
    /// The longest address (RFC 5321, 4.5.3.1), in octets, with room for letters beyond ASCII.
    private static let addressOctetsMax = 1000

    /// Takes the reason from the text for the reader, if the report itself states only a general
    /// failure.
    fileprivate mutating func learn(from told: String) {
        guard isFinal, status.isEmpty || status.hasSuffix(".0.0") || status == "5.5.0"
        else { return }
        let unknown = PlainBounce.unknownLine(in: words) ?? PlainBounce.unknownLine(in: told)
        if unknown != nil { status = "5.1.1" }
        if words.isEmpty { words = unknown ?? PlainBounce.quotedLine(in: told) ?? "" }
    }

    /// Takes addresses that have passed the mail on from those at which delivery failed. Sendmail
    /// states them as final recipients, too.
    ///
    /// - Parameter origins: the folded addresses that the text for the reader names so.
    fileprivate mutating func leaveOut(_ origins: Set<String>) {
        guard finalAddresses?.contains(where: { origins.contains(MailAddress.folded($0)) }) == true
        else { return }
        finalAddresses = addresses.filter { !origins.contains(MailAddress.folded($0)) }
    }

    /// The failure of a mail that a filter has refused.
    ///
    /// - Parameters:
    ///   - fields: the fields of the receipt.
    ///   - text: the text behind the word "rejected".
    fileprivate init?(refused fields: [MailField], because text: Substring) {
        let address = fields.first { $0.name == "final-recipient" }?.decoded
            .split(separator: ";", maxSplits: 1).last
        guard let address else { return nil }
        let reason = text.split(whereSeparator: \.isNewline).dropFirst().lazy
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty && !$0.hasSuffix(":") }.prefix(2).joined(separator: " ")
        self.init(
            addresses: [address.trimmingCharacters(in: .whitespaces)], action: "failed",
            status: fields.first { $0.name == "status" }.flatMap {
                StatusCode.first(in: $0.decoded)
            }
                ?? "",
            words: String(
                (reason.isEmpty ? "automatically rejected" : reason)
                    .prefix(Self.wordsCharactersMax)))
    }

    fileprivate init?(_ fields: [MailField]) {
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.decoded }
        func typed(_ name: String) -> String? {
            value(name).flatMap { text in
                text.split(separator: ";", maxSplits: 1).last.map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
        }
        let addresses = ["final-recipient", "x-actual-recipient", "original-recipient"]
            .compactMap(typed)
            .compactMap(Self.address).filter { $0.utf8.count <= Self.addressOctetsMax }
        guard !addresses.isEmpty else { return nil }
        let told = typed("diagnostic-code") ?? value("x-supplementary-info") ?? ""
        let words = String(told.prefix(Self.wordsCharactersMax))
        let status =
            value("status").map { text in
                StatusCode.first(in: text)
                    ?? String(text.prefix { $0.isNumber || $0 == "." }.prefix(12))
            } ?? ""
        // A remark in parentheses may follow the action.
        let stated = value("action").map { String($0.lowercased().prefix(while: \.isLetter)) }
        let action = stated?.isEmpty == false ? stated : status.first.flatMap { Self.actions[$0] }
        guard let action else { return nil }
        // Some systems report only a general failure, and the code is in the other system's
        // message.
        let isBare = status.isEmpty || status.hasSuffix(".0.0") || status == "5.1.0"
        self.init(
            addresses: addresses, action: action,
            status: isBare ? StatusCode.telling(in: words) ?? status : status, words: words)
        // A name inside a system, such as "x400;/CN=ANNA/", is no address to pass a mail on to.
        finalAddresses = typed("final-recipient").flatMap(Self.address)
            .flatMap { addresses.contains($0) && $0.contains("@") ? [$0] : nil }
    }

    /// The actions that follow from the class of a status code (RFC 3463, 3.1).
    private static let actions: [Character: String] = [
        "2": "delivered", "4": "delayed", "5": "failed",
    ]

    /// The address in a field, without a remark, and with the escapes of RFC 6533 decoded.
    private static func address(_ text: String) -> String? {
        let plain = text.replacing(/\\x\{([0-9A-Fa-f]{1,6})\}/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
        return AddressList.parts(of: plain).first ?? (plain.isEmpty ? nil : plain)
    }
}

/// Enhanced status codes (RFC 3463).
enum StatusCode {
    /// The first code that says more than a general failure, or else the first.
    static func telling(in text: String) -> String? {
        let codes = all(in: text)
        return codes.first { !$0.hasSuffix(".0.0") && $0 != "5.1.0" } ?? codes.first
    }

    static func first(in text: String) -> String? {
        all(in: text).first
    }

    private static func all(in text: String) -> [String] {
        text.matches(of: /\b[245]\.[0-9]{1,3}\.[0-9]{1,3}\b/).map { String($0.output) }
    }
}
