package import Agenda
import Ledger
import Storage
package import Timekeeping
import Wording

extension MeetingDraft {
    /// Sets another time and rule, and moves the exceptions of single dates along. People who were
    /// invited only to a date that no longer exists are removed.
    ///
    /// - Parameters:
    ///   - time: the time of the first date.
    ///   - rule: the new rule.
    ///   - zone: the rules of the time zone.
    /// - Returns: the old names of dates with exceptions that no longer exist.
    @discardableResult
    package mutating func reschedule(
        _ time: MeetingTime, by rule: RecurrenceRule, in zone: Zone
    ) -> [String] {
        let names = Set(meeting.series?.changes.keys.map(\.self) ?? [])
            .union(dateParticipants.keys)
        let asked = Set(circlesAsked.keys).subtracting([""])
        let renamed = meeting.reschedule(
            time, by: rule, renaming: names.union(asked), in: zone)
        circlesAsked = circlesAsked.renamed(renamed)
        let gone = dateParticipants.filter { renamed[$0.key] != $0.key }
        dateParticipants = dateParticipants.renamed(renamed)
        for (name, people) in gone {
            let known = dateParticipants[name] ?? []
            dateParticipants[name] = takenOff(people).on(known).nilIfEmpty
        }
        if meeting.time != before.meeting.time {
            for name in dateParticipants.keys { dateParticipants[name]?.dropProposals() }
            for case (let old, let new?) in renamed { follow(dateNamed: old, to: new, in: zone) }
        }
        return names.filter { (renamed[$0] ?? nil) == nil }
    }

    /// Notes for which start the answers to a date were given if the date moves with its series.
    private mutating func follow(dateNamed old: String, to new: String, in zone: Zone) {
        guard let start = before.meeting.date(named: old, in: zone)?.time,
            let end = meeting.date(named: new, in: zone)?.time
        else { return }
        let move = MeetingMove(from: start, to: end, in: zone)
        for place in (dateParticipants[new] ?? []).indices {
            dateParticipants[new]?[place].follow(move, isTold: !isQuiet, asksAgain: asksAgain)
        }
        let isLeftBehind =
            !move.isMove
            && MeetingMove(from: before.meeting.time, to: meeting.time, in: zone).isMove
        if isLeftBehind, meeting.series?.changes[new]?.status != .cancelled {
            keepAnswers(to: new, at: start.startsAt)
        }
    }

    /// Keeps answers to all dates for a date that does not move with its series.
    private mutating func keepAnswers(to date: String, at start: Moment) {
        let own = Set((dateParticipants[date] ?? []).map(\.person))
        let kept = participants.filter {
            !own.contains($0.person) && $0.presentAnswer.isGiven && !$0.isRemoved
        }
        guard !kept.isEmpty else { return }
        dateParticipants[date, default: []] += kept.map { $0.keptAnswer(for: start) }
    }

    /// The participants of a date who are not invited to the series, marked as removed.
    private func takenOff(_ people: [Participant]) -> [Participant] {
        let all = Set(participants.map(\.person))
        return people.filter { !all.contains($0.person) }.map {
            var participant = $0
            participant.isRemoved = true
            return participant
        }
    }

    /// Turns the series into a single meeting at a time of its own.
    mutating func repeatNoMore(at time: MeetingTime) {
        meeting.series = nil
        meeting.time = time
        dateParticipants = dateParticipants.compactMapValues { takenOff($0).nilIfEmpty }
        circlesAsked = circlesAsked.filter(\.key.isEmpty)
    }

    /// Turns the series into a single meeting with the time, place and people of one of its dates.
    mutating func repeatNoMore(on date: SeriesDate) {
        let own = (dateParticipants[date.name] ?? []).map {
            var participant = $0
            participant.revision = nil
            return participant
        }
        meeting.place = meeting.on(date).place
        participants = participants.on(own)
        dateParticipants[date.name] = nil
        if let circles = circlesAsked[date.name] {
            circlesAsked["", default: []].formUnion(circles)
        }
        // The answers were for this date, too.
        timeBefore = date.time
        repeatNoMore(at: date.time)
    }

    /// The part of a series from one of its dates on, as a meeting of its own of which nobody has
    /// been notified yet. `nil` if the name is not that of a date.
    func rest(
        from name: String, by rule: RecurrenceRule, called id: MeetingID, in zone: Zone
    ) -> MeetingDraft? {
        // The original start is used even if the clocks skip it on this date, because all later
        // dates start then.
        guard case .wall(let start) = CalendarStamp(name), var series = meeting.series else {
            return nil
        }
        let first = MeetingTime(start: start, zone: zone, duration: meeting.time.duration)
        series.rule = rule
        series.revision = 1
        series.sequence = 0
        series.datesRevision = 1
        series.changes = series.changes.filter { $0.key >= name }.mapValues(\.untold)
        series.endsAt = Meeting.lastEnd(of: series, from: first, in: zone)
        var new = Meeting(
            id: id, uid: "\(id.text)@letsmeet", organizer: meeting.organizer,
            title: meeting.title, note: meeting.note, link: meeting.link, place: meeting.place,
            time: first, series: series, status: meeting.status,
            reminders: meeting.reminders)
        new.answerBy = meeting.answerBy
        new.continuedBy = meeting.continuedBy
        new.seating = meeting.seating
        new.seating?.quorum = nil
        var bundle = MeetingBundle(
            meeting: new,
            participants: participants.filter { !$0.isRemoved }.map {
                $0.unasked(later: first.startsAt.milliseconds(since: meeting.time.startsAt))
            },
            people: before.people, wishes: before.wishes,
            dateParticipants: dateParticipants.filter { $0.key >= name }
                .mapValues { $0.map { $0.unasked(later: 0) } })
        bundle.joinRequests = joinRequests.filter { $0.key.isEmpty || $0.key >= name }
        bundle.snoozes = snoozes
        bundle.circlesAsked = circlesAsked.filter { $0.key.isEmpty || $0.key >= name }
        return MeetingDraft(bundle)
    }
}

extension DateChange {
    /// The same exception in a meeting of which nobody has been notified.
    fileprivate var untold: DateChange {
        var change = self
        change.revision = 1
        change.sequence = 0
        return change
    }
}

extension Participant {
    /// The answer to all dates as an entry of one date, until a newer answer to all dates.
    func keptAnswer(for start: Moment) -> Participant {
        var participant = Participant(person: person, answer: answer, plus: plus)
        participant.answeredBy = answeredBy
        participant.isUnsigned = isUnsigned
        participant.isCopied = isCopied
        participant.isByCircle = isByCircle
        participant.answeredFor = start
        return participant
    }

    /// The same participant in a new meeting: replies by mail and proposals are dropped, because
    /// its SEQUENCE starts at zero. An answer for an old time was for that of the new first date,
    /// which is some milliseconds later.
    fileprivate func unasked(later milliseconds: Int64) -> Participant {
        var participant = self
        participant.answeredFor =
            isOutdated || milliseconds == 0
            ? answeredFor?.advanced(byMilliseconds: milliseconds) : nil
        participant.isCopied = answer.isGiven
        participant.reply = nil
        participant.proposal = nil
        // Everybody is invited to the new meeting, also those who joined the series.
        participant.joinedRevision = nil
        participant.revision = participant.revision.map { _ in 1 }
        return participant
    }
}

extension [Participant] {
    fileprivate mutating func dropProposals() {
        for place in indices { self[place].proposal = nil }
    }

    fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
}
