import Agenda
import Ledger
import Storage
import Timekeeping

/// A row of the ledger as `ledger list` prints it.
public struct DeliveryView: Encodable, Sendable {
    /// One attempt.
    public struct Attempt: Encodable, Sendable {
        /// When it was begun.
        public let at: Timestamp
        /// How it ended; `null` while it is under way.
        @Null public var outcome: String?
        /// The receiver's code.
        public let code: String
        /// The receiver's words.
        public let reply: String

        init(_ record: AttemptRecord, reader: Zone) {
            at = Timestamp(record.at, reader: reader)
            outcome = record.outcome?.rawValue
            code = record.code
            reply = record.reply
        }
    }

    /// The key; empty, and `null` in JSON, where the meeting is only shown and not made.
    @OptionalID public private(set) var key: String
    /// The meeting's id, as the ``key``.
    @OptionalID public private(set) var meeting: String
    /// The date of a series; empty for a meeting that does not repeat.
    public let occurrence: String
    /// The person's id.
    @Null public var person: String?
    /// The person's name.
    public let name: String
    /// The audience; `null` for a person's delivery.
    @Null public var audience: String?
    /// What it is about.
    public let kind: String
    /// What tells it from others of its kind.
    public let mark: String
    /// The way it goes.
    public let channel: String
    /// Where it goes; `null` for a channel without addresses.
    @Null public var address: String?
    /// The way it goes, as people tell one from others.
    public var way: String { channel == SinkKind.mail.name ? channel : address ?? channel }
    /// When it is to be sent.
    public let due: Timestamp
    /// After this it is of no use.
    public let deadline: Timestamp
    /// When it would be sent by itself, where something else has a say in it; else `null`.
    @Null public var wanted: Timestamp?
    /// Where it stands.
    public let state: String
    /// Why.
    public let reason: String
    /// Every attempt.
    public let attempts: [Attempt]
    /// What the receiver sees as its name.
    @OptionalID public private(set) var identity: String

    /// Of what is private, the address is not shown.
    init(
        _ row: LedgerRow, name: String, attempts: [AttemptRecord] = [], reader: Zone,
        isPrivate: Bool = false
    ) {
        let notification = row.key.notification
        key = row.name
        meeting = notification.meeting
        occurrence = notification.occurrence
        person = notification.receiver.person
        self.name = name
        audience = notification.receiver.audience
        kind = notification.kind.rawValue
        mark = notification.mark
        channel = row.key.channel
        address = isPrivate || row.key.address.isEmpty ? nil : row.key.address
        due = Timestamp(row.due, reader: reader)
        deadline = Timestamp(row.deadline, reader: reader)
        // Their hours, and why nothing is sent to them, are not for others.
        wanted = isPrivate ? nil : row.hold.map { Timestamp($0.wanted, reader: reader) }
        state = row.state.rawValue
        reason = isPrivate ? "" : row.reason
        self.attempts = attempts.map { Attempt($0, reader: reader) }
        identity = row.identity
    }

    /// Whether it waits for longer than it would by itself.
    public var isHeldBack: Bool { wanted.map { $0.moment < due.moment } ?? false }

    /// The same delivery of a meeting that is only shown: it gets its key when that is made.
    var unmade: DeliveryView {
        var view = self
        view.key = ""
        view.meeting = ""
        view.identity = ""
        return view
    }
}

/// How the ledger changed with meetings.
public struct NotificationsView: Encodable, Sendable {
    /// Deliveries that were planned.
    public private(set) var added: [DeliveryView]
    /// Deliveries that no longer hold.
    public let superseded: [DeliveryView]
    /// Deliveries that are not sent: nothing is sent to their addresses any more.
    public let suppressed: [DeliveryView]
    /// Deliveries that wait for another time than before.
    public let rescheduled: [DeliveryView]
    /// How many stay as they were, those that wait for another time among them.
    public let unchanged: Int

    /// - Parameters:
    ///   - revisions: what was done to meetings.
    ///   - reader: the zone in which whoever asked reads times.
    ///   - showingAddress: whether whoever asked may see the address of a person in a meeting.
    init(
        _ revisions: [MeetingRevision], reader: Zone,
        showingAddress: (PersonID, Meeting) -> Bool
    ) {
        func views(_ rows: (MeetingRevision) -> [LedgerRow]) -> [DeliveryView] {
            revisions.flatMap { revision in
                rows(revision).map { row in
                    guard let text = row.key.notification.receiver.person else {
                        return DeliveryView(
                            row, name: row.key.notification.receiver.audienceWords,
                            reader: reader)
                    }
                    let id = PersonID(text: text)
                    let isPrivate = !showingAddress(id, revision.meeting)
                    let line = revision.people[id].map { PersonLine($0, isPrivate: isPrivate) }
                    return DeliveryView(
                        row, name: line?.name ?? "", reader: reader, isPrivate: isPrivate)
                }
            }
        }
        added = views(\.difference.added)
        superseded = views(\.supersededRows)
        suppressed = views(\.difference.suppressed)
        rescheduled = views(\.difference.rescheduled)
        unchanged = revisions.reduce(0) {
            $0 + $1.difference.unchanged.count + $1.difference.rescheduled.count
        }
    }

    /// What turning deliveries by hand does: those that wait from now on, and those that do not.
    init(turned: [DeliveryView]) {
        added = turned.filter { $0.state == DeliveryState.planned.rawValue }
        superseded = turned.filter { $0.state != DeliveryState.planned.rawValue }
        suppressed = []
        rescheduled = []
        unchanged = 0
    }

    /// The same for a meeting that is only shown and not made.
    var unmade: NotificationsView {
        var view = self
        view.added = added.map(\.unmade)
        return view
    }
}

extension Receiver {
    /// Whom an audience is, where its name is not at hand.
    fileprivate var audienceWords: String {
        let audience = audience.map { Audience(name: $0) }
        return audience?.meeting != nil
            ? "all who take part"
            : audience?.circle == nil ? "the installation" : "its circle"
    }
}

extension MeetingRevision {
    /// The rows that no longer hold, as they are saved.
    fileprivate var supersededRows: [LedgerRow] {
        difference.superseded.map { row in
            var row = row
            row.state = .superseded
            row.reason = reason
            return row
        }
    }
}
