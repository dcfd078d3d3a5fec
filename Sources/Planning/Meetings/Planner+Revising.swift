import Agenda
import Ledger
import Settings
import Storage
import Timekeeping
import Wording

/// What a use case did to a meeting, or would do.
public struct MeetingOutcome: ChangeOutcome {
    /// The meeting as it is now.
    public private(set) var meeting: MeetingView
    /// How the ledger changed.
    public private(set) var notifications: NotificationsView
    /// `running` or `none`: whether a daemon works on this home.
    public let daemon: String
    /// What else there is to know, in sentences.
    public internal(set) var remarks: [String]
    /// When somebody is reminded once more, where that is what was asked for.
    public internal(set) var snoozed: Timestamp?
    /// Who answered, and what, where that is what was done.
    public internal(set) var answered: MeetingView.Guest?
    /// Who is busy at its time, as far as that was asked for.
    public internal(set) var conflicts: [MeetingConflict] = []
    /// What was made of it.
    var plan: MeetingRevision?
    /// The meeting that was changed; of a series that is cut in two, what ends.
    var origin: MeetingID?

    private enum CodingKeys: CodingKey {
        case meeting, notifications, daemon, remarks, snoozed, answered, conflicts
    }

    /// The same of a meeting that is only shown and not made: it gets its ids when it is made.
    var unmade: MeetingOutcome {
        var outcome = self
        outcome.meeting = meeting.unmade
        outcome.notifications = notifications.unmade
        return outcome
    }
}

extension Planner {
    /// Changes a meeting, or one date of a series, or it and all that follow: loads it, lets
    /// `change` work on a draft, plans what people are told, and saves all of it together.
    func revise(
        _ id: MeetingID, on date: String? = nil, from first: String? = nil,
        _ deed: MeetingAct.Deed?, joining people: [PersonID] = [],
        of circles: [CircleID] = [], reason: String, saving: Bool, remarks: [String] = [],
        change: @escaping @Sendable (inout MeetingDraft) throws -> Void
    ) async throws -> MeetingOutcome {
        let now = self.now
        let revision = try await store.reviseMeeting(
            id, joining: people, of: circles, saving: saving
        ) { bundle in
            var draft = MeetingDraft(bundle)
            if let split = try self.split(draft, at: first, change) {
                return try decided(split, deed: deed, reason: reason, now: now)
            }
            try self.change(&draft, on: date, change)
            return try numbered(draft, deed: deed, reason: reason, now: now)
        }
        guard let revision else { throw Self.unknownMeeting(id.text) }
        let isIdle = deed != nil && revision.act == nil && revision.difference.isEmpty
        return try outcome(
            revision, remarks: isIdle ? remarks + ["Nothing changes."] : remarks)
    }

    func numbered(
        _ draft: MeetingDraft, deed: MeetingAct.Deed?, reason: String, now: Moment
    ) throws -> MeetingRevision {
        var draft = draft
        draft.number()
        draft.dropProposals()
        try MeetingRules.check(draft.meeting)
        try MeetingRules.check(participantCount: draft.participants.count)
        return try decided(draft, deed: deed, reason: reason, now: now)
    }

    private func change(
        _ draft: inout MeetingDraft, on text: String?,
        _ change: (inout MeetingDraft) throws -> Void
    ) throws {
        guard let text else { return try change(&draft) }
        let date = try date(text, of: draft.meeting)
        try Self.checkIsOn(date, of: draft.meeting)
        try draft.change(date, in: try zone(named: draft.meeting.time.zone), change)
    }

    func decided(
        _ draft: MeetingDraft, deed: MeetingAct.Deed?, reason: String, now: Moment
    ) throws -> MeetingRevision {
        let directory = directory(of: draft)
        let state = try state(of: draft)
        let rows = draft.before.rows
        var difference = state.difference(from: rows, channels: directory, now: now)
        for notification in draft.announcements {
            difference.add(
                directory.rows(for: notification, now: now).map(
                    ReaderClocks(state, told: rows, now: now).timed))
        }
        difference.tellAnswers(
            of: draft.dropped, until: draft.date?.time.endsAt ?? draft.meeting.endsAt)
        difference.late = state.lateReminders(
            since: try draft.oldState(zone: zone(named:)), from: rows, now: now)
        // What changes nothing is no part of the history.
        let act =
            draft.isChanged
            ? deed.map {
                MeetingAct($0, by: actor.id, at: now, isQuiet: draft.isQuiet, on: draft.date)
            } : nil
        var revision = MeetingRevision(
            meeting: draft.meeting, participants: draft.participants, people: draft.people,
            guests: draft.guests, act: act, difference: difference, reason: reason,
            body: draft.body, bodyKeys: Set(draft.announcements.map(\.key)), now: now)
        revision.dateParticipants = draft.dateParticipants
        revision.date = draft.date
        revision.circlesAsked = draft.circlesAsked
        revision.remarks = draft.remarks
        return revision
    }

