import ArgumentParser
import Planning

struct MeetingLink: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Show the private links of guests, or a link for everybody.",
        discussion: """
            With the link, a guest sees the meeting and answers. Mails contain it already; use \
            this command to pass it on in another way. Anyone with a link can answer for its \
            guest. --renew replaces the links and shows the new ones: the old ones stop working. \
            --revoke ends the links; the next mail brings a new one.

            --share shows one link for everybody. With it, people see title, time, place and note \
            of the meeting, and can add it to a calendar. They see neither the guests nor the \
            link to join online, and nobody can answer with it.

            EXAMPLE: letsmeet meeting link next anna
            EXAMPLE: letsmeet meeting link next --share
            """)

    @Argument(
        help: "The meeting: an id, part of its title, next, or last.", completion: Offers.meetings)
    var meeting: String
    @Argument(help: ArgumentHelp("The guests (default: all guests).", valueName: "who"))
    var who: [String] = []
    @OptionGroup var more: WhoOption
    @Flag(help: "The link with which anybody sees the meeting.") var share = false
    @Flag(help: "Replace the links. The old ones stop working.") var renew = false
    @Flag(help: "Revoke the links.") var revoke = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard !renew || !revoke else {
            throw ValidationError("Use --renew or --revoke, not both.")
        }
        guard !share || who.isEmpty && more.named.isEmpty else {
            throw ValidationError("--share is a link for everybody. Name no guests.")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let id = try await planner.meetingID(named: meeting)
        let change: LinkChange = renew ? .renewed : revoke ? .revoked : .none
        let local = try planner.localBaseURL()
        guard !share else {
            let link = try await planner.shareLink(of: id, change: change, otherwise: local)
            try common.confirm(link) { Self.text(of: link) }
            return remark(isLocal: local != nil && link.url != nil)
        }
        let names = try await planner.names(who + more.named, for: "who")
        let people = names.isEmpty ? nil : try await planner.participants(named: names, of: id)
        let links = try await planner.guestLinks(
            of: id, to: people, change: change, otherwise: local)
        try common.confirm(links) { Self.text(of: links) }
        remark(isLocal: local != nil && links.links.contains { $0.url != nil })
    }

    private func remark(isLocal: Bool) {
        guard isLocal, !common.json else { return }
        Terminal.say(
            "These links work on this machine only. To share them, set the address at which others "
                + "reach letsmeetd: letsmeet config set base.url URL")
    }

    private static func text(of link: ShareLink) -> String {
        guard let url = link.url else {
            return "The link of \(link.title) for everybody is revoked."
        }
        return """
            Everybody with this link sees \(link.title), but neither the guests nor the link to \
            join online:
            \(url)
            """
    }

    private static func text(of links: GuestLinks) -> String {
        guard !links.links.isEmpty else { return "\(links.title) has no guests." }
        return links.links.map { "\($0.person.name): \($0.url ?? "revoked")" }
            .joined(separator: "\n")
    }
}
