import Agenda
import Interchange
public import Ledger
import Settings
import Sinks
import Storage
import Synchronization
import Timekeeping
import Transport

/// The result of sending a sample through a sink.
public struct SinkTestReport: Encodable, Sendable {
    /// One line of the conversation with the server.
    public struct Line: Encodable, Sendable {
        /// The speaker: `letsmeet`, `server`, or `note` for a note about the connection.
        public let from: String
        /// The text, with three stars in place of each secret.
        public let text: String
    }

    /// The channel.
    public let name: String
    /// The address; `null` if the channel has a fixed destination.
    @Null public var to: String?
    /// The outcome of the attempt, as in the ledger.
    public let outcome: AttemptOutcome
    /// The receiver's status code.
    public let code: String
    /// The receiver's reply.
    public let reply: String
    /// The conversation; empty if the sink does not record one.
    public let dialogue: [Line]

    /// True if the receiver accepted the sample.
    public var isAccepted: Bool { outcome == .accepted }
}

extension Planner {
    /// Sends a sample through a channel, without a delivery in the ledger. If a channel that was
    /// closed or failing accepts it, the channel is open again.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - address: the address; `nil` for the channel's own address, else the owner's, if the sink
    ///     needs one.
    ///   - hear: receives each line of the conversation as it happens.
    /// - Returns: the result.
    /// - Throws: ``Refusal`` if the channel does not exist or is not set up.
    public func testSink(
        _ name: String, to address: String?,
        hear: @escaping @Sendable (SinkTestReport.Line) -> Void
    ) async throws -> SinkTestReport {
        try checkIsOwner(to: "test the sinks")
        let own = try await store.ownChannels().first { $0.channel.name == name }
        return try await test(own, name, to: address, hear: hear)
    }