    /// The ways that are on, and where people are reached by them.
    func directory(of draft: MeetingDraft) -> ChannelDirectory {
        var directory = ChannelDirectory(sinks: sinks, addresses: draft.addresses)
        directory.suppressions = draft.before.wishes.suppressions
        directory.own = draft.before.wishes.channels
        directory.replacesDisabledSinks = replacesDisabledSinks
        return directory
    }

    /// The state from which notifications of a draft are planned.
    func state(of draft: MeetingDraft) throws -> MeetingState {
        var state = try draft.state(zone: zone(named:))
        let directory = directory(of: draft)
        state.audiences = audiences(of: draft.before).map { audience in
            guard !directory.invites(audience) else { return audience }
            // What no invitation tells it, it knows: it wants to hear what becomes of it.
            var audience = audience
            audience.revisionKnown = draft.revisionBefore
            return audience
        }
        return state
    }

    /// Those who read of a meeting in a channel of many. What waits for a channel that is off where
    /// this runs waits on.
    func audiences(of bundle: MeetingBundle) -> [Audience] {
        var installation = Audience.installation
        installation.revisionKnown = bundle.revisionBeforeTelling
        let isOn = sinks.contains { $0.readers == .installation }
        let isWaitedFor = bundle.rows.contains {
            $0.state.isOpen && $0.key.notification.receiver == installation.receiver
        }
        guard isOn || isWaitedFor,
            !bundle.audiences.contains(where: { $0.name == installation.name })
        else { return bundle.audiences }
        return bundle.audiences + [installation]
    }

    /// Shows what a revision made of a meeting.
    func outcome(
        _ revision: MeetingRevision, remarks: [String] = []
    ) throws -> MeetingOutcome {
        // Of a series that is cut in two, what follows is what was changed.
        let view = try view(of: revision.continued.first ?? revision)
        return MeetingOutcome(
            meeting: view,
            notifications: NotificationsView(
                [revision] + revision.continued, reader: zone, showingAddress: maySeeAddress),
            daemon: isDaemonRunning ? "running" : "none",
            remarks: remarks + revision.remarks
                + Self.remarks(on: revision.difference.late, for: view),
            plan: revision.continued.first ?? revision, origin: revision.meeting.id)
    }

    private func view(of revision: MeetingRevision) throws -> MeetingView {
        let bundle = MeetingBundle(
            meeting: revision.meeting, participants: revision.participants,
            people: revision.people, dateParticipants: revision.dateParticipants ?? [:])
        return try revision.date.map { try view(bundle, on: $0) } ?? view(bundle)
    }

    func view(_ bundle: MeetingBundle) throws -> MeetingView {
        try view(bundle) { maySeeAddress(of: $0, in: bundle.meeting) }
    }

    /// One date of a series as somebody sees it.
    func view(_ bundle: MeetingBundle, on date: SeriesDate) throws -> MeetingView {
        let own = bundle.on(date, in: try zone(named: bundle.meeting.time.zone))
        var view = try view(own)
        view.repeat = bundle.meeting.series?.rule.description
        view.occurrence = date.name
        return view
    }

    /// Whether a daemon works on this home.
    public var isDaemonRunning: Bool {
        FileLock.holder(path: surroundings.home.daemonLock) != nil
    }

