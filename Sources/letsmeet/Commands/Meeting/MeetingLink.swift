import ArgumentParser
import Planning

struct MeetingLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link", abstract: "Show the private links by which guests see and answer.",
        discussion: """
            Mails bring each guest their link; here it is for those whom you reach otherwise. Who \
            has a link can answer for its guest. With --renew the links that were given out are \
            good for nothing any more, and new ones are shown; with --revoke there is none until \
            the next mail.

            EXAMPLE: letsmeet meeting link next anna
            """)

    @Argument(help: "An id, part of a title, next, or last.") var meeting: String
    @Argument(help: ArgumentHelp("Whose; all guests' without it.", valueName: "who"))
    var who: [String] = []
    @Flag(help: "Make new links, and the old ones good for nothing.") var renew = false
    @Flag(help: "Make the links good for nothing.") var revoke = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !renew || !revoke else {
            throw ValidationError("Name --renew or --revoke, not both.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let names = try await planner.names(who, for: "who")
        let change: LinkChange = renew ? .renewed : revoke ? .revoked : .none
        let links = try await planner.guestLinks(of: meeting, to: names, change: change)
        try common.confirm(links) { Self.text(of: links) }
    }

    private static func text(of links: GuestLinks) -> String {
        guard !links.links.isEmpty else { return "Nobody else is in \(links.title)." }
        return links.links.map { "\($0.person.name): \($0.url ?? "none any more")" }
            .joined(separator: "\n")
    }
}
