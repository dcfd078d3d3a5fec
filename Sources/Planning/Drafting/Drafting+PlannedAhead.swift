import Agenda
import Timekeeping

/// The number of reminders that are in the ledger in advance.
extension Drafting {
    /// The most reminders of a series that are added in advance, unless those of one day are more.
    private static let aheadMax = 2000
    /// The most reminders of the dates of one day, unless it has one date.
    private static let dayMax = 4000
    /// The most dates of a day for members. The owner may have more.
    private static let datesOfDayMax = 5
    private static let daySeconds: Int64 = 86_400

    /// A draft that plans fewer reminders in advance if they would be very many: those of a shorter
    /// period, but at least of one day.
    func limited(_ draft: MeetingDraft, now: Moment) throws -> MeetingDraft {
        guard let series = draft.meeting.series, draft.meeting.status == .confirmed else {
            return draft
        }
        let count = draft.remindersOfDate
        let isRare = !series.rule.namesTimes
        let days = Int(Planner.plannedAheadSeconds / Self.daySeconds) + 1
        guard !isRare || count * days > Self.aheadMax else { return draft }
        let zone = try zone(named: draft.meeting.time.zone)
        let longest = draft.longestReminderSeconds
        let dates = draft.meeting.dates(
            endingAfter: now, startingBefore: series.plannedUntil.advanced(bySeconds: longest),
            in: zone)
        let datesMax = max(1, Self.aheadMax / max(1, count))
        guard dates.count > datesMax else { return draft }
        let end = dates[datesMax].time.startsAt.advanced(bySeconds: -longest)
        var draft = draft
        draft.meeting.series?.plannedUntil = min(
            series.plannedUntil, max(end, now.advanced(bySeconds: Self.daySeconds)))
        return draft
    }

    /// Checks that a change does not lead to very many reminders a day.
    ///
    /// - Throws: ``RuleViolation`` with `reminders_too_dense` or `dates_too_dense`.
    func checkDensity(_ draft: MeetingDraft) throws {
        guard let series = draft.meeting.series, series.rule.namesTimes,
            draft.meeting.status == .confirmed
        else { return }
        let count = draft.remindersOfDate
        let isOlder = series.rule == draft.before.meeting.series?.rule && !draft.isNew
        guard !isOlder || count > MeetingDraft(draft.before).remindersOfDate else { return }
        let byReminders = max(1, Self.dayMax / max(1, count))
        let datesMax = actsAsOwner ? byReminders : min(byReminders, Self.datesOfDayMax)
        let datesOfDay = draft.meeting.dateCount(
            endingAfter: now, within: Self.daySeconds, atMost: datesMax + 1,
            in: try zone(named: draft.meeting.time.zone))
        guard datesOfDay > datesMax else { return }
        guard datesMax == byReminders else {
            throw RuleViolation(
                code: "dates_too_dense",
                message: "The meeting would take place more than \(datesMax) times a day.")
        }
        throw RuleViolation(
            code: "reminders_too_dense",
            message: "The dates of one day would have more than 4000 reminders. Choose fewer "
                + "dates, people or reminders.")
    }
}

extension MeetingDraft {
    /// The most reminders that a date of the series has, at least 0.
    fileprivate var remindersOfDate: Int {
        let own = before.wishes.reminders
        let people = participants.filter { !$0.isRemoved }
        return people.reduce(meeting.reminders.count) { count, participant in
            count + (own[participant.person] ?? meeting.reminders).count
        }
    }

    /// The longest time of a reminder before the start, in seconds.
    fileprivate var longestReminderSeconds: Int64 {
        let spans = before.wishes.reminders.values.joined() + meeting.reminders
        return Int64(spans.map { $0.days * 86_400 + $0.seconds }.max() ?? 0)
    }
}
