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
    /// True to have the quiet hours of circles or of the installation, and none of one's own.
    public var followsDefaultHours = false
    /// The quiet hours, in which nothing is sent; `nil` keeps them.
    public var quietHours: [WeekSpan]?
    /// The only hours in which messages are sent; `nil` keeps them.
    public var sendWindows: [WeekSpan]?
    /// The choice of digests.
    public var digest = Digest.kept
    /// True to show birthdays of contacts in the day and in digests; `nil` keeps the choice.
    public var showsBirthdays: Bool?

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
        policy.showsBirthdays = showsBirthdays ?? policy.showsBirthdays
        if followsDefaultHours {
            let windows = sendWindows ?? policy.hours?.windows ?? []
            guard windows.isEmpty else {
                throw Refusal.conflictingArguments(
                    "Send windows are hours of one's own, so the default quiet hours do not apply "
                        + "beside them. Remove the send windows, too.")
            }
            return policy.hours = nil
        }
        guard quietHours != nil || sendWindows != nil else { return }
        // Without hours of their own, somebody who removes their send windows has none.
        guard policy.hours != nil || quietHours != nil || sendWindows?.isEmpty == false else {
            return
        }
        policy.hours = try Planner.hours(
            quiet: quietHours ?? policy.hours?.quiet ?? [],
            windows: sendWindows ?? policy.hours?.windows ?? [])
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
    /// Where these hours are set: `person`, `circle` or `installation`; `null` if nowhere.
    @Null public var hoursFrom: String?
    /// The digests: `daily` or `weekly`; `null` for none.
    @Null public var digest: String?
    /// True if birthdays of contacts are shown in the day and in digests.
    public let birthdays: Bool
    /// The time zone of the hours; `null` for the time zone of each meeting.
    @Null public var tz: String?

    init(
        _ policy: PersonalPolicy, _ sending: (hours: SendingHours, origin: HoursOrigin)?,
        of person: Person, zone: Zone?
    ) {
        self.person = PersonLine(person)
        reminders = policy.reminders?.map(\.iso)
        quietHours = (sending?.hours.quiet ?? []).map(\.description)
        sendWindows = (sending?.hours.windows ?? []).map(\.description)
        hoursFrom = sending?.origin.rawValue
        digest = policy.digest?.rawValue
        birthdays = policy.showsBirthdays
        tz = zone?.id
    }
}

/// The new notification policy of a person, or the new quiet hours of a circle, with the
/// consequences.
public struct PolicyOutcome<Policy: Encodable & Sendable>: ChangeOutcome {
    /// The policy.
    public let policy: Policy
    /// The changes in the ledger.
    public let notifications: NotificationsView
    /// `running` if a daemon runs on this home, else `none`.
    public let daemon: DaemonPresence
    /// Remarks for the person who made the change.
    public let remarks: [Remark]

    /// Writes the fields of the policy and of its consequences into one object.
    public func encode(to encoder: any Encoder) throws {
        try policy.encode(to: encoder)
        var container = encoder.container(keyedBy: ConsequenceKeys.self)
        try container.encode(notifications, forKey: .notifications)
        try container.encode(daemon, forKey: .daemon)
        try container.encode(remarks, forKey: .remarks)
    }
}

private enum ConsequenceKeys: String, CodingKey {
    case notifications, daemon, remarks
}

extension Planner {
    /// The notification policy of a person.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` if the policy belongs to somebody else.
    public func policy(of person: Person) async throws -> PolicyView {
        if person.id != actor.id { try checkIsOwner(to: "see how others are reminded") }
        return view(
            try await store.policy(of: person.id), try await store.sendingHours(of: person.id),
            of: person)
    }

    /// Changes a person's notification policy, and replans their coming meetings.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, `too_many_hours` or `never_sent`, or
    ///   ``RuleViolation``.
    public func setPolicy(
        _ edit: PolicyEdit, of person: Person, saving: Bool
    ) async throws -> PolicyOutcome<PolicyView> {
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
                    draft, deed: nil, reason: Store.reminderChoiceReason, now: now)
            }
        }
        let own = policy.hours.map { (hours: $0, origin: HoursOrigin.person) }
        let inherited = own == nil ? try await store.inheritedHours(of: person.id) : nil
        return PolicyOutcome(
            policy: view(policy, own ?? inherited, of: person),
            notifications: notifications(revisions),
            daemon: daemonPresence,
            remarks: revisions.flatMap(Self.remarks))
    }

    private func view(
        _ policy: PersonalPolicy, _ sending: (hours: SendingHours, origin: HoursOrigin)?,
        of person: Person
    ) -> PolicyView {
        PolicyView(
            policy, sending, of: person, zone: person.zone.flatMap { try? zone(named: $0) })
    }

    private static func remarks(on revision: MeetingRevision) -> [Remark] {
        revision.difference.late.map { notification in
            tooLate(notification.offsetText, before: revision.meeting.title)
        }
    }
}
