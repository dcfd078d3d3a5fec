public import Agenda
public import Ledger
public import Settings
import Secrets
import Sinks
import Storage
import Timekeeping

/// A request to add a channel.
public struct ChannelRequest: Sendable {
    /// The people who read a channel.
    public enum Readers: Sendable {
        /// Everybody in the installation.
        case installation
        /// A person.
        case person(Person)
        /// The people of a circle.
        case circle(Circle)
        /// The participants of a meeting.
        case meeting(MeetingID)

        var isOnePerson: Bool {
            if case .person = self { true } else { false }
        }
    }

    /// The kind of its sink.
    public var kind = ""
    /// The name; `nil` for a name that is made from the kind and the label.
    public var name: String?
    /// The word for the readers in a name that is made; `nil` for their own name.
    public var label: String?
    /// The people who read it.
    public var readers = Readers.installation
    /// The kinds of notification that it carries; empty for all.
    public var kinds: Set<NotificationKind> = []
    /// The address of the service.
    public var url = ""
    /// The destination at the service, or the description of an HTTP request.
    public var target = ""
    /// The password, token or key.
    public var secret: Secret?

    /// An empty request.
    public init() {}
}

/// A change to a channel, with its consequences.
public struct ChannelOutcome: ChangeOutcome {
    /// The channel.
    public let channel: ChannelView
    /// The change: `added`, `removed`, `rotated`, `paused` or `resumed`.
    public let change: String
    /// A generated secret for the receiver, shown only once; `null` if none was generated.
    @Null public var secret: String?
    /// The time until which the old secret is valid too; `null` if there is no old secret.
    @Null public var oldSecretUntil: Timestamp?
    /// The changes in the ledger.
    public let notifications: NotificationsView
    /// `running` if a daemon runs on this home, else `none`.
    public let daemon: DaemonPresence
    /// Remarks for the person who made the change.
    public let remarks: [Remark]
}

extension Planner {
    /// The time for which the old secret stays valid beside a new one, in seconds: a day.
    private static let oldSecretSeconds: Int64 = 86_400

    /// The channels that the configuration enables, then the channels that were added. A person who
    /// is not the owner sees only their own, and those of the meetings that they organize.
    public func channelViews() async throws -> [ChannelView] {
        let troubles = try await store.channelTroubles()
        guard actsAsOwner else {
            var own: [ChannelView] = []
            for record in try await store.ownChannels() where try await isOwn(record) {
                own.append(ChannelView(record, troubles: troubles, reader: zone))
            }
            return own
        }
        let configured = sinks.filter { $0.readers != .owners }.map {
            ChannelView($0, surroundings.configuration, troubles: troubles, reader: zone)
        }
        return try await configured
            + store.ownChannels().map { ChannelView($0, troubles: troubles, reader: zone) }
    }

    /// Adds a channel. Planned notifications to its readers go through it from now on.
    ///
    /// - Parameters:
    ///   - request: the channel.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the channel, and the changes for its readers.
    /// - Throws: ``Refusal`` if a field is missing or not valid, or with `forbidden_host`.
    public func addChannel(
        _ request: ChannelRequest, saving: Bool = true
    ) async throws -> ChannelOutcome {
        let definition = try definition(ofSink: request.kind)
        guard let form = definition.form else {
            throw Refusal(
                .invalid, code: "no_own_channel",
                "The sink \(request.kind) has no channels of its own. To enable it for everybody, "
                    + "add it to `sinks` in letsmeet.yaml.")
        }
        let (receiver, owner) = try await receiver(of: request)
        let made = form.secret == .made ? WebhookSecret.made(by: surroundings.chance) : nil
        let target = ChannelTarget(
            url: request.url, target: request.target,
            secret: request.secret?.value ?? made ?? "", isPublicOnly: !actsAsOwner)
        try check(request, target, against: form, of: definition.kind)
        try checkIsAllowed(request.url)
        let record = ChannelRecord(
            OwnChannel(
                name: try await name(for: request, called: owner), sink: request.kind,
                receiver: receiver, kinds: request.kinds,
                address: definition.kind == .mail && !request.target.isEmpty
                    ? request.target : nil),
            to: target, owner: owner, addedAt: now)
        try await checkMember(record)
        let remarks = try await remarks(on: record)
        let revisions = try await store.addChannel(
            record, now: now, saving: saving,
            replanning: replanning(because: "a channel was added"))
        guard let revisions else { throw try await knownChannel(record) }
        var outcome = outcome(
            "added", ChannelView(record, troubles: [], reader: zone), revisions, remarks: remarks)
        outcome.secret = saving && request.secret == nil ? made : nil
        return outcome
    }

    private func knownChannel(_ record: ChannelRecord) async throws -> Refusal {
        let channel = record.channel
        let twin = try await store.ownChannels().first {
            $0.channel.sink == SinkKind.mail.name && channel.sink == SinkKind.mail.name
                && $0.channel.receiver == channel.receiver
        }
        // Two mail channels of the same reader cannot be told apart.
        let message =
            twin.map { "The channel \($0.channel.name) already sends mail to this reader." }
            ?? "A channel named \"\(channel.name)\" already exists."
        return Refusal(
            .refused, code: "known_channel", message,
            advice: [.channels(twin.map { .remove($0.channel.name) } ?? .list)])
    }

    /// Remarks on other channels with the same address, where readers get every message twice.
    private func remarks(on record: ChannelRecord) async throws -> [Remark] {
        let twins = try await store.ownChannels().filter {
            !record.target.url.isEmpty && $0.target.url == record.target.url
                && $0.target.target == record.target.target
        }
        // Members learn of their own channels only.
        return twins.filter { actsAsOwner || $0.channel.receiver == record.channel.receiver }
            .map { "The channel \($0.channel.name) has the same address." }
    }

