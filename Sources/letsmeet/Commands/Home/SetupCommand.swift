import Agenda
import ArgumentParser
import Operations
import Planning
import Programs
import Settings
import TextUI
import Timekeeping

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Set your name, address, city and time zone.",
        discussion: """
            On a terminal, the command asks for values that you do not give. They are saved in \
            letsmeet.yaml in the home folder; all commands work without them, too. To remove a \
            value, give "". At the end, you see what a reminder looks like.

            EXAMPLE: letsmeet setup --name "Anna Virtanen" --email anna@example.org \
            --tz Europe/Helsinki --area Helsinki
            """)

    @Option(help: "Your name, as others see it.") var name: String?
    @Option(help: "Your mail address.") var email: String?
    @Option(help: ArgumentHelp("The city in which you usually meet.", valueName: "city"))
    var area: String?
    @Option(help: ArgumentHelp("Your time zone, in which you read times.", valueName: "zone"))
    var tz: String?
    @OptionGroup var common: SiteOptions

    func run() async throws {
        let surroundings = try common.surroundings()
        try await Planner.checkMaySetUp(surroundings)
        var values: [SettingName: String] = [:]
        values[.ownerName] = name
        values[.ownerAddress] = email
        values[.ownerZone] = tz
        values[.area] = area
        if Screen.isInteractive, !common.json {
            var questioner = Terminal.questioner()
            for setting in Planner.setupNames where values[setting] == nil {
                let question = SetupQuestion(
                    setting: setting, area: values[.area], surroundings: surroundings)
                values[setting] = try await Leaving.caught { try await question.ask(&questioner) }
            }
        }
        let report = try await Planner.setUp(surroundings, values)
        try common.confirm(report) { Self.text(report) }
        let zone = values[.ownerZone] ?? surroundings.configuration[.ownerZone]
        if !common.json, (zone ?? "").isEmpty { Self.compareClocks(report, surroundings) }
    }

    /// Says that the city's time zone differs from the one in which times are read, which is often
    /// UTC on a server.
    private static func compareClocks(_ report: SetupReport, _ surroundings: PlannerSurroundings) {
        guard let area = report.area,
            let zone = Planner.zone(aroundCity: area, in: surroundings), zone != report.owner.tz
        else { return }
        Terminal.say(
            "The time zone of \(area) is \(zone), but yours is set to \(report.owner.tz). "
                + "To change yours: letsmeet setup --tz \(zone)")
    }

    private static func text(_ report: SetupReport) -> String {
        let address = report.owner.address.map { " <\($0)>" } ?? ""
        let area = report.area.map { ", around \($0)" } ?? ""
        return """
            \(report.owner.name)\(address), \(report.owner.tz)\(area)
            Settings: \(report.file)
            Enabled sinks: \(report.sinks.joined(separator: ", "))
            \(report.remarks.map { "\($0.words(AdviceText.renderer))\n" }.joined())
            A reminder looks like this. Nothing was planned or sent:

            \(report.sampleBlock)Next:
              letsmeet people import contacts.vcf
              letsmeet meeting new "Board games" --with anna --start "fri 19:00"
              letsmeetd run
            """
    }
}
