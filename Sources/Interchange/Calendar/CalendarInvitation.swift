public import Timekeeping

/// What a calendar program is told of a meeting: that somebody is asked to it, that it is off, or
/// that it stays when it is (RFC 5546, 3.2.2, 3.2.5 and 3.2.8).
public struct CalendarInvitation: Sendable {
    /// What it asks of the receiver's calendar.
    public enum Method: String, Sendable {
        /// To take the meeting in, or to bring it up to date.
        case request = "REQUEST"
        /// To strike it out.
        case cancel = "CANCEL"
        /// To forget what its owner proposed instead.
        case declineCounter = "DECLINECOUNTER"
    }

    /// What the receiver answered last.
    public enum Answer: String, Sendable {
        /// Nothing.
        case none = "NEEDS-ACTION"
        /// They come.
        case accepted = "ACCEPTED"
        /// They may come.
        case tentative = "TENTATIVE"
        /// They do not come.
        case declined = "DECLINED"
    }

    /// What it asks.
    public let method: Method
    /// The meeting.
    public let event: CalendarEvent
    /// Whether it is off for everybody, and not only for this receiver.
    public var isOff = false
    /// Who plans it, and gets the answers.
    public let organizer: Mailbox
    /// Who sends it for them, where that is somebody else.
    public var sender: Mailbox?
    /// Who is asked.
    public let attendee: Mailbox
    /// What they answered last.
    public var answer = Answer.none

    /// Who else is asked; nobody is shown without it.
    public var others: [Guest] = []

    /// Somebody who is asked.
    public struct Guest: Sendable {
        let mailbox: Mailbox
        let answer: Answer

        /// Names them.
        public init(_ mailbox: Mailbox, answer: Answer) {
            self.mailbox = mailbox
            self.answer = answer
        }
    }

    /// A meeting with its people.
    public init(
        method: Method, event: CalendarEvent, organizer: Mailbox, attendee: Mailbox
    ) {
        self.method = method
        self.event = event
        self.organizer = organizer
        self.attendee = attendee
    }

    /// The calendar object, as it was on its way at a moment.
    public func octets(at now: Moment) -> [UInt8] {
        let head = [
            CalendarLine("VERSION", raw: "2.0"),
            CalendarLine("PRODID", raw: "-//letsmeet//letsmeet//EN"),
            CalendarLine("METHOD", raw: method.rawValue),
        ]
        let dates = (method == .request ? event.all : [event]).map {
            CalendarComponent("VEVENT", $0.lines(at: now) + state + people)
        }
        var output: [UInt8] = []
        CalendarComponent(
            "VCALENDAR", head, [event.zoneComponent].compactMap(\.self) + dates
        ).append(to: &output)
        return output
    }

    /// Who alone is struck from a meeting is told nothing of the meeting's own state.
    private var state: [CalendarLine] {
        switch method {
        case .request, .declineCounter: [CalendarLine("STATUS", raw: "CONFIRMED")]
        case .cancel: isOff ? [CalendarLine("STATUS", raw: "CANCELLED")] : []
        }
    }

    private var people: [CalendarLine] {
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
    /// What stands for itself in such a URI, beside letters and digits (RFC 6068, 2).
    private static let plain = Set("-._~@+!$'*".utf8)

    /// The address as a URI.
    fileprivate var uri: String {
        let text = address.utf8.map { octet -> String in
            guard octet.isLetterOrDigit || Self.plain.contains(octet) else {
                let digits = String(octet, radix: 16, uppercase: true)
                return octet < 0x10 ? "%0\(digits)" : "%\(digits)"
            }
            return String(UnicodeScalar(octet))
        }
        return "mailto:" + text.joined()
    }
}
