import ArgumentParser
import Planning
import Settings
import Timekeeping

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Say who you are, and see what a reminder looks like.",
        discussion: """
            On a terminal it asks for what is not given. The answers stand in letsmeet.yaml in \
            the home folder; all commands work without them too. "" takes away what was set.

            EXAMPLE: letsmeet setup --name "Anna Virtanen" --email anna@example.org \
            --tz Europe/Helsinki --area Helsinki
            """)

    @Option(help: "Your name, as others read it.") var name: String?
    @Option(help: "Your mail address.") var email: String?
    @Option(help: ArgumentHelp("The city in which you usually meet.", valueName: "city"))
    var area: String?
    @Option(help: ArgumentHelp("Your zone, in which you read times.", valueName: "zone"))
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
        if Terminal.isInteractive, !common.json {
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

    /// Says that the city's clocks show another time than those by which times are read: on a
    /// server they often show UTC.
    private static func compareClocks(_ report: SetupReport, _ surroundings: PlannerSurroundings) {
        guard let area = report.area,
            let zone = Planner.zone(aroundCity: area, in: surroundings), zone != report.owner.tz
        else { return }
        Terminal.say(
            "The clocks of \(area) show \(zone), and your times are read in \(report.owner.tz). "
                + "To change that: letsmeet setup --tz \(zone)")
    }

    private static func text(_ report: SetupReport) -> String {
        let address = report.owner.address.map { " <\($0)>" } ?? ""
        let area = report.area.map { ", around \($0)" } ?? ""
        return """
            \(report.owner.name)\(address), \(report.owner.tz)\(area)
            Settings: \(report.file)
            Sinks that are on: \(report.sinks.joined(separator: ", "))

            This is how a reminder reads. Nothing was planned and nothing was sent:

            \(report.sampleBlock)Next:
              letsmeet people import contacts.vcf
              letsmeet meeting new "Board games" --with anna --start "fri 19:00"
              letsmeetd run
            """
    }
}
