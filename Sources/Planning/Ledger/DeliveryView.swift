public import Agenda
public import Ledger
import Storage
import Timekeeping

/// A delivery as `ledger list` prints it.
public struct DeliveryView: Encodable, Sendable {
    /// An attempt to send a delivery.
    public struct Attempt: Encodable, Sendable {
        /// The start.
        public let at: Timestamp
        /// The outcome; `null` while it is in progress.
        @Null public var outcome: String?
        /// The receiver's status code.
        public let code: String
        /// The receiver's reply.
        public let reply: String

        init(_ record: AttemptRecord, reader: Zone, sight: DeliverySight) {
            at = Timestamp(record.at, reader: reader)
            outcome = record.outcome?.rawValue
            code = record.code
            reply = sight.reply(record.reply)
        }
    }

    /// The key; empty, and `null` in JSON, in the preview of a new meeting.
    @OptionalID public private(set) var key: String
    /// The meeting's id; empty like the ``key``.
    @OptionalID public private(set) var meeting: String
    /// The date of a recurring meeting; empty if the meeting does not repeat.
    public let occurrence: String
    /// The person's id; `null` for an audience's delivery.
    @Null public var person: String?
    /// The name of the receiver.
    public let name: String
    /// The audience; `null` for a person's delivery.
    @Null public var audience: String?
    /// The kind of notification.
    public let kind: NotificationKind
    /// The mark that distinguishes it from others of its kind.
    public let mark: String
    /// The sink.
    public let channel: String
    /// The address; `null` for a channel without addresses.
    @Null public var address: String?
    /// True for what is planned for a later time: a reminder, or a nudge before the time until
    /// which people are asked to answer.
    public var isPlannedAhead: Bool {
        kind == .reminder || kind == .nudge && NotificationMark(text: mark).answerBy != nil
    }
    /// The sink or channel, as people distinguish them.
    public var way: String { channel == SinkKind.mail.name ? channel : address ?? channel }
    /// The time at which it is due.
    public let due: Timestamp
    /// The time after which it is not sent any more.
    public let deadline: Timestamp
    /// The time at which it would be due, if it is held back; else `null`.
    @Null public var wanted: Timestamp?
    /// The state.
    public let state: DeliveryState
    /// The reason for the state.
    public let reason: String
    /// The attempts, the earliest first.
    public let attempts: [Attempt]
    /// The identity that the receiver sees; it survives retries.
    @OptionalID public private(set) var identity: String

    /// Describes a row as a reader sees it.
    init(
        _ row: LedgerRow, name: String, attempts: [AttemptRecord] = [], reader: Zone,
        identities: DeliveryIdentities, sight: DeliverySight = .all
    ) {
        let notification = row.key.notification
        key = row.name
        meeting = notification.meeting
        occurrence = notification.occurrence
        person = notification.receiver.person
        self.name = name
        audience = notification.receiver.audience
        kind = notification.kind
        mark = notification.mark.text
        channel = row.key.channel
        let isShown = sight == .all || sight == .address
        address = isShown && !row.key.address.isEmpty ? row.key.address : nil
        due = Timestamp(row.due, reader: reader)
        deadline = Timestamp(row.deadline, reader: reader)
        let seen = row.seen(sight)
        wanted = seen.hold.map { Timestamp($0.wanted, reader: reader) }
        state = seen.state
        reason = seen.reason
        self.attempts = attempts.map { Attempt($0, reader: reader, sight: sight) }
        identity = identities.identity(of: row.name, on: row.key.channel)
    }

    /// True if it was only printed, because no way to its receiver was set up.
    public var isOnlyPrinted: Bool {
        state == .accepted && attempts.last?.code == AttemptReport.printedCode
    }

    /// True if it is held back beyond the time at which it would be due.
    public var isHeldBack: Bool {
        wanted.map { $0.moment < due.moment } ?? (reason == OthersReason.held)
    }

    /// True if it is not sent because its address is suppressed.
    public var isStopped: Bool {
        state == .suppressed && (wanted != nil || reason.hasPrefix(OthersReason.stopMark))
    }

    /// True if it is not sent because no address of its receiver is known.
    public var isWithoutAddress: Bool { state == .suppressed && !isStopped && address == nil }

    /// The same delivery in the preview of a new meeting, where it has no key yet.
    var unmade: DeliveryView {
        var view = self
        view.key = ""
        view.meeting = ""
        view.identity = ""
        return view
    }
}

