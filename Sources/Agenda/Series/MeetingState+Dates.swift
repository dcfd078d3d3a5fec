import Ledger
import Timekeeping

/// The date of a series that a state is about.
struct DateScope {
    /// The name of the date.
    let name: String
    /// The moment up to which reminders are planned now.
    let plannedUntil: Moment
    /// The whole series.
    let whole: Meeting
}

extension MeetingState {
    /// The time for which a date is still examined after its end, in milliseconds. Later, its
    /// waiting notifications end by their own deadlines.
    private static let lookBackMilliseconds: Int64 = 2 * 86_400_000

    /// Plans the notifications of a series, or of a former series. The news about the whole comes
    /// first; people who know it get the exceptions of single dates, and a reminder of each date.
    func seriesNotifications(told rows: [LedgerRow], now: Moment) -> [PlannedNotification] {
        let byDate = Dictionary(grouping: rows, by: \.key.notification.occurrence)
        let told = Told.read(rows)
        let toldOfDates = told.mapValues(\.ofDates)
        return news(told: told, now: now) + nudges(after: rows, told: told, now: now)
            + (meeting.series == nil ? reminders(told: told, now: now) : [])
            + dates(of: rows, now: now).flatMap { date in
                let state = on(date)
                let known = Told.read(
                    date: byDate[date.name] ?? [], knowing: toldOfDates,
                    leftOut: leftOut(on: date))
                let news = isSpecial(date) ? state.news(told: known, now: now) : []
                return news.filter { hearsOfDates($0.key.receiver, told) }
                    + state.reminders(told: known, now: now)
            }
    }

    /// The people who are invited to the series but not to a date, each with the revision since
    /// which this is so. News about the whole since that revision includes it.
    private func leftOut(on date: SeriesDate) -> [Receiver: Int] {
        guard let special = dateParticipants[date.name] else { return [:] }
        let expected = Set(participants.filter { !$0.isRemoved }.map(\.person))
        let own = special.filter { $0.isRemoved && expected.contains($0.person) }
        return Dictionary(
            own.compactMap { guest in guest.revision.map { (.person(guest.person.text), $0) } },
            uniquingKeysWith: { $1 })
    }

    /// The dates that may need news or reminders, and past dates with notifications that still wait
    /// for their deadlines.
    private func dates(of rows: [LedgerRow], now: Moment) -> [SeriesDate] {
        let past = now.advanced(byMilliseconds: -Self.lookBackMilliseconds)
        let horizon = (meeting.series?.plannedUntil ?? past)
            .advanced(byMilliseconds: longestReminderMilliseconds)
        let regular = meeting.dates(endingAfter: past, startingBefore: horizon, in: zone)
            .filter { !isSpecial($0) }
        let changes = meeting.series?.changes ?? [:]
        let special = Set(changes.keys).union(dateParticipants.keys)
        let waiting = Set(rows.filter(\.state.isOpen).map(\.key.notification.occurrence))
        let named = special.union(waiting).sorted()
            .compactMap { meeting.date(named: $0, in: zone) }
            .filter { ($0.time.endsAt > past ? special : waiting).contains($0.name) }
        return regular + named
    }

    /// A day more than the longest reminder time, because the clocks may be set back in between.
    private var longestReminderMilliseconds: Int64 {
        let spans = policies.values.joined() + meeting.reminders
        let seconds = spans.map { ($0.days + 1) * 86_400 + $0.seconds }.max() ?? 0
        return Int64(seconds) * 1000
    }

    private func isSpecial(_ date: SeriesDate) -> Bool {
        date.change != nil || dateParticipants[date.name] != nil
    }

    /// True if a receiver gets news about single dates. Participants of the whole series get it
    /// once they know the current state of the whole, because news about the whole covers its
    /// dates; others get it for the dates to which they are invited.
    private func hearsOfDates(_ receiver: Receiver, _ told: [Receiver: Told]) -> Bool {
        let audience = audiences.first { $0.receiver == receiver }
        let participant = participants.first {
            .person($0.person.text) == receiver && !$0.isRemoved
        }
        let heard = told[receiver] ?? Told()
        let known =
            audience.map { self.known($0, told) } ?? participant?.knowing(heard) ?? heard
        let isInAll = audience.map(isAsked) ?? (participant != nil)
        guard isInAll, meeting.status == .confirmed else { return !known.isOn }
        return known.isOn
            && (known.revision ?? 0 >= meeting.series?.revision ?? 0 || knowsFacts(known))
    }

    /// The state of one date of a series, as that of a meeting that does not repeat.
    func on(_ date: SeriesDate) -> MeetingState {
        var state = self
        state.meeting = meeting.on(date)
        state.scope = DateScope(
            name: date.name, plannedUntil: meeting.series?.plannedUntil ?? Series.endless,
            whole: meeting)
        state.toldEndsAt =
            date.change == nil
            ? date.time.endsAt
            : meeting.date(named: date.name, byRule: true, in: zone)?.time.endsAt
        let own = dateParticipants[date.name] ?? []
        state.participants = participants.on(own)
        guard isGone(date) else { return state }
        state.participants = own
        state.audiences = []
        return state
    }

    /// True if the date no longer exists. People who were invited to it alone get a
    /// cancellation.
    private func isGone(_ date: SeriesDate) -> Bool {
        guard date.change == nil, let own = dateParticipants[date.name],
            own.allSatisfy(\.isRemoved)
        else { return false }
        return !meeting.hasDate(named: date.name, in: zone)
    }

    /// The state that a key is about: the whole or one of the dates.
    func about(_ key: NotificationKey) -> MeetingState {
        guard !key.occurrence.isEmpty, let date = meeting.date(named: key.occurrence, in: zone)
        else { return self }
        return on(date)
    }
}

extension [Participant] {
    /// The participants on one date of a series: those of the series, with the entries of that date
    /// in place of theirs or in addition.
    public func on(_ special: [Participant]) -> [Participant] {
        guard !special.isEmpty else { return self }
        let own = Dictionary(special.map { ($0.person, $0) }, uniquingKeysWith: { $1 })
        let known = Set(map(\.person))
        return map { own[$0.person] ?? $0 } + special.filter { !known.contains($0.person) }
    }
}
