import ArgumentParser
import Planning
import Wording

struct PeopleExport: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export your contacts to standard output.",
        discussion: """
            The file is written byte for byte. With --json, it is the text of one object, \
            {"format":"vcard3","text":"…"}. To get contacts as JSON, run letsmeet people list \
            --json.

            EXAMPLE: letsmeet people export --format vcard4 > people.vcf
            """)

    @Option(help: "The format of the file.") var format: ExportFormat = .vcard3
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let format: String
        let text: String
    }

    func run() async throws {
        let planner = try await common.planner()
        guard common.json else {
            try await planner.exportPeople(format) { Terminal.pass($0) }
            if try await planner.firstPeople(limit: 1).rows.isEmpty {
                Terminal.say("You have no contacts to export.")
            }
            return
        }
        var text = ""
        try await planner.exportPeople(format) { text += $0 }
        Terminal.answer(try JSONText.of(Answer(format: format.rawValue, text: text)))
    }
}
