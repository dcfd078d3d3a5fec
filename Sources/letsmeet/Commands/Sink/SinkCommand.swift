import Agenda
import ArgumentParser
import Foundation
import Ledger
import Planning
import Programs
import Settings
import TextUI
import Wording

struct SinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink",
        abstract: "Manage delivery channels for people and groups.",
        discussion: """
            Each notification goes out through every enabled sink. A person with channels of their \
            own gets theirs through these instead. A group, or the whole installation, gets one \
            message for all in its channel.

            EXAMPLE: letsmeet sink add ntfy --who anna --url https://ntfy.sh/annas-topic
            """,
        subcommands: [
            SinkList.self, SinkAdd.self, SinkRemove.self, SinkRotate.self, SinkTest.self,
        ])
}

struct SinkList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List channels and their problems.",
        discussion: "EXAMPLE: letsmeet sink list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let sinks: [ChannelView]
    }

    func run() async throws {
        let channels = try await common.planner().channelViews()
        try common.list(Answer(sinks: channels)) {
            channels.isEmpty ? "No channels are enabled." : Self.text(of: channels)
        }
    }

    private static func text(of channels: [ChannelView]) -> String {
        var table = Table(["Channel", "Readers", "Address", "Remarks"], uncut: [0])
        for channel in channels {
            table.add(channel.name, channel.readers, channel.address ?? "", channel.remarks)
        }
        let troubles = channels.compactMap(\.troubleText)
        return ([table.text] + troubles).joined(separator: "\n")
    }
}

extension ChannelView {
    fileprivate var readers: String {
        switch (scope, owner) {
        case ("everybody", _): "each person"
        case ("accounts", _): "each person with an account"
        case ("installation", _): "the whole installation"
        case ("circle", let name?): "the circle \(name)"
        case ("meeting", let name?): "everybody in \(name)"
        case (_, let name): name ?? ""
        }
    }

    fileprivate var remarks: String {
        [
            name == kind ? "" : kind, kinds.joined(separator: ", "),
            isSigned == false ? "unsigned" : "", isClosed ? "closed" : "",
            isPaused ? "paused" : "",
        ].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    fileprivate var troubleText: String? {
        guard let trouble else { return nil }
        let failure = "\(name) has failed since \(trouble.at.words): \(trouble.reason)"
        if isClosed { return "\(failure)\n  To test it again: letsmeet sink test \(name)" }
        guard trouble.outcome == "misconfigured" else { return failure }
        return "\(failure)\n  Its deliveries wait until this is fixed. To test it: "
            + "letsmeet sink test \(name)"
    }
}

/// The source of a secret. The secret itself is not an argument, because other users of the machine
/// can read arguments.
struct SecretOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file with the secret, or - for standard input.", valueName: "file"),
        completion: .file())
    var secretFile: String?

    /// The secret; `nil` if none is given and the command may not ask for one.
    func secret(asking question: String?) throws -> Secret? {
        guard let secretFile else {
            guard let question, Screen.isInteractive else { return nil }
            let typed = Terminal.secret(question)
            return typed.isEmpty ? nil : Secret(typed)
        }
        return Secret(try InputFile.text(secretFile))
    }
}

/// Short texts read from files.
enum InputFile {
    private static let octetsMax = 64 << 10

    /// The text of a file without surrounding white space; `-` is standard input.
    ///
    /// - Throws: `Refusal` with `unreadable_file`.
    static func text(_ path: String) throws -> String {
        let octets = try NamedFile(path: path).octets()
        guard octets.count <= octetsMax, let text = String(validating: octets, as: UTF8.self) else {
            throw Refusal(
                .invalid, code: "unreadable_file",
                "\(path == "-" ? "Standard input" : path) is not text, or is larger than 64 KiB.")
        }
        guard !text.isEmpty else {
            throw Refusal(
                .invalid, code: "unreadable_file",
                "\(path == "-" ? "Standard input" : path) is empty.")
        }
        // An editor may have written a byte order mark.
        let mark = CharacterSet(charactersIn: "\u{FEFF}")
        return text.trimmingCharacters(in: .whitespacesAndNewlines.union(mark))
    }
}

