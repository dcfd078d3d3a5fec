public import Agenda
import Interchange
import Ledger
import Storage

/// A place in an address book, sorted by name, at which a page begins.
public enum ContactPlace: Sendable {
    /// The first contact.
    case start
    /// The first contact whose sorted name begins with a text, or comes after it.
    case text(String)
    /// The contact after the one with this id; the first one if nobody has it.
    case after(String)
}

extension Planner {
    /// A page of the actor's address book, sorted by name. It takes the same time in every book.
    ///
    /// - Parameters:
    ///   - place: the place at which it begins.
    ///   - limit: the most contacts.
    /// - Returns: the contacts.
    /// - Throws: ``StoreError``.
    public func people(
        from place: ContactPlace, limit: Int
    ) async throws -> FirstRows<PersonView> {
        let book = actor.id
        let rows =
            switch place {
            case .start: try await store.contacts(of: book, after: nil, limit: limit + 1)
            case .text(let text):
                try await store.contacts(of: book, from: text, limit: limit + 1)
            case .after(let id):
                try await store.contacts(
                    of: book, after: try await store.contact(PersonID(text: id), of: book),
                    limit: limit + 1)
            }
        return FirstRows(rows.map(personView), countMax: limit)
    }

    /// The first characters of the sorted names in the actor's address book, each once, in upper
    /// case.
    public func contactInitials() async throws -> [String] {
        try await store.initials(of: actor.id).map { $0.uppercased() }
    }

    /// A contact of the actor, by an id.
    ///
    /// - Parameter id: the id of the person, or of somebody who was merged into them.
    /// - Returns: the person, and the contact.
    /// - Throws: ``Refusal`` with `unknown_person` if the actor's address book has nobody with this
    ///   id, whoever else knows them.
    public func contact(withID id: String) async throws -> (person: Person, view: PersonView) {
        let found = try await ownContact(id)
        return (found.person, found.view)
    }

    /// A contact of the actor by its id, with the name of its picture.
    ///
    /// - Parameter id: the id of the person.
    /// - Returns: the person, the contact, and the name of the picture; `nil` if there is none.
    /// - Throws: ``Refusal`` with `unknown_person`.
    public func ownContact(
        _ id: String
    ) async throws -> (person: Person, view: PersonView, picture: String?) {
        let book = actor.id
        let found = try await store.lookUp { people -> (Person, Contact)? in
            guard let contact = try people.contact(PersonID(text: id), of: book),
                let person = try people.person(contact.person)
            else { return nil }
            return (person, contact)
        }
        guard let (person, contact) = found else {
            throw Refusal(
                .refused, code: "unknown_person", "Nobody in your address book has this id.")
        }
        return (person, personView(contact), contact.picture)
    }
}
