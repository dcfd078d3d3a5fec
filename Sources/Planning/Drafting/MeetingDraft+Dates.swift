package import Agenda
import Ledger
import Storage
package import Timekeeping

extension MeetingBundle {
    /// The bundle of one date of a series, as that of a meeting that does not repeat.
    package func on(_ date: SeriesDate, in zone: Zone) -> MeetingBundle {
        let special = dateParticipants[date.name] ?? []
        let own = Set(special.map(\.person))
        var bundle = self
        bundle.meeting = meeting.on(date)
        let regular = meeting.date(named: date.name, byRule: true, in: zone)?.time.startsAt
        let distance = (regular ?? date.time.startsAt).milliseconds(since: meeting.time.startsAt)
        bundle.participants = participants.on(special).map {
            own.contains($0.person) ? $0 : $0.asToAll(later: distance)
        }
        bundle.dateParticipants = [:]
        bundle.joinRequests = ["": joinRequests[date.name] ?? []]
        bundle.membersOfAll = Set(participants.filter { !$0.isRemoved }.map(\.person))
        bundle.waitingForAll = Set(
            participants.filter { $0.answer == .waiting }.map(\.person)
        ).subtracting(own)
        bundle.rows = rows.filter { ["", date.name].contains($0.key.notification.occurrence) }
        bundle.lastEndsAt = meeting.date(named: date.name, byRule: true, in: zone)?.time.endsAt
        bundle.dateStarts = [
            date.name: starts(told: date, byRule: regular ?? date.time.startsAt)
        ]
        bundle.toldStarts = [:]
        bundle.pastFacts = PastFacts()
        bundle.toldFacts = nil
        bundle.hasUntoldTexts = false
        bundle.hasTextsLeftBehind = false
        return bundle
    }

    /// The starts that revisions announced for a date: those by the rule while it had no time of
    /// its own, and then these.
    private func starts(told date: SeriesDate, byRule regular: Moment) -> [Int: Moment] {
        var own = dateStarts[date.name] ?? [:]
        if own.isEmpty, let change = date.change, change.time != nil {
            own[change.revision] = date.time.startsAt
        }
        let first = own.keys.min() ?? .max
        let byRule = toldStarts.filter { $0.key < first }.mapValues {
            regular.advanced(byMilliseconds: $0.milliseconds(since: meeting.time.startsAt))
        }
        return (byRule.isEmpty ? [0: regular] : byRule).merging(own) { $1 }
    }
}

extension MeetingBundle {
    /// The people who are invited to all dates or to some.
    var everybody: [Person] {
        let dates = dateParticipants.sorted { $0.key < $1.key }.flatMap(\.value)
        return (participants + dates).filter { !$0.isRemoved }.map(\.person).uniqued()
            .compactMap { people[$0] }
    }
}

extension Participant {
    /// The participant for a date that they have not answered separately: their answer to all dates
    /// applies. Note and proposal belong to the series and are removed. The time of the answer
    /// stays, so that an older mail about this date does not count. If the answer was given for an
    /// old time, this date's old time is some milliseconds later than the first's.
    fileprivate func asToAll(later milliseconds: Int64) -> Participant {
        var participant = self
        participant.note = ""
        participant.proposal = nil
        participant.answeredFor =
            isOutdated ? answeredFor?.advanced(byMilliseconds: milliseconds) : nil
        return participant
    }
}

extension MeetingDraft {
    /// Changes one date of a series. `body` sees the date as a meeting of its own; the differences
    /// are stored as an exception of the series.
    ///
    /// - Parameters:
    ///   - date: the date.
    ///   - zone: the rules of the meeting's time zone.
    ///   - body: makes the change.
    /// - Throws: ``Refusal`` with `usage` if `body` changes anything that all dates share, or the
    ///   error of `body`.
    mutating func change(
        _ date: SeriesDate, in zone: Zone, _ body: (inout MeetingDraft) throws -> Void
    ) throws {
        var own = MeetingDraft(before.on(date, in: zone))
        own.occurrence = date.name
        try body(&own)
        own.followMove(in: zone)
        own.dropProposals()
        try checkMaySay(own)
        dateReason = own.changeReason
        guard own.isSameBesidesDate else {
            throw Refusal(
                .invalid, code: "usage",
                "Only the time, the length, the place and the people of a single date can be "
                    + "changed. Everything else belongs to all dates.",
                advice: [.leaveOut([.date])])
        }
        take(own, of: date, in: zone)
        self.date = meeting.date(named: date.name, in: zone)
    }

