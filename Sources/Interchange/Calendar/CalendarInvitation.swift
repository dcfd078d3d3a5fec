public import Timekeeping

/// A message to a calendar program about a meeting: an invitation, a cancellation, or the rejection
/// of a proposed time (RFC 5546, 3.2.2, 3.2.5 and 3.2.8).
public struct CalendarInvitation: Sendable {
    /// The action requested of the receiver's calendar.
    public enum Method: String, Sendable {
        /// Adds or updates the meeting.
        case request = "REQUEST"
        /// Removes the meeting.
        case cancel = "CANCEL"
        /// Discards the time that the attendee proposed.
        case declineCounter = "DECLINECOUNTER"
    }

    /// The attendee's latest answer.
    public enum Answer: String, Sendable {
        /// No answer yet.
        case none = "NEEDS-ACTION"
        /// Going.
        case accepted = "ACCEPTED"
        /// Maybe going.
        case tentative = "TENTATIVE"
        /// Not going.
        case declined = "DECLINED"
    }

    /// The requested action.
    public let method: Method
    /// The meeting.
    public let event: CalendarEvent
    /// True if the meeting is cancelled for everybody, and not only for this receiver.
    public var isOff = false
    /// The organizer, who receives the answers.
    public let organizer: Mailbox
    /// The person who sends on behalf of the organizer, if different.
    public var sender: Mailbox?
    /// The attendee who receives the message.
    public let attendee: Mailbox
    /// The attendee's latest answer.
    public var answer = Answer.none
    /// The attendee's answers to single occurrences, by their original starts.
    public var dateAnswers: [Moment: Answer] = [:]

    /// The other attendees to list; none are listed by default.
    public var others: [Guest] = []

    /// Another attendee.
    public struct Guest: Sendable {
        let mailbox: Mailbox
        let answer: Answer

        /// Creates an attendee.
        public init(_ mailbox: Mailbox, answer: Answer) {
            self.mailbox = mailbox
            self.answer = answer
        }
    }

    /// An invitation with the meeting and its people.
    public init(
        method: Method, event: CalendarEvent, organizer: Mailbox, attendee: Mailbox
    ) {
        self.method = method
        self.event = event
        self.organizer = organizer
        self.attendee = attendee
    }

    /// The calendar object, stamped with the time `now`.
    public func octets(at now: Moment) -> [UInt8] {
        let head = [
            CalendarLine("VERSION", raw: "2.0"),
            CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
            CalendarLine("METHOD", raw: method.rawValue),
        ]
        let dates = (method == .request ? event.all : [event]).map {
            CalendarComponent("VEVENT", $0.lines(at: now) + state + people(of: $0))
        }
        var output: [UInt8] = []
        CalendarComponent(
            "VCALENDAR", head, [event.zoneComponent].compactMap(\.self) + dates
        ).append(to: &output)
        return output
    }

    /// The status of the meeting. A cancellation for one receiver alone leaves it out, because the
    /// meeting still takes place.
    private var state: [CalendarLine] {
        switch method {
        case .request, .declineCounter: [CalendarLine("STATUS", raw: "CONFIRMED")]
        case .cancel: isOff ? [CalendarLine("STATUS", raw: "CANCELLED")] : []
        }
    }

    private func people(of event: CalendarEvent) -> [CalendarLine] {
        let answer = event.original.flatMap { dateAnswers[$0] } ?? answer
        var organizing = [(name: "CN", value: organizer.name)]
        if let sender { organizing.append(("SENT-BY", sender.uri)) }
        let heads = [
            CalendarLine("ORGANIZER", organizing.filter { !$0.value.isEmpty }, raw: organizer.uri),
            line(of: Guest(attendee, answer: answer), isAsked: method == .request),
        ]
        return heads + (method == .request ? others.map { line(of: $0, isAsked: false) } : [])
    }

    private func line(of guest: Guest, isAsked: Bool) -> CalendarLine {
        var attending = [
            (name: "CUTYPE", value: "INDIVIDUAL"), (name: "ROLE", value: "REQ-PARTICIPANT"),
            (name: "PARTSTAT", value: guest.answer.rawValue),
        ]
        if isAsked { attending.append(("RSVP", "TRUE")) }
        attending.append(("CN", guest.mailbox.name))
        return CalendarLine(
            "ATTENDEE", attending.filter { !$0.value.isEmpty }, raw: guest.mailbox.uri)
    }
}

extension Mailbox {
    /// The characters that need no escaping in a `mailto` URI, besides letters and digits (RFC
    /// 6068, 2).
    private static let plain = Set("-._~@+!$'*".utf8)

    /// The address as a `mailto` URI.
    fileprivate var uri: String {
        let text = address.utf8.map { octet in
            octet.isLetterOrDigit || Self.plain.contains(octet)
                ? String(UnicodeScalar(octet)) : octet.percentEncoded
        }
        return "mailto:" + text.joined()
    }
}
