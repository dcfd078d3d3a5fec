import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping

/// What somebody writes of a contact; `nil` leaves it as it is.
public struct ContactEdit: Sendable {
    /// The whole name.
    public var name: String?
    /// Mail addresses, in place of all that were there; the first is the one to write to.
    public var emails: [String]?
    /// Phone numbers, in place of all that were there.
    public var phones: [String]?
    /// The zone; an empty text takes it away.
    public var zone: String?
    /// The language in which they like to read (BCP 47); an empty text takes it away.
    public var language: String?
    /// Nicknames, in place of all that were there.
    public var nicknames: [String]?
    /// A note.
    public var note: String?

    /// An edit that changes nothing.
    public init() {}
}

extension Planner {
    /// How many contacts are read at once.
    private static let contactRowsMax = 1000

    /// The whole address book by name.
    public func people() async throws -> [PersonView] {
        var people: [PersonView] = []
        try await readContacts { people += $0.map { PersonView($0) } }
        return people
    }

    /// Reads the whole address book by name, page by page.
    func readContacts(_ take: (_ page: [Contact]) -> Void) async throws {
        var last: Contact?
        repeat {
            let page = try await store.contacts(
                of: actor.id, after: last, limit: Self.contactRowsMax)
            if !page.isEmpty { take(page) }
            last = page.count == Self.contactRowsMax ? page.last : nil
        } while last != nil
    }

    /// One contact.
    public func contact(_ who: String) async throws -> PersonView {
        PersonView(try await storedContact(who))
    }

    func storedContact(_ who: String) async throws -> Contact {
        let person = try await person(who)
        guard let contact = try await store.contact(person.id, of: actor.id) else {
            throw Refusal(
                .refused, code: "not_a_contact", "\(person.name) is not in the address book.")
        }
        return contact
    }

    /// Adds a contact by hand; somebody who was invited by the address alone becomes that contact.
    ///
    /// - Throws: ``Refusal`` with `known_person`, or with `is_you`.
    public func addPerson(_ edit: ContactEdit) async throws -> PersonView {
        var card = ContactCard(formattedName: edit.name ?? "")
        try apply(edit, to: &card)
        guard !isActor(card) else {
            throw Refusal(
                .refused, code: "is_you",
                "That is you: \(actor.name) <\(actor.address)>. You are in every meeting that you "
                    + "plan without being in the address book.")
        }
        switch try await store.addContact(
            card, owner: actor.id, newID: surroundings.chance.id(), now: now,
            decisions: contactDecisions)
        {
        case .added(let contact): return PersonView(contact)
        case .known(let namesake):
            let known = Set(namesake.card.emails.map { MailAddress.folded($0.address) })
            let shared = card.emails.map(\.address).first {
                known.contains(MailAddress.folded($0))
            }
            throw Refusal(
                .refused, code: "known_person",
                "\(namesake.card.formattedName) with \(shared ?? "") is there already.",
                candidates: [.person(PersonLine(namesake))])
        }
    }

    /// Changes a contact; open deliveries go to the new address. A guest of the new address, who is
    /// known by nothing but the address, or by this name, becomes one person with the contact.
    public func editPerson(_ who: String, _ edit: ContactEdit) async throws -> PersonView {
        let person = try await storedContact(who).person
        let edited = try await store.editContact(
            person, owner: actor.id, now: now, decisions: contactDecisions
        ) { try apply(edit, to: &$0) }
        guard let edited else { return try await contact(who) }
        return PersonView(edited)
    }

    var contactDecisions: ContactDecisions {
        ContactDecisions(
            guest: ContactMatching.guest,
            merge: MergeDecisions(
                card: { $0.uniting($1) }, meeting: replanning(because: "the contact changed")))
    }

    private func apply(_ edit: ContactEdit, to card: inout ContactCard) throws {
        if let name = edit.name {
            card.takeName(name)
        }
        if let emails = edit.emails {
            card.emails = try emails.enumerated().map { place, text in
                guard let address = MailAddress.plausible(text) else {
                    throw Refusal(
                        .invalid, code: "bad_address", "\(text) is no mail address.")
                }
                return ContactCard.Email(address: address, preferred: place == 0)
            }
        }
        if let phones = edit.phones {
            card.phones = phones.map { ContactCard.Phone(number: $0) }
        }
        if let zone = edit.zone {
            card.timeZone = zone.isEmpty ? nil : try self.zone(named: zone).id
        }
        if let language = edit.language {
            guard language.isEmpty || ContactCard.isLanguageTag(language) else {
                throw Refusal(
                    .invalid, code: "bad_language",
                    "\(language) is no tag of a language: write one such as de or en-GB.")
            }
            card.language = language.isEmpty ? nil : language
        }
        card.nicknames = edit.nicknames ?? card.nicknames
        card.note = edit.note ?? card.note
        try ContactRules.check(card)
    }
}
