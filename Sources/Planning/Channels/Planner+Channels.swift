import Agenda
public import Ledger
public import Settings
import Secrets
import Sinks
import Storage
import Timekeeping

/// A channel as somebody asks for it.
public struct ChannelRequest: Sendable {
    /// The kind of its sink.
    public var kind = ""
    /// What it shall be called; `nil` for a name that tells whose it is.
    public var name: String?
    /// Whose: a person.
    public var who: String?
    /// Whose: the people of a circle.
    public var circle: String?
    /// Whose: all who take part in a meeting.
    public var meeting: String?
    /// What for; empty for everything.
    public var kinds: Set<NotificationKind> = []
    /// The address of the service.
    public var url = ""
    /// What it is called there, or the request that is made there.
    public var target = ""
    /// What opens it.
    public var secret: Secret?

    /// An empty request.
    public init() {}
}

/// What was done to a channel, and what follows from it.
public struct ChannelOutcome: ChangeOutcome {
    /// The channel.
    public let channel: ChannelView
    /// What was done: `added`, `removed` or `rotated`.
    public let change: String
    /// A secret that was made, for the receiver: it is shown this once. `null` where none was.
    @Null public var secret: String?
    /// Until when the secret before is good as well; `null` where there was none.
    @Null public var oldSecretUntil: Timestamp?
    /// How the ledger changed.
    public let notifications: NotificationsView
    /// `running` or `none`: whether a daemon works on this home.
    public let daemon: String
    /// What else there is to know, in sentences.
    public let remarks: [String]
}

extension Planner {
    /// How long the old secret is good beside a new one, in seconds: a day.
    private static let oldSecretSeconds: Int64 = 86_400

    /// The channels: those that the configuration switches on, then those that were added. Who is
    /// not the owner sees their own.
    public func channelViews() async throws -> [ChannelView] {
        let troubles = try await store.channelTroubles()
        guard actsAsOwner else {
            return try await store.ownChannels().filter {
                $0.channel.receiver == .person(actor.id.text)
            }.map { ChannelView($0, troubles: troubles, reader: zone) }
        }
        let configured = sinks.filter { $0.readers != .owners }.map {
            ChannelView($0, surroundings.configuration, troubles: troubles, reader: zone)
        }
        return try await configured
            + store.ownChannels().map { ChannelView($0, troubles: troubles, reader: zone) }
    }

    /// Adds a channel; what is planned for its readers goes by it from now on.
    ///
    /// - Parameters:
    ///   - request: the channel.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the channel, and what changes for its readers.
    /// - Throws: ``Refusal`` with what is missing or wrong.
    public func addChannel(
        _ request: ChannelRequest, saving: Bool = true
    ) async throws -> ChannelOutcome {
        let definition = try definition(ofSink: request.kind)
        guard let form = definition.form else {
            throw Refusal(
                .invalid, code: "no_own_channel",
                "Nobody has a channel of \(request.kind) of their own. To switch it on for "
                    + "everybody, name it in sinks.")
        }
        let (receiver, owner) = try await receiver(of: request)
        let made = form.secret == .made ? WebhookSecret.made(by: surroundings.chance) : nil
        let target = ChannelTarget(
            url: request.url, target: request.target,
            secret: request.secret?.value ?? made ?? "")
        try check(request, target, against: form, of: definition.kind)
        let record = ChannelRecord(
            OwnChannel(
                name: try await name(for: request, of: receiver, called: owner), sink: request.kind,
                receiver: receiver, kinds: request.kinds,
                address: definition.kind == .mail && !request.target.isEmpty
                    ? request.target : nil),
            to: target, owner: owner, addedAt: now)
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
        // Two ways by mail to the same reader cannot be told apart.
        let message =
            twin.map {
                "\($0.channel.name) sends mail there already. Remove it first: letsmeet sink "
                    + "remove \($0.channel.name)"
            } ?? "There is a channel named \(channel.name) already."
        return Refusal(.refused, code: "known_channel", message)
    }

