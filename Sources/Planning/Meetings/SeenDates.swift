import Ledger
package import Agenda
import Storage
import Timekeeping

/// The dates of a meeting that one person may see.
package enum SeenDates: Equatable, Sendable {
    /// All dates but those from which they were removed.
    case all(without: Set<String>)
    /// The dates to which they are invited, without the whole series.
    case only(Set<String>)

    /// The dates that a participant sees.
    ///
    /// - Parameters:
    ///   - person: the participant.
    ///   - bundle: the meeting with its participants.
    init(of person: PersonID, in bundle: MeetingBundle) {
        func names(_ isRemoved: Bool) -> Set<String> {
            Set(
                bundle.dateParticipants.filter { date in
                    date.value.contains { $0.person == person && $0.isRemoved == isRemoved }
                }.keys)
        }
        let isInAll = bundle.participants.contains { $0.person == person && !$0.isRemoved }
        self = isInAll ? .all(without: names(true)) : .only(names(false))
    }

    /// True if the person may see the date with this name.
    package func contains(_ name: String) -> Bool {
        switch self {
        case .all(let absences): !absences.contains(name)
        case .only(let names): names.contains(name)
        }
    }

    /// A series without the exceptions of dates that the person may not see.
    package func seen(_ meeting: Meeting) -> Meeting {
        guard meeting.series?.changes.isEmpty == false else { return meeting }
        var seen = meeting
        seen.series?.changes = meeting.series?.changes.filter { contains($0.key) } ?? [:]
        return seen
    }

    /// The dates from which the person was removed, if they are invited to the series.
    package var absences: Set<String> {
        if case .all(let absences) = self { absences } else { [] }
    }

    /// The dates, if the person is invited to these alone; `nil` if they are invited to the series.
    package var single: Set<String>? {
        if case .only(let names) = self { names } else { nil }
    }
}

extension Planner {
    /// The dates of a meeting that the actor may see. The organizer and the owner see all.
    package func seenDates(of bundle: MeetingBundle) -> SeenDates {
        actsAsOwner || bundle.meeting.organizer == actor.id
            ? .all(without: []) : SeenDates(of: actor.id, in: bundle)
    }

    /// The name of a date of a series that the actor may see; `nil` if there is no text.
    ///
    /// - Throws: ``Refusal`` with `not_a_participant` for other dates.
    func seenDate(_ text: String?, of id: MeetingID) async throws -> String? {
        guard let text, let bundle = try await store.meetingFacts(id),
            bundle.meeting.series != nil
        else { return text }
        let seen = seenDates(of: bundle)
        guard seen != .all(without: []) else { return text }
        let date = try drafting.date(text, of: seen.seen(bundle.meeting), pastToo: true)
        guard seen.contains(date.name) else { throw Self.notAnswerable }
        return date.name
    }

    /// The date that stands for a meeting of which the actor may see single dates: the next one,
    /// or else the last. `nil` if they may see the whole meeting.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting` if none of their dates exists any more.
    func soleDate(of bundle: MeetingBundle) throws -> SeriesDate? {
        guard let names = seenDates(of: bundle).single else { return nil }
        let own = try zone(named: bundle.meeting.time.zone)
        let dates = names.compactMap { bundle.meeting.date(named: $0, in: own) }
            .sorted { $0.time.startsAt < $1.time.startsAt }
        guard let date = dates.first(where: { $0.time.endsAt > now }) ?? dates.last else {
            throw Refusal.unknownMeeting(bundle.meeting.id.text)
        }
        return date
    }
}
