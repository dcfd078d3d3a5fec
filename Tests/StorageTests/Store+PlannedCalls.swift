import Agenda
import Interchange
import Ledger
import Timekeeping

@testable import Storage

/// Calls whose query plans are checked.
extension Store {
    /// Uses an address: opens an account, and looks for others with the address.
    func useAddress() async throws {
        let anna = PersonID(text: "aaaaaaaaaaaaaaaa")
        let now = Moment(seconds: 9)
        _ = try await openAccount(Account(of: anna, as: .member, madeAt: now), proving: "a@b")
        _ = try await accountPeople(at: "a@b", limit: 9)
        _ = try await contactOfOwner(at: "a@b")
        _ = try await isOfDisabledAccount("a@b")
    }

    /// Imports cards by UID, address and name, without saving any.
    func askWhoIsThere() async throws {
        var named = ContactCard(formattedName: "Anna")
        var addressed = named
        addressed.emails = [ContactCard.Email(address: "a@b")]
        named.uid = "anna"
        let owner = PersonID(text: "p")
        let rules = ImportRules(
            contact: { card, _ in Contact(person: owner, card: card) },
            decision: { card, _, _ in .keep(Contact(person: owner, card: card)) })
        _ = try await importCards(
            [named, addressed], owner: owner, now: Moment(seconds: 9), rules: rules,
            decisions: ContactDecisions(
                guest: { _, _ in nil },
                merge: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised })))
    }
}
