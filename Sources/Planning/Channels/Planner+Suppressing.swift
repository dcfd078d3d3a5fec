import Agenda
import Interchange
import Ledger
import Settings
import Storage
import Timekeeping

/// An address to which nothing is sent.
public struct SuppressionView: Encodable, Sendable {
    /// The address; a pseudonym where its person was erased.
    public let address: String
    /// The way by which nothing is sent; `null` for all.
    @Null public var channel: String?
    /// `hand`, `bounce` or `unsubscribed`: who said so.
    public let origin: String
    /// Why.
    public let reason: String
    /// From when on.
    public let since: Timestamp
    /// Up to when; `null` for good.
    @Null public var until: Timestamp?
    /// Whether it is past, and things are sent again.
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

/// What follows from an address being put on the list, or taken off it.
public struct SuppressionOutcome: ChangeOutcome {
    /// The address.
    public let address: String
    /// The entry; `null` where it was taken off.
    @Null public var suppression: SuppressionView?
    /// How the ledger changed.
    public let notifications: NotificationsView
    /// `running` or `none`: whether a daemon works on this home.
    public let daemon: String
    /// What else there is to know, in sentences.
    public let remarks: [String]
}

extension Planner {
    /// The longest reason, in characters.
    private static let suppressionReasonCharactersMax = 200

    /// The addresses to which nothing is sent.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`.
    public func suppressions(
        limit: Int = Planner.listRowsMax
    ) async throws -> FirstRows<SuppressionView> {
        try checkIsOwner(to: "see to which addresses nothing is sent")
        return FirstRows(try await store.suppressions(limit: limit + 1), countMax: limit)
            .each { SuppressionView($0, reader: zone, now: now) }
    }

    /// Sends nothing more to an address.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - channel: the way; `nil` for all.
    ///   - end: up to when, as somebody typed it; `nil` for good.
    ///   - reason: why, in words.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: what follows from it.
    /// - Throws: ``Refusal`` with `not_allowed`, `bad_address`, `unknown_sink` or `bad_time`.
    public func suppress(
        _ address: String, channel: String?, until end: String?, reason: String?, saving: Bool
    ) async throws -> SuppressionOutcome {
        try checkIsOwner(to: "keep things from an address")
        let now = self.now
        let address = try Self.plausible(address)
        if let channel { _ = try Self.sinks(named: [channel]) }
        let until = try end.map { try moment($0) }
        if let until, until <= now {
            throw Refusal(
                .invalid, code: "bad_time", "That time has passed. Give one that lies ahead.")
        }
        let reason = reason ?? "\(actor.name) put it on the list"
        try MeetingRules.checkLine(
            reason, named: "reason", charactersMax: Self.suppressionReasonCharactersMax)
        let suppression = Suppression(
            address: address, channel: channel, origin: .hand, reason: reason, since: now,
            until: until)
        let revisions = try await store.suppress(
            suppression, now: now, saving: saving,
            replanning: replanning(because: "nothing is sent to this address"))
        return outcome(
            address, SuppressionView(suppression, reader: zone, now: now), revisions)
    }

    /// Sends to an address again.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - channel: the way; `nil` for all that is said of the address.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: what follows from it.
    /// - Throws: ``Refusal`` with `not_allowed`, `bad_address` or `not_suppressed`.
    public func unsuppress(
        _ address: String, channel: String?, saving: Bool
    ) async throws -> SuppressionOutcome {
        try checkIsOwner(to: "keep things from an address")
        let address = try Self.plausible(address)
        let revisions = try await store.unsuppress(
            address, channel: channel, now: now, saving: saving,
            replanning: replanning(because: "its address is written to again"))
        guard let revisions else {
            throw Refusal(
                .refused, code: "not_suppressed",
                "\(address) is not on the list. See: letsmeet ledger suppressions")
        }
        return outcome(address, nil, revisions)
    }

    private static func plausible(_ text: String) throws(Refusal) -> String {
        guard let address = MailAddress.plausible(text) else {
            throw Refusal(.invalid, code: "bad_address", "\(text) is no address.")
        }
        return address
    }

    private func outcome(
        _ address: String, _ view: SuppressionView?, _ revisions: [MeetingRevision]
    ) -> SuppressionOutcome {
        SuppressionOutcome(
            address: address, suppression: view,
            notifications: NotificationsView(
                revisions, reader: zone, showingAddress: maySeeAddress),
            daemon: isDaemonRunning ? "running" : "none", remarks: [])
    }
}
