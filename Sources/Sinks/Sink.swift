public import Agenda
public import Interchange
public import Ledger
public import Timekeeping

/// What a delivery tells the programs of its receiver, beside its words.
public struct Enclosure: Sendable {
    /// What a calendar is to do about a meeting.
    public struct Entry: Sendable {
        /// Whether to take it in or to strike it out.
        public let method: CalendarInvitation.Method
        /// The meeting.
        public let event: CalendarEvent
        /// Whether it is off for everybody.
        public let isOff: Bool
        /// What the receiver answered last.
        public let answer: CalendarInvitation.Answer
        /// To which address answers go, where it is one of this receiver alone.
        public var answersTo: String?
        /// Who else is asked, where the organizer wants that to be seen.
        public var others: [CalendarInvitation.Guest] = []

        /// Describes an entry.
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

    /// How the receiver says that no more of this kind shall come.
    public struct Unsubscribing: Equatable, Sendable {
        /// The address that takes it.
        public let link: String
        /// Whether programs may say it there for them (RFC 8058).
        public let isOneClick: Bool

        /// Describes it.
        public init(link: String, isOneClick: Bool) {
            self.link = link
            self.isOneClick = isOneClick
        }
    }

    /// The identity of the first delivery by which the receiver learnt of the meeting this way;
    /// `nil` where this is the first.
    public let root: String?
    /// What their calendar is to do; `nil` where it is to do nothing.
    public let entry: Entry?
    /// The words as a page of HTML; `nil` where there is none.
    public let page: String?
    /// How no more of this kind is asked for; `nil` where there is no way.
    public var unsubscribing: Unsubscribing?

    /// Puts them together.
    public init(root: String?, entry: Entry?, page: String? = nil) {
        self.root = root
        self.entry = entry
        self.page = page
    }
}

/// One delivery, written out and ready to be sent.
public struct OutgoingMessage: Sendable {
    /// What the receiver sees as its name: the same for every attempt.
    public let identity: String
    /// What it is about.
    public let kind: NotificationKind
    /// The receiver's name.
    public let name: String
    /// The receiver's address; empty when none is known.
    public let address: String
    /// The meeting's id; empty, as all that is said of it, for what is about none.
    public let meeting: String
    /// The date of a meeting that repeats, by its original start; empty for all of it.
    public var occurrence = ""
    /// The meeting's title.
    public let title: String
    /// The meeting's start with its offset.
    public let start: String
    /// The meeting's zone.
    public let zone: String
    /// When it was to be sent.
    public let due: Moment
    /// When it was put into words.
    public let writtenAt: Moment
    /// Who plans what it is about; `nil` for what comes from the installation itself.
    public let sender: Person?
    /// One line.
    public let subject: String
    /// Any number of lines.
    public let text: String
    /// What goes along for the programs of the receiver; `nil` where the sink has no use for it.
    public var enclosure: Enclosure?
    /// Who reads it, where that are many; `nil` for what is for one person.
    public var audience: String?
    /// How many come to the meeting; `nil` for what is about none.
    public var turnout: Turnout?
    /// The name of the channel that it goes by, where it is one of somebody's own; else empty.
    public var channel = ""
    /// Where that channel leads; `nil` where there is none of that name any more.
    public var target: ChannelTarget?
    /// That the channel is closed, where its receiver said so.
    public var closure: ChannelClosure?
    /// Whether there is still time for it. A sink in which parcels wait for their turn asks when it
    /// comes, and reports ``AttemptReport/held`` of one that nobody wants any more.
    public var isWanted: @Sendable () -> Bool = { true }
    /// A sink in which others wait behind a parcel tells what went wrong with it before it asks
    /// whether the next one is wanted; it reports it all the same.
    public var onFailure: @Sendable (AttemptReport) -> Void = { _ in }

    /// Puts a parcel together.
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

/// What a destination is spared.
public struct DestinationLimits: Equatable, Sendable {
    /// How many deliveries may be sent to it at once; at least one.
    public let concurrency: Int
    /// How many it takes in a time; `nil` for as many as it likes.
    public let rate: RateLimit?

    /// One at a time as fast as it takes them, unless said otherwise.
    public init(concurrency: Int = 1, rate: RateLimit? = nil) {
        self.concurrency = max(concurrency, 1)
        self.rate = rate
    }
}

/// A way to deliver.
///
/// A sink tries once and says how it went; whether and when to try again is decided by
/// ``AttemptReport/verdict(in:using:)`` from the sink's schedule and policy.
public protocol Sink: Sendable {
    /// The name of its channel.
    var name: String { get }
    /// When to try again.
    var schedule: RetrySchedule { get }
    /// What to do when a send may or may not have arrived.
    var policy: AmbiguityPolicy { get }
    /// What each of its destinations is spared.
    var limits: DestinationLimits { get }
    /// Whether it delivers what programs read, too.
    var takesEnclosures: Bool { get }
    /// Where tasks that send through it had best run; `nil` where that is all the same.
    var executor: (any TaskExecutor)? { get }
    /// What stands behind an address and is well or sick as a whole: a server. It names no person.
    func destination(of address: String) -> String
    /// Tries to deliver. It never throws: what goes wrong is an outcome.
    func deliver(_ outgoing: OutgoingMessage) async -> AttemptReport
}

extension Sink {
    /// One at a time.
    public var limits: DestinationLimits { DestinationLimits() }

    /// Words alone.
    public var takesEnclosures: Bool { false }

    /// Anywhere.
    public var executor: (any TaskExecutor)? { nil }

    /// One for all: the channel itself.
    public func destination(of address: String) -> String { name }
}