    /// Removes the entries of a person from all single dates, because they were removed from the
    /// series.
    mutating func forgetDates(of person: PersonID) {
        for name in dateParticipants.keys {
            dateParticipants[name]?.removeAll { $0.person == person }
            if dateParticipants[name]?.isEmpty == true { dateParticipants[name] = nil }
        }
    }

    /// The most dates of a series for which something is recorded about one person. Every change of
    /// the series computes the notifications for each of them.
    private static let datesOfPersonMax = 400

    private func checkMaySay(_ own: MeetingDraft) throws(Refusal) {
        let said = own.participants.filter { !own.before.participants.contains($0) }
        for participant in said {
            let count = dateParticipants.values.count { people in
                people.contains { $0.person == participant.person }
            }
            guard count >= Self.datesOfPersonMax else { continue }
            throw Refusal(
                .refused, code: "too_many_dates",
                "There are already answers to \(Self.datesOfPersonMax) single dates of "
                    + "\(meeting.title) by one person. An answer to all dates is possible.")
        }
    }

    /// True if nothing has changed that all dates share.
    private var isSameBesidesDate: Bool {
        var meeting = meeting
        meeting.time = before.meeting.time
        meeting.place = before.meeting.place
        meeting.status = before.meeting.status
        meeting.seating?.lastAsked = before.meeting.seating?.lastAsked ?? 0
        return meeting == before.meeting
    }

    private mutating func take(_ own: MeetingDraft, of date: SeriesDate, in zone: Zone) {
        take(own.dateChange(of: date, byRule: meeting, in: zone), of: date, in: zone)
        let said = own.participants.filter { !own.before.participants.contains($0) }
        if !said.isEmpty {
            let known = dateParticipants[date.name] ?? []
            dateParticipants[date.name] = known.on(said)
            if own.meeting.time != own.before.meeting.time { dropCopies(of: date.name) }
        }
        if let last = own.meeting.seating?.lastAsked { meeting.seating?.lastAsked = last }
        joinRequests[date.name] = own.joinRequests[""]
        seatNews += own.seatNews
        guests = own.guests
        typed = own.typed
        knownAddresses = own.knownAddresses
        organizerLimit = own.organizerLimit
        isQuiet = own.isQuiet
        isDateNotified = own.isNotified
        announcements = own.announcements
        dropped = own.dropped
        body = own.body
        message = own.message
        isUncancelled = own.isUncancelled
        remarks += own.remarks
    }

    /// Removes the entries of people whose answers to all dates hold for a date again: entries that
    /// earlier moves of the date made, and that nobody answered.
    private mutating func dropCopies(of date: String) {
        let copies = Set(
            (before.dateParticipants[date] ?? []).filter { $0.isCopy(among: participants) }
                .map(\.person))
        dateParticipants[date]?.removeAll {
            copies.contains($0.person) && $0.answeredFor == nil && !$0.isOutdated
        }
        if dateParticipants[date]?.isEmpty == true { dateParticipants[date] = nil }
    }

    /// Removes a person's entries for single dates, because their new answer is for all dates. Only
    /// two kinds are removed: copies that were made when a date moved, and answers that were kept
    /// because the person's last answer was for later dates only.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - sequence: the SEQUENCE of the notification that they answered. Entries stay for dates
    ///     that moved later; `nil` for an answer to the present state.
    ///   - first: the name of the date from which their new answer holds; `nil` for all dates.
    mutating func forgetCopies(
        of person: PersonID, knowing sequence: Int?, from first: String? = nil
    ) {
        for name in dateParticipants.keys where first.map({ name >= $0 }) ?? true {
            let moved = meeting.series?.changes[name]?.sequence ?? 0
            guard sequence.map({ $0 >= moved }) ?? true else { continue }
            dateParticipants[name]?.removeAll {
                $0.person == person && !$0.isRemoved && $0.revision == nil
                    && ($0.isKept || $0.isOutdated || $0.isCopy(among: before.participants))
            }
            if dateParticipants[name]?.isEmpty == true { dateParticipants[name] = nil }
        }
    }