    /// Twice the same address brings everything twice.
    private func remarks(on record: ChannelRecord) async throws -> [String] {
        try await store.ownChannels().filter {
            !record.target.url.isEmpty && $0.target.url == record.target.url
                && $0.target.target == record.target.target
        }.map { "\($0.channel.name) leads to the same address." }
    }

    private func outcome(
        _ change: String, _ channel: ChannelView, _ revisions: [MeetingRevision] = [],
        remarks: [String] = []
    ) -> ChannelOutcome {
        ChannelOutcome(
            channel: channel, change: change,
            notifications: NotificationsView(
                revisions, reader: zone, showingAddress: maySeeAddress),
            daemon: isDaemonRunning ? "running" : "none", remarks: remarks)
    }

    /// Removes a channel; what waits for it goes by the ways that are left.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - saving: whether to save it; without, the outcome is a preview.
    /// - Returns: the channel, and what changes for its readers.
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

    /// Gives a channel another secret; for a day, what it sends is signed with the old one as well.
    ///
    /// - Parameters:
    ///   - name: which channel.
    ///   - secret: the new one; one is made for who gives none, where letsmeet makes them.
    ///   - isOldGood: whether the old one is good for a day beside it.
    /// - Returns: the channel, and what was made.
    /// - Throws: ``Refusal`` with `unknown_channel`, `no_secret`, or `rotated_lately` where two are
    ///   good already.
    public func rotateChannel(
        _ name: String, to secret: Secret?, isOldGood: Bool = true
    ) async throws -> ChannelOutcome {
        let record = try await checkIsOwn(name)
        let form = try definition(ofSink: record.channel.sink).form
        guard let need = form?.secret, need != .no else {
            throw Refusal(.refused, code: "no_secret", "\(name) has no secret.")
        }
        guard secret != nil || need == .made else {
            throw Refusal(
                .invalid, code: "secret_missing",
                "The new secret of \(name) comes from the service: give it by --secret-file.")
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
                "\(name) got a new secret less than a day ago, and the one before is still good. "
                    + "To let the old ones go at once: letsmeet sink rotate \(name) --at-once")
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
            .refused, code: "unknown_channel", "There is no channel named \(name).",
            candidates: try await channelViews().map { .word($0.name) })
    }

    /// A channel that was added; those of the configuration are changed there.
    @discardableResult
    private func checkIsOwn(_ name: String) async throws -> ChannelRecord {
        if let own = try await store.ownChannels().first(where: { $0.channel.name == name }) {
            guard own.channel.receiver != .person(actor.id.text) else { return own }
            let audience = own.channel.receiver.audience.map { Audience(name: $0) }
            if let meeting = audience?.meeting,
                let organizer = try await store.meetingBundle(meeting)?.meeting.organizer,
                organizer == actor.id
            {
                return own
            }
            try checkIsOwner(to: "change a channel of others")
            return own
        }
        _ = try await channelView(name)
        throw Refusal(
            .refused, code: "configured",
            "\(name) is set up in the configuration: change it there. See: letsmeet config show")
    }

    private func definition(ofSink name: String) throws(Refusal) -> SinkDefinition {
        guard let definition = SinkTable.definitions.first(where: { $0.kind.name == name }) else {
            throw Refusal(
                .invalid, code: "unknown_sink", "There is no sink named \(name).",
                candidates: SinkTable.definitions.map { .word($0.kind.name) })
        }
        return definition
    }
}

extension Planner {
    /// Whose it shall be, and what people call them; nothing for the installation.
    private func receiver(
        of request: ChannelRequest
    ) async throws -> (receiver: Receiver, owner: String) {
        guard [request.who, request.circle, request.meeting].count(where: { $0 != nil }) <= 1 else {
            throw Refusal.conflictingArguments("Name one of --who, --circle and --meeting.")
        }
        if let name = request.meeting {
            let meeting = try await channelMeeting(name)
            return (Audience.meeting(meeting.id).receiver, meeting.title)
        }
        if let who = request.who {
            let person = try await knownPerson(who)
            if person.id != actor.id { try checkIsOwner(to: "choose how others are reached") }
            return (.person(person.id.text), person.name)
        }
        try checkIsOwner(to: "add a channel that many read")
        guard let name = request.circle else { return (Audience.installation.receiver, "") }
        let circle = try await storedCircle(name)
        return (Audience.circle(circle.id.text).receiver, circle.name)
    }

