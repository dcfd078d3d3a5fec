public import Agenda
import Ledger
import Settings
import Storage
import Timekeeping
import Wording

/// The result of a change of a meeting, or of a preview of it.
public struct MeetingOutcome: ChangeOutcome {
    /// The meeting after the change.
    public private(set) var meeting: MeetingView
    /// The changes of the ledger.
    public private(set) var notifications: NotificationsView
    /// `running` if a daemon works on this home folder, otherwise `none`.
    public let daemon: DaemonPresence
    /// Remarks about the change.
    public internal(set) var remarks: [Remark]
    /// The time of the additional reminder, if one was requested.
    public internal(set) var snoozed: Timestamp?
    /// The guest with the new answer, if the change was an answer.
    public internal(set) var answered: MeetingView.Guest?
    /// The participants who are busy at its time, if this was requested.
    public internal(set) var conflicts: [MeetingConflict] = []
    /// The saved or planned revision.
    var plan: MeetingRevision?
    /// The meeting that was changed. If a series was split in two, the part that ends.
    var origin: MeetingID?

    private enum CodingKeys: CodingKey {
        case meeting, notifications, daemon, remarks, snoozed, answered, conflicts
    }

    /// The same outcome for a preview of a new meeting, without ids: it gets them when it is
    /// created.
    var unmade: MeetingOutcome {
        var outcome = self
        outcome.meeting = meeting.unmade
        outcome.notifications = notifications.unmade
        return outcome
    }
}

extension Planner {
    /// Changes a meeting, one date of a series, or a date and all later ones. Loads the meeting,
    /// lets `change` edit a draft, plans the notifications, and saves everything in one
    /// transaction.
    package func revise(
        _ id: MeetingID, on date: String? = nil, from first: String? = nil,
        _ deed: MeetingAct.Deed?, joining people: [PersonID] = [],
        of circles: [CircleID] = [], reason: String, saving: Bool, remarks: [Remark] = [],
        change: @escaping @Sendable (inout MeetingDraft) throws -> Void
    ) async throws -> MeetingOutcome {
        let now = self.now
        let revision = try await store.reviseMeeting(
            id, joining: people, of: circles, saving: saving
        ) { bundle in
            var draft = MeetingDraft(bundle)
            if let split = try drafting.split(draft, at: first, change) {
                return try drafting.decided(split, deed: deed, reason: reason, now: now)
            }
            try drafting.change(&draft, on: date, change)
            return try drafting.numbered(draft, deed: deed, reason: reason, now: now)
        }
        guard let revision else { throw Self.unknownMeeting(id.text) }
        let isIdle = deed != nil && revision.act == nil && revision.difference.isEmpty
        return try outcome(
            revision, remarks: isIdle ? remarks + ["Nothing changes."] : remarks)
    }

    /// The outcome of a revision.
    func outcome(
        _ revision: MeetingRevision, remarks: [Remark] = []
    ) throws -> MeetingOutcome {
        // If a series was split in two, the second part is the one that was changed.
        let view = try view(of: revision.continued.first ?? revision)
        return MeetingOutcome(
            meeting: view,
            notifications: NotificationsView(
                [revision] + revision.continued, reader: zone, showingAddress: maySeeAddress),
            daemon: daemonPresence,
            remarks: remarks + revision.remarks
                + Self.remarks(on: revision.difference.late, for: view),
            plan: revision.continued.first ?? revision, origin: revision.meeting.id)
    }

    private func view(of revision: MeetingRevision) throws -> MeetingView {
        let bundle = MeetingBundle(
            meeting: revision.meeting, participants: revision.participants,
            people: revision.people, dateParticipants: revision.dateParticipants ?? [:])
        return try revision.date.map { try view(bundle, on: $0) } ?? view(bundle)
    }

    func view(_ bundle: MeetingBundle) throws -> MeetingView {
        try view(bundle) { maySeeAddress(of: $0, in: bundle.meeting) }
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

    /// Whether a daemon works on this home folder, for answers.
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

    /// The remarks about reminders whose time has already passed. They name the people, unless all
    /// are concerned.
    private static func remarks(
        on late: [PlannedNotification], for meeting: MeetingView
    ) -> [Remark] {
        let offsets = late.map(\.offsetText)
        let expected = meeting.participants.filter { $0.answer != .declined }
        return offsets.uniqued().map { offset in
            let people = zip(offsets, late).filter { $0.0 == offset }
                .map(\.1.key.receiver.person)
            let names = expected.filter { people.contains($0.id) }.map(\.name)
            let isForAll = names.count == expected.count
            return Remark(tooLate(offset, before: "the start", for: isForAll ? [] : names))
        }
    }

    /// The sentence that a reminder is not planned. Without names, it concerns everybody.
    static func tooLate(_ offset: String, before what: String, for names: [String] = []) -> String {
        let whom = names.isEmpty ? "" : " for \(names.joined(separator: ", "))"
        let span = (try? TimeSpan.parse(offset)).map(TimeWords.span) ?? offset
        return "The reminder \(span) before \(what) is not planned\(whom): its time has passed."
    }

    /// The refusal of a text that means no meeting.
    package static func unknownMeeting(_ text: String) -> Refusal {
        switch text {
        case "next":
            Refusal(.refused, code: "unknown_meeting", "There are no coming meetings.")
        case "last":
            Refusal(.refused, code: "unknown_meeting", "There are no past meetings yet.")
        default:
            Refusal(
                .refused, code: "unknown_meeting", "No coming meeting is called \"\(text)\".",
                advice: [.meetings(.list), .meetings(.listPast)])
        }
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

extension PlannedNotification {
    /// The reminder time as a span before the start, as in its key: `P1D`.
    var offsetText: String { key.mark.offsetText }
}
