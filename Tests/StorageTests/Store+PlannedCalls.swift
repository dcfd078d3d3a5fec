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
        _ = try await provenAddresses(of: anna, limit: 9)
        let request = AddressRequest(of: anna, for: "b@c", askedAt: now, until: now)
        try await add(request, hash: String(repeating: "a", count: 64))
        _ = try await addressRequests(of: anna, now: now, limit: 9)
        _ = try await confirmAddress(hash: "a", of: anna, now: now)
        try await useInbox()
    }

    /// Reads an inbox, marks as read, hides, and chooses kinds.
    private func useInbox() async throws {
        let (anna, now) = (PersonID(text: "aaaaaaaaaaaaaaaa"), Moment(seconds: 9))
        try await addAccount(Account(of: anna, as: .member, madeAt: now))
        for part in [PeckFilter.Part.all, .unread, .snoozed] {
            var filter = PeckFilter(limit: 9)
            (filter.part, filter.after) = (part, Peck.Cursor(text: "9-9"))
            _ = try await pecks(of: anna, filter, now: now)
        }
        _ = try await unreadPecks(of: anna, now: now)
        _ = try await readPecks(["k"], of: anna, now: now)
        _ = try await readPecks(nil, of: anna, now: now)
        _ = try await snoozePeck("k", of: anna, until: now)
        _ = try await mutePeckKinds([.nudge], of: anna, now: now) { $0.unrevised }
        _ = try await mutedPeckKinds(of: anna)
    }

    /// Imports a card without a UID as a new version of a contact's.
    func importVersion(of person: PersonID, by owner: PersonID) async throws {
        var card = ContactCard(formattedName: "Ben")
        card.emails = [ContactCard.Email(address: "b@c")]
        let rules = ImportRules(
            contact: { card, _ in Contact(person: person, card: card) },
            decision: { card, _, _ in .update(Contact(person: person, card: card), before: card) })
        _ = try await importCards(
            [card], owner: owner, now: Moment(seconds: 9), rules: rules,
            decisions: Self.unchanging)
    }

    private static var unchanging: ContactDecisions {
        ContactDecisions(
            guest: { _, _ in nil },
            merge: MergeDecisions(card: { kept, _ in kept }, meeting: { $0.unrevised }))
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
            decisions: Self.unchanging)
    }

    /// Reads pages of an address book and of circles, and what the page of a contact shows.
    func readPagesOfContacts() async throws {
        let (anna, now) = (PersonID(text: "aaaaaaaaaaaaaaaa"), Moment(seconds: 9))
        let ben = PersonID(text: "bbbbbbbbbbbbbbbb")
        _ = try await contacts(of: anna, from: "m", limit: 9)
        _ = try await initials(of: anna)
        _ = try await lastMerge(into: anna, now: now)
        _ = try await meetings(
            of: anna, seenBy: ben, isOver: true, now: now, offset: 0, limit: 9)
        var told = LedgerFilter(limit: 9)
        (told.person, told.organizer, told.isLatestFirst) = (anna, ben, true)
        _ = try await deliveries(told)
        let circle = CircleID(text: "cccccccccccccccc")
        _ = try await circles(of: anna, from: 0, limit: 9)
        _ = try await circles(of: anna, marking: ben, limit: 9)
        _ = try await members(of: circle, owner: anna, from: 0, limit: 9)
        _ = try await member(ben, of: circle, owner: anna)
        _ = try await comingDates(ofCirclesOf: anna, from: 0, limit: 9, after: now)
    }
}
