import Agenda
import Interchange
import Ledger
import Storage

/// Finds out whom somebody means by a WHO: a name, part of one, an address, an id or a circle's
/// name. Where a circle has the name of a person, `circle:` or `person:` before it tells which.
///
/// The actor's own address book is asked first. Whom it does not know, the owner's names.
struct PersonSearch {
    /// The most candidates that are shown.
    static let candidatesMax = 20

    let people: PeopleLookup
    let actor: Person
    let owner: Person
    /// Whose address books are asked, in this order.
    let books: [PersonID]
    /// By what actor and owner are found, who may have no card.
    private let own: [(person: Person, keys: ContactKeys)]

    init(people: PeopleLookup, actor: Person, owner: Person) {
        self.people = people
        self.actor = actor
        self.owner = owner
        books = [actor.id, owner.id].uniqued()
        own = (actor.id == owner.id ? [owner] : [actor, owner]).map { ($0, $0.keys) }
    }

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
    func meaning(of who: String) throws -> Meaning {
        try Refusal.checkNames(who, a: "person")
        let text = who.filter { !$0.isNewline }
        if let told = WhoText(text), let meaning = try meaning(of: told) { return meaning }
        if let named = NamedAddress(text) { return try meaning(of: named) }
        for book in books {
            if let meaning = try meaning(of: text, in: book) { return meaning }
        }
        let persons = try strangers(named: text)
        guard let person = persons.first else { throw try unknown(text) }
        guard persons.count == 1 else { throw try ambiguous(text, persons) }
        return .person(person)
    }

    /// Whom a WHO means that says what it names; `nil` when nobody, because the name of a contact
    /// may begin so too.
    private func meaning(of told: WhoText) throws -> Meaning? {
        if told.kind == .person, let named = NamedAddress(told.name) {
            return try meaning(of: named)
        }
        for book in books {
            let meaning = try meaning(of: told.name, in: book, only: told.kind)
            if let meaning { return meaning }
        }
        return nil
    }

    /// Whom an address book and its circles mean by a text; `nil` when nobody.
    private func meaning(
        of text: String, in book: PersonID, only kind: WhoText.Kind? = nil
    ) throws -> Meaning? {
        let circle = kind == .person ? nil : try people.circle(named: text, of: book)
        let (quality, persons) =
            kind == .circle ? (nil, []) : try knownWithQuality(text, in: book)
        if let circle {
            guard !(quality?.isOfWholeName ?? false) else {
                throw try ambiguous(text, persons, circle: circle)
            }
            return .circle(
                circle, try people.members(of: circle.id, limit: MeetingRules.participantsMax))
        }
        guard persons.count <= 1 else { throw try ambiguous(text, persons) }
        return persons.first.map { .person($0) }
    }

    /// The circles and contacts that a text which is still being typed may mean, the likeliest
    /// first.
    func suggestions(for text: String, limit: Int) throws -> [GuestView] {
        let key = SearchKey.fold(text)
        guard !key.isEmpty else { return [] }
        var guests: [GuestView] = []
        for book in books {
            let circles = try people.circles(of: book, limit: Planner.listRowsMax)
                .filter { SearchKey.fold($0.name).hasPrefix(key) }
            let contacts = try people.contacts(suggestedBy: text, of: book, limit: limit)
            let found =
                circles.map { GuestView($0) }
                + contacts.map {
                    GuestView(PersonLine($0, isPrivate: !maySeeAddresses(in: book)))
                }
            guests += found.filter { guest in !guests.contains { $0.who == guest.who } }
        }
        return Array(guests.prefix(limit))
    }

    /// The persons that a name, an address or an id may mean, where it fits so well.
    func persons(named text: String, atLeast worst: MatchQuality = .inside) throws -> [Person] {
        try Refusal.checkNames(text, a: "person")
        if let told = WhoText(text), told.kind == .person {
            let persons = try persons(named: told.name, atLeast: worst)
            if !persons.isEmpty { return persons }
        }
        for book in books {
            let persons = try knownWithQuality(text, in: book, atLeast: worst).persons
            if !persons.isEmpty { return persons }
        }
        return try strangers(named: text)
    }

    /// The contacts of an address book that a text may mean, and beside them whose book it is, who
    /// is in none; and how well it fits them, `nil` when it fits nobody. Actor and owner are meant
    /// by their whole name or address whatever book is asked.
    func knownWithQuality(
        _ text: String, in book: PersonID, atLeast worst: MatchQuality = .inside
    ) throws -> (quality: MatchQuality?, persons: [Person]) {
        let contacts = try people.contacts(
            matching: text, of: book, atLeast: worst, limit: Self.candidatesMax)
        let quality = contacts.first.flatMap { MatchQuality(of: text, on: $0.card) }
        let own = self.own.compactMap { person, keys -> (person: Person, quality: MatchQuality)? in
            guard let quality = MatchQuality(of: text, on: keys), quality <= worst,
                quality == .whole || person.id == book
            else { return nil }
            return (person, quality)
        }
        let best = (own.map(\.quality) + [quality].compactMap(\.self)).min()
        var found = own.filter { $0.quality == best }.map(\.person)
        for contact in contacts where quality == best {
            if let person = try people.person(contact.person) { found.append(person) }
        }
        let persons = found.reduce(into: [Person]()) { persons, person in
            if !persons.contains(where: { $0.id == person.id }) { persons.append(person) }
        }
        return (best, persons)
    }