struct SinkAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a channel for a person, a group or everybody.",
        discussion: """
            Without --who, --circle and --meeting, the channel gets one message for the whole \
            installation.

            A person with channels gets each notification through the channels for its kind. If \
            delivery fails permanently, another channel is tried.

            Addresses of this machine and of private networks are blocked unless webhook.allow \
            (LETSMEET_WEBHOOK_ALLOW) names them.

            Each kind of sink, and what it needs:

            \(SinkAdd.kindsHelp)

            Anyone who knows the address of a slack channel can post there: use --url - to type it \
            without showing it.

            EXAMPLE: letsmeet sink add matrix --circle hikers --url https://matrix.example \
            --to '!abc:example' --secret-file token
            """)

    @Argument(help: "The kind of sink.") var kind: String
    @Option(
        help: ArgumentHelp("Add it for this person.", valueName: "who"), completion: Offers.people)
    var who: String?
    @Option(
        help: ArgumentHelp("Add it for the people of this circle.", valueName: "name"),
        completion: Offers.circles)
    var circle: String?
    @Option(
        help: ArgumentHelp("Add it for the people of this meeting.", valueName: "meeting"),
        completion: Offers.meetings)
    var meeting: String?
    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp(
            "Only these kinds of notification; repeat it or use commas.", valueName: "kind"))
    var kinds: [String] = []
    @Option(help: ArgumentHelp("The address of the service, or - to read it.", valueName: "url"))
    var url: String?
    @Option(help: ArgumentHelp("The target there: a room or a mail address.", valueName: "target"))
    var to: String?
    @Option(
        help: ArgumentHelp("A file that describes the request of an http sink.", valueName: "file"),
        completion: .file())
    var request: String?
    @Option(help: ArgumentHelp("The name of the channel.", valueName: "name")) var name: String?
    @OptionGroup var secret: SecretOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard [who, circle, meeting].count(where: { $0 != nil }) <= 1 else {
            throw ValidationError("Use only one of --who, --circle and --meeting.")
        }
        guard to == nil || request == nil else {
            throw ValidationError("Use --to or --request, not both.")
        }
        guard url != "-" || secret.secretFile != "-" else {
            throw ValidationError("Standard input can hold the address or the secret, not both.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        var asked = ChannelRequest()
        asked.kind = kind
        asked.name = name
        asked.label = circle ?? who
        asked.readers = try await readers(planner)
        asked.kinds = try Self.kinds(kinds)
        asked.url = try url.map { $0 == "-" ? try Self.typedAddress() : $0 } ?? ""
        asked.target = try to ?? request.map { try InputFile.text($0) } ?? ""
        asked.secret = try secret.secret(
            asking: ChannelKinds.needSecret(kind) ? "The token: " : nil)
        let request = asked
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.addChannel(request, saving: saving)
        }
    }

    private func readers(_ planner: Planner) async throws -> ChannelRequest.Readers {
        if let meeting { return .meeting(try await planner.meetingID(named: meeting)) }
        if let who { return .person(try await planner.knownPerson(named: who)) }
        if let circle { return .circle(try await planner.circle(named: circle)) }
        return .installation
    }

    /// The options that each kind of channel takes.
    private static var kindsHelp: String {
        ChannelKinds.help.map { kind, hints in
            let options = hints.map { field, hint in
                "\(AdviceText.option(field)) \(field == .secret ? "holds" : "is") \(hint)"
            }
            return "\(kind): \(options.joined(separator: "; "))."
        }.joined(separator: "\n\n")
    }

    private static func kinds(_ words: [String]) throws -> Set<NotificationKind> {
        Set(
            try words.names(for: "--kind").map { word in
                guard let kind = NotificationKind(rawValue: word) else {
                    let known = NotificationKind.allCases.map(\.rawValue)
                    throw Refusal(
                        .invalid, code: "unknown_kind",
                        "There is no kind of notification \"\(word)\". The kinds are: "
                            + known.joined(separator: ", ") + ".")
                }
                return kind
            })
    }

    private static func typedAddress() throws -> String {
        guard !Screen.isInteractive else { return Terminal.secret("The address: ") }
        return try InputFile.text("-")
    }
}

struct SinkRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a channel.",
        discussion: """
            Its waiting deliveries go out through the remaining channels.

            EXAMPLE: letsmeet sink remove ntfy-anna
            """)

    @Argument(help: "The name of the channel.") var name: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.removeChannel(name, saving: saving)
        }
    }
}

struct SinkRotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate", abstract: "Replace the secret of a channel.",
        discussion: """
            For one day, requests of a webhook are also signed with the old secret, so that you \
            have time to give the new one to the receiver.

            EXAMPLE: letsmeet sink rotate webhook-all
            """)

    @Argument(help: "The name of the channel.") var name: String
    @Flag(help: "Stop using the old secret at once.") var atOnce = false
    @OptionGroup var secret: SecretOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let outcome = try await planner.rotateChannel(
            name, to: try secret.secret(asking: nil), isOldGood: !atOnce)
        try common.confirm(outcome) { outcome.heading.joined(separator: "\n") }
    }
}

struct SinkTest: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Send a sample and show the exchange.",
        discussion: """
            Nothing is planned or stored. Secrets are shown as ***. The command exits with status \
            3 if the sample is not accepted.

            EXAMPLE: letsmeet sink test mail --to anna@example.org
            """)

    @Argument(help: "The channel: mail, webhook, stdout, or the name of an added one.")
    var name: String
    @Option(help: ArgumentHelp("The address to send to.", valueName: "address")) var to: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let isTold = !common.json
        let report = try await planner.testSink(name, to: to) { line in
            if isTold { Terminal.say(line.shown) }
        }
        try common.answer(report) {
            let words = [report.code, report.reply].filter { !$0.isEmpty }.joined(separator: " ")
            return report.isAccepted
                ? "\(name) accepted the sample." : "\(name): \(report.outcome): \(words)"
        }
        if !report.isAccepted { throw ExitCode(Refusal.Category.unreachable.exitStatus) }
    }
}

extension SinkTestReport.Line {
    /// The line with a sign of who says it.
    var shown: String {
        switch from {
        case "letsmeet": "> \(text)"
        case "server": "< \(text)"
        default: "* \(text)"
        }
    }
}

extension ChannelOutcome: Readable {
    var heading: [String] {
        var lines = ["\(Style.bold(channel.name)) \(words)."]
        if let secret {
            lines.append("Give this secret to the receiver. It is not shown again: \(secret)")
        }
        if let oldSecretUntil {
            lines.append("The old secret is valid until \(oldSecretUntil.words).")
        }
        return lines
    }

    var times: [String] { [] }

    /// A secret ends its line, so that no full stop is copied with it.
    var deed: String { heading.joined(separator: "\n") }

    private var words: String { change == "rotated" ? "has a new secret" : "is \(change)" }
}
