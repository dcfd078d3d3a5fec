public import Timekeeping

/// An answer from an attendee's calendar program (RFC 5546, 3.2.3 and 3.2.7).
public struct CalendarReply: Equatable, Sendable {
    /// An attendee named in the answer.
    public struct Attendee: Equatable, Sendable {
        /// The mail addresses: the value, that in the parameter EMAIL (RFC 7986, 6.2) or its
        /// earlier form, or else that in the name; empty if there is none.
        public let addresses: [String]
        /// The answer in capitals: `ACCEPTED`, `TENTATIVE`; empty if none is stated.
        public let participation: String
        /// The number of people that they bring, as Google's calendar states it; `nil` if it is not
        /// stated.
        public let plus: Int?
        /// The comment that Google's calendar writes beside the answer; may be empty.
        let comment: String
    }

    /// The method in capitals: `REPLY`, `COUNTER`.
    public let method: String
    /// The UID of the meeting.
    public let uid: String
    /// The original start of the occurrence, if the answer is not about the whole series.
    public let occurrence: CalendarPeriod?
    /// True if it is about all later occurrences too (RFC 5545, 3.2.13).
    public let isAndLater: Bool
    /// The revision of the meeting that was answered; `nil` if none is stated.
    public let sequence: Int?
    /// The time of the answer; `nil` if none is stated.
    public let stampedAt: Moment?
    /// The attendees named. A reply should name only its sender, but some programs name all.
    public let attendees: [Attendee]
    /// The comment; may be empty.
    public let comment: String
    /// True if a program of Microsoft wrote the answer, which puts the comment into the text of the
    /// mail.
    public internal(set) var isOfMicrosoft = false
    /// The start in the answer, as the attendee's program knows the meeting; `nil` if there is
    /// none.
    public let start: CalendarPeriod?
    /// The proposed time, if the answer is a proposal with a time.
    public let period: CalendarPeriod?

    /// The replies in a calendar object; empty if there are none or if the octets are not a
    /// calendar object.
    ///
    /// Each event counts as one reply. An event is ignored if it has no UID, or two, or an invalid
    /// RECURRENCE-ID. A calendar object with two methods is ignored completely.
    public static func all(in octets: [UInt8]) -> [CalendarReply] {
        read(octets).replies
    }

    /// The replies in a calendar object, and the number of events that cannot be read.
    ///
    /// - Parameters:
    ///   - octets: the calendar object, or several of them.
    ///   - method: the method of an object that does not state its own.
    /// - Returns: the replies in their order; none if the octets are not a calendar object.
    public static func read(
        _ octets: [UInt8], method: String? = nil
    ) -> (replies: [CalendarReply], unreadable: Int) {
        let found = CalendarReader.read(octets).calendars.prefix(calendarsMax).map {
            replies(in: $0, method: method)
        }
        return (found.flatMap(\.replies), found.reduce(0) { $0 + $1.unreadable })
    }

    /// The methods of the calendar objects in a file, in capitals.
    ///
    /// - Parameters:
    ///   - octets: the calendar object, or several of them.
    ///   - method: the method of an object that does not state its own.
    /// - Returns: the methods in their order; empty texts for objects without one.
    public static func methods(in octets: [UInt8], method: String? = nil) -> [String] {
        CalendarReader.read(octets).calendars.prefix(calendarsMax).map { calendar in
            (calendar.line("METHOD")?.plainText ?? method ?? "").uppercased()
        }
    }

    /// The most calendar objects of one file that are read.
    private static let calendarsMax = 10

    private static func replies(
        in calendar: CalendarComponent, method: String?
    ) -> (replies: [CalendarReply], unreadable: Int) {
        guard calendar.lines("METHOD").count <= 1,
            let method = (calendar.line("METHOD")?.plainText ?? method)?.uppercased()
        else { return ([], 0) }
        let zones = CalendarZones(calendar)
        let events = calendar.components.filter { $0.name == "VEVENT" }
        let isOfMicrosoft =
            calendar.line("PRODID")?.plainText.lowercased().contains("microsoft") == true
        // Reading the time zones of thousands of answers would take minutes.
        let replies = events.prefix(repliesMax).compactMap { event in
            var reply = CalendarReply(event, method, zones)
            reply?.isOfMicrosoft = isOfMicrosoft
            return reply
        }
        return (replies, events.count - replies.count)
    }

    /// The most answers of one calendar object that are read.
    private static let repliesMax = 100

    private init?(_ event: CalendarComponent, _ method: String, _ zones: CalendarZones) {
        func only(_ name: String) -> String?? {
            let found = event.lines(name)
            return found.count > 1 ? nil : .some(found.first?.plainText)
        }
        let people = event.lines("ATTENDEE").prefix(Self.attendeesMax).map(Attendee.init)
        let isProposal = method == "COUNTER"
        guard let uid = only("UID") ?? nil, !uid.isEmpty, !people.isEmpty,
            only("RECURRENCE-ID") != nil
        else { return nil }
        self.method = method
        self.uid = CalendarText.unescaped(uid)
        let date = event.line("RECURRENCE-ID")
        occurrence = date.flatMap { CalendarPeriod(from: $0, zones) }
        if date != nil, occurrence == nil { return nil }
        isAndLater = date?.parameter("RANGE")?.uppercased() == "THISANDFUTURE"
        // Some programs state these twice, or with invalid values.
        sequence = event.lines("SEQUENCE").lazy.compactMap { Int($0.plainText) }
            .first { Self.sequences ~= $0 }
        stampedAt = event.lines("DTSTAMP").lazy.compactMap { Self.moment($0.plainText) }.first
        attendees = people
        period = isProposal ? CalendarPeriod(event, zones) : nil
        start = event.line("DTSTART").flatMap { CalendarPeriod(from: $0, zones) }
        let comments = event.lines("COMMENT").map(\.text)
        comment = (comments.isEmpty ? people.map(\.comment) : comments)
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    /// The most attendees of one answer that are read.
    private static let attendeesMax = 200

    /// The range of valid SEQUENCE numbers (RFC 5545, 3.3.8).
    private static let sequences = 0...Int(Int32.max)

    /// The moment in a DTSTAMP such as `20261205T100000Z` (RFC 5545, 3.8.7.2). A time without the Z
    /// is also read as UTC.
    private static func moment(_ text: String) -> Moment? {
        switch CalendarStamp(text) {
        case .utc(let moment)?: return moment
        case .wall(let wall)?: return Zone.utc.moment(of: wall)
        case .day?, nil: return nil
        }
    }
}

extension CalendarReply.Attendee {
    fileprivate init(_ property: CalendarLine) {
        let stated = [
            property.plainText, property.parameter("EMAIL") ?? "",
            property.parameter("X-CALENDARSERVER-EMAIL") ?? "",
        ]
        let addresses = stated.compactMap(MailAddress.plausible)
        let named = property.parameter("CN").flatMap(MailAddress.plausible)
        self.init(
            addresses: addresses.isEmpty ? [named].compactMap(\.self) : addresses.withoutRepeats,
            participation: property.parameter("PARTSTAT")?.uppercased() ?? "",
            plus: property.parameter("X-NUM-GUESTS").flatMap { Int($0) },
            comment: property.parameter("X-RESPONSE-COMMENT") ?? "")
    }
}
