import ArgumentParser
import Foundation
import Operations
import Planning
import Settings
import TextUI

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show and check settings.",
        discussion: "EXAMPLE: letsmeet config show",
        subcommands: [ConfigShow.self, ConfigCheck.self])
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
            Secrets are never shown; the command shows only whether they are set.

            EXAMPLE: letsmeet config show --json
            """)

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let settings: [SettingView]
    }

    func run() async throws {
        try await common.checkIsOwner(to: "see the settings")
        let settings = try common.configurationCheck.settings()
        try common.answer(Answer(settings: settings)) {
            var table = Table()
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
