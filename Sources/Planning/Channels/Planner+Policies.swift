public import Agenda
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

/// What is to be changed of how somebody wants to be told things.
public struct PolicyEdit: Sendable {
    /// Which reminders somebody gets.
    public enum Reminders: Sendable {
        /// Those of before.
        case kept
        /// Those of each meeting.
        case asEachMeetingSays
        /// These, whatever a meeting says.
        case own([TimeSpan])
    }

    /// Which reminders.
    public var reminders = Reminders.kept
    /// When nothing is sent; `nil` leaves it as it is.
    public var quietHours: [WeekSpan]?
    /// When things are sent only; `nil` leaves it as it is.
    public var sendWindows: [WeekSpan]?
    /// Which digests.
    public var digest = Digest.kept

    /// Which digests somebody gets.
    public enum Digest: Sendable {
        /// Those of before.
        case kept
        /// None.
        case none
        /// One for each such time.
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

/// How somebody wants to be told things.
public struct PolicyView: Encodable, Sendable {
    /// Whose policy it is.
    public let person: PersonLine
    /// How long before a start, in ISO 8601; `null` for what each meeting says.
    @Null public var reminders: [String]?
    /// When nothing is sent.
    public let quietHours: [String]
    /// When things are sent only; empty for at any time.
    public let sendWindows: [String]
    /// Which digests: `daily` or `weekly`; `null` for none.
    @Null public var digest: String?
    /// The zone by whose clocks hours are meant; `null` for that of each meeting.
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

/// How somebody wants to be told things from now on, and what follows from it.
public struct PolicyOutcome: ChangeOutcome {
    /// The policy.
    public let policy: PolicyView
    /// How the ledger changed.
    public let notifications: NotificationsView
    /// `running` or `none`: whether a daemon works on this home.
    public let daemon: String
    /// What else there is to know, in sentences.
    public let remarks: [String]

    private enum CodingKeys: String, CodingKey {
        case notifications, daemon, remarks
    }

    /// Writes the fields of the policy beside what follows from it.
    public func encode(to encoder: any Encoder) throws {
        try policy.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(notifications, forKey: .notifications)
        try container.encode(daemon, forKey: .daemon)
        try container.encode(remarks, forKey: .remarks)
    }
}

extension Planner {
    /// How somebody wants to be told things.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` where it is somebody else's.
    public func policy(of who: String?) async throws -> PolicyView {
        let person = try await policyHolder(who)
        if person.id != actor.id { try checkIsOwner(to: "see how others are reminded") }
        return view(try await store.policy(of: person.id), of: person)
    }

    /// Changes how somebody wants to be told things, and plans coming meetings anew.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, `too_many_hours` or `never_sent`, or
    ///   ``RuleViolation``.
    public func setPolicy(
        _ edit: PolicyEdit, of who: String?, saving: Bool
    ) async throws -> PolicyOutcome {
        if case .own(let spans) = edit.reminders { try MeetingRules.check(reminders: spans) }
        let person = try await policyHolder(who)
        if person.id != actor.id { try checkIsOwner(to: "set how others are reminded") }
        let now = self.now
        let (policy, revisions) = try await store.setPolicy(
            of: person.id, now: now, saving: saving, change: { try edit.apply(to: &$0) }
        ) { before in
            { bundle in
                var draft = MeetingDraft(bundle)
                draft.remindersBefore[person.id] = before.reminders
                return try decided(
                    draft, deed: nil, reason: "the reminder policy changed", now: now)
            }
        }
        return PolicyOutcome(
            policy: view(policy, of: person),
            notifications: NotificationsView(
                revisions, reader: zone, showingAddress: maySeeAddress),
            daemon: isDaemonRunning ? "running" : "none",
            remarks: revisions.flatMap(Self.remarks))
    }

    private func view(_ policy: PersonalPolicy, of person: Person) -> PolicyView {
        PolicyView(policy, of: person, zone: person.zone.flatMap { try? zone(named: $0) })
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
