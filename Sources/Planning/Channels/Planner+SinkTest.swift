import Agenda
import Interchange
import Ledger
import Settings
import Sinks
import Storage
import Synchronization
import Timekeeping
import Transport

/// How a sink took a sample.
public struct SinkTestReport: Encodable, Sendable {
    /// One line of what was said.
    public struct Line: Encodable, Sendable {
        /// Who said it: `letsmeet`, `server`, or `note` for what is about the connection.
        public let from: String
        /// What, with three stars for what is secret.
        public let text: String
    }

    /// Which channel.
    public let name: String
    /// Where to; `null` where the channel has one place to send to.
    @Null public var to: String?
    /// How it ended, as in the ledger.
    public let outcome: String
    /// The receiver's code.
    public let code: String
    /// The receiver's words.
    public let reply: String
    /// What was said; empty where nothing is said aloud.
    public let transcript: [Line]

    /// Whether the sample was taken.
    public var isAccepted: Bool { outcome == AttemptOutcome.accepted.rawValue }
}

extension Planner {
    /// Sends a sample by a channel, past the ledger: nothing is planned and nothing is kept of it.
    /// A channel that was closed, or in trouble, and takes it is open again.
    ///
    /// - Parameters:
    ///   - name: the channel.
    ///   - address: where to; `nil` for the owner's own address, where one is needed.
    ///   - hear: gets each line that is said, when it is said.
    /// - Returns: how it went.
    /// - Throws: ``Refusal`` where the channel is not there, or not set up.
    public func testSink(
        _ name: String, to address: String?,
        hear: @escaping @Sendable (SinkTestReport.Line) -> Void
    ) async throws -> SinkTestReport {
        try checkIsOwner(to: "test the sinks")
        let own = try await store.ownChannels().first { $0.channel.name == name }
        let lines = Mutex<[SinkTestReport.Line]>([])
        let definition = try await definition(of: own, named: name)
        let transcript = Transcript(
            hiding: HiddenWords(secrets(of: own, definition)), showsBodies: !definition.isBodySecret
        ) { speaker, text in
            let line = SinkTestReport.Line(from: speaker.name, text: text)
            lines.withLock { $0.append(line) }
            hear(line)
        }
        let sink = try sink(definition, isOn: own == nil, transcript)
        let outgoing = try sample(by: own, through: sink.name, to: address)
        let report = await sink.deliver(outgoing)
        if report.outcome == .accepted {
            try await store.forgetTrouble(of: sink.name, named: outgoing.channel)
        }
        return SinkTestReport(
            name: name, to: outgoing.address.isEmpty ? nil : outgoing.address,
            outcome: report.outcome.rawValue, code: report.code, reply: report.reply,
            transcript: lines.withLock { $0 })
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

    private func sink(
        _ definition: SinkDefinition, isOn: Bool, _ transcript: Transcript
    ) throws -> any Sink {
        // Standard output is for the answer.
        guard definition.kind != .stdout else {
            return StdoutSink(descriptor: 2, clock: surroundings.waitClock)
        }
        do throws(SinkFault) {
            return try definition.make(
                in: surroundings.sinkWorld(transcript: transcript), isOn: isOn)
        } catch {
            throw Refusal(
                .invalid, code: "sink_not_set_up",
                "The sink \(error.sink) is not set up: \(error.reason)")
        }
    }

    private func sample(
        by own: ChannelRecord?, through sink: String, to address: String?
    ) throws -> OutgoingMessage {
        let isMail = sink == SinkKind.mail.name
        let to = address ?? own?.channel.address ?? (isMail ? owner.address : "")
        guard !isMail || !to.isEmpty else {
            throw Refusal(
                .invalid, code: "no_address", "Say where to: --to anna@example.org")
        }
        guard !isMail || (try? Mailbox(to)) != nil else {
            throw Refusal(
                .invalid, code: "bad_address",
                "--to is no mail address: write it as in anna@example.org.")
        }
        guard isMail || address == nil else {
            throw Refusal(
                .invalid, code: "no_address",
                "\(sink) has one place to send to: leave out --to.")
        }
        let start = WallTime(date: zone.wallTime(at: now).date.adding(days: 1), time: .noon)
        let startsAt = zone.moment(of: start)
        let name: Identifier<OutgoingMessage> = surroundings.chance.id()
        var outgoing = OutgoingMessage(
            identity: SinkKind.identity(of: "test-\(name.text)", on: sink), kind: .message,
            name: owner.name, address: to, meeting: "sample", title: "A meeting, for show",
            start: startsAt.rfc3339(offsetSeconds: zone.offsetSeconds(at: startsAt)),
            zone: zone.id, due: now, writtenAt: now, sender: nil,
            subject: "A test of letsmeet",
            text: "Who can read this is reached by letsmeet. There is no meeting behind it.")
        outgoing.channel = isMail ? "" : own?.channel.name ?? ""
        outgoing.target = own?.target(at: now)
        let isForMany = own.map { $0.channel.receiver.audience != nil } ?? (sink == "webhook")
        if isForMany {
            outgoing.audience = own?.owner.isEmpty == false ? own?.owner : "installation"
        }
        return outgoing
    }

    /// What is not shown of what is said.
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
