import Agenda
import Ledger
import NIOHTTP1
import Planning
import Storage
import Wording

/// The page that says what the deletion of an account means, and asks for it.
struct DeleteAccountPage: PageModel {
    static let template = "delete-account"
    static let names = TemplateNames(
        ["isPossible", "isDone", "name", "nameFault", "hasMeetings"],
        lists: ["meetings": ["id", "meetingTitle", "when"]])

    var name = ""
    /// The consequences; `nil` after the account is deleted.
    var deletion: AccountDeletion?
    var nameFault: String?

    func title(_ words: PageWords) -> String {
        deletion == nil ? words("Your account is deleted") : words("Delete your account")
    }

    func values(_ words: PageWords) -> TemplateValues {
        let meetings = deletion?.meetings ?? []
        var values: TemplateValues = [
            "isDone": .flag(deletion == nil), "isPossible": .flag(deletion?.isPossible == true),
            "name": .text(name), "hasMeetings": .flag(!meetings.isEmpty),
            "meetings": .list(
                meetings.map { meeting in
                    [
                        "id": .text(meeting.id), "meetingTitle": .text(meeting.title),
                        "when": .text(meeting.startWords),
                    ]
                }),
        ]
        values[text: "nameFault"] = nameFault
        return values
    }
}

extension Site {
    /// Deleting the reader's account.
    var deleteAccountRoutes: [Route] {
        [
            route(.get, "/me/delete") { _, visitor in
                show(try await deletionPage(visitor), in: Frame(visitor: visitor))
            },
            confirmedRoute(.post, "/me/delete") { request, visitor in
                // What follows the deletion is saved for no account.
                try await Store.$account.withValue(nil) {
                    try await deleteAccount(request, visitor)
                }
            },
        ]
    }

    private func deletionPage(_ visitor: Visitor) async throws -> DeleteAccountPage {
        DeleteAccountPage(
            name: visitor.signedIn.person.name,
            deletion: try await visitor.planner.accountDeletion())
    }

    private func deleteAccount(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        do {
            try await visitor.planner.deleteAccount(
                confirmedBy: request.form["name"][...].trimmingSpaces)
        } catch let refusal as Refusal {
            var page = try await deletionPage(visitor)
            page.nameFault = try sentence(refusal, visitor)
            return show(page, in: Frame(visitor: visitor), .conflict)
        }
        let person = visitor.planner.actor.id
        live.end(person: person)
        try await tasks.stopAll(of: person)
        var answer = show(DeleteAccountPage(), in: frame(request))
        for cookie in [SiteCookie.session, .known] {
            answer.fields.append(cookie.field(nil, seconds: 0, for: world.address, request))
        }
        answer.fields.append(("Clear-Site-Data", "\"cache\", \"storage\""))
        return answer
    }
}
