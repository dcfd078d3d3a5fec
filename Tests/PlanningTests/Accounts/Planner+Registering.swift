import Agenda
import Ledger
import Secrets
import Settings
import Storage
import Testing
@testable import Planning

extension Planner {
    /// The settings of an installation where everybody may register with a link in a mail.
    static let openSettings: [SettingName: String] = [
        .baseURL: "https://meet.example.org", .smtpURL: "smtp://localhost",
        .mailFrom: "meet@example.org", .registration: "open",
    ]

    /// Signs in with the link in a mail to an address.
    @discardableResult
    func register(at address: String) async throws -> Person {
        try await mailLinks(to: address, askedIn: newBrowserToken())
        let key = try #require(try await signInMails().last).record.row.key.notification
        let person = PersonID(text: try #require(key.receiver.person))
        let token = try surroundings.linkBuilder().signInToken(for: person, mark: key.mark)
        return try await enter(by: try #require(token).text, device: "Test").person
    }

    /// The planned mails with links that sign in, the first planned first.
    func signInMails() async throws -> [DeliveryStory] {
        var filter = LedgerFilter(limit: 100)
        filter.kind = .signIn
        return try await store.stories(filter)
    }
}
