package import Agenda
import Ledger
import Settings
import Storage
import Timekeeping

extension Planner {
    /// A meeting with its people.
    ///
    /// - Throws: ``Refusal`` with `unknown_meeting`.
    package func bundle(_ id: MeetingID) async throws -> MeetingBundle {
        guard let bundle = try await store.meetingBundle(id) else {
            throw Refusal.unknownMeeting(id.text)
        }
        return bundle
    }

    func view(of revision: MeetingRevision) throws -> MeetingView {
        var bundle = MeetingBundle(
            meeting: revision.meeting, participants: revision.participants,
            people: revision.people, dateParticipants: revision.dateParticipants ?? [:])
        bundle.joinRequests = revision.joinRequests ?? [:]
        return try revision.date.map { try view(bundle, on: $0) } ?? view(bundle)
    }

    /// A meeting as the actor sees it, without the dates of a series that they may not see.
    func view(_ bundle: MeetingBundle) throws -> MeetingView {
        let seen = seenDates(of: bundle)
        var bundle = bundle
        bundle.meeting = seen.seen(bundle.meeting)
        var view = try view(bundle) { maySeeAddress(of: $0, in: bundle.meeting) }
        guard bundle.meeting.series != nil, seen != .all(without: []) else { return view }
        view.dates.removeAll { !seen.contains($0.occurrence) }
        view.nextOccurrence =
            view.dates.first { $0.status == .confirmed && $0.start.moment > now }?.start
        return view
    }

    /// One date of a series as the actor sees it.
    func view(_ bundle: MeetingBundle, on date: SeriesDate) throws -> MeetingView {
        let own = bundle.on(date, in: try zone(named: bundle.meeting.time.zone))
        var view = try view(own)
        view.repeat = bundle.meeting.series?.rule.description
        view.occurrence = date.name
        return view
    }

    /// True if a daemon works on this home folder.
    public var isDaemonRunning: Bool {
        FolderLock.isHeld(on: surroundings.home.path, file: surroundings.home.daemonLock)
    }

    /// The presence of a daemon on this home folder, for answers.
    var daemonPresence: DaemonPresence { isDaemonRunning ? .running : .none }

    /// A meeting as seen by a reader. `isShown` tells whether the reader may see the address of a
    /// person and their note to the organizer.
    func view(
        _ bundle: MeetingBundle, showing isShown: (PersonID) -> Bool
    ) throws -> MeetingView {
        let (meeting, people) = (bundle.meeting, bundle.people)
        let place = try zone(named: meeting.time.zone)
        let guests = bundle.participants.filter { !$0.isRemoved }.compactMap { participant in
            people[participant.person].map { person in
                let isPrivate = !isShown(person.id)
                var guest = MeetingView.Guest(participant, person: person, isPrivate: isPrivate)
                guest.byReader = participant.answeredBy == actor.id
                guest.answeredFor = participant.outdated.map {
                    Timestamp($0.start, in: place, reader: zone)
                }
                guest.proposed = participant.proposal.flatMap {
                    isPrivate ? nil : MeetingView.Period($0, in: place, reader: zone)
                }
                return guest
            }
        }
        let organizer = PersonLine(
            people[meeting.organizer] ?? owner, isPrivate: !isShown(meeting.organizer))
        let view = MeetingView(
            meeting, guests: guests, organizer: organizer,
            dates: MeetingView.dates(of: bundle, after: now, zone: place, reader: zone),
            zone: place, reader: zone, now: now)
        return try seated(view, bundle, in: place)
    }
}

extension MeetingView.Guest {
    /// Creates a guest. If `isPrivate`, address and note are left out.
    init(_ participant: Participant, person: Person, isPrivate: Bool) {
        let line = PersonLine(person, isPrivate: isPrivate)
        self.init(
            id: line.id, name: line.name, address: line.address.isEmpty ? nil : line.address,
            answer: participant.answer, plus: participant.plus,
            note: isPrivate ? "" : participant.note, byOther: participant.answeredBy != nil,
            unsigned: participant.isUnsigned)
    }
}
