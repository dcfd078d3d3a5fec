public import Agenda
public import Ledger
import Storage
public import Timekeeping
import Wording

extension Planner {
    /// Records an answer to a meeting, or to one date of a series.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a series; `nil` for all dates.
    ///   - answer: the answer.
    ///   - answering: the participant who answers.
    ///   - plus: the number of people that they bring; `nil` to keep it.
    ///   - note: the note to the organizer; `nil` to keep it.
    ///   - start: the start that the person saw when they answered; `nil` if they saw the present
    ///     one. Of a series, that of any of its dates.
    ///   - isShared: true if the answer comes through a link that somebody else was shown, so that
    ///     it does not prove who gives it.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the meeting, the changes in the ledger, and the conflicts of the participant.
    /// - Throws: ``Refusal``, with `time_changed` if the meeting no longer starts at `start`.
    public func answer(
        _ id: MeetingID, on date: String? = nil, _ answer: Answer, of answering: Person,
        plus: Int?, note: String?, seeing start: Moment? = nil, isShared: Bool = false,
        saving: Bool
    ) async throws -> MeetingOutcome {
        guard (0...Participant.plusMax).contains(plus ?? 0) else {
            throw Self.tooManyGuests
        }
        let number: Identifier<Answer> = surroundings.chance.id()
        let date = try await seenDate(date, of: id)
        let isOwn = answering.id == actor.id && !isShared
        var outcome: MeetingOutcome
        do {
            outcome = try await revise(
                id, on: date, nil, reason: "a guest answered: \(answer.rawValue)",
                saving: saving
            ) { draft in
                try drafting.checkIsAhead(draft.meeting, verb: "answered")
                if answering.id != actor.id { try drafting.checkMayChange(draft.meeting) }
                _ = try draft.place(of: answering)
                let seen = SeenDates(of: answering.id, in: draft.before)
                try drafting.check(start, isOf: seen.seen(draft.meeting))
                try draft.answer(answer, of: answering, by: actor, plus: plus, note: note)
                if isOwn { draft.introduced = actor.id }
                try tell(of: answering, in: &draft, by: actor, number: number.text)
            }
        } catch let refusal as Refusal where refusal.code == "time_changed" {
            // They may have missed the new time.
            if isOwn, saving { try? await endBounces(of: actor.id, knowing: nil) }
            throw refusal
        }
        // The answer counts, whatever comes of this.
        if isOwn, saving { try? await endBounces(of: actor.id, knowing: id) }
        outcome.answered = outcome.meeting.participants.first { $0.id == answering.id.text }
        if date == nil, outcome.meeting.repeat != nil {
            outcome.remarks += try await remarks(onDatesOf: id, for: answering)
        }
        return try await notingConflicts(in: outcome, of: [answering.id])
    }

    /// A remark that an answer to the whole series leaves the answers to single dates as they are.
    private func remarks(onDatesOf id: MeetingID, for person: Person) async throws -> [Remark] {
        guard let bundle = try await store.meetingBundle(id) else { return [] }
        let own = try zone(named: bundle.meeting.time.zone)
        let dates = bundle.dateParticipants.compactMap { name, people -> (Moment, Phrase)? in
            guard let said = people.first(where: { $0.person == person.id && !$0.isRemoved }),
                let time = bundle.meeting.date(named: name, in: own)?.time, time.startsAt > now
            else { return nil }
            let answered = Phrase(
                "%date% (%answer%)",
                ["date": .dates([time.start.date]), "answer": .answer(said.answer)])
            return (time.startsAt, answered)
        }.sorted { $0.0 < $1.0 }.map(\.1)
        guard !dates.isEmpty else { return [] }
        let named = Phrase.Value.phrases(
            Array(dates.prefix(Self.datesNamedMax)), isCut: dates.count > Self.datesNamedMax)
        return [
            Remark(
                Phrase(
                    person.id == actor.id
                        ? "Your answers to single dates still apply: %dates%."
                        : "Answers of %name% to single dates still apply: %dates%.",
                    ["name": .text(person.name), "dates": named]))
        ]
    }

