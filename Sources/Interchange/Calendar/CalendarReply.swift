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
        let calendars = CalendarReader.read(octets).calendars
        guard let calendar = calendars.first, calendars.count == 1,
            let method = calendar.line("METHOD")?.plainText.uppercased(),
            calendar.lines("METHOD").count == 1
        else { return [] }
        let zones = CalendarZones(calendar)
        return calendar.components.filter { $0.name == "VEVENT" }
            .compactMap { CalendarReply($0, method, zones) }
    }

    private init?(_ event: CalendarComponent, _ method: String, _ zones: CalendarZones) {
        func only(_ name: String) -> String?? {
            let found = event.lines(name)
            return found.count > 1 ? nil : .some(found.first?.plainText)
        }
        let people = event.lines("ATTENDEE").compactMap(Attendee.init)
        let isProposal = method == "COUNTER"
        guard let uid = only("UID") ?? nil, !uid.isEmpty, !people.isEmpty,
            isProposal || event.lines("ATTENDEE").count == 1,
            let stamp = only("DTSTAMP") ?? nil, let stampedAt = Self.moment(stamp),
            let sequence = only("SEQUENCE"), only("RECURRENCE-ID") != nil,
            sequence.map({ Self.sequences ~= Int($0) ?? -1 }) ?? true
        else { return nil }
        self.method = method
        self.uid = CalendarText.unescaped(uid)
        let date = event.line("RECURRENCE-ID")
        occurrence = date.flatMap { CalendarPeriod(from: $0, zones) }
        if date != nil, occurrence == nil { return nil }
        self.sequence = sequence.flatMap { Int($0) }
        self.stampedAt = stampedAt
        attendees = people
        period = isProposal ? CalendarPeriod(event, zones) : nil
        comment = event.lines("COMMENT").map(\.text)
            .joined(separator: "\n")
    }

    /// What a SEQUENCE may be (RFC 5545, 3.3.8).
    private static let sequences = 0...Int(Int32.max)

    /// `20261205T100000Z`, as DTSTAMP has to be (RFC 5545, 3.8.7.2); without the Z it is taken for
    /// the same.
    private static func moment(_ text: String) -> Moment? {
        switch CalendarStamp(text) {
        case .utc(let moment)?: return moment
        case .wall(let wall)?: return Zone.utc.moment(of: wall)
        case .day?, nil: return nil
        }
    }
}

extension CalendarReply.Attendee {
    fileprivate init?(_ property: CalendarLine) {
        guard let address = MailAddress.plausible(property.plainText) else { return nil }
        self.init(
            address: address, participation: property.parameter("PARTSTAT")?.uppercased() ?? "")
    }
}
