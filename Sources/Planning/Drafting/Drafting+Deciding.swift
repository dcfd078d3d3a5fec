package import Agenda
import Ledger
import Sinks
import Storage
package import Timekeeping
import Wording

extension Drafting {
    /// Plans the notifications of a meeting again after something outside it changed.
    func replanning(because reason: String, now: Moment) -> Replanning {
        { bundle in
            var draft = MeetingDraft(bundle)
            draft.isAutomatic = true
            return try decided(draft, deed: nil, reason: reason, now: now)
        }
    }

    package func numbered(
        _ draft: MeetingDraft, deed: MeetingAct.Deed?, reason: String, now: Moment
    ) throws -> MeetingRevision {
        var draft = draft
        draft.number()
        draft.followMove(in: try zone(named: draft.meeting.time.zone))
        draft.dropProposals()
        draft.noteLateAnswerBy()
        try MeetingRules.check(draft.meeting)
        try MeetingRules.check(participantCount: draft.participants.count)
        let why = draft.naming(reason == Planner.edited ? draft.changeReason : reason)
        return try decided(draft, deed: deed, reason: why, now: now)
    }

    /// Changes a draft, or one date of it.
    ///
    /// - Parameters:
    ///   - draft: the draft.
    ///   - text: the date as the user typed it; `nil` for all dates.
    ///   - isOffToo: true if the date may be a cancelled one.
    ///   - change: makes the change.
    /// - Throws: ``Refusal``, or the error of `change`.
    func change(
        _ draft: inout MeetingDraft, on text: String?, even isOffToo: Bool = false,
        _ change: (inout MeetingDraft) throws -> Void
    ) throws {
        guard let text else { return try change(&draft) }
        let date = try date(text, of: draft.meeting)
        guard !isOffToo || draft.meeting.status == .confirmed else {
            throw Refusal(
                .refused, code: "meeting_cancelled",
                "All dates of \(draft.meeting.title) are cancelled. Leave out the date.",
                advice: [.leaveOut([.date])])
        }
        if !isOffToo { try Self.checkIsOn(date, of: draft.meeting) }
        try draft.change(date, in: try zone(named: draft.meeting.time.zone), change)
    }

    func decided(
        _ draft: MeetingDraft, deed: MeetingAct.Deed?, reason: String, now: Moment
    ) throws -> MeetingRevision {
        if deed != nil { try checkDensity(draft) }
        var draft = draft
        try settleSeats(&draft)
        let directory = directory(of: draft)
        let limited = try limited(draft, now: now)
        let act = draft.act(deed, by: actor.id, at: now)
        var state = try state(of: limited)
        // Later planning finds this act in the history.
        if let act {
            state.pastFacts = state.pastFacts.adding(PastFacts.Entry(act, on: limited.meeting))
        }
        let rows = draft.before.rows
        var difference = state.difference(from: rows, channels: directory, now: now)
        for notification in draft.announcements {
            difference.add(
                directory.rows(for: notification, now: now).map(
                    ReaderClocks(state, told: rows, now: now).timed))
        }
        let seats = seatRows(
            of: draft, through: directory, ReaderClocks(state, told: rows, now: now))
        difference.added += seats.rows
        if draft.isUncancelled {
            difference.add(
                state.untoldAnswers(
                    among: rows, supersededBecause: draft.naming(Planner.cancelled),
                    channels: directory,
                    now: now))
        }
        difference.tellAnswers(
            of: draft.dropped, until: draft.date?.time.endsAt ?? draft.meeting.endsAt)
        difference.late = state.lateReminders(
            since: try draft.oldState(zone: zone(named:)), from: rows, now: now)
        let message = try message(of: draft, in: difference)
        var revision = MeetingRevision(
            meeting: limited.meeting, participants: draft.participants, people: draft.people,
            guests: draft.guests, act: act, difference: difference, reason: reason,
            body: draft.body.map { ($0.author, $0.text + seats.appendix) } ?? message?.body
                ?? seats.body,
            bodyKeys: Set(draft.announcements.map(\.key) + (message?.keys ?? []) + seats.keys),
            now: now)
        revision.dateParticipants = draft.dateParticipants
        revision.date = draft.date
        revision.joinRequests = draft.joinRequests
        revision.circlesAsked = draft.circlesAsked
        revision.knownAddresses = knownAddresses(of: draft)
        revision.remarks = draft.remarks
        revision.organizerLimit = draft.organizerLimit
        revision.introduced = draft.introduced
        revision.ownReminders = Set(draft.before.wishes.reminders.keys)
        return revision
    }

    /// The rows of notifications about seats, with the text of the one to the organizer. If the
    /// change brings another text to the organizer, the news is appended to that.
    private func seatRows(
        of draft: MeetingDraft, through directory: ChannelDirectory, _ clocks: ReaderClocks
    ) -> SeatRows {
        var result = SeatRows()
        for notification in seatNotifications(of: draft) {
            result.rows += directory.rows(for: notification, now: now).map(clocks.timed)
        }
        guard let news = organizerNews(of: draft) else { return result }
        let organizer = Receiver.person(draft.meeting.organizer.text)
        guard !draft.announcements.contains(where: { $0.key.receiver == organizer }) else {
            result.appendix = "\n" + news.text
            return result
        }
        result.body = (news.author, news.text)
        result.keys = [news.notification.key]
        result.rows += directory.rows(for: news.notification, now: now)
            .map { gathering(clocks.timed($0)) }
        return result
    }