    /// The maximum number of dates named in one remark.
    static let datesNamedMax = 5

    /// Writes a message to the participants of a meeting, until ``lastMessage(afterEnd:)``.
    ///
    /// - Parameters:
    ///   - id: the meeting.
    ///   - date: the date of a recurring meeting whose participants get it; `nil` for the
    ///     participants of the whole meeting.
    ///   - text: the message.
    ///   - answers: the answers of the participants who get it; empty for all participants.
    ///   - people: the only people to write to; `nil` for all with these answers.
    ///   - key: the key of a form: the same text with the same key is sent once. `nil` for a new
    ///     message in any case.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    ///   - check: looks at the meeting as it is when this is saved; `nil` not to.
    /// - Returns: the meeting, and the planned deliveries.
    /// - Throws: ``Refusal``, or the error of `check`.
    public func message(
        _ id: MeetingID, on date: String? = nil, _ text: String, to answers: Set<Answer>,
        people: [Person]? = nil, key: String? = nil, saving: Bool,
        checking check: MeetingCheck? = nil
    ) async throws -> MeetingOutcome {
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw Refusal(.invalid, code: "empty_message", "The message is empty.")
        }
        let mark = key.map { SipHash.digest(of: "\($0) \(text)") } ?? newKey()
        let named = people.map { Set($0.map(\.id)) }
        return try await say(
            .message, in: id, on: date, mark: NotificationMark(text: mark), text: text,
            saving: saving, checking: check
        ) { bundle in
            let readers = bundle.participants.filter {
                !$0.isRemoved && $0.person != actor.id
                    && (answers.isEmpty || answers.contains($0.presentAnswer))
                    && named?.contains($0.person) ?? true
            }
            guard !readers.isEmpty else {
                throw Self.nobodyToTell(answers, in: bundle.meeting)
            }
            // A message to some participants is not for channels that others read.
            let isForAll = answers.isEmpty && named == nil
            let groupReceivers = isForAll ? drafting.audiences(of: bundle) : []
            return readers.map { .person($0.person.text) } + groupReceivers.map(\.receiver)
        }
    }

    private static func nobodyToTell(_ answers: Set<Answer>, in meeting: Meeting) -> Refusal {
        let words = answers.map(AnswerWords.word).sorted().joined(separator: " or ")
        let why =
            switch answers {
            case []: "\(meeting.title) has no other guests"
            case [.invited]: "All other guests of \(meeting.title) have answered"
            default: "\(meeting.title) has no other guests with the answer \"\(words)\""
            }
        return Refusal(
            .refused, code: "nobody_to_tell", "\(why), so no message was sent.",
            advice: [.meetings(.show(meeting.id.text))])
    }

    /// Plans a nudge or a message from the organizer.
    func say(
        _ kind: NotificationKind, in id: MeetingID, on date: String?, mark: NotificationMark,
        text: String?, saving: Bool, checking check: MeetingCheck?,
        to readers: @escaping @Sendable (MeetingBundle) throws -> [Receiver]
    ) async throws -> MeetingOutcome {
        let now = self.now
        try MeetingRules.checkText(
            text ?? "", named: "message", charactersMax: MeetingRules.messageCharactersMax)
        let revision = try await store.reviseMeeting(id, saving: saving) { bundle in
            try drafting.checkMayChange(bundle.meeting)
            try check?(shown(bundle, on: date))
            let date = try date.map {
                try drafting.date($0, of: bundle.meeting, pastToo: kind == .message)
            }
            let deadline = try drafting.deadline(of: kind, in: bundle.meeting, on: date)
            let own = try zone(named: bundle.meeting.time.zone)
            let readers = try readers(date.map { bundle.on($0, in: own) } ?? bundle)
            var difference = try said(
                kind, mark: mark, to: readers, in: bundle, on: date, until: deadline, now: now)
            // The form was sent twice.
            let isRepeated = difference.added.isEmpty && bundle.hasRows(of: kind, mark)
            if kind == .nudge {
                difference.superseded = bundle.nudgesAhead(
                    for: readers, until: now.advanced(bySeconds: 86_400))
            }
            var revision = MeetingRevision(
                meeting: bundle.meeting, participants: bundle.participants,
                people: bundle.people, difference: difference,
                reason: kind == .nudge ? "nudged by hand" : "",
                body: isRepeated ? nil : text.map { (actor.id, $0) }, now: now)
            revision.bodyKeys = Set(
                difference.added.map(\.key.notification).filter { $0.kind == kind })
            revision.dateParticipants = bundle.dateParticipants
            revision.date = date
            revision.organizerLimit = isRepeated ? nil : messageLimit
            return revision
        }
        guard let revision else { throw Refusal.unknownMeeting(id.text) }
        return try outcome(revision)
    }

    func said(
        _ kind: NotificationKind, mark: NotificationMark, to readers: [Receiver],
        in bundle: MeetingBundle, on date: SeriesDate? = nil, until deadline: Moment, now: Moment
    ) throws -> LedgerDifference {
        let draft = MeetingDraft(bundle)
        let directory = drafting.directory(of: draft)
        var state = try drafting.state(of: draft)
        let clocks = ReaderClocks(state, told: bundle.rows, now: now)
        let known = Set(bundle.rows.map(\.key))
        let rows = readers.flatMap { reader in
            directory.rows(
                for: PlannedNotification(
                    key: NotificationKey(
                        meeting: bundle.meeting.id.text, occurrence: date?.name ?? "",
                        receiver: reader, kind: kind, mark: mark),
                    due: now, deadline: deadline, isNew: true),
                now: now
            ).map(clocks.timed)
        }
        var difference = LedgerDifference()
        difference.added = rows.filter { !known.contains($0.key) }
        if kind == .message {
            // Who reads of a cancelled meeting for the first time is told that it is cancelled.
            state.messaged = Set(readers)
            difference.added += state.difference(from: bundle.rows, channels: directory, now: now)
                .added.filter { $0.key.notification.kind == .cancellation }
        }
        difference.unchanged = bundle.rows.filter(\.state.isOpen)
        return difference
    }
}