    /// What people should know of a circle of this name: whom the name meant until then.
    func remark(onCircleNamed name: String) throws -> String? {
        for book in books {
            let (quality, persons) = try knownWithQuality(name, in: book)
            guard let quality, quality != .inside, !persons.isEmpty else { continue }
            let names = persons.prefix(Self.namesShownMax).map(\.name).joined(separator: " or ")
            let more = persons.count > Self.namesShownMax ? " or others" : ""
            let ways = [WhoText(.circle, name), WhoText(.person, name)].map(\.text)
            guard !quality.isOfWholeName else {
                return "\(names)\(more) is called so too: write \(ways.joined(separator: " or "))."
            }
            return "From now on \(name) means this circle; \(ways[1]) means \(names)\(more)."
        }
        return nil
    }

    /// How many of several people a sentence names.
    private static let namesShownMax = 3

    /// The persons who are in neither address book, by address or id.
    private func strangers(named text: String) throws -> [Person] {
        let guests = try people.persons(withAddress: text, limit: Self.candidatesMax)
        if !guests.isEmpty { return guests }
        return try people.persons(idPrefix: text, limit: Self.candidatesMax)
    }

    /// An address that nobody has is a new guest's. Of several people at one address the name that
    /// is written beside it tells who is meant; another name there is a new guest's too.
    private func meaning(of named: NamedAddress) throws -> Meaning {
        // Part of an address is nobody's, whatever else it is a part of.
        var persons = try persons(named: named.address, atLeast: .whole)
        if persons.count > 1, !named.name.isEmpty {
            let namesakes = persons.filter { SearchKey.isSameName($0.name, named.name) }
            persons = namesakes.isEmpty ? persons.filter(\.isCalledByAddress) : namesakes
        }
        guard persons.count <= 1 else {
            throw try ambiguous(named.address, persons)
        }
        guard let person = persons.first else {
            return .stranger(
                name: named.name.isEmpty ? named.address : named.name, address: named.address)
        }
        return .person(person)
    }

    /// Refuses a text that may mean any of these.
    func ambiguous(
        _ text: String, _ persons: [Person], circle: Circle? = nil
    ) throws -> Refusal {
        let candidates = try lines(of: persons).map { Candidate.person($0) }
        guard let circle else {
            return Refusal(
                .refused, code: "ambiguous_person",
                "\(text) may be several: write more of the name, the address, or the id.",
                candidates: candidates)
        }
        let ways = [WhoText(.circle, circle.name), WhoText(.person, text)].map(\.text)
        return Refusal(
            .refused, code: "ambiguous_person",
            "\(text) is a circle and a person too: write \(ways.joined(separator: " or ")).",
            candidates: [.circle(CircleView(circle))] + candidates)
    }

    /// A person as the actor may see them: with the address that is in the actor's own book.
    func line(of person: Person) throws -> PersonLine {
        guard !maySeeAddresses(in: owner.id), person.id != actor.id else {
            return PersonLine(person)
        }
        let contact = try people.contact(person.id, of: actor.id)
        return contact.map { PersonLine($0) } ?? PersonLine(person, isPrivate: true)
    }

    /// People as the actor may see them.
    func lines(of persons: [Person]) throws -> [PersonLine] {
        var lines: [PersonLine] = []
        for person in persons { lines.append(try line(of: person)) }
        return lines
    }

    /// Whose address book it is sees the addresses in it, and so does the owner.
    private func maySeeAddresses(in book: PersonID) -> Bool {
        actor.id == owner.id || actor.id == book
    }

    private func unknown(_ text: String) throws -> Refusal {
        var nearest: [PersonLine] = []
        for book in books where nearest.isEmpty {
            nearest = try people.contacts(nearest: text, of: book, limit: 5).map {
                PersonLine($0, isPrivate: !maySeeAddresses(in: book))
            }
        }
        let advice =
            nearest.isEmpty
            ? "Add them with: letsmeet people add NAME --email ADDRESS"
            : "Did you mean one of these?"
        return Refusal(
            .refused, code: "unknown_person",
            "Nobody in the address book, and no circle, is called \(text). \(advice)",
            candidates: nearest.map { .person($0) })
    }
}

extension MatchQuality {
    /// Whether the text is a whole name or an address, and no part of one.
    var isOfWholeName: Bool { self <= .reordered }
}

extension Person {
    /// By what somebody is found who has no card.
    fileprivate var keys: ContactKeys {
        var card = ContactCard(formattedName: name)
        if !address.isEmpty { card.emails = [ContactCard.Email(address: address)] }
        return ContactKeys(of: card)
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
        let typed = text[..<open].split(separator: " ").joined(separator: " ")
            .filter { $0 != "\"" }
        name = typed.showsNothing ? "" : typed
    }
}
