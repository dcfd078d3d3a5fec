import Interchange

extension ReceivedMail {
    /// The ids of meetings that a subject, a calendar object, or the links in a quotation may name.
    var namedMeetings: [String] {
        let calendars = parts.lazy.filter(\.isCalendar).prefix(Self.searchedCalendarsMax)
            .map { $0.octets.prefix(Self.searchedOctetsMax) }
        let subject = (self["Subject"] ?? "").prefix(Self.subjectCharactersMax).lowercased()
        let texts = parts.lazy.filter { $0.type.hasPrefix("text/") && !$0.isAttachment }
            .prefix(Self.searchedTextsMax)
            .map { String(decoding: $0.octets.prefix(Self.searchedOctetsMax), as: UTF8.self) }
        return Self.references(in: subject) + calendars.flatMap(Self.meetings)
            + texts.flatMap(Self.references)
    }

    /// The ids in brackets, as in the subjects of answers, also in a link that writes one.
    private static func references(in text: String) -> [String] {
        text.lowercased().matches(of: /(?:\[|%5b)([a-z0-9]{16})(?:[.\]]|%5d)/).prefix(
            searchedUIDsMax
        )
        .map { String($0.output.1) }
    }

    /// True if a calendar object says that it is an answer, but ends before it names its meeting.
    var hasAnswerWithoutMeeting: Bool {
        parts.lazy.filter(\.isCalendar).prefix(Self.searchedCalendarsMax).contains { part in
            let lines = String(
                decoding: part.octets.prefix(Self.searchedOctetsMax), as: UTF8.self
            ).uppercased().split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let stated = lines.first { $0.hasPrefix("METHOD:") }?.dropFirst("METHOD:".count)
            let method = stated.map(String.init) ?? part.parameters["method"]?.uppercased() ?? ""
            // The last line is incomplete.
            let isNamed = lines.dropLast().contains { $0.hasPrefix("UID:") || $0.hasPrefix("UID;") }
            return MailReading.methods.contains(method) && !isNamed
        }
    }

    /// The ids in the UIDs of a calendar object, found from the `@` behind them.
    private static func meetings(in octets: ArraySlice<UInt8>) -> [String] {
        let domain = Array(BounceReport.identityDomain.utf8)
        let ends = octets.indices.lazy.filter {
            octets[$0] == domain[0] && octets[$0...].starts(with: domain)
        }
        return ends.prefix(searchedUIDsMax).compactMap { end in
            let id = octets[..<end].suffix(idOctets)
            let isID =
                id.count == idOctets
                && id.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0.isDigit
                }
            return isID ? String(decoding: id, as: UTF8.self) : nil
        }
    }

    /// The length of a meeting's id, in octets.
    private static let idOctets = 16
    /// The most calendar objects of one mail that are searched, and the most UIDs in each.
    private static let (searchedCalendarsMax, searchedUIDsMax) = (10, 100)

    /// The most texts of one mail that are searched: the plain one and that in HTML.
    private static let searchedTextsMax = 2
    /// The part of a subject that is searched, in characters.
    private static let subjectCharactersMax = 2000
    /// The part of a calendar object or a text that is searched, in octets.
    private static let searchedOctetsMax = 65_536

    /// The identities of our mails to which this one replies.
    var repliedIdentities: [String] {
        ["In-Reply-To", "References"].flatMap(values)
            .flatMap { $0.split { "<> \t\r\n,".contains($0) } }.map(String.init)
            .filter { $0.hasSuffix(BounceReport.identityDomain) }
    }
}
