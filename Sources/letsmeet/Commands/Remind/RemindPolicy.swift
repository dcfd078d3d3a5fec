import Agenda
import ArgumentParser
import Planning
import Timekeeping
import Wording

struct RemindPolicy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "How long before a start a person is reminded, and at which hours told things.",
        discussion: "EXAMPLE: letsmeet remind policy set 2d 3h --who anna",
        subcommands: [RemindPolicyShow.self, RemindPolicySet.self])
}

/// A person's policy in words.
enum PolicyText {
    /// "Anna: 2 days before; quiet hours 22:00-08:00 (Europe/Berlin)."
    static func of(_ policy: PolicyView) -> String {
        let reminders =
            switch policy.reminders {
            case nil: "as each meeting says"
            case []: "no reminders"
            case let spans?: SpanWords.before(spans)
            }
        var parts = [reminders]
        if !policy.quietHours.isEmpty {
            parts.append("quiet hours \(policy.quietHours.joined(separator: " and "))")
        }
        if !policy.sendWindows.isEmpty {
            parts.append("told only \(policy.sendWindows.joined(separator: " and "))")
        }
        let zone = parts.count > 1 ? " (\(policy.tz ?? "in each meeting's zone"))" : ""
        let digest = policy.digest.map { "; a \($0) digest" } ?? ""
        return "\(policy.person.name): \(parts.joined(separator: "; "))\(zone)\(digest)."
    }
}

struct RemindPolicyShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a person's policy.",
        discussion: "EXAMPLE: letsmeet remind policy show --who anna")

    @Option(help: "The person; you without it.") var who: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let policy = try await common.planner().policy(of: who)
        try common.answer(policy) { PolicyText.of(policy) }
    }
}

struct RemindPolicySet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a person's policy.",
        discussion: """
            Durations such as 1d 2h; none for no reminders; default for those of each meeting. \
            What is left out stays as it is.

            What falls into quiet hours, or outside of the send windows, waits for the next \
            opening on the person's clocks: a change or cancellation of a meeting in the next 12 \
            hours does not, nor does what would come too late then. Parts of a week are written \
            22:00-08:00, "mon-fri 09:00-18:00" or sun, and each option may be repeated.

            A digest says what a day or a week brings, what waits for an answer, and what others \
            wrote in the quiet hours, which does not come by itself then. The crontab says when it \
            is made.

            EXAMPLE: letsmeet remind policy set 2d 3h --who anna
            EXAMPLE: letsmeet remind policy set --quiet-hours 22:00-08:00 --who anna
            """)

    @Argument(help: "Durations, none, or default.") var reminders: [String] = []
    @Option(
        help: ArgumentHelp(
            "When nothing is sent, such as 22:00-08:00; none for no such hours.",
            valueName: "hours"))
    var quietHours: [String] = []
    @Option(
        help: ArgumentHelp(
            "When things are sent only, such as \"mon-fri 09:00-18:00\"; none for at any time.",
            valueName: "hours"))
    var sendWindow: [String] = []
    @Option(
        help: "A digest: daily, weekly or none.", completion: .list(["daily", "weekly", "none"]))
    var digest: String?
    @Option(help: "The person; you without it.") var who: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let digest, digest != "none", DigestPeriod(rawValue: digest) == nil {
            throw ValidationError("--digest is daily, weekly or none.")
        }
        guard reminders.isEmpty, quietHours.isEmpty, sendWindow.isEmpty, digest == nil else {
            return
        }
        throw ValidationError(
            "Say what to set: durations, none or default, --quiet-hours, --send-window or "
                + "--digest.")
    }

    func run() async throws {
        var edit = PolicyEdit()
        if reminders == ["default"] {
            edit.reminders = .asEachMeetingSays
        } else if let spans = try ReminderOption.read(reminders) {
            edit.reminders = .own(spans)
        }
        edit.quietHours = try HoursOption.read(quietHours, of: "--quiet-hours")
        edit.sendWindows = try HoursOption.read(sendWindow, of: "--send-window")
        if let digest { edit.digest = DigestPeriod(rawValue: digest).map { .each($0) } ?? .none }
        let planner = try await common.planner()
        let wanted = edit
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.setPolicy(wanted, of: who, saving: saving)
        }
    }
}

/// Parts of a week, as options take them.
enum HoursOption {
    /// - Returns: `nil` when the option was not given.
    /// - Throws: ``Refusal`` with `bad_hours`, or `usage` for an empty text.
    static func read(_ texts: [String], of option: String) throws(Refusal) -> [WeekSpan]? {
        guard !texts.isEmpty else { return nil }
        if texts.map({ $0.lowercased() }) == ["none"] { return [] }
        var spans: [WeekSpan] = []
        for text in texts {
            guard text.contains(where: { !$0.isWhitespace }) else { throw .empty(option) }
            do throws(WeekSpanError) {
                spans.append(try WeekSpan.parse(text))
            } catch {
                throw Refusal(.invalid, code: "bad_hours", "\(option): \(error)")
            }
        }
        return spans
    }
}
