import ArgumentParser
import Planning

struct PeopleMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Make one person of two who turned out to be the same.",
        discussion: """
            The first stays and gains what the other card knows. Circles, meetings and answers go \
            to the one who stays; the other id still leads there.

            EXAMPLE: letsmeet people merge anna.virtanen@example.org "Anna V."
            """)

    @Argument(help: "Who stays: a name, part of one, an address or an id.") var first: String
    @Argument(help: "Who is the same person.") var second: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let person = try await common.planner().mergePeople(first, second)
        try common.answer(PersonAnswer(person: person)) { PersonText.of(person) }
    }
}
