import Agenda
import ArgumentParser
import Foundation
import Planning
import TextUI

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Print a link that signs you in to the pages.",
        discussion: """
            On a desktop, the browser opens with it. The link works once, for 15 minutes. With \
            --who, it lets somebody else in, without a mail server. The daemon must be running to \
            answer it.

            EXAMPLE: letsmeet open
            EXAMPLE: letsmeet open /new --who anna
            """)

    @Argument(help: "The page to open, such as /new.") var path: String?
    @Option(
        name: [.customLong("who"), .customLong("for")],
        help: ArgumentHelp("Let this person in.", valueName: "who"), completion: Offers.people)
    var who: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard path.map({ $0.hasPrefix("/") }) ?? true else {
            throw ValidationError("A page begins with a slash, such as /new.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let person = try await planner.person(who)
        let link = try await planner.openLink(for: person, to: path)
        if common.json == false, Screen.isInteractive { Browser.open(link.url) }
        try common.answer(link) {
            [
                "Open this to sign in as \(link.person):", "  \(link.url)", sshAdvice(link),
                planner.isDaemonRunning ? nil : "First start the daemon: letsmeetd run",
            ].compactMap(\.self).joined(separator: "\n")
        }
    }

    /// The line that reaches the page over ssh, for somebody who is not at the machine.
    private func sshAdvice(_ link: OpenLink) -> String? {
        guard ProcessInfo.processInfo.environment["SSH_CONNECTION"] != nil, let port = link.port
        else { return nil }
        let host = ProcessInfo.processInfo.hostName
        return "On your own machine, first run: ssh -L \(port):localhost:\(port) \(host)"
    }
}
