import Foundation

/// A mail system's report about a mail that it could not deliver (RFC 3464).
public struct BounceReport: Equatable, Sendable {
    /// The result for one recipient.
    public struct Receiver: Equatable, Sendable {
        /// The recipient's addresses: the one to which the last system sent the mail, and the
        /// original one, as far as the report states them.
        public let addresses: [String]
        /// The action in lower case: `failed`, `delayed`.
        public let action: String
        /// The enhanced status code, such as `5.1.1`.
        public let status: String
        /// The error message of the system that refused the mail.
        public let words: String

        /// True if delivery has failed for good and is not retried (RFC 3464, 2.3.3), even if the
        /// last error was a temporary one.
        public var isFinal: Bool { action == "failed" }
    }

    /// The Message-ID of the returned mail, without angle brackets; `nil` if the report states
    /// none.
    public let messageID: String?
    /// The results by recipient.
    public let receivers: [Receiver]

    /// The report in a mail; `nil` if the mail is not a report.
    public init?(_ mail: ReceivedMail) {
        guard mail.type == "multipart/report",
            let status = mail.parts.first(where: { $0.type == "message/delivery-status" })
        else { return nil }
        // The report consists of blocks of fields: one for the mail, then one for each recipient.
        receivers = Self.blocks(of: status.octets).dropFirst().compactMap(Receiver.init)
        let returned = mail.parts.first {
            $0.type == "message/rfc822" || $0.type == "text/rfc822-headers"
                || $0.type == "message/global" || $0.type == "message/rfc822-headers"
        }
        messageID = returned.flatMap { part in
            MailEntity(part.octets[...]).fields.first { $0.name == "message-id" }?.decoded
                .trimmingCharacters(in: ["<", ">", " ", "\t"])
        }
    }

    private static func blocks(of octets: [UInt8]) -> [[MailField]] {
        var blocks: [[MailField]] = []
        var rest = String(decoding: octets, as: UTF8.self)
            .replacing("\r\n", with: "\n")[...]
        while !rest.isEmpty, blocks.count < MailEntity.partsMax {
            let end = rest.firstRange(of: "\n\n")
            let block = rest[..<(end?.lowerBound ?? rest.endIndex)]
            let fields = MailEntity(Array(block.utf8)[...]).fields
            if !fields.isEmpty { blocks.append(fields) }
            rest = end.map { rest[$0.upperBound...] } ?? ""
        }
        return blocks
    }
}

extension BounceReport.Receiver {
    /// The longest error message of another system, in characters.
    private static let wordsCharactersMax = 500

    fileprivate init?(_ fields: [MailField]) {
        func value(_ name: String) -> String? { fields.first { $0.name == name }?.decoded }
        func typed(_ name: String) -> String? {
            value(name).flatMap { text in
                text.split(separator: ";", maxSplits: 1).last.map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
            }
        }
        addresses = ["final-recipient", "original-recipient"].compactMap(typed)
            .map { $0.trimmingCharacters(in: ["<", ">"]) }
        guard !addresses.isEmpty, let action = value("action") else { return nil }
        self.action = action.lowercased()
        let words = String((typed("diagnostic-code") ?? "").prefix(Self.wordsCharactersMax))
        let status = value("status").map { String($0.prefix { !$0.isWhitespace }.prefix(12)) } ?? ""
        // Some systems report only a general failure, and the code is in the other system's
        // message.
        let isBare = status.hasSuffix(".0.0")
        let told = isBare ? words.firstMatch(of: /\b[245]\.[0-9]{1,3}\.[0-9]{1,3}\b/) : nil
        self.status = told.map { String($0.output) } ?? status
        self.words = words
    }
}
