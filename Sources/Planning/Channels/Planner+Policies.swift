public import Agenda
import Ledger
import Storage
public import Timekeeping

/// A change to a person's notification policy.
public struct PolicyEdit: Sendable {
    /// The choice of reminders.
    public enum Reminders: Sendable {
        /// Unchanged.
        case kept
        /// The reminders of each meeting.
        case asEachMeetingSays
        /// These reminders for every meeting, in place of its own.
        case own([TimeSpan])
    }

    /// The choice of reminders.
    public var reminders = Reminders.kept
    /// The quiet hours, in which nothing is sent; `nil` keeps them.
    public var quietHours: [WeekSpan]?
    /// The only hours in which messages are sent; `nil` keeps them.
    public var sendWindows: [WeekSpan]?
    /// The choice of digests.
    public var digest = Digest.kept

    /// The choice of digests.
    public enum Digest: Sendable {
        /// Unchanged.
        case kept
        /// None.
        case none
        /// One digest for each period.
        case each(DigestPeriod)
    }

    /// An edit that changes nothing.
    public init() {}

    fileprivate func apply(to policy: inout PersonalPolicy) throws {
        switch reminders {
        case .kept: break
        case .asEachMeetingSays: policy.reminders = nil
        case .own(let spans): policy.reminders = spans.uniqued()
        }
        switch digest {
        case .kept: break
        case .none: policy.digest = nil
        case .each(let period): policy.digest = period
        }
        do throws(SendingHoursError) {
            policy.hours = try SendingHours(
                quiet: quietHours?.uniqued() ?? policy.hours.quiet,
                windows: sendWindows?.uniqued() ?? policy.hours.windows)
        } catch {
            let code =
                switch error {
                case .tooMany: "too_many_hours"
                case .never: "never_sent"
                }
            throw Refusal(.invalid, code: code, error.description)
        }
    }
}

/// A person's notification policy.
public struct PolicyView: Encodable, Sendable {
    /// The person.
    public let person: PersonLine
    /// The times of reminders before a start, in ISO 8601; `null` for those of each meeting.
    @Null public var reminders: [String]?
    /// The quiet hours, in which nothing is sent.
    public let quietHours: [String]
    /// The only hours in which messages are sent; empty for any time.
    public let sendWindows: [String]
    /// The digests: `daily` or `weekly`; `null` for none.
    @Null public var digest: String?
    /// The time zone of the hours; `null` for the time zone of each meeting.
    @Null public var tz: String?

    init(_ policy: PersonalPolicy, of person: Person, zone: Zone?) {
        self.person = PersonLine(person)
        reminders = policy.reminders?.map(\.iso)
        quietHours = policy.hours.quiet.map(\.description)
        sendWindows = policy.hours.windows.map(\.description)
        digest = policy.digest?.rawValue
        tz = zone?.id
    }
}

/// A person's new notification policy, with its consequences.
public struct PolicyOutcome: ChangeOutcome {
    /// The policy.
    public let policy: PolicyView
    /// The changes in the ledger.
    public let notifications: NotificationsView
    /// `running` if a daemon runs on this home, else `none`.
    public let daemon: DaemonPresence
    /// Remarks for the person who made the change.
    public let remarks: [Remark]

    private enum CodingKeys: String, CodingKey {
        case notifications, daemon, remarks
    }

    /// Writes the fields of the policy and of its consequences into one object.
    public func encode(to encoder: any Encoder) throws {
        try policy.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notifications, forKey: .notifications)
        try container.encode(daemon, forKey: .daemon)
        try container.encode(remarks, forKey: .remarks)
    }
}

extension Planner {
    /// The notification policy of a person.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` if the policy belongs to somebody else.
    public func policy(of person: Person) async throws -> PolicyView {
        if person.id != actor.id { try checkIsOwner(to: "see how others are reminded") }
        return view(try await store.policy(of: person.id), of: person)
    }

    /// Changes a person's notification policy, and replans their coming meetings.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, `too_many_hours` or `never_sent`, or
    ///   ``RuleViolation``.
    public func setPolicy(
        _ edit: PolicyEdit, of person: Person, saving: Bool
    ) async throws -> PolicyOutcome {
        if case .own(let spans) = edit.reminders { try MeetingRules.check(reminders: spans) }
        if person.id != actor.id { try checkIsOwner(to: "set how others are reminded") }
        let now = self.now
        let (policy, revisions) = try await store.setPolicy(
            of: person.id, now: now, saving: saving, change: { try edit.apply(to: &$0) }
        ) { before in
            { bundle in
                var draft = MeetingDraft(bundle)
                draft.remindersBefore[person.id] = before.reminders
                return try drafting.decided(
                    draft, deed: nil, reason: "the reminder policy changed", now: now)
            }
        }
        return PolicyOutcome(
            policy: view(policy, of: person),
            notifications: NotificationsView(
                revisions, reader: zone, showingAddress: maySeeAddress),
            daemon: daemonPresence,
            remarks: revisions.flatMap(Self.remarks))
    }

    private func view(_ policy: PersonalPolicy, of person: Person) -> PolicyView {
        PolicyView(policy, of: person, zone: person.zone.flatMap { try? zone(named: $0) })
    }

    private static func remarks(on revision: MeetingRevision) -> [Remark] {
        revision.difference.late.map { notification in
            tooLate(notification.offsetText, before: revision.meeting.title)
        }
    }
}
