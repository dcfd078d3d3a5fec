import ArgumentParser
import Planning

struct PeopleMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Make one person of two who turned out to be the same.",
        discussion: """
            The first stays and gains what the other card knows. Circles, meetings and answers go \
            to the one who stays; the other id still leads there. Who is in meetings alone, and in \
            no address book, is named by address or id. On a terminal the card that will be left \
            is shown first: two people cannot be made of one again.

            EXAMPLE: letsmeet people merge anna.virtanen@example.org "Anna V."
            """)

    @Argument(help: "Who stays: a name, part of one, an address or an id.") var first: String
    @Argument(help: "Who is the same person.") var second: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        func merged(saving: Bool) async throws -> PersonView {
            try await planner.mergePeople(first, second, saving: saving)
        }
        guard !consent.dryRun else {
            let person = try await merged(saving: false)
            try common.answer(PersonAnswer(person: person)) { PersonText.of(person) }
            if !common.json { Terminal.say("Nothing was saved.") }
            return
        }
        if Consent(common: common, options: consent).asks {
            Terminal.say(PersonText.of(try await merged(saving: false)))
            try Consent.agree("Make this one person of the two? This cannot be undone.")
        }
        let person = try await merged(saving: true)
        try common.confirm(PersonAnswer(person: person)) { PersonText.of(person) }
    }
}