    /// The addresses by which the organizer knows the new people. Those of people whom somebody
    /// else invites are not among them.
    private func knownAddresses(of draft: MeetingDraft) -> [PersonID: String] {
        guard !draft.isNew else { return draft.people.mapValues(\.address) }
        return actor.id == draft.meeting.organizer ? draft.knownAddresses : [:]
    }

    /// The words of the organizer about a change, and the notifications that bring them.
    private func message(
        of draft: MeetingDraft, in difference: LedgerDifference
    ) throws -> (body: (author: PersonID, text: String), keys: [NotificationKey])? {
        let kinds = draft.wordedKinds
        guard !kinds.isEmpty else { return nil }
        try MeetingRules.checkText(
            draft.message, named: "note", charactersMax: MeetingRules.messageCharactersMax)
        let news = difference.added.map(\.key.notification).filter { kinds.contains($0.kind) }
        guard !news.isEmpty else { return nil }
        return ((actor.id, draft.message), news)
    }

    /// The enabled sinks, with the channels and addresses of people.
    func directory(of draft: MeetingDraft) -> ChannelDirectory {
        var directory = ChannelDirectory(sinks: sinks, addresses: draft.addresses)
        directory.suppressions = draft.before.wishes.suppressions
        directory.own = draft.before.wishes.channels
        directory.inboxes = draft.before.wishes.inboxes
        directory.replacesDisabledSinks = replacesDisabledSinks
        return directory
    }

    /// The state from which notifications of a draft are planned.
    func state(of draft: MeetingDraft) throws -> MeetingState {
        var state = try draft.state(zone: zone(named:))
        let directory = directory(of: draft)
        state.audiences = audiences(of: draft.before).map { audience in
            guard !directory.invites(audience) else { return audience }
            // An audience that gets no invitation counts as informed up to now, so that it gets
            // later changes.
            var audience = audience
            audience.revisionKnown = draft.revisionBefore
            return audience
        }
        return state
    }

    /// The audiences of a meeting. The installation is one of them if a sink for it is enabled
    /// here, or if deliveries to it are still waiting: those stay in the ledger for a process in
    /// which the sink is enabled.
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

    /// Checks that the cancellation of a meeting, or of one date, can be taken back.
    ///
    /// - Parameter draft: the meeting, or the date as a meeting of its own.
    /// - Throws: ``Refusal`` with `not_cancelled` or `meeting_over`.
    func checkIsOff(_ draft: MeetingDraft) throws(Refusal) {
        let meeting = draft.meeting
        guard meeting.status == .cancelled else {
            throw Refusal(
                .refused, code: "not_cancelled", "\(meeting.title) is not cancelled.")
        }
        guard meeting.endsAt > now else {
            throw Refusal(
                .refused, code: "meeting_over",
                "\(Self.dated(meeting)) is over, so its cancellation cannot be taken back.",
                advice: [.meetings(.plan)])
        }
    }

    /// Checks that a meeting can still be changed: it is neither cancelled nor over.
    ///
    /// - Parameters:
    ///   - meeting: the meeting.
    ///   - verb: the change, as in "moved".
    /// - Throws: ``Refusal`` with `meeting_cancelled` or `meeting_over`.
    package func checkIsAhead(_ meeting: Meeting, verb: String) throws(Refusal) {
        let advice: [Advice] =
            ["answered", "cancelled"].contains(verb) ? [] : [.meetings(.plan)]
        let isAhead = meeting.endsAt > now && actor.id == meeting.organizer
        let undoing: [Advice] = isAhead ? [.meetings(.uncancel(meeting.id.text))] : []
        guard meeting.status == .confirmed else {
            throw Refusal(
                .refused, code: "meeting_cancelled",
                verb == "cancelled"
                    ? "\(meeting.title) is already cancelled."
                    : "\(meeting.title) is cancelled, so it cannot be \(verb).",
                advice: undoing + advice)
        }
        guard meeting.endsAt > now else {
            throw Refusal(
                .refused, code: "meeting_over",
                "\(Self.dated(meeting)) is over, so it cannot be \(verb).", advice: advice)
        }
    }

    /// The title, and the day of a meeting that does not repeat, or of one date of a series.
    static func dated(_ meeting: Meeting) -> String {
        let day = meeting.series == nil ? " on \(TimeWords.date(meeting.time.start.date))" : ""
        return meeting.title + day
    }
}

extension LedgerDifference {
    /// Adds notifications about an answer. Waiting notifications about earlier answers of the same
    /// guest to the same receivers are superseded.
    fileprivate mutating func add(_ rows: [LedgerRow]) {
        let guests = Set(rows.compactMap { $0.key.notification.mark.answer?.guest })
        let receivers = Set(rows.map(\.key.notification.receiver))
        let dates = Set(rows.map(\.key.notification.occurrence))
        func isOld(_ row: LedgerRow) -> Bool {
            guard row.key.notification.kind.tellsOfGuest, row.state == .planned,
                receivers.contains(row.key.notification.receiver),
                dates.contains(row.key.notification.occurrence),
                let mark = row.key.notification.mark.answer
            else { return false }
            return guests.contains(mark.guest)
        }
        superseded += (unchanged + rescheduled).filter(isOld)
        unchanged.removeAll(where: isOld)
        rescheduled.removeAll(where: isOld)
        added += rows
    }
}

/// The rows of notifications about seats.
private struct SeatRows {
    var rows: [LedgerRow] = []
    /// The text of the notification to the organizer, with its author.
    var body: (author: PersonID, text: String)?
    /// The notification for which the text was written.
    var keys: [NotificationKey] = []
    /// The news that another text to the organizer brings; empty for none.
    var appendix = ""
}
