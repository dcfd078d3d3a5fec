import ArgumentParser
import Foundation
import Planning
import Wording

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show what letsmeet does, in half a minute.",
        discussion: """
            The demo runs the real commands and a real daemon in a home folder of its own. The \
            folder is deleted afterwards, unless you keep it to try things out.

            With --page, a home full of sample people and meetings opens in the browser. A page \
            shows what would have been sent, and moves the clock.

            EXAMPLE: letsmeet demo --page
            EXAMPLE: letsmeet demo --keep ~/letsmeet-demo
            """)

    @Option(
        help: ArgumentHelp("Keep the home folder of the demo here.", valueName: "dir"),
        completion: .directory)
    var keep: String?

    @Flag(help: "Try the pages, until you leave the demo there or press Ctrl-C.")
    var page = false

    func validate() throws {
        guard let keep else { return }
        guard !keep.isEmpty else { throw ValidationError("The name of the folder is empty.") }
        guard FileManager.default.fileExists(atPath: keep) else { return }
        throw ValidationError("\"\(keep)\" already exists. Name a folder that does not exist yet.")
    }

    /// The program as the user called it.
    private static var program: String { CommandLine.arguments.first?.shellWord ?? "letsmeet" }

    func run() async throws {
        let folder = keep ?? NSTemporaryDirectory() + "letsmeet-demo-\(UUID().uuidString)"
        defer {
            if keep == nil { try? FileManager.default.removeItem(atPath: folder) }
        }
        guard !page else { return try DemoVisit(home: folder).run() }
        let stage = try DemoStage(home: folder)
        try await DemoStory(stage: stage).tell()
        Terminal.answer("\nTo try the pages with sample people: \(Self.program) demo --page")
        guard let keep else { return }
        Terminal.answer(
            """

            To try things out in the home folder of this demo:
              export LETSMEET_HOME=\(keep.shellWord)
              letsmeet meeting list
            To make it your own:
              letsmeet setup
              letsmeet people import YOUR-CONTACTS.vcf
            """)
    }
}
