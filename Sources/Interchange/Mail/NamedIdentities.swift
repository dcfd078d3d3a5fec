/// The identities of our mails that a mail names.
struct NamedIdentities {
    /// The identities in the headers of returned mails.
    private let returned: [String]
    /// The identities of the mails that it answers, by its header.
    private let answered: [String]
    /// The identities anywhere in its parts.
    private let told: [String]

    init(in mail: ReceivedMail) {
        let headers = mail.parts.filter { Self.returnedTypes.contains($0.type) }
            .map { MailEntity($0.octets[...]).fields }
        returned = headers.flatMap { header in
            Self.returnedFields.compactMap { name in header.first { $0.name == name }?.decoded }
        }.flatMap(Self.identities)
        answered = Self.answeringFields.flatMap(mail.values).flatMap(Self.identities)
        told = mail.parts.flatMap { Self.found(in: $0.octets.prefix(Self.scannedOctetsMax)) }
    }

    /// All of them, the most reliable first.
    var all: [String] { (returned + answered + told).withoutRepeats }

    /// True if the content names a delivery, as a mail that returns it does, and a reply does not.
    /// The UIDs of meetings are shorter than the identities of deliveries.
    var isQuotingDelivery: Bool {
        (returned + told).contains {
            $0.utf8.count - BounceReport.identityDomain.utf8.count >= Self.deliveryLengthMin
        }
    }

    private static let deliveryLengthMin = 20

    /// The types of parts that contain the returned mail, or its header.
    private static let returnedTypes = [
        "message/rfc822", "text/rfc822-headers", "message/rfc822-headers", "message/global",
        "message/global-headers",
    ]
    private static let returnedFields = [
        BounceReport.identityField.lowercased(), "message-id", "x-original-message-id",
    ]
    private static let answeringFields = [
        BounceReport.identityField, "In-Reply-To", "References", "X-Original-Message-ID",
        "Original-Message-ID",
    ]

    private static let scannedOctetsMax = 64 << 10
    /// The most identities that are looked for in one text.
    private static let identitiesMax = 20

    private static func identities(in text: String) -> [String] { found(in: Array(text.utf8)[...]) }

    private static func found(in text: ArraySlice<UInt8>) -> [String] {
        Array((named(in: text) + bounding(in: text)).prefix(identitiesMax))
    }

    /// The identities whose mails a text quotes with a boundary (``MailPart``), such as
    /// `=_0.1_NAME`.
    private static func bounding(in text: ArraySlice<UInt8>) -> [String] {
        let starts = text.indices.lazy.filter { place in
            text[place] == UInt8(ascii: "=") && text[place...].starts(with: "=_0".utf8)
        }
        return starts.compactMap { place -> String? in
            let name = text[(place + 2)...].drop { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
            guard name.first == UInt8(ascii: "_") else { return nil }
            let mark = name.dropFirst().prefix(nameLengthMax).prefix(while: \.isWord)
            return mark.isEmpty
                ? nil
                : String(decoding: mark, as: UTF8.self).lowercased() + BounceReport.identityDomain
        }.prefix(identitiesMax).map(\.self)
    }

    /// The identities in a text, found from their `@`.
    private static func named(in text: ArraySlice<UInt8>) -> [String] {
        let domain = Array(BounceReport.identityDomain.utf8)
        let ends = text.indices.lazy.filter { text[$0] == domain[0] }.filter { place in
            text[place...].starts(with: domain)
                && text.dropFirst(place - text.startIndex + domain.count).first?.isWord != true
        }
        return ends.compactMap { place -> String? in
            let name = text[..<place].suffix(nameLengthMax).reversed().prefix(while: \.isWord)
            guard !name.isEmpty else { return nil }
            return String(decoding: name.reversed(), as: UTF8.self).lowercased()
                + BounceReport.identityDomain
        }.prefix(identitiesMax).map(\.self)
    }

    /// The longest identity before its domain, in octets.
    private static let nameLengthMax = 64
}

extension UInt8 {
    fileprivate var isWord: Bool { isASCIILetter || isASCIIDigit }
}
