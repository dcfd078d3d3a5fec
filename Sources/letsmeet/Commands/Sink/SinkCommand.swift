import ArgumentParser
import Foundation
import Ledger
import Planning
import Settings
import Wording

struct SinkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sink",
        abstract: "Choose the ways by which people and groups are told things.",
        discussion: """
            Each notification goes through every sink that the configuration switches on. A person \
            who has a channel of their own gets theirs through that; a group, or the whole \
            installation, reads one message for all in its channel.

            EXAMPLE: letsmeet sink add ntfy --who anna --url https://ntfy.sh/annas-topic
            """,
        subcommands: [
            SinkList.self, SinkAdd.self, SinkRemove.self, SinkRotate.self, SinkTest.self,
        ])
}

struct SinkList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the channels, and say which are in trouble.",
        discussion: "EXAMPLE: letsmeet sink list")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let sinks: [ChannelView]
    }

    func run() async throws {
        let channels = try await common.planner().channelViews()
        try common.answer(Answer(sinks: channels)) {
            channels.isEmpty ? "No channel is on." : Self.text(of: channels)
        }
    }

    private static func text(of channels: [ChannelView]) -> String {
        var table = Table()
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
        case ("installation", _): "the whole installation"
        case ("circle", let name?): "the circle \(name)"
        case ("meeting", let name?): "all of \(name)"
        case (_, let name): name ?? ""
        }
    }

    fileprivate var remarks: String {
        [
            name == kind ? "" : kind, kinds.joined(separator: ", "),
            isSigned == false ? "not signed" : "", isClosed ? "closed" : "",
        ].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    fileprivate var troubleText: String? {
        guard let trouble else { return nil }
        let failure = "\(name) has failed since \(trouble.at.words): \(trouble.reason)"
        if isClosed { return "\(failure)\n  To try it again: letsmeet sink test \(name)" }
        guard trouble.outcome == "misconfigured" else { return failure }
        return "\(failure)\n  What is for it waits until that is set right. To see whether it is: "
            + "letsmeet sink test \(name)"
    }
}

/// Where a secret comes from: it is no argument, which others on the machine could read.
struct SecretOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The file that holds the secret; - for standard input.", valueName: "file"),
        completion: .file())
    var secretFile: String?

    /// The secret; `nil` where none is given, and none may be asked for.
    func secret(asking question: String?) throws -> Secret? {
        guard let secretFile else {
            guard let question, Terminal.isInteractive else { return nil }
            let typed = Terminal.secret(question)
            return typed.isEmpty ? nil : Secret(typed)
        }
        return Secret(try InputFile.text(secretFile))
    }
}

/// Short texts that stand in files.
enum InputFile {
    private static let octetsMax = 64 << 10

    /// The text of a file, without white space around it; `-` is standard input.
    ///
    /// - Throws: `Refusal` with `unreadable_file`.
    static func text(_ path: String) throws -> String {
        let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        guard let data = try? file?.read(upToCount: octetsMax + 1), data.count <= octetsMax,
            let text = String(validating: data, as: UTF8.self)
        else {
            throw Refusal(
                .invalid, code: "unreadable_file",
                "\(path == "-" ? "Standard input" : path) cannot be read, is no text, or is "
                    + "larger than 64 KiB.")
        }
        guard !text.isEmpty else {
            throw Refusal(
                .invalid, code: "unreadable_file",
                "\(path == "-" ? "Standard input" : path) is empty.")
        }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

struct SinkAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Give a person, a group or everybody a channel.",
        discussion: """
            Without --who, --circle and --meeting the whole installation reads one message for all.

            A person who has channels is told things by them, each by those for its kind, and what \
            fails for good goes by another way.

            Requests go to no address of this machine or of a private network, unless \
            webhook.allow, LETSMEET_WEBHOOK_ALLOW, names it.

            The kinds, and what each needs:

            \(ChannelKinds.help.joined(separator: "\n\n"))

            EXAMPLE: letsmeet sink add matrix --circle hikers --url https://matrix.example \
            --to '!abc:example' --secret-file token
            """)

