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
    /// When the answer was given.
    public let stampedAt: Moment
    /// Who answers.
    public let attendee: String
    /// What they answer: `ACCEPTED`, `TENTATIVE`, in capitals.
    public let participation: String
    /// What they wrote with it.
    public let comment: String

    /// The replies in a calendar object; none where it holds none, or is none.
    ///
    /// Of an object with several events each counts; one with several people says nothing of any:
    /// a reply has one (RFC 5546, 3.2.3). Nor does an object with two methods, an event that says
    /// one thing twice, or one that does not say when it was made.
    public static func all(in octets: [UInt8]) -> [CalendarReply] {
        let lines = CalendarLines(SourceText.plain(octets))
        guard lines.calendarCount == 1, lines.methods.count == 1 else { return [] }
        return lines.events.compactMap { CalendarReply($0, method: lines.methods[0]) }
    }

    private init?(_ event: [VCardProperty], method: String) {
        func only(_ name: String) -> String?? {
            let found = event.filter { $0.name == name }
            return found.count > 1 ? nil : .some(found.first?.plainText)
        }
        let people = event.filter { $0.name == "ATTENDEE" }
        guard let uid = only("UID") ?? nil, !uid.isEmpty, people.count == 1,
            let person = people.first, let address = MailAddress.plausible(person.plainText),
            let stamp = only("DTSTAMP") ?? nil, let stampedAt = Self.moment(stamp),
            let sequence = only("SEQUENCE"), let recurrence = only("RECURRENCE-ID"),
            sequence.map({ Self.sequences ~= Int($0) ?? -1 }) ?? true
        else { return nil }
        self.method = method
        self.uid = uid
        recurrenceID = recurrence
        self.sequence = sequence.flatMap { Int($0) }
        self.stampedAt = stampedAt
        attendee = address
        participation =
            person.parameters.first { $0.name == "PARTSTAT" }?.value.uppercased() ?? ""
        comment = event.filter { $0.name == "COMMENT" }.map(\.unescapedText)
            .joined(separator: "\n")
    }

    /// What a SEQUENCE may be (RFC 5545, 3.3.8).
    private static let sequences = 0...Int(Int32.max)

    /// `20261205T100000Z`, as DTSTAMP has to be (RFC 5545, 3.8.7.2); without the Z it is taken for
    /// the same.
    private static func moment(_ text: String) -> Moment? {
        let digits = text.filter(\.isNumber)
        guard digits.utf8.count == 14, text.utf8.count <= 16 else { return nil }
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

    private(set) var calendarCount = 0
    private(set) var methods: [String] = []
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
                if open == ["VCALENDAR"] { calendarCount += 1 }
                if open == ["VCALENDAR", "VEVENT"] { events.append([]) }
            case "END": _ = open.popLast()
            case "METHOD" where open == ["VCALENDAR"]:
                methods.append(property.plainText.uppercased())
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