extension DeliveryView {
    /// Deliveries as people count them: without those to an inbox whose notification goes another
    /// way, too.
    public static func besidesInbox(_ deliveries: [DeliveryView]) -> [DeliveryView] {
        let told = Set(deliveries.filter { !$0.isForInbox }.map(\.notificationWords))
        return deliveries.filter { !$0.isForInbox || !told.contains($0.notificationWords) }
    }

    /// True if it goes to the inbox of a person with an account.
    public var isForInbox: Bool { channel == SinkKind.page.name }

    /// The parts that distinguish its notification from others in one answer.
    private var notificationWords: [String] {
        [meeting, occurrence, person ?? "", kind.rawValue, mark]
    }
}

/// The changes in the ledger that a change of meetings causes.
public struct NotificationsView: Encodable, Sendable {
    /// New deliveries.
    public private(set) var added: [DeliveryView]
    /// Deliveries that are no longer needed.
    public let superseded: [DeliveryView]
    /// Deliveries that are not sent, because their addresses are suppressed.
    public let suppressed: [DeliveryView]
    /// Deliveries with a new due time.
    public let rescheduled: [DeliveryView]
    /// The number of unchanged deliveries, including those with a new due time.
    public let unchanged: Int

    /// - Parameters:
    ///   - revisions: the changes of meetings.
    ///   - reader: the time zone of the reader.
    ///   - identities: the identities of the deliveries.
    ///   - sight: what the reader sees of the deliveries to a person about a meeting.
    init(
        _ revisions: [MeetingRevision], reader: Zone, identities: DeliveryIdentities,
        sight: (PersonID, Meeting) -> DeliverySight
    ) {
        func isSeen(_ row: LedgerRow, of revision: MeetingRevision) -> Bool {
            let key = row.key.notification
            // A row for an inbox shows that its receiver has an account.
            guard let person = key.receiver.person,
                revision.isByOwnChoice(key) || row.key.channel == SinkKind.page.name
            else { return true }
            return sight(PersonID(text: person), revision.meeting) == .all
        }
        func views(_ rows: (MeetingRevision) -> [LedgerRow]) -> [DeliveryView] {
            revisions.flatMap { revision in
                rows(revision).filter { isSeen($0, of: revision) }.map { row in
                    guard let text = row.key.notification.receiver.person else {
                        return DeliveryView(
                            row, name: row.key.notification.receiver.audienceWords,
                            reader: reader, identities: identities)
                    }
                    let id = PersonID(text: text)
                    let person = revision.people[id]
                    let seen = sight(id, revision.meeting).disguising(
                        row, known: person?.address)
                    let line = person.map { PersonLine($0, isPrivate: seen == .state) }
                    return DeliveryView(
                        row, name: line?.name ?? "", reader: reader, identities: identities,
                        sight: seen)
                }
            }
        }
        added = views(\.difference.added)
        superseded = views(\.supersededRows)
        suppressed = views(\.difference.suppressed)
        rescheduled = views(\.difference.rescheduled)
        unchanged = revisions.reduce(rescheduled.count) { count, revision in
            count + revision.difference.unchanged.count { isSeen($0, of: revision) }
        }
    }

    /// Describes deliveries whose state was changed by hand: planned ones count as added, all
    /// others as superseded.
    init(turned: [DeliveryView]) {
        added = turned.filter { $0.state == .planned }
        superseded = turned.filter { $0.state != .planned }
        suppressed = []
        rescheduled = []
        unchanged = 0
    }

    /// The same changes in the preview of a new meeting.
    var unmade: NotificationsView {
        var view = self
        view.added = added.map(\.unmade)
        return view
    }
}

extension Receiver {
    /// A description of an audience whose name is not known here.
    fileprivate var audienceWords: String {
        let audience = audience.map { Audience(name: $0) }
        return audience?.meeting != nil
            ? "all participants"
            : audience?.circle == nil ? "the installation" : "the circle"
    }
}

/// The answer to whether a daemon works on a home folder.
public enum DaemonPresence: String, Encodable, Sendable {
    /// A daemon works on it.
    case running
    /// None works on it.
    case none
}

/// A change, or the preview of one, with its consequences for notifications.
public protocol ChangeOutcome: Encodable, Sendable {
    /// The changes in the ledger.
    var notifications: NotificationsView { get }
    /// `running` if a daemon runs on this home, else `none`.
    var daemon: DaemonPresence { get }
    /// Remarks for the person who made the change.
    var remarks: [Remark] { get }
}

extension MeetingRevision {
    /// The superseded rows, as they are saved.
    fileprivate var supersededRows: [LedgerRow] {
        difference.superseded.map { row in
            var row = row
            row.state = .superseded
            row.reason = reason
            return row
        }
    }
}
