import Agenda
import ArgumentParser
import Planning
import Timekeeping
import Wording

struct RemindPolicy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Manage when a person is reminded, and when they get messages.",
        discussion: "EXAMPLE: letsmeet remind policy set 2d 3h --who anna",
        subcommands: [RemindPolicyShow.self, RemindPolicySet.self])
}

/// The text form of a person's policy.
enum PolicyText {
    /// "Anna: 2 days before; quiet hours 22:00-08:00 (Europe/Berlin)."
    static func of(_ policy: PolicyView) -> String {
        let reminders =
            switch policy.reminders {
            case nil: "reminders as each meeting sets them"
            case []: "no reminders"
            case let spans?: SpanWords.before(spans)
            }
        var parts = [reminders]
        if !policy.quietHours.isEmpty {
            let whose =
                switch policy.hoursFrom {
                case "circle": " of a circle"
                case "installation": " for everybody"
                default: ""
                }
            parts.append("quiet hours\(whose) \(policy.quietHours.joined(separator: " and "))")
        }
        if !policy.sendWindows.isEmpty {
            parts.append("messages only \(policy.sendWindows.joined(separator: " and "))")
        }
        let zone = parts.count > 1 ? " (\(policy.tz ?? "in each meeting's zone"))" : ""
        let digest = policy.digest.map { "; a \($0) digest" } ?? ""
        let birthdays = policy.birthdays ? "" : "; no birthdays"
        return
            "\(policy.person.name): \(parts.joined(separator: "; "))\(zone)\(digest)\(birthdays)."
    }

    /// "The circle Choir: quiet hours 22:00-08:00."
    static func of(_ policy: CircleHoursView) -> String {
        let hours = policy.quietHours.joined(separator: " and ")
        let quiet = hours.isEmpty ? "no quiet hours" : "quiet hours \(hours)"
        return "The circle \(policy.circle.name): \(quiet)."
    }
}

struct RemindPolicyShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the policy of a person, or a circle's quiet hours.",
        discussion: "EXAMPLE: letsmeet remind policy show --who anna")

    @Option(help: "The person (default: you).", completion: Offers.people) var who: String?
    @Option(help: "The circle, in place of a person.", completion: Offers.circles)
    var circle: String?
    @OptionGroup var common: CommonOptions

    func validate() throws { try CircleOption.check(circle, who) }

    func run() async throws {
        let planner = try await common.planner()
        if let circle {
            let known = try await planner.circle(named: circle)
            let policy = try await planner.quietHours(of: known)
            return try common.answer(policy) { PolicyText.of(policy) }
        }
        let policy = try await planner.policy(
            of: try await planner.knownPerson(who) ?? planner.actor)
        try common.answer(policy) { PolicyText.of(policy) }
    }
}

struct RemindPolicySet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change the policy of a person, or a circle's quiet hours.",
        discussion: """
            Give reminder times such as 1d 2h, which are two (1d2h is one), none for no reminders, \
            or default for the reminders of each meeting. Settings that you leave out do not change.

            Messages in quiet hours, or outside the send windows, wait until the person may get \
            messages again. Two kinds do not wait: changes and cancellations of a meeting in the \
            next 12 hours, and messages that would come too late. Write hours as 22:00-08:00, \
            "mon-fri 09:00-18:00" or sun, in the person's time zone. You can repeat each option.

            People without quiet hours of their own have those of their circles, or of the setting \
            quiet-hours; with --quiet-hours none they have none, and with default those again. \
            Only the owner sets the quiet hours of a circle.

            A digest lists the meetings of a day or a week, birthdays of the person's contacts, \
            invitations without an answer, and messages that others sent in quiet hours, which \
            are then not sent separately. The crontab sets when it is sent. With --birthdays no, \
            neither digests nor the day show birthdays.

            EXAMPLE: letsmeet remind policy set 2d 3h --who anna
            EXAMPLE: letsmeet remind policy set --quiet-hours 22:00-08:00 --who anna
            EXAMPLE: letsmeet remind policy set --quiet-hours 21:00-09:00 --circle choir
            """)

    @Argument(help: "The reminder times, none, or default.") var reminders: [String] = []
    @Option(
        help: ArgumentHelp(
            "Hours without messages, such as 22:00-08:00 or 10pm-8am; or none; or default.",
            valueName: "hours"))
    var quietHours: [String] = []
    @Option(
        help: ArgumentHelp(
            "The only hours with messages, such as \"mon-fri 09:00-18:00\"; none for any time.",
            valueName: "hours"))
    var sendWindow: [String] = []
    @Option(
        help: "The digest: daily, weekly or none.", completion: .list(["daily", "weekly", "none"]))
    var digest: String?
    @Option(
        help: ArgumentHelp(
            "Whether birthdays of contacts are shown: yes (the default) or no.",
            valueName: "yes|no"), completion: .list(["yes", "no"]))
    var birthdays: String?
    @Option(help: "The person (default: you).", completion: Offers.people) var who: String?
    @Option(help: "The circle, in place of a person.", completion: Offers.circles)
    var circle: String?
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if let digest, digest != "none", DigestPeriod(rawValue: digest) == nil {
            throw ValidationError("--digest must be daily, weekly or none.")
        }
        guard birthdays.map({ ["yes", "no"].contains($0) }) ?? true else {
            throw ValidationError("--birthdays must be yes or no.")
        }
        try CircleOption.check(circle, who)
        let isForPerson =
            !reminders.isEmpty || !sendWindow.isEmpty || digest != nil || birthdays != nil
        guard circle == nil || !isForPerson else {
            throw ValidationError("A circle has only --quiet-hours.")
        }
        guard !isForPerson, quietHours.isEmpty else { return }
        throw ValidationError(
            "Nothing to set. Give reminder times (1d 2h), none, default, --quiet-hours, "
                + "--send-window, --digest or --birthdays.")
    }

    func run() async throws {
        var edit = PolicyEdit()
        if reminders == ["default"] {
            edit.reminders = .asEachMeetingSays
        } else if let spans = try ReminderOption.read(reminders) {
            edit.reminders = .own(spans)
        }
        if quietHours.map({ $0.lowercased() }) == ["default"] {
            edit.followsDefaultHours = true
        } else {
            edit.quietHours = try HoursOption.read(quietHours, of: "--quiet-hours")
        }
        edit.sendWindows = try HoursOption.read(sendWindow, of: "--send-window")
        if let digest { edit.digest = DigestPeriod(rawValue: digest).map { .each($0) } ?? .none }
        edit.showsBirthdays = birthdays.map { $0 == "yes" }
        let planner = try await common.planner()
        let wanted = edit
        if let circle {
            let known = try await planner.circle(named: circle)
            return try await Consent(common: common, options: consent).carryOut { saving in
                try await planner.setQuietHours(
                    wanted.quietHours ?? [], of: known, saving: saving)
            }
        }
        let person = try await planner.knownPerson(who) ?? planner.actor
        try await Consent(common: common, options: consent).carryOut { saving in
            try await planner.setPolicy(wanted, of: person, saving: saving)
        }
    }
}

/// Checks the option that names a circle in place of a person.
enum CircleOption {
    static func check(_ circle: String?, _ who: String?) throws {
        guard circle != nil, who != nil else { return }
        throw ValidationError("Give either --who or --circle.")
    }
}

/// Reads options that take parts of a week.
enum HoursOption {
    /// - Returns: the parts of the week; `nil` if the option was not given.
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
