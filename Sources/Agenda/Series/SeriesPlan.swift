import Ledger
import Timekeeping

/// Which date of a series a state is about.
struct DateScope {
    /// Its name.
    let name: String
    /// Reminders that are due later are planned later.
    let plannedUntil: Moment
}

extension MeetingState {
    /// For how long after its end a date is looked at, in milliseconds: what still waits to be sent
    /// ends by its own deadline.
    private static let lookBackMilliseconds: Int64 = 2 * 86_400_000

    /// The same for a series, or what was one. The whole is told first; who knows it as it is hears
    /// what is otherwise on single dates, and is reminded of each.
    func seriesNotifications(told rows: [LedgerRow], now: Moment) -> [PlannedNotification] {
        let byDate = Dictionary(grouping: rows, by: \.key.notification.occurrence)
        let told = Told.read(rows)
        let toldOfDates = told.mapValues(\.ofDates)
        return news(told: told, now: now)
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

    /// Who is not asked to a date, though to all, and since which revision: what tells of the whole
    /// tells them so since then.
    private func leftOut(on date: SeriesDate) -> [Receiver: Int] {
        guard let special = dateParticipants[date.name] else { return [:] }
        let expected = Set(participants.filter { !$0.isRemoved }.map(\.person))
        let own = special.filter { $0.isRemoved && expected.contains($0.person) }
        return Dictionary(
            own.compactMap { guest in guest.revision.map { (.person(guest.person.text), $0) } },
            uniquingKeysWith: { $1 })
    }

    /// Those of which something may be to be told, or to be reminded; and those that are over of
    /// which something still waits, until its own deadline ends it.
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

    /// A day longer than the longest time before a start at which somebody is reminded: clocks are
    /// set back in some.
    private var longestReminderMilliseconds: Int64 {
        let spans = policies.values.joined() + meeting.reminders
        let seconds = spans.map { ($0.days + 1) * 86_400 + $0.seconds }.max() ?? 0
        return Int64(seconds) * 1000
    }

    private func isSpecial(_ date: SeriesDate) -> Bool {
        date.change != nil || dateParticipants[date.name] != nil
    }

    /// Who takes part in all hears of single dates once they know the whole as it is: what tells
    /// of the whole tells of them, too. Others hear of those to which they are asked.
    private func hearsOfDates(_ receiver: Receiver, _ told: [Receiver: Told]) -> Bool {
        let audience = audiences.first { $0.receiver == receiver }
        let known = audience.map { self.known($0, told) } ?? told[receiver] ?? Told()
        let isInAll =
            audience.map(isAsked)
            ?? participants.contains { .person($0.person.text) == receiver && !$0.isRemoved }
        guard isInAll, meeting.status == .confirmed else { return !known.isOn }
        return known.isOn && known.revision ?? 0 >= meeting.series?.revision ?? 0
    }

    /// The state of one of the dates of a series, as of a meeting that does not repeat.
    func on(_ date: SeriesDate) -> MeetingState {
        var state = self
        state.meeting = meeting.on(date)
        state.scope = DateScope(
            name: date.name, plannedUntil: meeting.series?.plannedUntil ?? Series.endless)
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

    /// Whether it is no date any more: whoever had been asked to it alone is told that it is off.
    private func isGone(_ date: SeriesDate) -> Bool {
        guard date.change == nil, let own = dateParticipants[date.name],
            own.allSatisfy(\.isRemoved)
        else { return false }
        return !meeting.hasDate(named: date.name, in: zone)
    }

    /// The state of what a row is about: the whole, or one of the dates.
    func about(_ key: NotificationKey) -> MeetingState {
        guard !key.occurrence.isEmpty, let date = meeting.date(named: key.occurrence, in: zone)
        else { return self }
        return on(date)
    }
}

extension [Participant] {
    /// The people of a series on one of its dates, where these are otherwise on it.
    public func on(_ special: [Participant]) -> [Participant] {
        guard !special.isEmpty else { return self }
        let own = Dictionary(special.map { ($0.person, $0) }, uniquingKeysWith: { $1 })
        let known = Set(map(\.person))
        return map { own[$0.person] ?? $0 } + special.filter { !known.contains($0.person) }
    }
}
