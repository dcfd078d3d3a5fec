import Agenda
import Ledger
import Notifications
import Planning
import Secrets
import Settings
import Sinks
import TestKit
import Testing

/// The mail with which somebody confirms an address of their account.
@Suite(.timeLimit(.minutes(5))) struct AddressMailTests {
    private static let settings: [SettingName: String] = [
        .sinks: "mail", .smtpURL: "smtp://localhost", .mailFrom: "olga@example.org",
        .baseURL: "https://meet.example.org",
    ]

    /// Lets Ben ask for an address, and passes the mail to `body`.
    private func withMail(
        to address: String,
        _ body: (_ mail: OutgoingMessage, _ ben: Planner) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Self.settings)
            for name in ["Ben", "Mia"] {
                _ = try await planner.add(name, "\(name.lowercased())@example.org")
                let person: Person = try await planner.knownPerson(named: name)
                let token = try await planner.openTicket(for: person)
                _ = try await planner.enter(by: token.text, device: "A test")
            }
            let person: Person = try await planner.knownPerson(named: "Ben")
            let ben = planner.acting(as: person)
            try await ben.requestAddress(address)
            let sink = ScriptedSink(name: "mail", schedule: .mail, takesEnclosures: true)
            let engine = try world.engine(
                planner, sinks: [sink], links: try planner.surroundings.linkBuilder())
            _ = try await engine.runOnce()
            let mail: OutgoingMessage = try #require(sink.messages.first)
            try await body(mail, ben)
        }
    }

    @Test func `A mail to a free address has a link, and names nobody`() async throws {
        try await withMail(to: "free@example.org") { mail, ben in
            #expect(mail.address == "free@example.org" && mail.name.isEmpty)
            #expect(mail.subject == "Confirm your mail address")
            #expect(!mail.text.contains("Ben"))
            let link = try #require(mail.text.firstMatch(of: /https:\S+#\S+/)?.output)
            #expect(link.hasPrefix("https://meet.example.org/me/addresses/confirm#"))
            let added: String = try await ben.confirmAddress(by: String(link))
            #expect(added == "free@example.org")
        }
    }

    @Test func `A mail to an address of somebody else has no link, and tells its owner`()
        async throws
    {
        try await withMail(to: "mia@example.org") { mail, _ in
            #expect(mail.address == "mia@example.org" && mail.name == "Mia")
            #expect(mail.subject == "Somebody wants to add your mail address")
            #expect(!mail.text.contains("/me/addresses") && !mail.text.contains("#"))
            #expect(mail.text.contains("It belongs to yours"))
        }
    }
}
