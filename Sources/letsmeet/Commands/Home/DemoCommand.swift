import ArgumentParser
import Foundation
import Planning

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Show the main job from end to end, in half a minute.",
        discussion: """
            Runs the real commands and a real daemon in a home of its own, which is thrown away, \
            or kept to play in.

            EXAMPLE: letsmeet demo --keep ~/letsmeet-demo
            """)

    @Option(
        help: ArgumentHelp("Leave the home in this folder.", valueName: "dir"),
        completion: .directory)
    var keep: String?

    func validate() throws {
        guard let keep, FileManager.default.fileExists(atPath: keep) else { return }
        throw ValidationError("\(keep) is there already. Name a folder that is not.")
    }

    func run() async throws {
        let folder = keep ?? NSTemporaryDirectory() + "letsmeet-demo-\(UUID().uuidString)"
        defer {
            if keep == nil { try? FileManager.default.removeItem(atPath: folder) }
        }
        let stage = try DemoStage(home: folder)
        try await DemoStory(stage: stage).tell()
        guard let keep else { return }
        Terminal.answer(
            """

            The home of this demo is yours to play in:
              export LETSMEET_HOME=\(keep)
              letsmeet meeting list
            To make it your own:
              letsmeet setup
              letsmeet people import YOUR-CONTACTS.vcf
            """)
    }
}