    @Argument(help: "The kind of sink.") var kind: String
    @Option(help: ArgumentHelp("Whose: a person.", valueName: "who")) var who: String?
    @Option(help: ArgumentHelp("Whose: the people of a circle.", valueName: "name"))
    var circle: String?
    @Option(help: ArgumentHelp("Whose: all who take part in a meeting.", valueName: "meeting"))
    var meeting: String?
    @Option(
        name: .customLong("kind"),
        help: ArgumentHelp(
            "Only for these; may be repeated, and takes commas.", valueName: "kind"))
    var kinds: [String] = []
    @Option(help: ArgumentHelp("The address of the service; - reads it.", valueName: "url"))
    var url: String?
    @Option(help: ArgumentHelp("Where to there: a room, a mail address.", valueName: "target"))
    var to: String?
    @Option(
        help: ArgumentHelp("A file that describes the request of an http sink.", valueName: "file"),
        completion: .file())
    var request: String?
    @Option(help: ArgumentHelp("What to call it.", valueName: "name")) var name: String?
    @OptionGroup var secret: SecretOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard to == nil || request == nil else {
            throw ValidationError("Name --to or --request, not both.")
        }
        guard url != "-" || secret.secretFile != "-" else {
            throw ValidationError("Standard input holds the address or the secret, not both.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        var asked = ChannelRequest()
        asked.kind = kind
        asked.name = name
        asked.who = who
        asked.circle = circle
        asked.meeting = meeting
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

    private static func kinds(_ words: [String]) throws -> Set<NotificationKind> {
        Set(
            try words.names(for: "--kind").map { word in
                guard let kind = NotificationKind(rawValue: word) else {
                    let known = NotificationKind.allCases.map(\.rawValue)
                    throw Refusal(
                        .invalid, code: "unknown_kind",
                        "There is no kind named \(word). Kinds are: "
                            + known.joined(separator: ", ") + ".")
                }
                return kind
            })
    }

    private static func typedAddress() throws -> String {
        guard !Terminal.isInteractive else { return Terminal.secret("The address: ") }
        return try InputFile.text("-")
    }
}

struct SinkRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a channel.",
        discussion: """
            What waits for it goes by the ways that are left.

            EXAMPLE: letsmeet sink remove ntfy-anna
            """)

    @Argument(help: "The channel.") var name: String
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
        commandName: "rotate", abstract: "Give a channel another secret.",
        discussion: """
            For a day, what a webhook brings is signed with the old secret as well: long enough to \
            give the new one to the receiver.

            EXAMPLE: letsmeet sink rotate webhook-all
            """)

    @Argument(help: "The channel.") var name: String
    @Flag(help: "Let the old secret be good for nothing from now on.") var atOnce = false
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
        commandName: "test", abstract: "Send a sample, and show what is said.",
        discussion: """
            Nothing is planned, and nothing is kept of it. What is secret is shown as ***. Ends \
            with status 3 where the sample was not taken.

            EXAMPLE: letsmeet sink test mail --to anna@example.org
            """)

    @Argument(help: "The channel: mail, webhook, stdout, or one that was added.")
    var name: String
    @Option(help: ArgumentHelp("Where to.", valueName: "address")) var to: String?
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
                ? "\(name) has taken it." : "\(name): \(report.outcome): \(words)"
        }
        if !report.isAccepted { throw ExitCode(Refusal.Category.unreachable.exitStatus) }
    }
}

extension SinkTestReport.Line {
    fileprivate var shown: String {
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
            lines.append("Its secret, for the receiver; it is not shown again: \(secret)")
        }
        if let oldSecretUntil {
            lines.append("The old one is good as well until \(oldSecretUntil.words).")
        }
        return lines
    }

    var times: [String] { [] }

    var deed: String { heading.joined(separator: " ") }

    private var words: String { change == "rotated" ? "has another secret" : "is \(change)" }
}
