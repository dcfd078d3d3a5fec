public import Ledger
public import Timekeeping

/// Everything that determines the notifications of a meeting.
public struct MeetingState: Sendable {
    /// The meeting.
    public var meeting: Meeting
    /// The participants, including the organizer and those who were uninvited.
    public var participants: [Participant]
    /// The reminder times that some people chose in place of the meeting's.
    public var policies: [PersonID: [TimeSpan]]
    /// The rules of the meeting's time zone.
    public var zone: Zone
    /// The latest end in any notification. A change or a cancellation is useful until then.
    public var toldEndsAt: Moment?
    /// The sending hours of people.
    public var hours: [PersonID: LocalHours] = [:]
    /// The snoozes of people.
    public var snoozes: [PersonID: Snooze] = [:]
    /// The start that each revision announced.
    public var toldStarts: [Int: Moment] = [:]
    /// The facts that earlier revisions told. Who was told the same facts as now is told of no
    /// change.
    public var pastFacts = PastFacts()
    /// The receivers to whom a message is being written.
    public var messaged: Set<Receiver> = []
    /// The kinds of news to which words are being written, in place of those of news that waits.
    public var wordedKinds: Set<NotificationKind> = []
    /// The audiences that read about the meeting in a shared channel.
    public var audiences: [Audience] = []
    /// The answers, invitations and removals of people for single dates of a series, by the name of
    /// the date.
    public var dateParticipants: [String: [Participant]] = [:] {
        didSet {
            hasGuestsOfDates = dateParticipants.values.contains { people in
                people.contains { $0.revision != nil }
            }
        }
    }
    /// True if somebody was invited to a single date, or removed from one.
    private var hasGuestsOfDates = false
    /// The moment up to which the reminders of a series were planned before. If planning resumes
    /// late, reminders that were due since then are still useful.
    public var plannedBefore: Moment?
    /// The date of a series that the state is about; `nil` for the whole series or a single
    /// meeting.
    var scope: DateScope?

    /// Creates the state of a meeting.
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

/// A notification that a person or an audience should get.
public struct PlannedNotification: Equatable, Sendable {
    /// The key, with the kind and the receiver.
    public let key: NotificationKey
    /// The time at which it is to be sent.
    public let due: Moment
    /// The moment after which it is useless.
    public let deadline: Moment
    /// True if it still has to be sent. Otherwise it was sent already or is too late to plan, and
    /// only keeps the deliveries that are already open.
    public let isNew: Bool

    /// Creates a notification.
    public init(key: NotificationKey, due: Moment, deadline: Moment, isNew: Bool) {
        self.key = key
        self.due = due
        self.deadline = deadline
        self.isNew = isNew
    }

