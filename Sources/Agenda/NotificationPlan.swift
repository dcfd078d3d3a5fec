public import Ledger
public import Timekeeping

/// All that decides what people are told of a meeting.
public struct MeetingState: Sendable {
    /// The meeting.
    public var meeting: Meeting
    /// Its people, the organizer and those who were uninvited among them.
    public var participants: [Participant]
    /// How long before the start these people want to be reminded, in place of the meeting's own.
    public var policies: [PersonID: [TimeSpan]]
    /// The rules of the meeting's zone.
    public var zone: Zone
    /// The latest end that was ever told; a change or a cancellation is of use until then.
    public var toldEndsAt: Moment?
    /// When these people may be told things.
    public var hours: [PersonID: LocalHours] = [:]
    /// Further reminders that these people asked for.
    public var snoozes: [PersonID: Snooze] = [:]
    /// The start that each revision told.
    public var toldStarts: [Int: Moment] = [:]

    /// Describes a meeting with its people.
    public init(
        meeting: Meeting, participants: [Participant], policies: [PersonID: [TimeSpan]],
        zone: Zone, toldEndsAt: Moment?
    ) {
        self.meeting = meeting
        self.participants = participants
        self.policies = policies
        self.zone = zone
        self.toldEndsAt = toldEndsAt
    }
}

/// One thing that one person ought to know.
public struct PlannedNotification: Equatable, Sendable {
    /// What, and to whom.
    public let key: NotificationKey
    /// When it is to be sent.
    public let due: Moment
    /// After this moment it is of no use.
    public let deadline: Moment
    /// Whether it is still to be told. What has been told, or is too late to plan, only keeps the
    /// open deliveries that it already has.
    public let isNew: Bool

    /// Describes a notification.
    public init(key: NotificationKey, due: Moment, deadline: Moment, isNew: Bool) {
        self.key = key
        self.due = due
        self.deadline = deadline
        self.isNew = isNew
    }
}

extension MeetingState {
    /// What people ought to know of this meeting, given what they have been told: the one place
    /// that decides it.
    ///
    /// Told nothing: an invitation. Told less than the meeting's revision: a change. Uninvited, or
    /// the meeting off, after having been told: a cancellation. And a reminder for each offset of
    /// each person who may come, and for a snooze of theirs.
    public func notifications(told rows: [LedgerRow], now: Moment) -> [PlannedNotification] {
        let told = Told.read(rows)
        return participants.flatMap { participant in
            let known = told[participant.person.text] ?? Told()
            return news(for: participant, told: known, now: now)
                + reminders(for: participant, told: known, now: now)
        }
    }

    private func isExpected(_ participant: Participant) -> Bool {
        meeting.status == .confirmed && !participant.isRemoved
    }

    /// Nobody is told what they did themselves: the organizer gets reminders, and no news.
    private func news(
        for participant: Participant, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard participant.person != meeting.organizer else { return [] }
        guard isExpected(participant) else {
            return cancellations(for: participant, told: told, now: now)
        }
        guard told.isOn else {
            let mark = ToldMark(revision: meeting.revision, round: told.cancellations)
            return [
                notice(
                    .invitation, mark, to: participant, until: meeting.time.endsAt, told: told,
                    now: now)
            ]
        }
        let mark = ToldMark(revision: meeting.revision, round: told.cancellations)
        let change = notice(
            .change, mark, to: participant, until: lastEnd, told: told, now: now,
            isNew: (told.revision ?? 0) < meeting.revision)
        // An invitation that went out by one way may still wait on another.
        let invitation = notice(
            .invitation, mark, to: participant, until: meeting.time.endsAt, told: told, now: now,
            isNew: false)
        return [change, invitation]
    }

    private func cancellations(
        for participant: Participant, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard told.revision != nil else { return [] }
        // What went out by one way may still wait on another, under the mark that it has there.
        let mark =
            told.isOff
            ? told.lastCancellation
            : ToldMark(revision: meeting.revision, round: told.cancellations)
        guard let mark else { return [] }
        return [
            notice(
                .cancellation, mark, to: participant, until: lastEnd, told: told, now: now,
                isNew: !told.isOff)
        ]
    }

    private var lastEnd: Moment { max(meeting.time.endsAt, toldEndsAt ?? meeting.time.endsAt) }

    private func notice(
        _ kind: NotificationKind, _ mark: ToldMark, to participant: Participant,
        until deadline: Moment, told: Told, now: Moment, isNew: Bool = true
    ) -> PlannedNotification {
        let key = notificationKey(kind, mark: mark.text, person: participant.person)
        let isUseful = now < deadline && !told.notifications.contains(key)
        return PlannedNotification(
            key: key, due: now, deadline: deadline, isNew: isNew && isUseful)
    }

    private func reminders(
        for participant: Participant, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard isExpected(participant), participant.answer.isReminded else { return [] }
        let offsets = policies[participant.person] ?? meeting.reminders
        var times = offsets.map { ($0.iso, $0.before(meeting.time.start, in: zone)) }
        if let snooze = snoozes[participant.person], snooze.startsAt == meeting.time.startsAt {
            times.append((NotificationKey.snoozeMark + snooze.due.utcText, snooze.due))
        }
        let start = meeting.time.startsAt.rfc3339(offsetSeconds: 0)
        return times.map { mark, due in
            let key = notificationKey(
                .reminder, mark: "\(mark)@\(start)", person: participant.person)
            return PlannedNotification(
                key: key, due: due, deadline: meeting.time.startsAt,
                isNew: due > now && !told.notifications.contains(key))
        }
    }

    private func notificationKey(
        _ kind: NotificationKind, mark: String, person: PersonID
    ) -> NotificationKey {
        NotificationKey(
            meeting: meeting.id.text, occurrence: "", person: person.text, kind: kind, mark: mark)
    }
}
