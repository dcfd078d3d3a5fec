import Agenda
import Ledger
import Storage
public import Timekeeping

/// What a change did, or would do, to what people are told.
public protocol ChangeOutcome: Encodable, Sendable {
    /// How the ledger changed.
    var notifications: NotificationsView { get }
    /// `running` or `none`: whether a daemon works on this home.
    var daemon: String { get }
    /// What else there is to know, in sentences.
    var remarks: [String] { get }
}

/// How somebody wants to be reminded, and what follows from it.
public struct PolicyOutcome: ChangeOutcome {
    /// Whose policy it is.
    public let person: PersonLine
    /// How long before a start, in ISO 8601; `null` for what each meeting says.
    @Null public var reminders: [String]?
    /// How the ledger changed.
    public let notifications: NotificationsView
    /// `running` or `none`: whether a daemon works on this home.
    public let daemon: String
    /// What else there is to know, in sentences.
    public let remarks: [String]
}

extension Planner {
    /// How long before a start somebody wants to be reminded; `nil` without a policy.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` where it is somebody else's.
    public func reminderPolicy(of who: String?) async throws -> (PersonLine, [TimeSpan]?) {
        let person = try await policyHolder(who)
        if person.id != actor.id { try checkIsOwner(to: "see how others are reminded") }
        return (PersonLine(person), try await store.reminderPolicy(of: person.id))
    }

    /// Sets a reminder policy, or, with `nil`, takes it away, and plans coming meetings anew.
    public func setReminderPolicy(
        _ offsets: [TimeSpan]?, of who: String?, saving: Bool
    ) async throws -> PolicyOutcome {
        if let offsets { try MeetingRules.check(reminders: offsets) }
        let person = try await policyHolder(who)
        if person.id != actor.id { try checkIsOwner(to: "set how others are reminded") }
        let old = try await store.reminderPolicy(of: person.id)
        let now = self.now
        let revisions = try await store.setReminderPolicy(
            offsets?.uniqued(), of: person.id, now: now, saving: saving
        ) { bundle in
            var draft = MeetingDraft(bundle)
            draft.policiesBefore[person.id] = old
            return try decided(draft, deed: nil, reason: "the reminder policy changed", now: now)
        }
        return PolicyOutcome(
            person: PersonLine(person), reminders: offsets?.uniqued().map(\.iso),
            notifications: NotificationsView(
                revisions, reader: zone, showingAddress: maySeeAddress),
            daemon: isDaemonRunning ? "running" : "none",
            remarks: revisions.flatMap(Self.remarks))
    }

    private static func remarks(on revision: MeetingRevision) -> [String] {
        revision.difference.late.map { notification in
            tooLate(notification.offsetText, before: revision.meeting.title)
        }
    }

    private func policyHolder(_ who: String?) async throws -> Person {
        guard let who else { return actor }
        return try await knownPerson(who)
    }
}