    /// The same notification, no longer to be sent.
    var known: PlannedNotification {
        PlannedNotification(key: key, due: due, deadline: deadline, isNew: false)
    }
}

extension MeetingState {
    /// Plans the notifications of this meeting, given those that people already have. Only this
    /// method decides it.
    ///
    /// A person who was never notified gets an invitation, and a person who knows an earlier
    /// revision gets a change. A person who knows of the meeting gets a cancellation when they are
    /// uninvited or the meeting is cancelled. Everybody who may come gets a reminder for each of
    /// their reminder times and snoozes. Who has not answered is nudged before the time to answer
    /// by. For a series, the notifications cover the whole first, then the exceptions of single
    /// dates, and each date has its own reminders.
    public func notifications(told rows: [LedgerRow], now: Moment) -> [PlannedNotification] {
        guard meeting.series == nil, dateParticipants.isEmpty else {
            return seriesNotifications(told: rows, now: now)
        }
        let told = Told.read(rows)
        return news(told: told, now: now) + nudges(after: rows, told: told, now: now)
            + reminders(told: told, now: now)
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

    /// People are not notified of what they did themselves, so the organizer gets reminders only.
    private func news(
        for participant: Participant, told: Told, now: Moment
    ) -> [PlannedNotification] {
        // Who left did that themselves.
        guard participant.person != meeting.organizer, !participant.hasLeft else { return [] }
        let receiver = Receiver.person(participant.person.text)
        let revision = max(meeting.revision, participant.revision ?? 0)
        var told = participant.knowing(told)
        let isWrittenTo = told.awaitsMessage || messaged.contains(receiver)
        if participant.answer.isGiven && participant.answeredBy == nil
            || isWrittenTo && !participant.isRemoved
        {
            told.isAware = true
        }
        return isExpected(participant)
            ? announcements(revision, to: receiver, told: told, now: now)
            : cancellations(revision, to: receiver, told: told, now: now)
    }

    /// An audience is not notified until a person other than the organizer is invited. Until then
    /// the meeting may be private.
    private func news(
        for audience: Audience, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard meeting.status == .confirmed, isAsked(audience) else {
            var told = told
            if told.awaitsMessage || messaged.contains(audience.receiver) { told.isAware = true }
            return cancellations(
                meeting.revision, to: audience.receiver, told: told, now: now
            ).map { planned in
                // An audience is not notified of a cancellation from before it existed.
                let isOld = told.notifications.isEmpty && told.revision == meeting.revision
                return isOld ? planned.known : planned
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
        let mark = NotificationMark.News(revision: revision, round: told.round)
        // An invitation that went out on one channel may still wait on another.
        let invitation = planned(
            .invitation, mark, to: receiver, until: meeting.endsAt, told: told, now: now,
            isNew: !told.isOn)
        guard told.isOn else { return [invitation] }
        let isOutdated = (told.revision ?? 0) < meeting.series?.revision ?? meeting.revision
        if isOutdated, knowsFacts(told) { return [invitation] }
        let change = planned(
            .change, mark, to: receiver, until: lastEnd, told: told, now: now,
            isNew: isOutdated)
        return [change, invitation]
    }

    /// True if the last facts that a receiver was told are those of the meeting now, although they
    /// were others in between.
    func knowsFacts(_ told: Told) -> Bool {
        guard let revision = told.revision,
            !pastFacts.isAnnounced(
                meeting.series?.revision ?? meeting.revision, after: revision),
            !pastFacts.changesDates(after: revision)
        else { return false }
        guard let scope else {
            // Within a revision, facts change only quietly.
            let begun = pastFacts.wholeAtStart(of: meeting.revision) ?? meeting.factsDigest
            return [meeting.factsDigest, begun].contains { knowsWhole($0, at: revision) }
        }
        guard let date = scope.whole.date(named: scope.name, byRule: true, in: zone) else {
            return false
        }
        let (whole, regular) = (scope.whole.factsDigest, scope.whole.on(date).factsDigest)
        // A date without facts of its own, now and then, has those of the whole.
        if regular == meeting.factsDigest,
            pastFacts.areUnchanged(on: scope.name, since: revision)
        {
            return pastFacts.whole(at: revision) == whole
        }
        return pastFacts.wereAlways(whole, until: revision)
            && pastFacts.facts(of: scope.name, at: revision, regular: regular)
                == meeting.factsDigest
    }

    /// True if a revision told these facts of the whole. What it told of single dates that differ
    /// is known only if the whole never changed before, because its changes give other names to
    /// dates.
    private func knowsWhole(_ digest: String, at revision: Int) -> Bool {
        hasDatesOfTheirOwn
            ? pastFacts.wereAlways(digest, until: revision)
            : pastFacts.whole(at: revision) == digest
    }

    /// True if there is news about single dates: exceptions, or people who were invited to a date
    /// alone or removed from it. Answers to single dates are no news.
    private var hasDatesOfTheirOwn: Bool {
        meeting.series?.changes.isEmpty == false || hasGuestsOfDates
    }

    private func cancellations(
        _ revision: Int, to receiver: Receiver, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard told.revision != nil || told.isAware else { return [] }
        // A cancellation that went out on one channel may still wait on another, with the same
        // mark.
        guard let mark = told.cancellation(of: revision) else { return [] }
        return [
            planned(
                .cancellation, mark, to: receiver, until: lastEnd, told: told, now: now,
                isNew: !told.isOff && !isToldWithAll(told))
        ]
    }

    /// True if the news about the whole series already said that this date is cancelled.
    private func isToldWithAll(_ told: Told) -> Bool {
        scope != nil && meeting.status == .cancelled && told.revision ?? 0 >= meeting.revision
    }

    /// The moment until which a change is useful: the end of the meeting, or the end that people
    /// were notified of, whichever is later.
    private var lastEnd: Moment { max(meeting.endsAt, toldEndsAt ?? meeting.endsAt) }

    private func planned(
        _ kind: NotificationKind, _ news: NotificationMark.News, to receiver: Receiver,
        until deadline: Moment, told: Told, now: Moment, isNew: Bool = true
    ) -> PlannedNotification {
        let key = notificationKey(kind, mark: NotificationMark(news), to: receiver)
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
            let mark = NotificationMark(snooze: snooze.due, start: snooze.startsAt)
            times.append((mark, snooze.due))
        }
        return reminders(
            at: times, to: .person(participant.person.text), told: told, now: now)
    }

    /// The reminder times are those of the meeting, whatever its people chose for themselves.
    private func reminders(
        for audience: Audience, told: Told, now: Moment
    ) -> [PlannedNotification] {
        guard meeting.status == .confirmed, isAsked(audience) else { return [] }
        return reminders(
            at: reminderTimes(meeting.reminders), to: audience.receiver, told: told, now: now)
    }

    private func reminderTimes(_ offsets: [TimeSpan]) -> [(mark: NotificationMark, due: Moment)] {
        var known: Set<Moment> = []
        return offsets.map {
            (
                NotificationMark(reminder: $0, start: meeting.time.startsAt),
                meeting.time.reminder($0, in: zone)
            )
        }.filter { !meeting.time.isOfDays || known.insert($0.1).inserted }
    }

    private func reminders(
        at times: [(mark: NotificationMark, due: Moment)], to receiver: Receiver, told: Told,
        now: Moment
    ) -> [PlannedNotification] {
        let plannedUntil = scope?.plannedUntil ?? Series.endless
        return times.filter { $0.due < plannedUntil }.map { mark, due in
            let key = notificationKey(.reminder, mark: mark, to: receiver)
            let isMissed = plannedBefore.map { due >= $0 && meeting.time.startsAt > now } ?? false
            return PlannedNotification(
                key: key, due: due, deadline: meeting.time.startsAt,
                isNew: (due > now || isMissed) && !told.notifications.contains(key))
        }
    }

    private func notificationKey(
        _ kind: NotificationKind, mark: NotificationMark, to receiver: Receiver
    ) -> NotificationKey {
        NotificationKey(
            meeting: meeting.id.text, occurrence: scope?.name ?? "", receiver: receiver, kind: kind,
            mark: mark)
    }
}

extension Participant {
    /// Who joined without an invitation knows the meeting as it was then, and gets no invitation.
    /// If the organizer removed them before, and they were told so, they get one.
    func knowing(_ told: Told) -> Told {
        told.isOff ? told : told.knowing(joinedRevision)
    }
}