extension Drafting {
    /// Checks that a meeting, or a date of a series, still starts at the time that a person saw.
    ///
    /// - Throws: ``Refusal`` with `time_changed`.
    fileprivate func check(_ start: Moment?, isOf meeting: Meeting) throws {
        guard let start else { return }
        let own = try zone(named: meeting.time.zone)
        let starts =
            meeting.series == nil
            ? [meeting.time.startsAt]
            : meeting.dates(
                endingAfter: start.advanced(bySeconds: -1),
                startingBefore: start.advanced(bySeconds: 1), in: own
            ).map(\.time.startsAt)
        guard !starts.contains(start) else { return }
        let next = meeting.nextTime(after: now, in: own) ?? meeting.time
        throw Refusal(
            .refused, code: "time_changed",
            "The time has changed since you opened this page. It is now "
                + Timestamp(next.startsAt, in: own, reader: zone).words
                + ". Please answer again for the new time.")
    }
}

extension Planner {
    /// Plans notifications of a guest's new answer or proposal. The organizer is notified of both,
    /// the audiences of the meeting of the answer.
    package func tell(
        of guest: Person, in draft: inout MeetingDraft, by actor: Person, number: String
    ) throws {
        try drafting.settleSeats(&draft)
        let organizer = draft.meeting.organizer
        let old = draft.before.participants.first { $0.person == guest.id }
        guard guest.id != organizer,
            let said = draft.participants.first(where: { $0.person == guest.id }), said != old
        else { return }
        let mark = AnswerMark(guest: guest.id, answer: said.answer, plus: said.plus, number: number)
        let proposal = said.proposal == old?.proposal ? nil : said.proposal
        let groupReceivers =
            said.isSaid(as: old) ? [] : drafting.audiences(of: draft.before).map(\.receiver)
        draft.announcements = groupReceivers.map {
            draft.notification(.answer, mark, to: $0, now: now)
        }
        if actor.id != organizer {
            draft.announcements.append(
                draft.notification(
                    proposal == nil ? .answer : .proposal, mark, to: .person(organizer.text),
                    now: now))
        }
        // The organizer may know the guest under another name.
        let shown = draft.people[guest.id] ?? guest
        draft.body = (guest.id, try words(of: shown, said, proposing: proposal, in: draft))
    }

