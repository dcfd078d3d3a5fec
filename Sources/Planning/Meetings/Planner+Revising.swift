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

/// Looks at the meeting, or the date of it, that a change is about, as the actor sees it when the
/// change is saved, in the same transaction. Its error refuses the change.
public typealias MeetingCheck = @Sendable (MeetingView) throws -> Void

extension Planner {
    /// Changes a meeting, one date of a series, or a date and all later ones. Loads the meeting,
    /// lets `check` look at it and `change` edit a draft, plans the notifications, and saves
    /// everything in one transaction.
    package func revise(
        _ id: MeetingID, on date: String? = nil, from first: String? = nil,
        _ deed: MeetingAct.Deed?, joining people: [PersonID] = [],
        of circles: [CircleID] = [], reason: String, saving: Bool, remarks: [Remark] = [],
        checking check: MeetingCheck? = nil,
        change: @escaping @Sendable (inout MeetingDraft) throws -> Void
    ) async throws -> MeetingOutcome {
        do {
            return try await reviseDecided(
                id, on: date, from: first, deed, joining: people, of: circles, reason: reason,
                saving: saving, remarks: remarks, checking: check, change: change)
        } catch is MinimumIsDue {
            try await decideMinimum(of: id)
            return try await reviseDecided(
                id, on: date, from: first, deed, joining: people, of: circles, reason: reason,
                saving: saving, remarks: remarks, checking: check, change: change)
        }
    }

    /// The same for a meeting without a minimum on which a decision is due.
    private func reviseDecided(
        _ id: MeetingID, on date: String?, from first: String?,
        _ deed: MeetingAct.Deed?, joining people: [PersonID],
        of circles: [CircleID], reason: String, saving: Bool, remarks: [Remark],
        checking check: MeetingCheck?,
        change: @escaping @Sendable (inout MeetingDraft) throws -> Void
    ) async throws -> MeetingOutcome {
        let now = self.now
        let revision = try await store.reviseMeeting(
            id, joining: people, of: circles, saving: saving
        ) { bundle in
            try check?(shown(bundle, on: date ?? first))
            var draft = MeetingDraft(bundle)
            if saving { try drafting.checkMinimum(draft) }
            if var split = try drafting.split(draft, at: first, change) {
                // The second part is a new meeting, to which everybody is invited.
                split.before.organizerLimit = split.after == nil ? messageLimit : organizerLimit
                return try drafting.decided(split, deed: deed, reason: reason, now: now)
            }
            try drafting.change(&draft, on: date, even: deed == .uncancelled, change)
            let isLimited = deed.map { $0.isLimited || date != nil } ?? false
            if isLimited, draft.organizerLimit == nil {
                draft.organizerLimit = messageLimit
            }
            return try drafting.numbered(draft, deed: deed, reason: reason, now: now)
        }
        guard let revision else { throw Refusal.unknownMeeting(id.text) }
        let isIdle = deed != nil && revision.act == nil && revision.difference.isEmpty
        let isOfWhole = deed != nil && date == nil
        let parts = try await isOfWhole ? self.remarks(onPartsBeside: revision) : []
        return try outcome(
            revision, remarks: remarks + (isIdle ? ["Nothing changes."] : []) + parts)
    }

    /// The outcome of a revision.
    func outcome(
        _ revision: MeetingRevision, remarks: [Remark] = []
    ) throws -> MeetingOutcome {
        // If a series was split in two, the second part is the one that was changed.
        let view = try view(of: revision.continued.first ?? revision)
        return MeetingOutcome(
            meeting: view,
            notifications: notifications([revision] + revision.continued),
            daemon: daemonPresence,
            remarks: remarks + revision.remarks
                + Self.remarks(on: seenLate(of: revision), for: view),
            plan: revision.continued.first ?? revision, origin: revision.meeting.id)
    }

    /// The late reminders of which the actor may know: not those that others chose for themselves.
    private func seenLate(of revision: MeetingRevision) -> [PlannedNotification] {
        revision.difference.late.filter { late in
            late.key.receiver.person.map { person in
                sight(of: PersonID(text: person), in: revision.meeting) == .all
            } ?? true || !revision.isByOwnChoice(late.key)
        }
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
            return tooLate(offset, before: nil, for: isForAll ? [] : names)
        }
    }

    /// The remark that a reminder is not planned.
    ///
    /// - Parameters:
    ///   - offset: the time before the start, such as `1h`.
    ///   - meeting: the title of the meeting; `nil` if it is clear.
    ///   - names: the people who are not reminded; empty for all.
    /// - Returns: the remark.
    static func tooLate(
        _ offset: String, before meeting: String? = nil, for names: [String] = []
    ) -> Remark {
        let span = (try? TimeSpan.parse(offset)).map { Phrase.Value.span($0) } ?? .text(offset)
        let start = meeting == nil ? "the start" : "%title%"
        let whom = names.isEmpty ? "" : " for %names%"
        return Remark(
            Phrase(
                "The reminder %span% before \(start) is not planned\(whom): its time has passed.",
                ["span": span, "title": .text(meeting ?? ""), "names": .names(names)]))
    }
}

extension MeetingAct.Deed {
    /// True if the limit of a member's messages holds for it. A meeting can always be cancelled,
    /// but not one date of a series after the other.
    fileprivate var isLimited: Bool {
        switch self {
        case .created, .edited, .moved, .uncancelled, .invited: true
        case .cancelled, .uninvited: false
        }
    }
}

extension PlannedNotification {
    /// The reminder time as a span before the start, as in its key: `P1D`.
    var offsetText: String { key.mark.offsetText }
}