    private func outcome(
        _ change: String, _ channel: ChannelView, _ revisions: [MeetingRevision] = [],
        remarks: [Remark] = []
    ) -> ChannelOutcome {
        ChannelOutcome(
            channel: channel, change: change,
            notifications: notifications(revisions),
            daemon: daemonPresence, remarks: remarks)
    }

    /// Removes a channel. Its unsent deliveries go through the remaining channels.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - saving: whether to save it; if not, the outcome is a preview.
    /// - Returns: the channel, and the changes for its readers.
    /// - Throws: ``Refusal`` with `unknown_channel`.
    public func removeChannel(
        _ name: String, saving: Bool = true
    ) async throws -> ChannelOutcome {
        try await checkIsOwn(name)
        let view = try await channelView(name)
        let revisions = try await store.removeChannel(
            name, now: now, saving: saving,
            replanning: replanning(because: "the channel \(name) was removed"))
        return outcome("removed", view, revisions ?? [])
    }

    /// Pauses a channel, or ends its pause. Nothing goes through a paused channel: its unsent
    /// deliveries go through the remaining ones.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - isPaused: whether it is paused from now on.
    /// - Returns: the channel, and the changes for its readers.
    /// - Throws: ``Refusal`` with `unknown_channel`.
    @discardableResult
    public func pauseChannel(_ name: String, _ isPaused: Bool) async throws -> ChannelOutcome {
        try await checkIsOwn(name)
        let words = isPaused ? "was paused" : "is no longer paused"
        let revisions = try await store.pauseChannel(
            name, isPaused: isPaused, now: now,
            replanning: replanning(because: "the channel \(name) \(words)"))
        return outcome(
            isPaused ? "paused" : "resumed", try await channelView(name), revisions ?? [])
    }

    /// Replaces the secret of a channel. For a day, messages are signed with the old one too.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - secret: the new secret; `nil` to generate one, for kinds that allow it.
    ///   - isOldGood: whether the old secret stays valid for a day.
    /// - Returns: the channel, with the secret if it was generated.
    /// - Throws: ``Refusal`` with `unknown_channel`, `no_secret`, `secret_missing`, or
    ///   `rotated_lately` if two secrets are valid already.
    public func rotateChannel(
        _ name: String, to secret: Secret?, isOldGood: Bool = true
    ) async throws -> ChannelOutcome {
        let record = try await checkIsOwn(name)
        let form = try definition(ofSink: record.channel.sink).form
        guard let need = form?.secret, need != .no else {
            throw Refusal(.refused, code: "no_secret", "The channel \(name) has no secret.")
        }
        guard secret != nil || need == .made else {
            throw Refusal(
                .invalid, code: "secret_missing",
                "The service issues the secret of \(name), so letsmeet cannot make a new one.",
                advice: [.give([.secret])])
        }
        let made = secret == nil ? WebhookSecret.made(by: surroundings.chance) : nil
        let text = secret?.value ?? made ?? ""
        let target = record.target
        try checked(
            ChannelTarget(url: target.url, target: target.target, secret: text), form,
            of: record.channel.sink)
        let isKept = isOldGood && need == .made
        let until = isKept ? now.advanced(bySeconds: Self.oldSecretSeconds) : now
        guard try await store.rotateSecret(of: name, to: text, oldUntil: until, now: now) else {
            throw Refusal(
                .refused, code: "rotated_lately",
                "\(name) got a new secret less than a day ago, and its old one is still valid.",
                advice: [.channels(.dropOldSecrets(name))])
        }
        try await store.forgetTrouble(of: record.channel.sink, named: name)
        var outcome = outcome("rotated", try await channelView(name))
        outcome.secret = made
        outcome.oldSecretUntil = isKept ? Timestamp(until, reader: zone) : nil
        return outcome
    }

    func channelView(_ name: String) async throws -> ChannelView {
        guard let view = try await channelViews().first(where: { $0.name == name }) else {
            throw try await unknownChannel(name)
        }
        return view
    }

    func unknownChannel(_ name: String) async throws -> Refusal {
        Refusal(
            .refused, code: "unknown_channel", "There is no channel named \"\(name)\".",
            candidates: try await channelViews().map { .word($0.name) },
            advice: [.channels(.list)])
    }

    /// Finds an added channel that the actor may change. Configured channels are refused.
    @discardableResult
    func checkIsOwn(_ name: String) async throws -> ChannelRecord {
        if let own = try await store.ownChannels().first(where: { $0.channel.name == name }) {
            // Names of channels contain those of people, circles and meetings.
            if actsAsOwner { return own }
            guard try await isOwn(own) else { throw try await unknownChannel(name) }
            return own
        }
        _ = try await channelView(name)
        throw Refusal(
            .refused, code: "configured",
            "The channel \(name) is set up in the configuration. Change it there.",
            advice: [.installation(.showSettings)])
    }

    private func definition(ofSink name: String) throws(Refusal) -> SinkDefinition {
        guard let definition = SinkTable.definitions.first(where: { $0.kind.name == name }) else {
            throw Refusal(
                .invalid, code: "unknown_sink",
                "There is no kind of sink \"\(name)\". The kinds are: "
                    + "\(ChannelKinds.help.map(\.kind).joined(separator: ", ")).")
        }
        return definition
    }
}

extension WebhookSecret {
    /// A new random secret as text.
    fileprivate static func made(by chance: Chance) -> String {
        var source = chance.source
        return WebhookSecret(using: &source).text
    }
}
