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
    /// Those who read of it in a channel of many.
    public var audiences: [Audience] = []
    /// What people said to single dates of a series, and who was asked to them or taken off them,
    /// by the names of the dates.
    public var dateParticipants: [String: [Participant]] = [:]
    /// Until when reminders of a series were planned before, where that goes on only now: what
    /// would have been due since then is of use yet.
    public var plannedBefore: Moment?
    /// Of which date of a series it is the state; `nil` for the whole, and without a series.
    var scope: DateScope?

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

/// One thing that one person, or one audience, ought to know.
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

    /// The same, which is not to be told any more.
    var known: PlannedNotification {
        PlannedNotification(key: key, due: due, deadline: deadline, isNew: false)
    }
}

extension MeetingState {
    /// What people ought to know of this meeting, given what they have been told: the one place
    /// that decides it.
    ///
    /// Told nothing: an invitation. Told less than the meeting's revision: a change. Uninvited, or
    /// the meeting off, after having been told: a cancellation. And a reminder for each offset of
    /// each person who may come, and for a snooze of theirs. Of a series the whole is told, then
    /// what is otherwise on single dates, and each date is reminded of.
    public func notifications(told rows: [LedgerRow], now: Moment) -> [PlannedNotification] {
        guard meeting.series == nil, dateParticipants.isEmpty else {
            return seriesNotifications(told: rows, now: now)
        }
        let told = Told.read(rows)
        return news(told: told, now: now) + reminders(told: told, now: now)
    }

    func news(told: [Receiver: Told], now: Moment) -> [PlannedNotification] {
        participants.flatMap {
            news(for: $0, told: told[.person($0.person.text)] ?? Told(), now: now)
        }
            + audiences.flatMap { news(for: $0, told: known($0, told), now: now) }
    }

    func reminders(told: [Receiver: Told], now: Moment) -> [PlannedNotification] {
        participants.flatMap {
            reminders(for: $0, told: told[.person($0.person.text)] ?? Told(), now: now)
        }
            + audiences.flatMap { reminders(for: $0, told: known($0, told), now: now) }
    }

    func known(_ audience: Audience, _ told: [Receiver: Told]) -> Told {
        (told[audience.receiver] ?? Told()).knowing(audience.revisionKnown)
    }

    private func isExpected(_ participant: Participant) -> Bool {
        meeting.status == .confirmed && !participant.isRemoved
    }

    /// Nobody is told what they did themselves: the organizer gets reminders, and no news.
    private func news(
        for participant: Participant, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard participant.person != meeting.organizer else { return [] }
        let receiver = Receiver.person(participant.person.text)
        let revision = max(meeting.revision, participant.revision ?? 0)
        return isExpected(participant)
            ? announcements(revision, to: receiver, told: told, now: now)
            : cancellations(revision, to: receiver, told: told, now: now)
    }

    /// Before anybody is asked there is nothing to tell: it may be the organizer's own affair.
    private func news(
        for audience: Audience, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard meeting.status == .confirmed, isAsked(audience) else {
            return cancellations(
                meeting.revision, to: audience.receiver, told: told, now: now
            ).map { notice in
                // What was off before the audience was there is no news to it.
                let isOld = told.notifications.isEmpty && told.revision == meeting.revision
                return isOld ? notice.known : notice
            }
        }
        return announcements(meeting.revision, to: audience.receiver, told: told, now: now)
    }

    func isAsked(_ audience: Audience) -> Bool {
        participants.contains {
            !$0.isRemoved && $0.person != meeting.organizer
                && audience.members?.contains($0.person) ?? true
        }
    }

    private func announcements(
        _ revision: Int, to receiver: Receiver, told: Told, now: Moment
    ) -> [PlannedNotification] {
        let mark = ToldMark(revision: revision, round: told.cancellations)
        // An invitation that went out by one way may still wait on another.
        let invitation = notice(
            .invitation, mark, to: receiver, until: meeting.endsAt, told: told, now: now,
            isNew: !told.isOn)
        guard told.isOn else { return [invitation] }
        let change = notice(
            .change, mark, to: receiver, until: lastEnd, told: told, now: now,
            isNew: (told.revision ?? 0) < meeting.series?.revision ?? meeting.revision)
        return [change, invitation]
    }

    private func cancellations(
        _ revision: Int, to receiver: Receiver, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard told.revision != nil else { return [] }
        // What went out by one way may still wait on another, under the mark that it has there.
        let mark =
            told.isOff
            ? told.lastCancellation
            : ToldMark(revision: revision, round: told.cancellations)
        guard let mark else { return [] }
        return [
            notice(
                .cancellation, mark, to: receiver, until: lastEnd, told: told, now: now,
                isNew: !told.isOff && !isToldWithAll(told))
        ]
    }

    /// Whether what told of a series told that this date of it is off.
    private func isToldWithAll(_ told: Told) -> Bool {
        scope != nil && meeting.status == .cancelled && told.revision ?? 0 >= meeting.revision
    }

    /// Until then it is of use to know that it is otherwise than it was.
    private var lastEnd: Moment { max(meeting.endsAt, toldEndsAt ?? meeting.endsAt) }

    private func notice(
        _ kind: NotificationKind, _ mark: ToldMark, to receiver: Receiver,
        until deadline: Moment, told: Told, now: Moment, isNew: Bool = true
    ) -> PlannedNotification {
        let key = notificationKey(kind, mark: mark.text, to: receiver)
        let isUseful = now < deadline && !told.notifications.contains(key)
        return PlannedNotification(
            key: key, due: now, deadline: deadline, isNew: isNew && isUseful)
    }

    private func reminders(
        for participant: Participant, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard isExpected(participant), participant.answer.isReminded else { return [] }
        let offsets = policies[participant.person] ?? meeting.reminders
        var times = reminderTimes(offsets)
        if let snooze = snoozes[participant.person], snooze.startsAt == meeting.time.startsAt {
            times.append((NotificationKey.snoozeMark + snooze.due.utcText, snooze.due))
        }
        return reminders(
            at: times, to: .person(participant.person.text), told: told, now: now)
    }

    /// Their number is that of the meeting, whatever its people want for themselves.
    private func reminders(
        for audience: Audience, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard meeting.status == .confirmed, isAsked(audience) else { return [] }
        return reminders(
            at: reminderTimes(meeting.reminders), to: audience.receiver, told: told, now: now)
    }

    private func reminderTimes(_ offsets: [TimeSpan]) -> [(mark: String, due: Moment)] {
        offsets.map { ($0.iso, $0.before(meeting.time.start, in: zone)) }
    }

    private func reminders(
        at times: [(mark: String, due: Moment)], to receiver: Receiver, told: Told, now: Moment
    ) -> [PlannedNotification] {
        let start = meeting.time.startsAt.rfc3339(offsetSeconds: 0)
        let plannedUntil = scope?.plannedUntil ?? Series.endless
        return times.filter { $0.due < plannedUntil }.map { mark, due in
            let key = notificationKey(.reminder, mark: "\(mark)@\(start)", to: receiver)
            let isMissed = plannedBefore.map { due >= $0 && meeting.time.startsAt > now } ?? false
            return PlannedNotification(
                key: key, due: due, deadline: meeting.time.startsAt,
                isNew: (due > now || isMissed) && !told.notifications.contains(key))
        }
    }

    private func notificationKey(
        _ kind: NotificationKind, mark: String, to receiver: Receiver
    ) -> NotificationKey {
        NotificationKey(
            meeting: meeting.id.text, occurrence: scope?.name ?? "", receiver: receiver, kind: kind,
            mark: mark)
    }
}
