public import Agenda
import Interchange
import Ledger
import Storage
import Timekeeping
import Wording

/// New values for a contact. A value of `nil` leaves the old one unchanged.
public struct ContactEdit: Sendable {
    /// The full name.
    public var name: String?
    /// Mail addresses that replace all existing ones. The first one is the address to write to.
    public var emails: [String]?
    /// Phone numbers that replace all existing ones.
    public var phones: [String]?
    /// The time zone; an empty text removes it.
    public var zone: String?
    /// The preferred language (BCP 47); an empty text removes it.
    public var language: String?
    /// The town where the person lives; an empty text removes it.
    public var town: String?
    /// Nicknames that replace all existing ones.
    public var nicknames: [String]?
    /// The birthday, in a form of ``Birthday/normalised(typed:)``; an empty text removes it.
    public var birthday: String?
    /// A note.
    public var note: String?

    /// An edit that changes nothing.
    public init() {}

    /// True if it changes nothing.
    public var isEmpty: Bool {
        let lists = [emails, phones, nicknames]
        let texts = [name, zone, language, town, birthday, note]
        return lists.allSatisfy { $0 == nil } && texts.allSatisfy { $0 == nil }
    }
}

extension Planner {
    /// The number of contacts to read in one query.
    private static let contactRowsMax = 1000

    func personView(_ contact: Contact) -> PersonView {
        PersonView(contact, zones: surroundings.zones)
    }

    /// The whole address book, sorted by name.
    public func people() async throws -> [PersonView] {
        var people: [PersonView] = []
        try await readContacts { people += $0.map(personView) }
        return people
    }

    /// Reads the whole address book page by page, sorted by name.
    func readContacts(_ take: (_ page: [Contact]) async throws -> Void) async throws {
        var last: Contact?
        repeat {
            let page = try await store.contacts(
                of: actor.id, after: last, limit: Self.contactRowsMax)
            if !page.isEmpty { try await take(page) }
            last = page.count == Self.contactRowsMax ? page.last : nil
        } while last != nil
    }

    /// One contact.
    public func contact(_ person: Person) async throws -> PersonView {
        personView(try await storedContact(person))
    }

    private var isYou: Refusal {
        Refusal(
            .refused, code: "is_you",
            "This is you: \(actor.name) <\(actor.address)>. You take part in every meeting that "
                + "you plan without being in the address book.",
            advice: [.installation(.setUp([]))])
    }

    func storedContact(_ person: Person) async throws -> Contact {
        guard let contact = try await store.contact(person.id, of: actor.id) else {
            guard person.id != actor.id else { throw isYou }
            throw Refusal(
                .refused, code: "not_a_contact", "\(person.name) is not in your address book.",
                advice: [.people(.add(address: person.address.isEmpty ? nil : person.address))])
        }
        return contact
    }

    /// Adds a typed contact. A guest who was invited by the address alone becomes this contact.
    ///
    /// - Parameter typed: the values. If no addresses are given, the name may be an address, or a
    ///   name with an address: `Anna <anna@example.org>`.
    /// - Returns: the new contact.
    /// - Throws: ``Refusal`` with `known_person` or `is_you`.
    public func addPerson(_ typed: ContactEdit) async throws -> PersonView {
        let edit = typed.takingAddressFromName
        var card = ContactCard(formattedName: edit.name ?? "")
        try apply(edit, to: &card)
        guard !isActor(card) else { throw isYou }
        switch try await store.addContact(
            card, owner: actor.id, newID: surroundings.chance.id(), now: now,
            decisions: contactDecisions)
        {
        case .added(let contact): return personView(contact)
        case .known(let namesake):
            let known = Set(namesake.card.emails.map { MailAddress.folded($0.address) })
            let shared = card.emails.map(\.address).first {
                known.contains(MailAddress.folded($0))
            }
            throw Refusal(
                .refused, code: "known_person",
                "\(namesake.card.formattedName) with the address \"\(shared ?? "")\" is already in "
                    + "your address book.",
                candidates: [.person(PersonLine(namesake))])
        }
    }

    /// Changes a contact. Open deliveries go to the new address. A guest who has the new address is
    /// merged with the contact if the guest has the same name, or only the address as a name.
    ///
    /// - Parameters:
    ///   - person: the contact.
    ///   - edit: the new values.
    ///   - check: gets the contact as it is before the change, and throws if it may not be
    ///     changed. Nobody else can change it in between.
    /// - Returns: the contact after the change.
    /// - Throws: ``Refusal``, or the error of `check`; nothing is changed then.
    public func editPerson(
        _ person: Person, _ edit: ContactEdit,
        checking check: @escaping @Sendable (PersonView) throws -> Void = { _ in }
    ) async throws -> PersonView {
        let id = try await storedContact(person).person
        let edited = try await store.editContact(
            id, owner: actor.id, now: now, decisions: contactDecisions
        ) { card in
            try check(personView(Contact(person: id, card: card)))
            try apply(edit, to: &card)
        }
        guard let edited else { return try await contact(person) }
        return personView(edited)
    }

    var contactDecisions: ContactDecisions {
        ContactDecisions(
            guest: ContactMatching.guest,
            merge: MergeDecisions(
                card: { $0.uniting($1) }, meeting: replanning(because: "the contact changed")))
    }

    /// Checks the new values of an edit against the rules, whomever they are for.
    ///
    /// - Parameter edit: the new values.
    /// - Throws: ``Refusal`` or `RuleViolation` for the first value that breaks a rule.
    public func check(_ edit: ContactEdit) throws {
        var card = ContactCard(formattedName: "A")
        try apply(edit, to: &card)
    }

