import Agenda
import Ledger
import TestKit
import Timekeeping

/// A meeting to plan, with its ledger as plain values that tests change and inspect.
struct Gathering {
    static let organizer = PersonID(text: "organizer")
    static let anna = PersonID(text: "anna")
    static let ben = PersonID(text: "ben")
    static let helsinki = Result { try ZoneDirectory().zone("Europe/Helsinki") }
    static let mail = SinkKind(name: "mail", needsAddress: true)

    var meeting: Meeting
    var participants: [Participant]
    var policies: [PersonID: [TimeSpan]] = [:]
    var hours: [PersonID: LocalHours] = [:]
    var snoozes: [PersonID: Snooze] = [:]
    var suppressions: [PersonID: [Suppression]] = [:]
    /// The start that each revision announced first.
    var toldStarts: [Int: Moment] = [:]
    var addresses = ["anna": "anna@example.org", "ben": "ben@example.org"]
    var channels = [SinkKind.stdout]
    var audiences: [Audience] = []
    var own: [OwnChannel] = []
    var dateParticipants: [String: [Participant]] = [:]
    /// The moment up to which reminders were planned before.
    var plannedBefore: Moment?
    var now: Moment
    var rows: [LedgerRow] = []
    var toldEndsAt: Moment
    let zone: Zone

    /// Creates a meeting at noon in four days, with Anna and Ben invited. Nothing is planned yet.
    init() throws {
        zone = try Self.helsinki.get()
        now = try Moment.parse("2026-12-01T12:00:00+02:00")
        let time = MeetingTime(
            start: try WallTime.parse("2026-12-05T12:00"), zone: zone,
            duration: Meeting.durationDefault)
        meeting = Meeting(
            id: MeetingID(text: "meeting"), uid: "u", organizer: Self.organizer, title: "Lunch",
            time: time, reminders: Meeting.remindersDefault)
        participants = [
            Participant(person: Self.organizer, answer: .going), Participant(person: Self.anna),
            Participant(person: Self.ben),
        ]
        toldEndsAt = time.endsAt
    }

    var state: MeetingState {
        var state = MeetingState(
            meeting: meeting, participants: participants, policies: policies, zone: zone,
            toldEndsAt: toldEndsAt)
        state.hours = hours
        state.toldStarts = toldStarts
        state.snoozes = snoozes
        state.audiences = audiences
        state.dateParticipants = dateParticipants
        state.plannedBefore = plannedBefore
        return state
    }

    mutating func setHours(
        of person: PersonID, quiet: [String] = [], windows: [String] = [], in other: Zone? = nil
    ) throws {
        let hours = try SendingHours(
            quiet: quiet.map { try WeekSpan.parse($0) },
            windows: windows.map { try WeekSpan.parse($0) })
        self.hours[person] = LocalHours(hours, in: other ?? zone)
    }

    var directory: ChannelDirectory {
        var directory = ChannelDirectory(sinks: channels, addresses: addresses)
        directory.suppressions.people = suppressions
        directory.suppressions.mail = Dictionary(
            grouping: suppressions.values.joined(), by: \.address)
        directory.own = own
        return directory
    }

    func difference(from rows: [LedgerRow]? = nil) -> LedgerDifference {
        state.difference(from: rows ?? self.rows, channels: directory, now: now)
    }

    /// Plans again and applies the difference as the store does.
    @discardableResult
    mutating func plan() -> LedgerDifference {
        let difference = difference()
        toldEndsAt = max(toldEndsAt, meeting.endsAt)
        let start = meeting.time.startsAt
        toldStarts[meeting.revision] = min(toldStarts[meeting.revision] ?? start, start)
        for row in difference.superseded { self[row.name]?.state = .superseded }
        for row in difference.rescheduled + difference.suppressed { self[row.name] = row }
        for row in difference.added {
            guard self[row.name] != nil else {
                rows.append(row)
                continue
            }
            self[row.name]?.state = row.state
            self[row.name]?.due = row.due
            self[row.name]?.deadline = row.deadline
            self[row.name]?.hold = row.hold
            self[row.name]?.reason = row.reason
        }
        return difference
    }

    mutating func move(to wall: String) throws {
        meeting.time = MeetingTime(
            start: try WallTime.parse(wall), zone: zone, duration: meeting.time.duration)
        meeting.revision += 1
    }

    subscript(name: String) -> LedgerRow? {
        get { rows.first { $0.name == name } }
        set {
            guard let place = rows.firstIndex(where: { $0.name == name }), let newValue else {
                return
            }
            rows[place] = newValue
        }
    }

    /// Sets all open rows of these kinds to a state.
    mutating func finish(
        _ state: DeliveryState, kinds: [NotificationKind] = NotificationKind.allCases,
        person: PersonID? = nil, channel: String? = nil
    ) {
        for place in rows.indices
        where rows[place].state.isOpen && kinds.contains(rows[place].key.notification.kind)
            && (person?.text ?? rows[place].key.notification.receiver.text)
                == rows[place].key.notification.receiver.text
            && rows[place].key.channel == channel ?? rows[place].key.channel
        {
            rows[place].state = state
            if state == .ambiguous { rows[place].ambiguities += 1 }
        }
    }

    /// The open rows as words, sorted: `anna invitation 1`.
    var open: [String] { rows.filter(\.state.isOpen).map(\.words).sorted() }
}

extension LedgerRow {
    /// The receiver, the kind and the mark; also the channel, unless it is standard output.
    var words: String {
        let key = key.notification
        let way = self.key.channel == "stdout" ? "" : " by \(self.key.channel)"
        let date = key.occurrence.isEmpty ? "" : " of \(key.occurrence.prefix(8))"
        let mark = key.kind == .reminder ? key.mark.offsetText : key.mark.text
        return "\(key.receiver.text) \(key.kind) \(mark)\(date)\(way)"
    }
}
