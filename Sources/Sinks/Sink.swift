public import Agenda
public import Interchange
public import Ledger
public import Timekeeping

/// The parts of a delivery for the receiver's programs, in addition to the text.
public struct Enclosure: Sendable {
    /// The calendar entry of a meeting.
    public struct Entry: Sendable {
        /// The action for the receiver's calendar: add or cancel the entry.
        public let method: CalendarInvitation.Method
        /// The meeting.
        public let event: CalendarEvent
        /// True if the meeting is cancelled for everybody.
        public let isOff: Bool
        /// The receiver's last answer.
        public let answer: CalendarInvitation.Answer
        /// The receiver's answers to single dates of a series, by their original starts.
        public var dateAnswers: [Moment: CalendarInvitation.Answer] = [:]
        /// The address for answers, if this receiver has one of their own.
        public var answersTo: String?
        /// The other guests, if the organizer lets guests see each other.
        public var others: [CalendarInvitation.Guest] = []

        /// Creates an entry.
        public init(
            method: CalendarInvitation.Method, event: CalendarEvent, isOff: Bool,
            answer: CalendarInvitation.Answer
        ) {
            self.method = method
            self.event = event
            self.isOff = isOff
            self.answer = answer
        }
    }

    /// The receiver's way to unsubscribe from this kind of message.
    public struct Unsubscribing: Equatable, Sendable {
        /// The address that accepts the request.
        public let link: String
        /// True if programs may send the request for the receiver (RFC 8058).
        public let isOneClick: Bool

        /// Creates a way to unsubscribe.
        public init(link: String, isOneClick: Bool) {
            self.link = link
            self.isOneClick = isOneClick
        }
    }

    /// The identity of the first delivery to the receiver about this meeting by this sink; `nil` if
    /// this is the first.
    public let root: String?
    /// The entry for the receiver's calendar; `nil` if the calendar needs no change.
    public let entry: Entry?
    /// The message as an HTML page; `nil` if there is none.
    public let page: String?
    /// The way to unsubscribe from this kind of message; `nil` if there is none.
    public var unsubscribing: Unsubscribing?

    /// Creates an enclosure.
    public init(root: String?, entry: Entry?, page: String? = nil) {
        self.root = root
        self.entry = entry
        self.page = page
    }
}

/// One delivery, rendered and ready to be sent.
public struct OutgoingMessage: Sendable {
    /// The identifier that the receiver sees. It is the same for every attempt.
    public let identity: String
    /// The identifier by which a returned mail is recognized. Replies of the receiver do not
    /// contain it. Empty if it is ``identity``.
    public var returnIdentity = ""
    /// The kind of the notification.
    public let kind: NotificationKind
    /// The receiver's name.
    public let name: String
    /// The receiver's address; empty if none is known.
    public let address: String
    /// The meeting's id. For a message about no meeting, this and all other facts of the meeting
    /// are empty.
    public let meeting: String
    /// The occurrence of a recurring meeting, by its original start; empty for the whole meeting.
    public var occurrence = ""
    /// True if the meeting, or the date, is of whole days.
    public var isOfDays = false
    /// The meeting's title.
    public let title: String
    /// The meeting's start, with its UTC offset.
    public let start: String
    /// The meeting's time zone.
    public let zone: String
    /// The time at which the delivery was due.
    public let due: Moment
    /// The time at which the text was rendered.
    public let writtenAt: Moment
    /// The organizer of the meeting; `nil` for messages from the installation itself.
    public let sender: Person?
    /// The subject, a single line.
    public let subject: String
    /// The text, any number of lines.
    public let text: String
    /// The parts for the receiver's programs; `nil` if the sink does not use them.
    public var enclosure: Enclosure?
    /// The name of the audience; `nil` for a message to one person.
    public var audience: String?
    /// The number of people who come to the meeting; `nil` for a message about no meeting.
    public var turnout: Turnout?
    /// The name of the person's or audience's own channel that the message uses; otherwise empty.
    public var channel = ""
    /// The target of that channel; `nil` if no channel of that name exists any more.
    public var target: ChannelTarget?
    /// The closure of the channel, if its receiver closed it.
    public var closure: ChannelClosure?
    /// True if there is still time to send the message. A sink that queues messages asks this when
    /// the message's turn comes, and reports ``AttemptReport/held`` if it is no longer wanted.
    public var isWanted: @Sendable () -> Bool = { true }
    /// Receives a failed attempt. A sink that queues messages calls it before it asks whether the
    /// next message is wanted. The sink still reports the attempt as usual.
    public var onFailure: @Sendable (AttemptReport) -> Void = { _ in }

    /// Creates a message.
    public init(
        identity: String, kind: NotificationKind, name: String, address: String, meeting: String,
        title: String, start: String, zone: String, due: Moment, writtenAt: Moment,
        sender: Person?, subject: String, text: String
    ) {
        self.identity = identity
        self.kind = kind
        self.name = name
        self.address = address
        self.meeting = meeting
        self.title = title
        self.start = start
        self.zone = zone
        self.due = due
        self.writtenAt = writtenAt
        self.sender = sender
        self.subject = subject
        self.text = text
    }
}

/// The concurrency and rate limits of one destination.
public struct DestinationLimits: Equatable, Sendable {
    /// The maximum number of deliveries sent at once; at least one.
    public let concurrency: Int
    /// The maximum number of deliveries per time; `nil` for no limit.
    public let rate: RateLimit?

    /// Creates limits. The default is one delivery at a time, without a rate limit.
    public init(concurrency: Int = 1, rate: RateLimit? = nil) {
        self.concurrency = max(concurrency, 1)
        self.rate = rate
    }
}

/// A method of delivery.
///
/// A sink makes one attempt and reports its outcome. ``AttemptReport/verdict(in:using:)`` decides
/// whether and when to try again, from the sink's schedule and policy.
public protocol Sink: Sendable {
    /// The name of the sink.
    var name: String { get }
    /// The schedule of retries.
    var schedule: RetrySchedule { get }
    /// The policy for attempts that may or may not have arrived.
    var policy: AmbiguityPolicy { get }
    /// The limits of each of its destinations.
    var limits: DestinationLimits { get }
    /// True if the sink delivers the parts for programs, too.
    var takesEnclosures: Bool { get }
    /// The best executor for tasks that send through this sink; `nil` for any.
    var executor: (any TaskExecutor)? { get }
    /// The destination of an address: the server that works or fails as a whole. The name
    /// identifies no person.
    func destination(of address: String) -> String
    /// Tries to deliver a message. It never throws; an error is an outcome.
    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport
}

extension Sink {
    /// One delivery at a time.
    public var limits: DestinationLimits { DestinationLimits() }

    /// Only texts.
    public var takesEnclosures: Bool { false }

    /// Any executor.
    public var executor: (any TaskExecutor)? { nil }

    /// One destination for all addresses: the sink itself.
    public func destination(of address: String) -> String { name }
}