    /// A meeting of which the actor may say who reads of it.
    private func channelMeeting(_ name: String) async throws -> Meeting {
        let id = try await meetingID(name)
        guard let meeting = try await store.meetingBundle(id)?.meeting else {
            throw Self.unknownMeeting(name)
        }
        try checkMayChange(meeting)
        try checkIsAhead(meeting, verb: "told of")
        return meeting
    }

    /// Holds a request to what its kind needs.
    private func check(
        _ request: ChannelRequest, _ target: ChannelTarget, against form: ChannelForm,
        of channel: SinkKind
    ) throws {
        let parts = [
            (form.url, !request.url.isEmpty, "--url"),
            (
                form.target, !request.target.isEmpty,
                channel.name == "http" ? "--request" : "--to"
            ),
            (form.secret, request.secret != nil, "--secret-file"),
        ]
        for (need, isGiven, what) in parts {
            switch (need, isGiven) {
            case (.must, false): throw incomplete(channel, "\(what) is missing", form)
            case (.no, true): throw incomplete(channel, "\(what) is not needed", form)
            default: break
            }
        }
        if channel == .mail {
            guard sinks.contains(.mail) else {
                throw Refusal(
                    .refused, code: "sink_off",
                    "Mail is not on: set smtp.url, and name mail in sinks where those are named.")
            }
            guard request.who != nil || !request.target.isEmpty else {
                throw incomplete(channel, "--to is missing", form)
            }
        }
        if let kind = request.kinds.first(where: { !Audience.hears($0) }), request.who == nil {
            throw Refusal(
                .invalid, code: "not_for_many",
                "What is of the kind \(kind.rawValue) is for single people: name one by --who.")
        }
        if request.kinds.contains(.link), channel != .mail {
            throw Refusal(
                .invalid, code: "not_by_this_way",
                "A private link goes by mail alone: leave out --kind link.")
        }
        try checked(target, form, of: channel.name)
    }

    private func incomplete(
        _ channel: SinkKind, _ what: String, _ form: ChannelForm
    ) -> Refusal {
        Refusal(
            .invalid, code: "bad_channel", "For a channel of \(channel.name) \(what): \(form.words)"
        )
    }

    private func checked(
        _ target: ChannelTarget, _ form: ChannelForm?, of sink: String
    ) throws {
        do {
            try form?.check(target)
        } catch {
            throw Refusal(
                .invalid, code: "bad_channel", "A channel of \(sink): \(SinkFault.words(of: error))"
            )
        }
    }

    /// The name that somebody gave, or one that tells what it is and whose.
    private func name(
        for request: ChannelRequest, of receiver: Receiver, called owner: String
    ) async throws -> String {
        if let name = request.name {
            guard Self.isChannelName(name) else {
                throw Refusal(
                    .invalid, code: "bad_name",
                    "A channel's name has at most 50 letters, digits, - and _, and is none of a "
                        + "sink.")
            }
            return name
        }
        let whose =
            request.circle ?? request.who
            ?? (Audience(name: receiver.audience ?? "").meeting == nil ? "all" : owner)
        let word = SearchKey.fold(whose).filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
            .prefix(30)
        let base = "\(request.kind)-\(word.isEmpty ? "own" : String(word))"
        let taken = Set(try await store.ownChannels().map(\.channel.name))
        return ([base] + (2...Store.channelsMax).lazy.map { "\(base)-\($0)" })
            .first { !taken.contains($0) } ?? base
    }

    private static func isChannelName(_ name: String) -> Bool {
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
                || scalar == "-" || scalar == "_"
        }
        return isPlain && (1...50).contains(name.utf8.count)
            && !SinkTable.definitions.contains { $0.kind.name == name }
    }
}

extension WebhookSecret {
    /// A new one, as it is written down.
    fileprivate static func made(by chance: Chance) -> String {
        var source = chance.source
        return WebhookSecret(using: &source).text
    }
}
