import Agenda
import Interchange
import Ledger
import Storage

/// Finds out whom somebody means by a WHO: a name, part of one, an address, an id or a circle's
/// name.
struct PersonSearch {
    /// The most candidates that are shown.
    static let candidatesMax = 20

    let store: Store
    let owner: Person

    /// Whom a WHO means.
    enum Meaning {
        /// One person.
        case person(Person)
        /// All of a circle.
        case circle(Circle, [Person])
        /// Somebody new, known by an address.
        case stranger(name: String, address: String)
    }

    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    func meaning(of who: String) async throws -> Meaning {
        let text = who.filter { !$0.isNewline }
        if let named = NamedAddress(text) { return try await meaning(of: named) }
        let circle = try await store.circle(named: text, of: owner.id)
        let persons = try await persons(named: text)
        if let circle {
            let isNamesake = persons.contains { SearchKey.fold($0.name) == SearchKey.fold(text) }
            guard !isNamesake else {
                throw ambiguous(text, persons, circle: circle)
            }
            return .circle(
                circle, try await store.members(of: circle.id, limit: MeetingRules.participantsMax))
        }
        guard let person = persons.first else { throw try await unknown(text) }
        guard persons.count == 1 else { throw ambiguous(text, persons, circle: nil) }
        return .person(person)
    }

    /// The circles and contacts that a text which is still being typed may mean, the likeliest
    /// first.
    func suggestions(for text: String, limit: Int) async throws -> [GuestView] {
        let key = SearchKey.fold(text)
        guard !key.isEmpty else { return [] }
        let circles = try await store.circles(of: owner.id, limit: Planner.listRowsMax)
            .filter { SearchKey.fold($0.name).hasPrefix(key) }
        let contacts = try await store.contacts(suggestedBy: text, of: owner.id, limit: limit)
        let guests = circles.map { GuestView($0) } + contacts.map { GuestView(PersonLine($0)) }
        return Array(guests.prefix(limit))
    }

    /// The persons that a name, an address or an id may mean.
    func persons(named text: String) async throws -> [Person] {
        if SearchKey.fold(text) == SearchKey.fold(owner.name) || isOwnAddress(text) {
            return [owner]
        }
        let contacts = try await store.contacts(
            matching: text, of: owner.id, limit: Self.candidatesMax)
        if !contacts.isEmpty {
            var persons: [Person] = []
            for contact in contacts {
                if let person = try await store.person(contact.person) { persons.append(person) }
            }
            return persons
        }
        let guests = try await store.persons(withAddress: text, limit: Self.candidatesMax)
        if !guests.isEmpty { return guests }
        return try await store.persons(idPrefix: text, limit: Self.candidatesMax)
    }

    private func isOwnAddress(_ text: String) -> Bool {
        !owner.address.isEmpty && text.lowercased() == owner.address.lowercased()
    }

    /// An address that nobody has is a new guest's.
    private func meaning(of named: NamedAddress) async throws -> Meaning {
        var persons = try await persons(named: named.address)
        if persons.count > 1, !named.name.isEmpty {
            persons = persons.filter { SearchKey.fold($0.name) == SearchKey.fold(named.name) }
        }
        guard persons.count <= 1 else {
            throw ambiguous(named.address, persons, circle: nil)
        }
        guard let person = persons.first else {
            return .stranger(
                name: named.name.isEmpty ? named.address : named.name, address: named.address)
        }
        return .person(person)
    }

    private func ambiguous(_ text: String, _ persons: [Person], circle: Circle?) -> Refusal {
        let circles = circle.map { [Candidate.circle(CircleView($0))] } ?? []
        return Refusal(
            .refused, code: "ambiguous_person",
            "\(text) may be several: write more of the name, the address, or the id.",
            candidates: circles + persons.map { .person(PersonLine($0)) })
    }

    private func unknown(_ text: String) async throws -> Refusal {
        let nearest = try await store.contacts(nearest: text, of: owner.id, limit: 5)
        let advice =
            nearest.isEmpty
            ? "Add them with: letsmeet people add NAME --email ADDRESS"
            : "Did you mean one of these?"
        return Refusal(
            .refused, code: "unknown_person",
            "Nobody in the address book, and no circle, is called \(text). \(advice)",
            candidates: nearest.map { .person(PersonLine($0)) })
    }
}

/// A mail address as people write it: `anna@example.org`, or `Anna <anna@example.org>`.
struct NamedAddress {
    let name: String
    let address: String

    init?(_ text: String) {
        guard let open = text.lastIndex(of: "<"), text.hasSuffix(">") else {
            guard let address = MailAddress.plausible(text) else { return nil }
            name = ""
            self.address = address
            return
        }
        let inside = String(text[text.index(after: open)...].dropLast())
        guard let address = MailAddress.plausible(inside) else { return nil }
        self.address = address
        name = text[..<open].split(separator: " ").joined(separator: " ")
            .filter { $0 != "\"" }
    }
}