    private mutating func take(_ change: DateChange?, of date: SeriesDate, in zone: Zone) {
        guard change != date.change else { return }
        meeting.series?.changes[date.name] = change
        guard let series = meeting.series else { return }
        meeting.series?.endsAt = Meeting.lastEnd(of: series, from: meeting.time, in: zone)
    }

    /// The exception for the date of this draft; `nil` if the date never differed from the rule.
    private func dateChange(
        of date: SeriesDate, byRule all: Meeting, in zone: Zone
    ) -> DateChange? {
        let old = before.meeting
        guard meeting != old || date.change != nil else { return nil }
        var change =
            date.change
            ?? DateChange(
                revision: all.series?.revision ?? 1, sequence: all.series?.sequence ?? 0)
        if meeting.time != old.time {
            let regular = all.date(named: date.name, byRule: true, in: zone)?.time
            change.time = meeting.time == regular ? nil : meeting.time
        }
        if meeting.place != old.place { change.place = .other(meeting.place) }
        change.status = meeting.status
        return change
    }
}

extension Participant {
    /// True if this entry for a date only notes for which start the same answer to all dates was
    /// given.
    func isCopy(among all: [Participant]) -> Bool {
        guard answeredFor != nil, note.isEmpty, reply == nil, revision == nil else { return false }
        return all.contains {
            $0.person == person && $0.answer == answer && $0.plus == plus && !$0.isRemoved
        }
    }
}

/// Answers to all dates of which some have moved since.
extension MeetingDraft {
    /// Notes that a person's answer to all dates was given for the old starts of some of them.
    ///
    /// - Parameters:
    ///   - starts: the old starts, by the names of the dates.
    ///   - person: the person.
    ///   - zone: the time zone of the meeting.
    ///   - isNewer: true for an answer to a single date that was given later, and stays.
    package mutating func noteOldTimes(
        _ starts: [String: Moment], of person: PersonID, in zone: Zone,
        unless isNewer: (Participant) -> Bool
    ) {
        guard let said = participants.first(where: { $0.person == person }) else { return }
        for (name, start) in starts {
            guard let time = meeting.date(named: name, in: zone)?.time else { continue }
            let known = dateParticipants[name]?.firstIndex { $0.person == person }
            let old = known.flatMap { dateParticipants[name]?[$0] }
            let isOwn = old.map { old in
                old.isRemoved || old.revision != nil || isNewer(old)
                    || !(old.isKept || old.isOutdated || old.isCopy(among: before.participants))
            }
            guard isOwn != true else { continue }
            var entry = said.keptAnswer(for: start)
            entry.isOutdated = MeetingMove(from: time, to: time, in: zone).isLarge(from: start)
            if let known { dateParticipants[name]?.remove(at: known) }
            dateParticipants[name, default: []].append(entry)
        }
    }
}

/// Answers to a date and all later ones.
extension MeetingDraft {
    /// The most dates before the one from which an answer holds.
    private static let datesKeptMax = 366

    /// Keeps a person's answers to the coming dates before one, so that their next answer to the
    /// series holds from that date on (RFC 5545, 3.2.13).
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - date: the first date for which the next answer holds.
    ///   - now: the current time.
    ///   - zone: the time zone of the meeting.
    ///   - isNewer: true for an answer to a single later date that was given after the next answer,
    ///     and stays.
    /// - Throws: ``Refusal`` with `too_many_dates`.
    package mutating func keepAnswers(
        of person: PersonID, before date: SeriesDate, now: Moment, in zone: Zone,
        unless isNewer: (Participant) -> Bool
    ) throws(Refusal) {
        guard var own = participants.first(where: { $0.person == person }) else { return }
        own.isKept = true
        let earlier = meeting.dates(endingAfter: now, first: Self.datesKeptMax + 1, in: zone)
            .filter { $0.time.startsAt < date.time.startsAt }
        guard earlier.count <= Self.datesKeptMax else {
            throw Refusal(
                .refused, code: "too_many_dates",
                "The answer holds from a date on that has more than \(Self.datesKeptMax) others "
                    + "before it.")
        }
        for name in dateParticipants.keys where name >= date.name {
            dateParticipants[name]?.removeAll {
                $0.person == person && !$0.isRemoved && !isNewer($0)
            }
        }
        for other in earlier
        where !(dateParticipants[other.name] ?? []).contains(
            where: { $0.person == person })
        {
            dateParticipants[other.name, default: []].append(own)
        }
    }
}
