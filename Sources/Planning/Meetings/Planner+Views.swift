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
        let bundle = MeetingBundle(
            meeting: revision.meeting, participants: revision.participants,
            people: revision.people, dateParticipants: revision.dateParticipants ?? [:])
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
        FileLock.holder(path: surroundings.home.daemonLock) != nil
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
        return MeetingView(
            meeting, guests: guests, organizer: organizer,
            dates: MeetingView.dates(of: bundle, after: now, zone: place, reader: zone),
            zone: place, reader: zone, now: now)
    }
}

extension Planner {
    /// A meeting with the reasons why nothing reaches some of its people, for those who may see
    /// their addresses.
    func notingReach(in view: MeetingView, of meeting: Meeting) async throws -> MeetingView {
        let rows = Dictionary(
            grouping: try await store.reach(in: meeting.id), by: \.person.text)
        var noted = view
        for (place, guest) in view.participants.enumerated()
        where maySeeAddress(of: PersonID(text: guest.id), in: meeting) {
            let isOpen = actsAsOwner || guest.id == actor.id.text
            let obstacle = rows[guest.id].flatMap(ReachRow.obstacle).map {
                isOpen ? $0 : OthersReason.shown($0)
            }
            // An address may have been added since.
            let isMissing = obstacle?.hasPrefix(LedgerRow.missingAddressMark) ?? false
            noted.participants[place].unreached =
                isMissing && guest.address != nil ? nil : obstacle
        }
        return noted
    }
}

extension MeetingView {
    /// The beginning of the reason for which a person is not reached if their last mail bounced.
    public static let bounceMark = Store.bounceMark
    /// The beginning of the reason for which a person is not reached if no address is known.
    public static let missingAddressMark = LedgerRow.missingAddressMark
    /// The beginning of the reason for which a person is not reached if their last message was
    /// refused.
    public static let refusalMark = "not delivered: "
}

extension ReachRow {
    /// The reason why nothing reaches a person: the last message to them bounced or was refused,
    /// or their address is missing or suppressed and they have no other channel.
    fileprivate static func obstacle(_ all: [ReachRow]) -> String? {
        // What the daemon only prints reaches nobody.
        let sent = all.filter { $0.channel != SinkKind.stdout.name }
        let rows = sent.isEmpty ? all : sent
        if let last = rows.last(where: { $0.state == .accepted || $0.state == .failed }) {
            if let bounce = last.bounce, last.state == .accepted { return bounce }
            if last.state == .failed, !rows.contains(where: { $0.isAnotherWay(than: last) }) {
                return MeetingView.refusalMark + last.reason
            }
        }
        guard !rows.contains(where: { $0.state == .planned }),
            let row = rows.last(where: { $0.state == .suppressed })
        else { return nil }
        let isMissing = row.reason.hasPrefix(LedgerRow.missingAddressMark)
        return isMissing && rows.last?.state == .accepted ? nil : row.reason
    }

    /// True if it waits to be sent to another address than a failed one.
    private func isAnotherWay(than failed: ReachRow) -> Bool {
        state == .planned && (channel, address) != (failed.channel, failed.address)
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
