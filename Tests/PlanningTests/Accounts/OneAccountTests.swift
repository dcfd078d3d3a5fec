import Agenda
import Ledger
import Secrets
import Storage
import TestKit
import Testing
@testable import Planning

/// An address that was proven to be somebody's has one account.
@Suite(.timeLimit(.minutes(5))) struct OneAccountTests {
    /// A home in which Zara Quix has registered, and the owner knows Susi with the same address.
    private func withSusi(
        _ body: (Planner, _ zara: Person, _ susi: Person) async throws -> Void
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Planner.openSettings)
            try await planner.create(.lunch(with: "Zara Quix <zara@example.org>"))
            let zara = try await planner.register(at: "zara@example.org")
            try await planner.add("Susi", "zara@example.org")
            let susi = try await planner.person(named: "Susi")
            try #require(susi.id != zara.id)
            try await body(planner, zara, susi)
        }
    }

    @Test func `An invitation for another person with the address is for the account that has it`()
        async throws
    {
        try await withSusi { planner, zara, susi in
            let isMailed = try await planner.inviteToSignIn(susi)
            #expect(isMailed)
            let accounts = try await planner.accounts().map(\.person)
            #expect(accounts == [zara.id.text])
            let receiver = try await planner.signInMails().last?.record.row.key.notification
                .receiver
            #expect(receiver == .person(zara.id.text))
            let token = try await planner.openTicket(for: susi)
            let entered = try await planner.enter(by: token.text, device: "Test").person
            #expect(entered.id == zara.id)
            let link = try await planner.openLink(for: susi)
            #expect(link.person == zara.name)
        }
    }

    @Test func `A link from before somebody else proved the address signs in to their account`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Planner.openSettings)
            try await planner.add("Carl", "home@example.org")
            try await planner.add("Dora", "home@example.org")
            let (carl, dora) = (
                try await planner.person(named: "Carl"), try await planner.person(named: "Dora")
            )
            let first = try await planner.openTicket(for: carl)
            let second = try await planner.openTicket(for: dora)
            _ = try await planner.enter(by: first.text, device: "Test")
            let entered = try await planner.enter(by: second.text, device: "Test").person
            #expect(entered.id == carl.id)
            let accounts = try await planner.accounts().map(\.person)
            #expect(accounts == [carl.id.text])
        }
    }

    @Test(arguments: ["zara@example.org", "Susi"])
    func `Nobody signs in with an address whose account is disabled`(_ who: String) async throws {
        try await withSusi { planner, zara, susi in
            let disabled = try await planner.disableAccounts(of: who)
            #expect(disabled.map(\.id) == [zara.id])
            let count = try await planner.signInMails().count
            try await planner.mailLinks(
                to: "zara@example.org", askedIn: planner.newBrowserToken())
            let countAfter = try await planner.signInMails().count
            #expect(countAfter == count)
            for person in [zara, susi] {
                let code = await refusalCode { _ = try await planner.openTicket(for: person) }
                #expect(code == "account_disabled")
            }
        }
    }

    @Test(arguments: ["zara@example.org", "Susi"])
    func `Of two accounts with one address, both are disabled`(_ who: String) async throws {
        try await withSusi { planner, zara, susi in
            // As earlier versions allowed it.
            try await planner.store.addAccount(
                Account(of: susi.id, as: .member, madeAt: planner.now))
            let code = await refusalCode { _ = try await planner.inviteToSignIn(susi) }
            #expect(code == "two_accounts")
            let disabled = try await planner.disableAccounts(of: who)
            #expect(Set(disabled.map(\.id)) == [zara.id, susi.id])
            let accounts = try await planner.accounts()
            #expect(accounts.count == 2 && accounts.allSatisfy { !$0.enabled })
        }
    }

    @Test func `Whose account is disabled cannot register at another of their addresses`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: Planner.openSettings)
            try await planner.add("Nils", "nils@a.example", "nils@b.example")
            _ = try await planner.register(at: "nils@a.example")
            _ = try await planner.disableAccounts(of: "Nils")
            let count = try await planner.signInMails().count
            try await planner.mailLinks(to: "nils@b.example", askedIn: planner.newBrowserToken())
            let countAfter = try await planner.signInMails().count
            #expect(countAfter == count)
        }
    }

    @Test func `Only who manages accounts learns whose an address is`() async throws {
        try await withSusi { planner, zara, susi in
            let asZara = planner.acting(as: zara)
            for code in [
                await refusalCode { _ = try await asZara.accountHolder(for: susi) },
                await refusalCode { _ = try await asZara.disableAccounts(of: "Susi") },
            ] {
                #expect(code == "not_allowed")
            }
        }
    }
}