    /// A guest's answer in the language of the organizer. Several answers may be sent as one
    /// message, so each text is complete in itself.
    private func words(
        of guest: Person, _ said: Participant, proposing proposal: Proposal?, in draft: MeetingDraft
    ) throws -> String {
        let reader = draft.people[draft.meeting.organizer] ?? owner
        let language = surroundings.language(of: reader)
        let isNews = proposal == nil || said.answer != .invited
        let answered = AnswerWords.line(
            GuestAnswer(name: guest.name, answer: said.answer, plus: said.plus), in: language)
        let proposed = try proposal.map {
            language.proposes(guest.name, try words(of: $0, for: reader, in: draft))
        }
        // Quote marks keep a note from looking like the answer of another guest.
        let note = said.note.split(separator: "\n", omittingEmptySubsequences: false)
            .map { "> \($0)" }
        return
            ([isNews ? answered : nil, proposed].compactMap(\.self)
            + (said.note.isEmpty ? [] : note)).joined(separator: "\n")
    }

    /// The proposed time, in a reader's time zone and language.
    func words(
        of proposal: Proposal, for reader: Person, in draft: MeetingDraft
    ) throws -> String {
        // The zone in a contact card may no longer exist.
        let own = reader.zone.flatMap { try? zone(named: $0) }
        let home = try zone(named: draft.meeting.time.zone)
        return TimeWords.range(
            from: proposal.startsAt, to: proposal.endsAt, in: own ?? home, at: home,
            surroundings.language(of: reader))
    }
}

extension MeetingDraft {
    fileprivate func notification(
        _ kind: NotificationKind, _ mark: AnswerMark, to receiver: Receiver, now: Moment
    ) -> PlannedNotification {
        PlannedNotification(
            key: NotificationKey(
                meeting: meeting.id.text, occurrence: occurrence, receiver: receiver, kind: kind,
                mark: NotificationMark(mark)),
            due: nextDue(of: mark.guest, to: receiver, now: now), deadline: meeting.endsAt,
            isNew: true)
    }

    /// The minimum time between two notifications of one guest's answers, in seconds.
    private static let answerSecondsMin: Int64 = 600

    /// The time of the next notification. If a guest changes their answer again and again, only the
    /// last one is notified after a while.
    private func nextDue(of guest: PersonID, to receiver: Receiver, now: Moment) -> Moment {
        let told = before.rows.filter { row in
            row.key.notification.kind.tellsOfGuest && row.mayHaveArrived
                && row.key.notification.receiver == receiver
                && row.key.notification.occurrence == occurrence
                && row.key.notification.mark.answer?.guest == guest
        }
        let last = told.map(\.due).max() ?? .earliest
        return max(now, last.advanced(bySeconds: Self.answerSecondsMin))
    }
}

extension Participant {
    /// True if the earlier answer was the same, apart from the note.
    fileprivate func isSaid(as other: Participant?) -> Bool {
        answer == other?.answer && plus == other?.plus && isOutdated == other?.isOutdated
    }
}

extension MeetingBundle {
    /// True if there are deliveries of a kind with this mark.
    fileprivate func hasRows(of kind: NotificationKind, _ mark: NotificationMark) -> Bool {
        rows.contains { $0.key.notification.kind == kind && $0.key.notification.mark == mark }
    }
}