    private func apply(_ edit: ContactEdit, to card: inout ContactCard) throws {
        if let name = edit.name {
            card.takeName(name)
        }
        if let emails = edit.emails {
            card.emails = try emails.enumerated().map { place, text in
                guard let address = MailAddress.plausible(text) else {
                    throw Refusal(
                        .invalid, code: "bad_address", "\"\(text)\" is not a mail address.")
                }
                return card.email(at: address, preferred: place == 0)
            }
        }
        if let phones = edit.phones {
            card.phones = phones.map { card.phone($0) }
        }
        if let town = edit.town { try card.takeTown(town) }
        if let zone = edit.zone {
            card.timeZone = zone.isEmpty ? nil : try self.zone(named: zone).id
        }
        if let language = edit.language {
            if !language.isEmpty, let fault = Language.fault(of: language) {
                throw Refusal(
                    .invalid, code: "bad_language", "\"\(language)\" cannot be used: \(fault)")
            }
            card.language = language.isEmpty ? nil : language
        }
        if let birthday = edit.birthday {
            card.birthday = birthday.isEmpty ? nil : try Self.birthday(typed: birthday)
        }
        card.nicknames = edit.nicknames ?? card.nicknames
        card.note = edit.note ?? card.note
        try ContactRules.check(card)
    }
}

extension ContactEdit {
    /// The same edit with the address that was typed as the name, or behind it. Without a name, the
    /// address is the name.
    fileprivate var takingAddressFromName: ContactEdit {
        guard emails == nil, let name, let named = NamedAddress(name) else { return self }
        var edit = self
        edit.emails = [named.address]
        edit.name = named.name.isEmpty ? named.address : named.name
        return edit
    }
}

extension Planner {
    /// Remarks on addresses that are probably mistyped, because their domains have no dot. They are
    /// not refused: the domain of a local network may have none.
    ///
    /// - Parameter person: a contact.
    /// - Returns: one remark for each such address.
    public static func remarks(onAddressesOf person: PersonView) -> [Remark] {
        person.emails.compactMap { remark(onAddress: $0.address) }
    }

    /// The remark that invitations to coming meetings went to an address that a contact no longer
    /// has. They are not sent again by themselves, because the person may read both.
    ///
    /// - Parameters:
    ///   - old: the contact before a change.
    ///   - new: the contact after it.
    /// - Returns: the remark; `nil` for other users than the owner, who see no ledger.
    /// - Throws: ``StoreError``.
    public func remark(onMailTo old: PersonView, now new: PersonView) async throws -> Remark? {
        let present = Set(new.emails.map { MailAddress.folded($0.address) })
        let gone = Set(old.emails.map { MailAddress.folded($0.address) }).subtracting(present)
        guard actsAsOwner, !gone.isEmpty, !present.isEmpty else { return nil }
        var filter = LedgerFilter(limit: Self.contactRowsMax)
        (filter.states, filter.kind) = ([.accepted], .invitation)
        filter.person = PersonID(text: new.id)
        let sent = try await store.deliveries(filter).filter {
            gone.contains(MailAddress.folded($0.row.key.address)) && $0.row.deadline > now
        }
        let meetings = Set(sent.map(\.row.key.notification.meeting))
        guard let first = meetings.min() else { return nil }
        let count = TimeWords.count(meetings.count, "coming meeting")
        return Remark(
            "\(new.name) was invited to \(count) at the old address. A nudge asks again at the new "
                + "one.", advice: .meetings(.show(first)))
    }

    /// The remark that other contacts have an address of a contact, too: they may be the same
    /// person, or share it.
    ///
    /// - Parameter person: a contact of the actor.
    /// - Returns: the remark; `nil` if nobody else in the address book has the address.
    /// - Throws: ``StoreError``.
    public func remark(onSharedAddressOf person: PersonView) async throws -> Remark? {
        let actor = actor.id
        let addresses = person.emails.map { MailAddress.folded($0.address) }
        let others = try await store.lookUp { people in
            try addresses.flatMap { address in
                try people.persons(withAddress: address, limit: PersonSearch.candidatesMax)
                    .compactMap { try people.contact($0.id, of: actor) }
                    .filter { contact in
                        contact.card.emails.contains { MailAddress.folded($0.address) == address }
                    }
            }
        }.filter { $0.person.text != person.id }.uniqued()
        guard let first = others.first else { return nil }
        let names = others.map(\.card.formattedName).joined(separator: ", ")
        return Remark(
            "\(names) \(others.count == 1 ? "has" : "have") the same mail address.",
            advice: actsAsOwner ? [.people(.merge(first.person.text, person.id))] : [])
    }

    /// The remark on an address whose domain has no dot; `nil` if it has one.
    static func remark(onAddress address: String) -> Remark? {
        guard let at = address.lastIndex(of: "@") else { return nil }
        let domain = address[address.index(after: at)...]
        guard !domain.contains("."), !domain.hasPrefix("["), domain.lowercased() != "localhost"
        else { return nil }
        return Remark(
            Phrase(
                "Check the address \"%address%\": its domain has no dot.",
                ["address": .text(address)]))
    }

    /// A typed birthday in the form of a card.
    private static func birthday(typed text: String) throws(Refusal) -> String {
        guard let birthday = Birthday.normalised(typed: text) else {
            throw Refusal(
                .invalid, code: "bad_birthday",
                "\"\(text)\" is not a birthday. Write it as 1990-04-12 or 12 apr 1990, or "
                    + "without the year as 04-12 or 12 apr.")
        }
        return birthday
    }

    /// The first people of the address book, by name.
    public func firstPeople(limit: Int) async throws -> FirstRows<PersonView> {
        let rows = try await store.contacts(of: actor.id, after: nil, limit: limit + 1)
        return FirstRows(rows.map(personView), countMax: limit)
    }
}