    /// A meeting as somebody sees it who may see the addresses of these people, and what they wrote
    /// to the organizer.
    func view(
        _ bundle: MeetingBundle, showing isShown: (PersonID) -> Bool
    ) throws -> MeetingView {
        let (meeting, people) = (bundle.meeting, bundle.people)
        let place = try zone(named: meeting.time.zone)
        let guests = bundle.participants.filter { !$0.isRemoved }.compactMap { participant in
            people[participant.person].map { person in
                let isPrivate = !isShown(person.id)
                var guest = MeetingView.Guest(participant, person: person, isPrivate: isPrivate)
                guest.proposed = participant.proposal.flatMap {
                    isPrivate ? nil : MeetingView.Period($0, in: place, reader: zone)
                }
                return guest
            }
        }
        let organizer = PersonLine(
            people[meeting.organizer] ?? owner, isPrivate: !isShown(meeting.organizer))
        return MeetingView(
            meeting, guests: guests, organizer: organizer,
            dates: MeetingView.dates(of: bundle, after: now, zone: place, reader: zone),
            zone: place, reader: zone, now: now)
    }

    /// Reminders that come too late to be planned are named, and for whom where not for all.
    private static func remarks(
        on late: [PlannedNotification], for meeting: MeetingView
    ) -> [String] {
        let offsets = late.map(\.offsetText)
        let expected = meeting.participants.filter { $0.answer != Answer.declined.rawValue }
        return offsets.uniqued().map { offset in
            let people = zip(offsets, late).filter { $0.0 == offset }
                .map(\.1.key.receiver.person)
            let names = expected.filter { people.contains($0.id) }.map(\.name)
            let isForAll = names.count == expected.count
            return tooLate(offset, before: "the start", for: isForAll ? [] : names)
        }
    }

    /// Says that a reminder is not planned; for all where nobody is named.
    static func tooLate(_ offset: String, before what: String, for names: [String] = []) -> String {
        let whom = names.isEmpty ? "" : " for \(names.joined(separator: ", "))"
        let span = (try? TimeSpan.parse(offset)).map(TimeWords.span) ?? offset
        return "The reminder \(span) before \(what) is not planned\(whom): its time has passed."
    }

    static func unknownMeeting(_ text: String) -> Refusal {
        let message =
            switch text {
            case "next": "No meeting lies ahead."
            case "last": "No meeting is over yet."
            default:
                "No coming meeting is called \(text). See: letsmeet meeting list; those that are "
                    + "over are called by id: letsmeet meeting list --past"
            }
        return Refusal(.refused, code: "unknown_meeting", message)
    }

    /// A meeting that is off or over stays as it is.
    func checkIsAhead(_ meeting: Meeting, verb: String) throws(Refusal) {
        guard meeting.status == .confirmed else {
            throw Refusal(
                .refused, code: "meeting_cancelled",
                "\(meeting.title) was cancelled; it cannot be \(verb) any more.")
        }
        guard meeting.endsAt > now else {
            throw Refusal(
                .refused, code: "meeting_over", "\(meeting.title) is over; it cannot be \(verb).")
        }
    }
}

extension MeetingView.Guest {
    /// Of who is private, neither the address nor what they wrote is shown.
    init(_ participant: Participant, person: Person, isPrivate: Bool) {
        let line = PersonLine(person, isPrivate: isPrivate)
        self.init(
            id: line.id, name: line.name, address: line.address.isEmpty ? nil : line.address,
            answer: participant.answer.rawValue, plus: participant.plus,
            note: isPrivate ? "" : participant.note, byOther: participant.answeredBy != nil,
            unsigned: participant.isUnsigned)
    }
}

extension PlannedNotification {
    /// How long before the start a reminder was to come, as in its key: `P1D`.
    var offsetText: String { String(key.mark.prefix { $0 != "@" }) }
}

extension LedgerDifference {
    /// Adds what tells of an answer; what was still to tell of that guest's answers before tells
    /// nothing any more.
    fileprivate mutating func add(_ rows: [LedgerRow]) {
        let guests = Set(rows.compactMap { AnswerMark($0.key.notification.mark)?.guest })
        let receivers = Set(rows.map(\.key.notification.receiver))
        let dates = Set(rows.map(\.key.notification.occurrence))
        func isOld(_ row: LedgerRow) -> Bool {
            guard row.key.notification.kind.tellsOfGuest, row.state == .planned,
                receivers.contains(row.key.notification.receiver),
                dates.contains(row.key.notification.occurrence),
                let mark = AnswerMark(row.key.notification.mark)
            else { return false }
            return guests.contains(mark.guest)
        }
        superseded += (unchanged + rescheduled).filter(isOld)
        unchanged.removeAll(where: isOld)
        rescheduled.removeAll(where: isOld)
        added += rows
    }
}
