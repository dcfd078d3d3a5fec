import ArgumentParser
import Foundation
import Operations
import Planning
import Settings
import TextUI
import Timekeeping

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show, change and check settings.",
        discussion: "EXAMPLE: letsmeet config show",
        subcommands: [ConfigShow.self, ConfigSet.self, ConfigUnset.self, ConfigCheck.self])
}

extension CommonOptions {
    /// The check of the home's configuration, which works even if the configuration cannot be read.
    fileprivate var configurationCheck: ConfigurationCheck {
        let environment = ProcessInfo.processInfo.environment
        return ConfigurationCheck(
            home: Home(option: home, environment: environment), environment: environment)
    }
}

struct ConfigShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show every setting and where it comes from.",
        discussion: """
            Secrets are never shown; the command shows only whether they are set. Name settings, \
            or their first part, to see only these.

            EXAMPLE: letsmeet config show
            EXAMPLE: letsmeet config show smtp owner.tz
            """)

    @Argument(help: "Only these settings, such as owner.tz.", completion: Offers.settings)
    var keys: [String] = []
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let settings: [SettingView]
    }

    func run() async throws {
        try await common.checkIsOwner(to: "see the settings")
        let names = Set(try keys.splitAtCommas.flatMap { try TypedSetting.names($0) })
        let settings = try common.configurationCheck.settings().filter {
            names.isEmpty || names.map(\.rawValue).contains($0.name)
        }
        try common.list(Answer(settings: settings)) {
            var table = Table(["Setting", "Value", "From"], uncut: [0])
            for setting in settings {
                table.add(setting.name, setting.value ?? "", setting.origin)
            }
            return table.text
        }
        if !common.json { settings.compactMap(\.problem).forEach { Terminal.say($0) } }
    }
}

struct ConfigCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the settings.",
        discussion: """
            If a setting is wrong, the command prints its file and line and exits with status 2.

            EXAMPLE: letsmeet config check
            """)

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let ok: Bool
        let problems: [ConfigurationProblem]
    }

    func run() async throws {
        try await common.checkIsOwner(to: "check the settings")
        var problems = common.configurationCheck.problems
        if problems.isEmpty { problems += try common.surroundings().sinkProblems }
        try common.answer(Answer(ok: problems.isEmpty, problems: problems)) {
            problems.isEmpty
                ? "The settings have no errors."
                : problems.map(\.text).joined(separator: "\n")
        }
        if !problems.isEmpty { throw ExitCode(2) }
    }
}

struct ConfigSet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Save a setting in the configuration file.",
        discussion: """
            Other settings and comments in the file stay. A secret does not belong on the command \
            line, where other users can see it. Give its file instead, as in \
            LETSMEET_SMTP_PASSWORD_FILE, or set mail up on the page.

            EXAMPLE: letsmeet config set smtp.url smtp://mail.example.org:587
            """)

    @Argument(help: "The setting, such as mail.from.", completion: Offers.settings) var key: String
    @Argument(help: "The value.") var value: String
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var common: CommonOptions

    func run() async throws {
        guard !value.isEmpty else {
            throw ValidationError(
                "The value is empty. To remove a setting: letsmeet config unset \(key)")
        }
        try await SavedSetting(key, to: value).save(common, asks: !yes)
    }
}

struct ConfigUnset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Remove a setting from the configuration file.",
        discussion: "EXAMPLE: letsmeet config unset smtp.url")

    @Argument(help: "The setting, such as mail.from.", completion: Offers.settings) var key: String
    @OptionGroup var common: CommonOptions

    func run() async throws { try await SavedSetting(key, to: nil).save(common) }
}

/// A setting to write into the configuration file, or to remove from it.
private struct SavedSetting {
    private let name: SettingName
    private let value: String?

    /// Reads the name of a setting.
    ///
    /// - Throws: `ValidationError` if there is no such setting, or if it is a secret with a value.
    init(_ key: String, to value: String?) throws {
        let name = try TypedSetting.name(key)
        guard !name.isSecret || value == nil else {
            let variable = name.variable.map { " Name its file in \($0)_FILE." } ?? ""
            throw ValidationError(
                "\(name.rawValue) is a secret, which other users can see on a command line."
                    + variable)
        }
        self.name = name
        self.value = value
    }

    private struct Answer: Encodable {
        let name: String
        @Null var value: String?
        let file: String
        /// The people who were never notified and will be now, in words.
        @Null var untold: String?
    }

    /// The people who were never notified and will be now, in words; `nil` if there are none.
    private func untold(_ common: CommonOptions) async throws -> String? {
        guard [.sinks, .smtpURL, .webhookURL].contains(name) else { return nil }
        return UntoldPeople(try await common.planner().foreseeSinks()).sentence
    }

    /// Saves the value. A refusal names the setting.
    private func saved(in surroundings: PlannerSurroundings) async throws -> SetupReport {
        do {
            return try await Planner.setUp(surroundings, [name: value ?? ""])
        } catch {
            throw TypedSetting.refusal(Refusal(error), of: name)
        }
    }

    func save(_ common: CommonOptions, asks: Bool = true) async throws {
        let surroundings = try common.surroundings()
        let report = try await saved(in: surroundings)
        let untold = try await untold(common)
        if let untold, asks, !common.json, Screen.isInteractive {
            guard Terminal.confirms("\(untold) Send them?") else {
                let before = surroundings.configuration.entry(name)
                let value = before.flatMap { $0.line == nil ? nil : $0.value } ?? ""
                _ = try await Planner.setUp(surroundings, [name: value])
                return try common.confirm(
                    Answer(name: name.rawValue, value: nil, file: report.file)
                ) { "\(name.rawValue) stays as it was. Nothing is sent." }
            }
        }
        let shown = value.map { name.shown($0) }
        let answer = Answer(name: name.rawValue, value: shown, file: report.file, untold: untold)
        try common.confirm(answer) {
            shown.map { "\(name.rawValue) is \($0) in \(report.file)." }
                ?? "\(name.rawValue) is not set in \(report.file)."
        }
        guard !common.json else { return }
        if let untold { Terminal.say("\(untold) \(UntoldPeople.sending)") }
        let origin = surroundings.configuration.entry(name)?.origin
        if origin == "environment", let variable = name.variable {
            Terminal.say("\(variable) in the environment overrides it.")
        }
        if name != .quietHours, try await common.planner().isDaemonRunning {
            Terminal.say("letsmeetd uses it when it is started again, or gets SIGHUP.")
        }
    }
}
