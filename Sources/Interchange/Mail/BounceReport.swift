import Foundation

/// What a mail system says of a mail that it could not bring (RFC 3464).
public struct BounceReport: Equatable, Sendable {
    /// What became of it for one receiver.
    public struct Receiver: Equatable, Sendable {
        /// Whom it was for, by the address to which the last system sent it, and by that to which
        /// it was sent first, where they are told.
        public let addresses: [String]
        /// `failed`, `delayed`, in small letters.
        public let action: String
        /// The enhanced code, such as `5.1.1`.
        public let status: String
        /// The words of the system that refused it.
        public let words: String

        /// Whether it will never arrive there: nobody tries any more (RFC 3464, 2.3.3), though the
        /// last refusal may have been one of those that pass.
        public var isFinal: Bool { action == "failed" }
    }

    /// The Message-ID of the mail that came back, without its brackets; `nil` where none is told.
    public let messageID: String?
    /// What became of it.
    public let receivers: [Receiver]

    /// The report in a mail; `nil` where it is none.
    public init?(_ mail: ReceivedMail) {
        guard mail.type == "multipart/report",
            let status = mail.parts.first(where: { $0.type == "message/delivery-status" })
        else { return nil }
        // The report is blocks of fields: one for the mail, then one for each receiver.
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
    /// The most characters of another system's words.
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
        // Some say only that it failed, and leave it to the other system's words why.
        let isBare = status.hasSuffix(".0.0")
        let told = isBare ? words.firstMatch(of: /\b[245]\.[0-9]{1,3}\.[0-9]{1,3}\b/) : nil
        self.status = told.map { String($0.output) } ?? status
        self.words = words
    }
}
