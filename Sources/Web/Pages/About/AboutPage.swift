import Agenda
import NIOHTTP1
import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// The facts about this installation: who is signed in, the version, the licences, the state of
/// the service, and how to tell others about it.
struct AboutPage: PageModel {
    static let template = "about"
    static let names = TemplateNames([
        "signedInSince", "version", "state", "isTroubled", "shareAddress", "tellMail", "feedback",
        "feedbackMail", "isOwner",
    ])

    let signedIn: SignedIn
    let zone: Zone
    /// The number of messages that could not be sent yet, and the time of the next try.
    let waiting: WaitingView
    /// True if messages leave this installation.
    let reachesPeople: Bool
    /// The public address of the installation; `nil` if it is not set.
    let base: String?
    /// The address for feedback; `nil` if the owner has not set one.
    let feedback: String?

    func title(_ words: PageWords) -> String { words("About letsmeet") }

    func values(_ words: PageWords) -> TemplateValues {
        let since = TimeWords.date(
            zone.wallTime(at: signedIn.account.madeAt).date, in: words.language)
        var values: TemplateValues = [
            "signedInSince": .text(
                words(
                    "Signed in as %name%, here since %since%.",
                    ["name": signedIn.person.name, "since": since])),
            "version": .text(Version.current), "state": .text(state(words)),
            "isTroubled": .flag(!reachesPeople || waiting.count > 0),
            "isOwner": .flag(signedIn.account.role == .owner),
        ]
        values[text: "shareAddress"] = base
        values[text: "tellMail"] = base.map { base in
            Self.mail(
                to: "", subject: words("letsmeet"),
                words(
                    "I plan my meetings with letsmeet, a meeting planner that people run "
                        + "themselves. Have a look: %address%", ["address": base]))
        }
        values[text: "feedback"] = feedback
        values[text: "feedbackMail"] = feedback.map {
            Self.mail(to: $0, subject: words("Feedback on letsmeet %n%", ["n": Version.current]))
        }
        return values
    }

    /// The state of the service in one line.
    private func state(_ words: PageWords) -> String {
        guard reachesPeople else {
            return words("letsmeet is running, but cannot send messages: no channel is set up.")
        }
        guard let next = waiting.next else {
            return words("letsmeet is running, and no message waits for another try.")
        }
        return words(
            waiting.count, "letsmeet is running. 1 message waits for another try at %when%.",
            "letsmeet is running. %n% messages wait for another try, the first at %when%.",
            ["when": words.moment(next.moment, in: zone)])
    }

    /// A link that opens a mail (RFC 6068).
    private static func mail(to address: String, subject: String, _ text: String = "") -> String {
        "mailto:\(Link.segment(address, and: "@"))?subject=\(Link.segment(subject))"
            + (text.isEmpty ? "" : "&body=\(Link.segment(text))")
    }
}

extension Site {
    /// The facts about this installation, and the texts of the licences.
    var aboutRoutes: [Route] {
        [
            route(.get, "/about", about),
            route(.get, "/about/licences.txt") { _, visitor in
                let texts = try visitor.planner.surroundings.shipped.licenceTexts()
                return PageAnswer(
                    .ok, "text/plain; charset=utf-8", texts.joined(separator: "\n\n"))
            },
        ]
    }

    private func about(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let configuration = planner.surroundings.configuration
        let page = AboutPage(
            signedIn: visitor.signedIn, zone: planner.zone,
            waiting: try await planner.waitingRetries(), reachesPeople: planner.reachesPeople,
            base: world.address.base?.text, feedback: configuration[.feedbackAddress])
        return show(page, in: frame(request, visitor))
    }
}
