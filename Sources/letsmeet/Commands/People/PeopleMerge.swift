import Agenda
import ArgumentParser
import Planning

struct PeopleMerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge", abstract: "Merge two contacts that are the same person.",
        discussion: """
            The first contact stays and gets the data, circles, meetings and answers of the \
            second. The id of the second one still works and leads to the first. Name guests who \
            are not in your address book by address or id. On a terminal, the merged contact is \
            shown first. A merge can be taken back for 30 days: letsmeet people unmerge WHO.

            EXAMPLE: letsmeet people merge anna.virtanen@example.org "Anna V."
            """)

    @Argument(
        help: "The contact to keep: a name, part of one, an address or an id.",
        completion: Offers.people)
    var first: String
    @Argument(help: "The contact to merge into the first.", completion: Offers.people) var second:
        String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let planner = try await common.planner()
        let kept = try await planner.person(named: first)
        let other = try await planner.person(named: second)
        func merged(saving: Bool) async throws -> PersonView {
            try await planner.mergePeople(kept, other, saving: saving)
        }
        guard !consent.dryRun else {
            let person = try await merged(saving: false)
            try common.answer(PersonAnswer(person: person)) { PersonText.of(person) }
            if !common.json { Terminal.say("Nothing was saved.") }
            return
        }
        if Consent(common: common, options: consent).asks {
            Terminal.say(PersonText.of(try await merged(saving: false)))
            try Consent.agree("Merge the two into this contact?")
        }
        let person = try await merged(saving: true)
        try common.confirm(PersonAnswer(person: person)) { PersonText.of(person) }
    }
}

struct PeopleUnmerge: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmerge", abstract: "Take back the last merge into a contact.",
        discussion: """
            This works for 30 days after a merge. The second contact comes back with its data, \
            circles, meetings and answers, and with what changed in them since. Everything else \
            that changed stays with the first. Sign-ins and private links that were made since \
            the merge end. If one of the two had an account, the feeds of the second and the \
            links to its meetings end, too. Repeat the command to take back an earlier merge.

            EXAMPLE: letsmeet people unmerge anna.virtanen@example.org
            """)

    @Argument(
        help: "The contact that was kept: a name, part of one, an address or an id.",
        completion: Offers.people)
    var who: String
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let person: PersonView
        let other: PersonView
        let remarks: [Remark]

        var text: String {
            ([PersonText.of(person), PersonText.of(other)] + remarks.map(\.shown))
                .joined(separator: "\n\n")
        }
    }

    func run() async throws {
        let planner = try await common.planner()
        let kept = try await planner.person(named: who)
        func separated(saving: Bool) async throws -> Answer {
            let people = try await planner.unmergePerson(kept, saving: saving)
            return Answer(
                person: people.kept, other: people.other, remarks: people.remarks)
        }
        guard !consent.dryRun else {
            let answer = try await separated(saving: false)
            try common.answer(answer) { answer.text }
            if !common.json { Terminal.say("Nothing was saved.") }
            return
        }
        if Consent(common: common, options: consent).asks {
            Terminal.say(try await separated(saving: false).text)
            try Consent.agree("Split this contact into these two?")
        }
        let answer = try await separated(saving: true)
        try common.confirm(answer) { answer.text }
    }
}
