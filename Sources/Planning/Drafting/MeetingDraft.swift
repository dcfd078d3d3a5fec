package import Agenda
import Ledger
import Storage
import Timekeeping
import Wording

/// A meeting during a change: its state before, its new state, and the notifications that follow.
package struct MeetingDraft {
    package let before: MeetingBundle
    /// The personal reminder times before the change. They differ from those of the bundle if the
    /// change is about them.
    var remindersBefore: [PersonID: [TimeSpan]]
    package var meeting: Meeting
    package var participants: [Participant]
    var guests: [Person] = []
    /// The people who were invited under names that the organizer typed, or of whom the organizer
    /// may know only one address.
    var typed: [PersonID: Person] = [:]
    /// The addresses by which the actor knows the people whom they invite.
    var knownAddresses: [PersonID: String] = [:]
    /// True to notify nobody.
    package var isQuiet = false
    /// True to notify people of changes that are not announced by default: title, note, link.
    var isNotified = false
    /// True to ask everybody for a new answer if the start changes, even by a little.
    var asksAgain = false
    /// The people who proposed the new time themselves, so that their answers hold for it.
    var agreed: Set<PersonID> = []
    /// The time for which answers were given before the change, if that is not the time of the
    /// meeting then.
    var timeBefore: MeetingTime?
    /// True to notify people again of the state of a single date.
    var isDateNotified = false
    /// Notifications in addition to those that follow from the meeting's facts.
    var announcements: [PlannedNotification] = []
    /// The people whose proposals became void because the meeting changed, with their answers.
    var dropped: [PersonID: Answer] = [:]
    /// The words of the organizer for those who are told of the change; empty if there are none.
    var message = ""
    /// True if a cancellation is taken back: then the words are for those who are invited again.
    var isUncancelled = false
    /// The text of a message, with its author.
    var body: (author: PersonID, text: String)?
    /// The additional reminders that people requested.
    var snoozes: [PersonID: Snooze]
    /// The participants of single dates of a series, where they differ from those of the series.
    var dateParticipants: [String: [Participant]]
    /// The limit of the actor's meetings, if the change may add to them; `nil` for none.
    var organizerLimit: OrganizerLimit?
    /// The person who answers themselves, so that the organizer knows them from now on.
    package var introduced: PersonID?
    /// Remarks about the change, for its author.
    var remarks: [Remark] = []
    /// The requests to join, by the name of the date; the empty name stands for all dates, or for
    /// the date of this draft.
    var joinRequests: [String: [JoinRequest]]
    /// The people who have seats, wait or asked, as of the last time that the seats were given.
    var seated: [SeatMember]?
    /// The news about seats.
    var seatNews: [SeatNews] = []
    /// True if no person makes the change.
    var isAutomatic = false
    /// The circles that are invited, by the name of the date; the empty name stands for all dates.
    var circlesAsked: [String: Set<CircleID>]
    /// The moment up to which reminders of the series had been planned, if this change plans
    /// further ones.
    var plannedBefore: Moment?
    /// The date of a series that is changed; `nil` for the whole series.
    var date: SeriesDate?
    /// The facts of ``date`` that changed, as in ``changeReason``.
    var dateReason: String?
    /// The name of the date if this draft treats a date as a meeting of its own; otherwise empty.
    var occurrence = ""

    package init(_ bundle: MeetingBundle) {
        before = bundle
        remindersBefore = bundle.wishes.reminders
        snoozes = bundle.snoozes
        meeting = bundle.meeting
        participants = bundle.participants
        dateParticipants = bundle.dateParticipants
        circlesAsked = bundle.circlesAsked
        joinRequests = bundle.joinRequests
    }

    /// True if the meeting is new.
    var isNew: Bool { before.lastEndsAt == nil }

    /// The revision before the change. For a new meeting, its first revision.
    var revisionBefore: Int { isNew ? meeting.revision : before.meeting.revision }

    /// True if the meeting is new or has changed, or if people are told what others know.
    var isChanged: Bool {
        isNew || isOther || isForLeftBehind
    }

    /// True if people are told texts on request that others know by the current revision.
    private var isForLeftBehind: Bool {
        isNotified && !isQuiet && before.hasTextsLeftBehind
    }

    /// True if anything has changed since the draft was created.
    var isOther: Bool {
        meeting != before.meeting || participants != before.participants
            || dateParticipants != before.dateParticipants || joinRequests != before.joinRequests
    }

    /// True if anything changed that people are always notified of: time, place, status or rule.
    private var hasToldChange: Bool {
        isElsewhere || meeting.series?.rule != before.meeting.series?.rule
    }

    private var isElsewhere: Bool {
        let old = before.meeting
        let isSamePlace =
            meeting.place == nil
            ? old.place == nil
            : old.place.map { meeting.place?.isSamePlace(as: $0) ?? false } ?? false
        return meeting.time != old.time || meeting.status != old.status || !isSamePlace
    }

    /// Raises the revision and the SEQUENCE if there is a change to announce.
    mutating func number() {
        guard !isQuiet else { return }
        // On request, earlier changes that nobody was notified of are announced, too.
        let told = isNotified ? before.toldFacts ?? before.meeting.facts : meeting.facts
        if hasToldChange || told.isElsewhere(than: meeting.facts) {
            meeting.revision += 1
            meeting.sequence += 1
            meeting.series?.revision = meeting.revision
            meeting.series?.sequence = meeting.sequence
            if isElsewhere || told.ofDates.isElsewhere(than: meeting.facts.ofDates) {
                meeting.series?.datesRevision = meeting.revision
            }
        } else if isNotified,
            before.meeting != meeting || told.title != meeting.title
                || before.hasUntoldTexts
        {
            meeting.revision += 1
            meeting.series?.revision = meeting.revision
            meeting.series?.datesRevision = meeting.revision
        }
        numberDates()
        numberGuests()
    }

    /// Raises the revision and the SEQUENCE for changed exceptions of single dates, and on request
    /// for those that were changed quietly.
    private mutating func numberDates() {
        let old = before.meeting.series?.changes ?? [:]
        let notifiedDate = isDateNotified ? date?.name : nil
        let quietDates = isNotified && date == nil ? before.pastFacts.quietDates : []
        let changed = (meeting.series?.changes ?? [:]).filter {
            $1 != old[$0] || $0 == notifiedDate || quietDates.contains($0)
        }
        guard !changed.isEmpty else { return }
        if meeting.revision == before.meeting.revision {
            meeting.revision += 1
            meeting.sequence += 1
        }
        for name in changed.keys {
            meeting.series?.changes[name]?.revision = meeting.revision
            meeting.series?.changes[name]?.sequence = meeting.sequence
        }
    }

    /// Raises the revision for people who were invited to a single date, or removed from it.
    private mutating func numberGuests() {
        for (name, guests) in dateParticipants {
            let known = before.participants.on(before.dateParticipants[name] ?? [])
            let asked = Set(known.filter { !$0.isRemoved }.map(\.person))
            for place in guests.indices
            where guests[place].isRemoved == asked.contains(guests[place].person)
                && !guests[place].isByOwnChoice
            {
                if meeting.revision == before.meeting.revision { meeting.revision += 1 }
                dateParticipants[name]?[place].revision = meeting.revision
            }
        }
    }

    /// True if people are notified of the change.
    private var isTold: Bool {
        guard occurrence.isEmpty else {
            return !isQuiet && (isNotified || meeting != before.meeting)
        }
        return isNew || meeting.revision != before.meeting.revision
    }

    /// Notes for which start the answers were given if the meeting moves. The organizer, who moves
    /// it, is not asked again.
    ///
    /// - Parameter zone: the rules of the meeting's time zone.
    mutating func followMove(in zone: Zone) {
        guard meeting.status == .confirmed else { return }
        let move = MeetingMove(
            from: timeBefore ?? before.meeting.time, to: meeting.time, in: zone)
        for place in participants.indices
        where participants[place].person != meeting.organizer
            && !agreed.contains(participants[place].person)
        {
            participants[place].follow(move, isTold: isTold, asksAgain: asksAgain)
        }
        if isTold { followQuietMoves(in: zone) }
        remarks += self.remarks(on: move)
    }

    /// Compares the answers to single dates with the times of which people are told now: dates may
    /// have moved before, alone or with the series, without a notification.
    private mutating func followQuietMoves(in zone: Zone) {
        for name in dateParticipants.keys {
            guard let time = meeting.date(named: name, in: zone)?.time else { continue }
            let move = MeetingMove(from: time, to: time, in: zone)
            let isAlone = meeting.series?.changes[name]?.time != nil
            for (place, known) in (dateParticipants[name] ?? []).enumerated() {
                // An answer that holds for a date with a time of its own stays as it is.
                let isElsewhere = known.answeredFor.map { $0 != time.startsAt } ?? false
                guard !isAlone || isElsewhere else { continue }
                dateParticipants[name]?[place].follow(move, isTold: true, asksAgain: false)
            }
        }
    }

    /// The remark about the answers that hold after a move, or do not.
    private func remarks(on move: MeetingMove) -> [Remark] {
        guard isTold else { return [] }
        let given = participants.filter {
            !$0.isRemoved && $0.person != meeting.organizer && $0.answer.isGiven
        }
        let known = Set(before.participants.filter(\.isOutdated).map(\.person))
        let outdated = given.filter {
            $0.isOutdated && (move.isMove || !known.contains($0.person))
        }
        let kept = move.isMove ? given.filter { !$0.isOutdated } : []
        return (outdated.isEmpty ? [] : [Self.remark(onAskingAgain: names(of: outdated))])
            + (kept.isEmpty ? [] : [Self.remark(onKeeping: names(of: kept))])
    }

    private static func remark(onAskingAgain names: Phrase.Value) -> Remark {
        Remark(
            Phrase(
                "Asked for a new answer, because the earlier one was for the old time: %names%.",
                ["names": names]))
    }

    private static func remark(onKeeping names: Phrase.Value) -> Remark {
        Remark(
            Phrase("Answers that hold for the new time: %names%.", ["names": names]))
    }

    /// The most names in one remark.
    private static let namesMax = 5

    private func names(of group: [Participant]) -> Phrase.Value {
        let names = group.compactMap { people[$0.person]?.name }
        return .names(
            names.prefix(Self.namesMax).map(\.self), rest: max(0, names.count - Self.namesMax))
    }

    /// Drops proposals of another time if the time changed or the meeting is cancelled: they were
    /// made for the old state.
    mutating func dropProposals() {
        guard meeting.time != before.meeting.time || meeting.status == .cancelled else { return }
        for place in participants.indices where participants[place].proposal != nil {
            if meeting.status == .confirmed {
                dropped[participants[place].person] = participants[place].answer
            }
            participants[place].proposal = nil
        }
    }

    /// True if people are told of the change even if they know the facts.
    var isAnnounced: Bool {
        isNotified || isDateNotified || isAboutMeeting && !message.allSatisfy(\.isWhitespace)
    }

    /// The kinds of news that bring the words of the organizer; none if there are no words.
    var wordedKinds: Set<NotificationKind> {
        guard !message.allSatisfy(\.isWhitespace) else { return [] }
        return isUncancelled
            ? [.change, .cancellation, .invitation] : [.change, .cancellation]
    }

    /// True if more than the people changes.
    private var isAboutMeeting: Bool {
        hasToldChange || tellsTexts
            || Self.exceptions(of: meeting) != Self.exceptions(of: before.meeting)
    }

    /// The exceptions of single dates, without the revisions in which they were told.
    private static func exceptions(of meeting: Meeting) -> [String: DateChange] {
        (meeting.series?.changes ?? [:]).mapValues { change in
            var exception = change
            (exception.revision, exception.sequence) = (0, 0)
            return exception
        }
    }

    /// True if a change of the whole meeting gives, drops or renames exceptions of single dates.
    var changesDates: Bool {
        guard date == nil else { return false }
        guard !isNew else {
            return meeting.series?.changes.isEmpty == false || !dateParticipants.isEmpty
        }
        func guests(_ all: [String: [Participant]]) -> [String: [PersonID]] {
            all.mapValues { $0.filter { $0.revision != nil }.map(\.person) }
                .filter { !$0.value.isEmpty }
        }
        return Self.exceptions(of: meeting) != Self.exceptions(of: before.meeting)
            || guests(dateParticipants) != guests(before.dateParticipants)
    }

    /// True if people are told another title, note or link with the change.
    var tellsTexts: Bool {
        let old = before.meeting
        guard meeting.revision > old.revision else { return isForLeftBehind }
        return isNotified
            || (meeting.title, meeting.note, meeting.link) != (old.title, old.note, old.link)
    }

    /// The entry for the history; `nil` for an act that changes nothing, which is not recorded.
    func act(_ deed: MeetingAct.Deed?, by actor: PersonID, at now: Moment) -> MeetingAct? {
        guard isChanged else { return nil }
        return deed.map {
            MeetingAct(
                $0, by: actor, at: now, isQuiet: isQuiet, isAnnounced: isAnnounced,
                tellsTexts: tellsTexts, changesDates: changesDates, on: date)
        }
    }

    /// The state from which notifications are planned.
    func state(zone: (String) throws -> Zone) throws -> MeetingState {
        let place = try zone(meeting.time.zone)
        var planned = meeting
        planned.answerBy = meeting.presentAnswerBy
        var state = MeetingState(
            meeting: planned, participants: participants, policies: before.wishes.reminders,
            zone: place,
            toldEndsAt: max(before.lastEndsAt ?? meeting.endsAt, before.meeting.endsAt))
        for (id, hours) in before.wishes.hours {
            // The time zone on a contact card may be outdated.
            let own = before.wishes.zones[id].flatMap { try? zone($0) }
            state.hours[id] = LocalHours(hours, in: own ?? place)
        }
        state.toldStarts = before.toldStarts
        state.pastFacts = before.pastFacts
        state.wordedKinds = wordedKinds
        state.snoozes = snoozes
        state.dateParticipants = dateParticipants
        state.plannedBefore = plannedBefore
        return state
    }

    /// The state from which notifications were planned before the change; `nil` for a new meeting.
    func oldState(zone: (String) throws -> Zone) throws -> MeetingState? {
        guard !isNew else { return nil }
        var state = MeetingState(
            meeting: before.meeting, participants: before.participants,
            policies: remindersBefore, zone: try zone(before.meeting.time.zone),
            toldEndsAt: before.lastEndsAt)
        state.dateParticipants = before.dateParticipants
        return state
    }

    /// The known people and the new ones.
    var people: [PersonID: Person] {
        let known = before.people.merging(guests.map { ($0.id, $0) }) { known, _ in known }
        return typed.isEmpty ? known : known.merging(typed) { $1 }
    }

    /// The addresses to which mail goes, by person id.
    var addresses: [String: String] {
        Dictionary(
            people.values.map { ($0.id.text, $0.destination ?? $0.address) },
            uniquingKeysWith: { first, _ in first })
    }
}