    /// Sends a sample through a channel that the actor may change, and waits a while for the
    /// answer.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - seconds: the longest wait. After it, the attempt is ended.
    /// - Returns: the result; `nil` if no answer came in time.
    /// - Throws: ``Refusal`` with `unknown_channel`, or if the sink is not set up.
    public func testChannel(_ name: String, seconds: Int64) async throws -> SinkTestReport? {
        let own = try await checkIsOwn(name)
        let isMail = own.channel.sink == SinkKind.mail.name
        let address = isMail ? own.channel.address ?? actor.address : nil
        let clock = surroundings.waitClock
        return try await withThrowingTaskGroup(of: SinkTestReport?.self) { group in
            group.addTask { try await test(own, name, to: address) { _ in } }
            group.addTask {
                try? await clock.sleep(until: clock.now.advanced(bySeconds: seconds))
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    private func test(
        _ own: ChannelRecord?, _ name: String, to address: String?,
        hear: @escaping @Sendable (SinkTestReport.Line) -> Void
    ) async throws -> SinkTestReport {
        let lines = Mutex<[SinkTestReport.Line]>([])
        let note: @Sendable (Transcript.Speaker, String) -> Void = { speaker, text in
            let line = SinkTestReport.Line(from: speaker.name, text: text)
            lines.withLock { $0.append(line) }
            hear(line)
        }
        let definition = try await definition(of: own, named: name)
        let outgoing = try sample(by: own, through: definition.kind.name, to: address)
        let report = try await deliver(
            outgoing, through: definition, isOn: own == nil,
            Transcript(
                hiding: HiddenWords(secrets(of: own, definition)),
                showsBodies: !definition.isBodySecret, tell: note), noting: note)
        if report.outcome == .accepted {
            try await store.forgetTrouble(of: definition.kind.name, named: outgoing.channel)
        }
        return SinkTestReport(
            name: name, to: outgoing.address.isEmpty ? nil : outgoing.address,
            outcome: report.outcome, code: report.code, reply: report.reply,
            dialogue: lines.withLock { $0 })
    }

    private func definition(of own: ChannelRecord?, named name: String) async throws
        -> SinkDefinition
    {
        let sink = own?.channel.sink ?? name
        guard let definition = SinkTable.definitions.first(where: { $0.kind.name == sink }),
            own != nil || definition.kind.readers != .owners
        else { throw try await unknownChannel(name) }
        return definition
    }

    private func deliver(
        _ outgoing: OutgoingMessage, through definition: SinkDefinition, isOn: Bool,
        _ transcript: Transcript, noting note: (Transcript.Speaker, String) -> Void
    ) async throws -> AttemptReport {
        // Standard output is reserved for the command's answer, so the sample becomes a part of the
        // conversation.
        guard definition.kind != .stdout else {
            let sink = StdoutSink(descriptor: 2, clock: surroundings.waitClock)
            for line in sink.text(of: outgoing).split(whereSeparator: \.isNewline) {
                note(.here, String(line))
            }
            return AttemptReport(.accepted)
        }
        do throws(SinkFault) {
            return try await definition.make(
                in: surroundings.sinkContext(transcript: transcript), isOn: isOn
            ).deliver(outgoing)
        } catch {
            throw Refusal(
                .invalid, code: "sink_not_set_up",
                "The sink \(error.sink) is not set up: \(error.reason)", advice: error.advice)
        }
    }

    private func sample(
        by own: ChannelRecord?, through sink: String, to address: String?
    ) throws -> OutgoingMessage {
        let isMail = sink == SinkKind.mail.name
        let to = address ?? own?.channel.address ?? (isMail ? owner.address : "")
        guard !isMail || !to.isEmpty else {
            throw Refusal(
                .invalid, code: "no_address",
                "The sample needs a mail address, such as anna@example.org.",
                advice: [.give([.target])])
        }
        guard !isMail || (try? Mailbox(to)) != nil else {
            throw Refusal(
                .invalid, code: "bad_address",
                "\"\(to)\" is not a mail address. Write it as in anna@example.org.")
        }
        guard isMail || address == nil else {
            throw Refusal(
                .invalid, code: "no_address",
                "The channel has a fixed destination.", advice: [.leaveOut([.target])])
        }
        let start = WallTime(date: zone.wallTime(at: now).date.adding(days: 1), time: .noon)
        let startsAt = zone.moment(of: start)
        let id: Identifier<OutgoingMessage> = surroundings.chance.id()
        var outgoing = OutgoingMessage(
            identity: try surroundings.deliveryIdentities()
                .identity(of: "test-\(id.text)", on: sink), kind: .message,
            name: name(at: to, own), address: to, meeting: "sample", title: "Sample meeting",
            start: startsAt.rfc3339(offsetSeconds: zone.offsetSeconds(at: startsAt)),
            zone: zone.id, due: now, writtenAt: now, sender: nil,
            subject: "Test message from letsmeet",
            text: "This is a test: letsmeet can reach you. It is not about a real meeting.")
        outgoing.channel = isMail ? "" : own?.channel.name ?? ""
        outgoing.target = own?.target(at: now)
        let isForMany = own.map { $0.channel.receiver.audience != nil } ?? (sink == "webhook")
        if isForMany {
            outgoing.audience = own?.owner.isEmpty == false ? own?.owner : "installation"
        }
        return outgoing
    }

    /// The name of the receiver at an address; empty if the address is not known to be theirs.
    private func name(at address: String, _ own: ChannelRecord?) -> String {
        if let own, own.channel.receiver.audience == nil, address == own.channel.address ?? "" {
            return own.owner
        }
        let isOwners = MailAddress.folded(address) == MailAddress.folded(owner.address)
        return address.isEmpty || isOwners ? owner.name : ""
    }

    /// The secrets that the conversation must not show.
    private func secrets(of own: ChannelRecord?, _ definition: SinkDefinition) -> [String] {
        let configuration = surroundings.configuration
        let target =
            own?.target(at: now)
            ?? ChannelTarget(
                url: configuration.webhookURL?.value ?? "",
                secret: configuration.webhookSecret?.value ?? "")
        return definition.secrets(of: target) + [configuration.smtpPassword?.value ?? ""]
    }
}

extension Transcript.Speaker {
    fileprivate var name: String {
        switch self {
        case .note: "note"
        case .here: "letsmeet"
        case .there: "server"
        }
    }
}

extension Planner {
    /// Checks that letsmeet may send requests to a URL.
    ///
    /// - Throws: ``Refusal`` with `forbidden_host`, or with `bad_setting` if the list of allowed
    ///   hosts cannot be read.
    func checkIsAllowed(_ url: String) throws(Refusal) {
        let guardian: AddressGuard
        do throws(AddressGuard.Fault) {
            // The exceptions hold for addresses that the owner chooses.
            guardian = try AddressGuard(
                allowing: actsAsOwner ? surroundings.configuration.webhookAllow : "")
        } catch {
            throw Refusal(.invalid, code: "bad_setting", "webhook.allow: \(error.reason)")
        }
        // Read as it is read for sending, which also knows the short forms of addresses.
        guard let host = (try? HTTPURL(url))?.host, guardian.refuses(host: host) else { return }
        throw Refusal(
            .refused, code: "forbidden_host",
            "\(host) belongs to this machine or to a private network, and nothing is sent there. "
                + (actsAsOwner
                    ? "To allow it, add it to webhook.allow in letsmeet.yaml."
                    : "\(owner.name) may be able to add it for you."))
    }
}
