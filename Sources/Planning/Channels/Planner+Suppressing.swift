public import Agenda
import Interchange
import Ledger
import Settings
import Storage
import Timekeeping

/// A suppressed address: letsmeet sends nothing to it.
public struct SuppressionView: Encodable, Sendable {
    /// The address; a pseudonym if its person was erased.
    public let address: String
    /// The sink for which it is suppressed; `null` for all.
    @Null public var channel: String?
    /// The origin: `hand`, `bounce` or `unsubscribed`.
    public let origin: String
    /// The reason.
    public let reason: String
    /// The time from which it is suppressed.
    public let since: Timestamp
    /// The time until which it is suppressed; `null` if it has no end.
    @Null public var until: Timestamp?
    /// True if the suppression has ended, and messages are sent again.
    public let isOver: Bool

    init(_ suppression: Suppression, reader: Zone, now: Moment) {
        address = suppression.address
        channel = suppression.channel
        origin = suppression.origin.rawValue
        reason = suppression.reason
        since = Timestamp(suppression.since, reader: reader)
        until = suppression.until.map { Timestamp($0, reader: reader) }
        isOver = suppression.until.map { $0 <= now } ?? false
    }
}

/// The consequences of suppressing an address, or of ending that.
public struct SuppressionOutcome: ChangeOutcome {
    /// The address.
    public let address: String
    /// The suppression; `null` if it was ended.
    @Null public var suppression: SuppressionView?
    /// The changes in the ledger.
    public let notifications: NotificationsView
    /// `running` if a daemon runs on this home, else `none`.
    public let daemon: DaemonPresence
    /// Remarks for the person who made the change.
    public let remarks: [Remark]
}

extension Planner {
    /// True if a channel is the actor's, or that of a meeting that they organize.
    func isOwn(_ record: ChannelRecord) async throws -> Bool {
        guard record.channel.receiver != .person(actor.id.text) else { return true }
        let audience = record.channel.receiver.audience.map { Audience(name: $0) }
        guard let meeting = audience?.meeting else { return false }
        return try await store.meetingBundle(meeting)?.meeting.organizer == actor.id
    }

    /// The maximum length of a reason, in characters.
    private static let suppressionReasonCharactersMax = 200

    /// The suppressed addresses.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func suppressions(
        limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<SuppressionView> {
        try checkIsOwner(to: "see suppressed addresses")
        return FirstRows(try await store.suppressions(limit: limit + 1), countMax: limit)
            .each { SuppressionView($0, reader: zone, now: now) }
    }

    /// Suppresses an address: letsmeet sends nothing more to it.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - channel: the sink for which it is suppressed; `nil` for all.
    ///   - end: the time until which it is suppressed, as the user typed it; `nil` for no end.
    ///   - reason: the reason in words; `nil` for one that names the actor.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the consequences.
    /// - Throws: ``Refusal`` with `not_allowed`, `bad_address`, `unknown_sink` or `bad_time`.
    public func suppress(
        _ address: String, channel: String?, until end: String?, reason: String?, saving: Bool
    ) async throws -> SuppressionOutcome {
        try checkIsOwner(to: "suppress addresses")
        let now = self.now
        let address = try Self.plausible(address)
        if let channel { _ = try Self.sinks(named: [channel]) }
        let until = try end.map { try moment($0) }
        if let until, until <= now {
            throw Refusal(
                .invalid, code: "bad_time", "That time has passed. Give a time in the future.")
        }
        let reason = reason ?? "suppressed by \(actor.name)"
        try MeetingRules.checkLine(
            reason, named: "reason", charactersMax: Self.suppressionReasonCharactersMax)
        let suppression = Suppression(
            address: address, channel: channel, origin: .hand, reason: reason, since: now,
            until: until)
        let revisions = try await store.suppress(
            suppression, now: now, saving: saving,
            replanning: replanning(because: "its address was suppressed"))
        return outcome(
            address, SuppressionView(suppression, reader: zone, now: now), revisions)
    }

    /// Ends the suppression of an address.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - channel: the sink; `nil` for all suppressions of the address.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the consequences.
    /// - Throws: ``Refusal`` with `not_allowed`, `bad_address` or `not_suppressed`.
    public func unsuppress(
        _ address: String, channel: String?, saving: Bool
    ) async throws -> SuppressionOutcome {
        try checkIsOwner(to: "suppress addresses")
        let address = try Self.plausible(address)
        let revisions = try await store.unsuppress(
            address, channel: channel, now: now, saving: saving,
            replanning: replanning(because: "its address is no longer suppressed"))
        guard let revisions else {
            throw Refusal(
                .refused, code: "not_suppressed", "\(address) is not suppressed.",
                advice: [.channels(.listSuppressions)])
        }
        return outcome(address, nil, revisions)
    }

    /// Ends the suppressions of a person's addresses that bounced, because the person has shown
    /// that they are there.
    ///
    /// - Parameters:
    ///   - person: the person.
    ///   - address: the address from which they wrote, which may be that of somebody else; `nil`
    ///     for all their addresses.
    ///   - meeting: a meeting whose state they know, so that news about it that came back is not
    ///     sent again; `nil` for none.
    /// - Throws: ``StoreError``, or the error of a meeting that cannot be planned.
    package func endBounces(
        of person: PersonID, at address: String? = nil, knowing meeting: MeetingID?
    ) async throws {
        guard try await store.hasBounces() else { return }
        let channels = try await store.ownChannels(of: person).compactMap(\.address)
        let own = Set(
            (try await store.addresses(of: person) + channels).map(MailAddress.folded))
        let proven = address.map { own.intersection([MailAddress.folded($0)]) } ?? own
        for address in proven.sorted() {
            _ = try await store.endBounces(
                of: address, channel: SinkKind.mail.name, knowing: meeting, now: now,
                replanning: replanning(because: "its address is in use after all"))
        }
    }

    private static func plausible(_ text: String) throws(Refusal) -> String {
        guard let address = MailAddress.plausible(text) else {
            throw Refusal(.invalid, code: "bad_address", "\"\(text)\" is not a mail address.")
        }
        return address
    }

    private func outcome(
        _ address: String, _ view: SuppressionView?, _ revisions: [MeetingRevision]
    ) -> SuppressionOutcome {
        SuppressionOutcome(
            address: address, suppression: view,
            notifications: notifications(revisions),
            daemon: daemonPresence, remarks: [])
    }
}
