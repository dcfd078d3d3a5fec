public import Timekeeping

/// What somebody's calendar program says of a meeting (RFC 5546, 3.2.3).
public struct CalendarReply: Equatable, Sendable {
    /// What it is to do: `REPLY`, `COUNTER`, in capitals.
    public let method: String
    /// Which meeting it is about.
    public let uid: String
    /// Which of its dates, where it is about one alone.
    public let recurrenceID: String?
    /// To which state of the meeting it answers; `nil` where it does not say.
    public let sequence: Int?
    /// When the answer was given; `nil` where that cannot be read.
    public let stampedAt: Moment?
    /// Who answers.
    public let attendee: String
    /// What they answer: `ACCEPTED`, `TENTATIVE`, in capitals.
    public let participation: String
    /// What they wrote with it.
    public let comment: String

    /// The replies in a calendar object; none where it holds none, or is none.
    ///
    /// Of an object with several events each counts; one with several people says nothing of any:
    /// a reply has one (RFC 5546, 3.2.3).
    public static func all(in octets: [UInt8]) -> [CalendarReply] {
        let lines = CalendarLines(SourceText.plain(octets))
        return lines.events.compactMap { CalendarReply($0, method: lines.method) }
    }

    private init?(_ event: [VCardProperty], method: String) {
        func first(_ name: String) -> VCardProperty? { event.first { $0.name == name } }
        let people = event.filter { $0.name == "ATTENDEE" }
        guard let uid = first("UID")?.plainText, !uid.isEmpty, people.count == 1,
            let person = people.first, let address = MailAddress.plausible(person.plainText)
        else { return nil }
        self.method = method
        self.uid = uid
        recurrenceID = first("RECURRENCE-ID")?.plainText
        sequence = first("SEQUENCE").flatMap { Int($0.plainText) }
        stampedAt = first("DTSTAMP").flatMap { Self.moment($0.plainText) }
        attendee = address
        participation =
            person.parameters.first { $0.name == "PARTSTAT" }?.value.uppercased() ?? ""
        comment = event.filter { $0.name == "COMMENT" }.map(\.unescapedText)
            .joined(separator: "\n")
    }

    /// `20261205T100000Z`, as DTSTAMP has to be (RFC 5545, 3.8.7.2).
    private static func moment(_ text: String) -> Moment? {
        let digits = text.filter(\.isNumber)
        guard digits.utf8.count == 14, text.hasSuffix("Z") else { return nil }
        func part(_ start: Int, _ length: Int) -> Substring {
            digits.dropFirst(start).prefix(length)
        }
        let form =
            "\(part(0, 4))-\(part(4, 2))-\(part(6, 2))T\(part(8, 2)):\(part(10, 2)):\(part(12, 2))Z"
        return try? Moment.parse(form)
    }
}

/// The lines of a calendar object, as far as answers need them.
private struct CalendarLines {
    /// The most lines that are read.
    private static let linesMax = 10_000

    private(set) var method = ""
    /// The properties of each event, those of what stands in it left out.
    private(set) var events: [[VCardProperty]] = []

    init(_ octets: [UInt8]) {
        var lines = VCardLines(octets)
        var open: [String] = []
        var count = 0
        while let line = lines.next(), count < Self.linesMax {
            count += 1
            guard let property = VCardProperty(line) else { continue }
            switch property.name {
            case "BEGIN":
                open.append(property.plainText.uppercased())
                if open == ["VCALENDAR", "VEVENT"] { events.append([]) }
            case "END": _ = open.popLast()
            case "METHOD" where open == ["VCALENDAR"]: method = property.plainText.uppercased()
            default:
                if open == ["VCALENDAR", "VEVENT"] { events[events.count - 1].append(property) }
            }
        }
    }
}

extension VCardProperty {
    /// The value as it stands, without blanks around it.
    fileprivate var plainText: String { DecodedText(value.trimmedOfBlanks, charset: nil).text }

    /// The value with what text escapes (RFC 5545, 3.3.11).
    fileprivate var unescapedText: String {
        var result = ""
        var isEscaped = false
        for scalar in DecodedText(value, charset: nil).text.unicodeScalars {
            if isEscaped {
                result.unicodeScalars.append(scalar == "n" || scalar == "N" ? "\n" : scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
