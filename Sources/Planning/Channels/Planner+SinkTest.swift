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
    public let dialogue: [Line]

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
        let kind = try await kind(of: own, named: name)
        let dialogue = Transcript(
            hiding: HiddenWords(secrets(of: own, kind)), showsBodies: !kind.isBodySecret
        ) { speaker, text in
            let line = SinkTestReport.Line(from: speaker.name, text: text)
            lines.withLock { $0.append(line) }
            hear(line)
        }
        let sink = try sink(kind, isOn: own == nil, dialogue)
        let parcel = try sample(by: own, through: sink.name, to: address)
        let report = await sink.deliver(parcel)
        if report.outcome == .accepted {
            try await store.forgetTrouble(of: sink.name, named: parcel.channel)
        }
        return SinkTestReport(
            name: name, to: parcel.address.isEmpty ? nil : parcel.address,
            outcome: report.outcome.rawValue, code: report.code, reply: report.reply,
            dialogue: lines.withLock { $0 })
    }

    private func kind(of own: ChannelRecord?, named name: String) async throws -> SinkDefinition {
        let sink = own?.channel.sink ?? name
        guard let kind = SinkTable.kinds.first(where: { $0.channel.name == sink }),
            own != nil || kind.channel.readers != .owners
        else { throw try await unknownChannel(name) }
        return kind
    }

    private func sink(
        _ kind: SinkDefinition, isOn: Bool, _ dialogue: Transcript
    ) throws -> any Sink {
        // Standard output is for the answer.
        guard kind.channel != .stdout else {
            return StdoutSink(descriptor: 2, clock: surroundings.waitClock)
        }
        do throws(SinkFault) {
            return try kind.make(in: surroundings.sinkWorld(dialogue: dialogue), isOn: isOn)
        } catch {
            throw Refusal(
                .invalid, code: "sink_not_set_up",
                "The sink \(error.sink) is not set up: \(error.reason)")
        }
    }

    private func sample(
        by own: ChannelRecord?, through sink: String, to address: String?
    ) throws -> OutgoingMessage {
        let isMail = sink == Channel.mail.name
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
        var parcel = OutgoingMessage(
            identity: Channel.identity(of: "test-\(name.text)", on: sink), kind: .message,
            name: owner.name, address: to, meeting: "sample", title: "A meeting, for show",
            start: startsAt.rfc3339(offsetSeconds: zone.offsetSeconds(at: startsAt)),
            zone: zone.id, due: now, writtenAt: now, sender: nil,
            subject: "A test of letsmeet",
            text: "Who can read this is reached by letsmeet. There is no meeting behind it.")
        parcel.channel = isMail ? "" : own?.channel.name ?? ""
        parcel.target = own?.target(at: now)
        let isForMany = own.map { $0.channel.receiver.audience != nil } ?? (sink == "webhook")
        if isForMany { parcel.audience = own?.owner.isEmpty == false ? own?.owner : "installation" }
        return parcel
    }

    /// What is not shown of what is said.
    private func secrets(of own: ChannelRecord?, _ kind: SinkDefinition) -> [String] {
        let configuration = surroundings.configuration
        let target =
            own?.target(at: now)
            ?? ChannelTarget(
                url: configuration.webhookURL?.value ?? "",
                secret: configuration.webhookSecret?.value ?? "")
        return kind.secrets(of: target) + [configuration.smtpPassword?.value ?? ""]
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
