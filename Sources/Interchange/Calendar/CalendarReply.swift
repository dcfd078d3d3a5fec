public import Timekeeping

/// What somebody's calendar program says of a meeting (RFC 5546, 3.2.3 and 3.2.7).
public struct CalendarReply: Equatable, Sendable {
    /// Somebody whom it names.
    public struct Attendee: Equatable, Sendable {
        /// The mail address.
        public let address: String
        /// What they answer: `ACCEPTED`, `TENTATIVE`, in capitals; empty where it does not say.
        public let participation: String
    }

    /// What it is to do: `REPLY`, `COUNTER`, in capitals.
    public let method: String
    /// Which meeting it is about.
    public let uid: String
    /// Which of its dates, where it is about one alone: when that begins.
    public let occurrence: CalendarPeriod?
    /// To which state of the meeting it answers; `nil` where it does not say.
    public let sequence: Int?
    /// When the answer was given.
    public let stampedAt: Moment
    /// Who answers: of a reply one. What a proposal names may be all who are asked.
    public let attendees: [Attendee]
    /// What they wrote with it.
    public let comment: String
    /// When it is to be, where it is a proposal and says so.
    public let period: CalendarPeriod?

    /// The replies in a calendar object; none where it holds none, or is none.
    ///
    /// Of an object with several events each counts; of those that reply one with several people
    /// says nothing of any: a reply has one (RFC 5546, 3.2.3). Nor does an object with two methods,
    /// an event that says one thing twice, or one that does not say when it was made.
    public static func all(in octets: [UInt8]) -> [CalendarReply] {
        let lines = CalendarLines(SourceText.plain(octets))
        guard lines.calendarCount == 1, lines.methods.count == 1 else { return [] }
        return lines.events.compactMap { CalendarReply($0, lines.methods[0], lines.clocks) }
    }

    private init?(_ event: [VCardProperty], _ method: String, _ clocks: [String: CalendarClock]) {
        func only(_ name: String) -> String?? {
            let found = event.filter { $0.name == name }
            return found.count > 1 ? nil : .some(found.first?.plainText)
        }
        let people = event.filter { $0.name == "ATTENDEE" }.compactMap(Attendee.init)
        let isProposal = method == "COUNTER"
        guard let uid = only("UID") ?? nil, !uid.isEmpty, !people.isEmpty,
            isProposal || event.count(where: { $0.name == "ATTENDEE" }) == 1,
            let stamp = only("DTSTAMP") ?? nil, let stampedAt = Self.moment(stamp),
            let sequence = only("SEQUENCE"), only("RECURRENCE-ID") != nil,
            sequence.map({ Self.sequences ~= Int($0) ?? -1 }) ?? true
        else { return nil }
        self.method = method
        self.uid = uid
        let date = event.first { $0.name == "RECURRENCE-ID" }
        occurrence = date.flatMap { CalendarPeriod(from: $0, clocks) }
        if date != nil, occurrence == nil { return nil }
        self.sequence = sequence.flatMap { Int($0) }
        self.stampedAt = stampedAt
        attendees = people
        period = isProposal ? CalendarPeriod(event, clocks) : nil
        comment = event.filter { $0.name == "COMMENT" }.map(\.unescapedText)
            .joined(separator: "\n")
    }

    /// What a SEQUENCE may be (RFC 5545, 3.3.8).
    private static let sequences = 0...Int(Int32.max)

    /// `20261205T100000Z`, as DTSTAMP has to be (RFC 5545, 3.8.7.2); without the Z it is taken for
    /// the same.
    private static func moment(_ text: String) -> Moment? {
        guard text.contains("T") else { return nil }
        return CalendarDigits.wall(text).map(Zone.utc.moment(of:))
    }
}

extension CalendarReply.Attendee {
    fileprivate init?(_ property: VCardProperty) {
        guard let address = MailAddress.plausible(property.plainText) else { return nil }
        self.init(
            address: address, participation: property.parameter("PARTSTAT")?.uppercased() ?? "")
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
    /// The zones that it describes, by the names that it calls them by.
    private(set) var clocks: [String: CalendarClock] = [:]
    private var zone = (name: "", clock: CalendarClock())
    private var observance: [VCardProperty] = []

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
            case "END":
                end(open)
                _ = open.popLast()
            default: take(property, in: open)
            }
        }
    }

    private mutating func take(_ property: VCardProperty, in open: [String]) {
        switch (open.count, open.dropFirst().first) {
        case (1, _) where open == ["VCALENDAR"] && property.name == "METHOD":
            methods.append(property.plainText.uppercased())
        case (2, "VEVENT") where open[0] == "VCALENDAR": events[events.count - 1].append(property)
        case (2, "VTIMEZONE") where property.name == "TZID":
            zone.name = property.unescapedText
        case (3, "VTIMEZONE"): observance.append(property)
        default: break
        }
    }

    private mutating func end(_ open: [String]) {
        switch (open.count, open.dropFirst().first) {
        case (2, "VTIMEZONE"):
            clocks[zone.name] = zone.clock
            zone = ("", CalendarClock())
        case (3, "VTIMEZONE"):
            zone.clock.take(observance, isDaylight: open[2] == "DAYLIGHT")
            observance = []
        default: break
        }
    }
}

extension VCardProperty {
    /// The value as it stands, without blanks around it.
    var plainText: String { DecodedText(value.trimmedOfBlanks, charset: nil).text }

    /// The same with what text escapes (RFC 5545, 3.3.11).
    fileprivate var unescapedText: String {
        var result = ""
        var isEscaped = false
        for scalar in DecodedText(value.trimmedOfBlanks, charset: nil).text.unicodeScalars {
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
