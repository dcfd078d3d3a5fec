package import Agenda
import Interchange
import Ledger
import Storage
import Wording

/// Finds the person or the circle that a typed text (WHO) means: a name, a part of a name, an
/// address, an id or the name of a circle. If a circle has the same name as a person, the prefix
/// `circle:` or `person:` decides.
///
/// Only the actor's own address book is searched. Of all other people, the actor learns nothing
/// that they did not type, unless they take part in a meeting together. They can invite anybody by
/// a whole address. In all other searches, the address of somebody whom they do not know means as
/// little as one that nobody has, so that nobody learns who has an account.
package struct PersonSearch {
    /// The maximum number of candidates shown.
    static let candidatesMax = 20

    let people: PeopleLookup
    let actor: Person
    let owner: Person
    /// True if the people who are found are invited, so that the actor gets to know them.
    let isInviting: Bool
    /// The actor and the owner with their search keys. They may have no card in any address book.
    private let own: [(person: Person, keys: ContactKeys)]
    private let reading = MembersReading()

    init(people: PeopleLookup, actor: Person, owner: Person, isInviting: Bool = false) {
        self.isInviting = isInviting
        self.people = people
        self.actor = actor
        self.owner = owner
        own = (actor.id == owner.id ? [owner] : [actor, owner]).map { ($0, $0.keys) }
    }

    /// The meaning of a WHO.
    package enum Meaning {
        /// One person.
        case person(Person)
        /// A circle, whose people are still to be read: ``PersonSearch/members(of:)``.
        case circle(Circle)
        /// A new guest with an address that nobody has yet.
        case stranger(name: String, address: String)
    }

    /// The people of a circle, at most as many as a meeting can have.
    ///
    /// - Parameter circle: the circle.
    /// - Returns: the people.
    /// - Throws: ``RuleViolation`` with `too_many_people` if the circles of this search have far
    ///   more people than a meeting can have.
    package func members(of circle: Circle) throws -> [Person] {
        let most = MeetingRules.participantsMax
        try MeetingRules.check(participantCount: reading.count / Self.circlesMax)
        let members = try people.members(of: circle.id, limit: most)
        reading.count += members.count
        return members
    }

    /// The number of full circles that one search reads.
    private static let circlesMax = 5

    /// The number of people of circles that a search has read.
    private final class MembersReading {
        var count = 0
    }

    /// The person or the circle that a WHO means.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    package func meaning(of who: String) throws -> Meaning {
        try Refusal.checkNames(who, a: "person")
        let text = who.filter { !$0.isNewline }
        if let told = WhoText(text), let meaning = try meaning(of: told) { return meaning }
        if let named = NamedAddress(text) { return try meaning(of: named) }
        if let meaning = try meaning(of: text, in: actor.id) { return meaning }
        let persons = try strangers(named: text)
        guard let person = persons.first else { throw try unknown(text) }
        guard persons.count == 1 else { throw try ambiguous(text, persons) }
        return .person(person)
    }

    /// The meaning of a WHO with a prefix `person:` or `circle:`. It is `nil` if there is no
    /// match, because the name of a contact may begin with such a prefix, too.
    private func meaning(of told: WhoText) throws -> Meaning? {
        if told.kind == .person, let named = NamedAddress(told.name) {
            return try meaning(of: named)
        }
        return try meaning(of: told.name, in: actor.id, only: told.kind)
    }

    /// The contact or the circle of one address book that a text means; `nil` if there is none.
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
            return .circle(circle)
        }
        guard persons.count <= 1 else { throw try ambiguous(text, persons) }
        return try persons.first.map { .person(try asKnown($0)) }
    }

    /// Suggestions for a text that is still being typed: circles and contacts, best matches first
    /// in each address book.
    func suggestions(for text: String, limit: Int) throws -> [GuestView] {
        let key = SearchKey.fold(text)
        guard !key.isEmpty else { return [] }
        let circles = try people.circles(of: actor.id, limit: Planner.listRowsMax)
            .filter { SearchKey.fold($0.name).hasPrefix(key) }
        let contacts = try people.contacts(suggestedBy: text, of: actor.id, limit: limit)
        let guests = circles.map { GuestView($0) } + contacts.map { GuestView(PersonLine($0)) }
        return Array(guests.prefix(limit))
    }

    /// The persons who match a name, an address or an id with at least this quality.
    func persons(named text: String, atLeast worst: MatchQuality = .inside) throws -> [Person] {
        try Refusal.checkNames(text, a: "person")
        if let told = WhoText(text), told.kind == .person {
            let persons = try persons(named: told.name, atLeast: worst)
            if !persons.isEmpty { return persons }
        }
        let persons = try knownWithQuality(text, in: actor.id, atLeast: worst).persons
        return persons.isEmpty ? try strangers(named: text) : persons
    }

    /// The best matches for a text in an address book, with their match quality.
    ///
    /// The person whose address book it is matches like a contact. The actor and the owner match
    /// by their whole name or address in any address book.
    ///
    /// - Returns: the matching persons, all of the same quality; `nil` and no persons if nobody
    ///   matches.
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

    /// A sentence about a circle whose name also matches people: it says how to name the circle
    /// and how to name them. `nil` if the name matches nobody.
    func words(onCircleNamed name: String) throws -> RemarkText? {
        let (quality, persons) = try knownWithQuality(name, in: actor.id)
        guard let quality, quality != .inside, !persons.isEmpty else { return nil }
        let ways = [WhoText(.circle, name), WhoText(.person, name)].map(\.text.shellWord)
        guard !quality.isOfWholeName else {
            return "\"\(name)\" is now the name of a circle and of a person. "
                + "Write \(ways[0]) or \(ways[1])."
        }
        let names =
            persons.prefix(Self.namesShownMax).map { "\($0.name)" as RemarkText }
            + (persons.count > Self.namesShownMax ? ["others"] : [])
        return "From now on, \"\(name)\" means this circle. "
            + "\(ways[1]) means \(names.joined(by: " or "))."
    }

    /// The maximum number of people that a sentence names.
    private static let namesShownMax = 3

    /// The persons with this address or, if there are none, with this id, who are not in the
    /// actor's address book. Only the owner may find people by a part of their id: with parts,
    /// anybody could list everybody.
    private func strangers(named text: String) throws -> [Person] {
        let guests = try people.guests(
            withAddress: text, typedBy: actor.id, limit: Self.candidatesMax)
        guard actor.id != owner.id else {
            return guests.isEmpty
                ? try people.persons(idPrefix: text, limit: Self.candidatesMax) : guests
        }
        let known = try guests.compactMap { try shown($0, byAddress: text) }
        guard known.isEmpty else { return known }
        return try people.persons(idPrefix: text, limit: Self.candidatesMax)
            .filter { try $0.id.text == text && isOwn($0.id) }
    }

    /// True if an id means a person to the actor: the actor or somebody in their own address book,
    /// and for the owner everybody. Ids of others are seen in meetings, and must not lead to more.
    func isOwn(_ person: PersonID) throws -> Bool {
        try actor.id == owner.id || person == actor.id
            || people.contact(person, of: actor.id) != nil
    }

    /// True if the actor has a person in their own address book, or takes part in a meeting with
    /// them. The owner knows everybody.
    private func isKnown(_ person: PersonID) throws -> Bool {
        try actor.id == owner.id || person == actor.id
            || people.contact(person, of: actor.id) != nil
            || people.takePartTogether(person, actor.id)
    }

    /// A person as the actor may see them if they typed the address: of people whom they do not
    /// know, they see only that. `nil` for a guest of others with a name, because the next
    /// invitation would show it: the address then means a new guest.
    private func shown(_ person: Person, byAddress address: String) throws -> Person? {
        // Nobody learns by guessing which other addresses somebody has.
        let isGuessed = try people.isConcealed(address, of: person.id, from: actor.id)
        guard isInviting || person.id == actor.id || !isGuessed else { return nil }
        guard try !isKnown(person.id) else { return person }
        let known = try people.typedName(of: person.id, by: actor.id)
        guard isInviting || known != nil else { return nil }
        let isSeen = person.isCalledByAddress && Self.isSame(person.address, address)
        guard !isSeen else { return person }
        guard try known != nil || people.isProven(address, of: person.id) else { return nil }
        return Self.typed(known ?? address, at: address, meaning: person)
    }

    /// A person whom the actor does not know, under the name and at the address that they typed.
    private static func typed(
        _ name: String, at address: String, meaning person: Person
    ) -> Person {
        var typed = known(
            Person(id: person.id, name: name, address: person.address), at: address)
        typed.hasTypedName = true
        return typed
    }

    private static func isSame(_ left: String, _ right: String) -> Bool {
        MailAddress.folded(left) == MailAddress.folded(right)
    }

    private static func known(_ person: Person, at address: String) -> Person {
        person.known(at: isSame(person.address, address) ? person.address : address)
    }

    /// A guest as the actor knows them. If their mail goes to a proven address that the actor does
    /// not know, they are shown at the address that the actor typed, or at that of their card. The
    /// owner sees all addresses.
    func asKnown(_ guest: Person, typed: String? = nil) throws -> Person {
        guard
            try actor.id != owner.id && guest.id != actor.id && guest.destination == nil
                && people.isProven(guest.address, of: guest.id)
        else { return guest }
        let card = try people.contact(guest.id, of: actor.id)?.card
        let emails = card?.emailsByPreference ?? []
        guard !emails.contains(where: { Self.isSame($0.address, guest.address) }) else {
            return Self.known(guest, at: guest.address)
        }
        guard let known = typed ?? emails.first?.address ?? card.map({ _ in "" }) else {
            return guest
        }
        return Self.known(guest, at: known)
    }

    /// The person with an address. An address that nobody has belongs to a new guest.
    ///
    /// If several people share the address, the name beside it decides. If none of them has this
    /// name, the person whose name is just an address is meant, or else a new guest.
    private func meaning(of named: NamedAddress) throws -> Meaning {
        // Only a whole address counts here. A part of an address means nobody.
        var persons = try persons(named: named.address, atLeast: .whole)
            .filter { try actor.id != owner.id || isMeant($0, by: named) }
        let accounts = persons.filter(\.hasTypedName)
        if accounts.count == 1 { persons = accounts }
        if persons.count > 1, !named.name.isEmpty {
            let namesakes = try (persons + strangers(named: named.address))
                .filter { SearchKey.isSameName($0.name, named.name) }.uniqued()
            persons = namesakes.isEmpty ? persons.filter(\.isCalledByAddress) : namesakes
        } else if persons.count > 1 {
            // A guest whom somebody invited by the address alone.
            let others = persons.filter { !$0.isCalledByAddress }
            if others.count == 1 { persons = others }
        }
        guard persons.count <= 1 else {
            throw try ambiguous(named.address, persons)
        }
        if persons.isEmpty, !named.name.isEmpty { persons = try namesakes(of: named) }
        let typed = named.name.isEmpty ? named.address : named.name
        guard var person = persons.first else {
            return .stranger(name: typed, address: named.address)
        }
        if person.hasTypedName, !named.name.isEmpty { person.name = typed }
        return .person(try asKnown(person, typed: named.address))
    }

    /// The guest of others whom the actor calls exactly as they are called there. The actor sees no
    /// more of them than they typed.
    private func namesakes(of named: NamedAddress) throws -> [Person] {
        guard isInviting || actor.id == owner.id else { return [] }
        let guests = try people.guests(
            withAddress: named.address, typedBy: actor.id, limit: Self.candidatesMax)
        return guests.filter { SearchKey.isSameName($0.name, named.name) }.prefix(1)
            .map { Self.typed(named.name, at: named.address, meaning: $0) }
    }

    /// The people of whom a preview tells no more than of new guests. An organizer may know how
    /// somebody is notified if both share a meeting, or if they have them in their address book. A
    /// contact with the address of somebody else's account does not count.
    func concealed(among people: [Person]) throws -> Set<PersonID> {
        guard actor.id != owner.id else { return [] }
        let ids = people.map(\.id)
        return Set(ids).subtracting(try self.people.foreseeable(ids, by: actor.id))
    }

    /// True if the owner means a person by an address: not a guest of others who has a name there,
    /// because the owner's mail would call them so.
    private func isMeant(_ person: Person, by named: NamedAddress) throws -> Bool {
        try person.id == owner.id || person.isCalledByAddress
            || SearchKey.isSameName(person.name, named.name)
            || people.contact(person.id, of: owner.id) != nil
            || people.takePartTogether(person.id, owner.id)
            || people.isProven(named.address, of: person.id)
    }

    /// The refusal of a text that matches several persons, or a circle and persons.
    func ambiguous(
        _ text: String, _ persons: [Person], circle: Circle? = nil
    ) throws -> Refusal {
        let candidates = try lines(of: persons).map { Candidate.person($0) }
        guard let circle else {
            return Refusal(
                .refused, code: "ambiguous_person",
                "Several people match \"\(text)\". Give more of the name, an address or the id.",
                candidates: candidates
            ).ofAmbiguous(text)
        }
        let ways = [WhoText(.circle, circle.name), WhoText(.person, text)].map(\.text.shellWord)
        return Refusal(
            .refused, code: "ambiguous_person",
            "\"\(text)\" is both a circle and a person. "
                + "Write \(ways.joined(separator: " or ")).",
            candidates: [.circle(CircleView(circle))] + candidates
        ).ofAmbiguous(text)
    }

    /// A person as the actor may see them. The owner sees all addresses. Others see only their own
    /// address and those in their own address book.
    func line(of person: Person) throws -> PersonLine {
        guard actor.id != owner.id, person.id != actor.id else { return PersonLine(person) }
        let contact = try people.contact(person.id, of: actor.id)
        return contact.map { PersonLine($0) } ?? PersonLine(person, isPrivate: true)
    }

    /// Persons as the actor may see them.
    func lines(of persons: [Person]) throws -> [PersonLine] {
        var lines: [PersonLine] = []
        for person in persons { lines.append(try line(of: person)) }
        return lines
    }

    private func unknown(_ text: String) throws -> Refusal {
        let nearest = try people.contacts(nearest: text, of: actor.id, limit: 5)
            .map { PersonLine($0) }
        let circles = Planner.circles(
            try people.circles(of: actor.id, limit: Planner.listRowsMax), near: text)
        let candidates =
            circles.map { Candidate.circle(CircleView($0)) } + nearest.map { Candidate.person($0) }
        let question = candidates.isEmpty ? "" : " Did you mean one of these?"
        return Refusal(
            .refused, code: "unknown_person",
            "No person and no circle is called \"\(text)\".\(question)",
            candidates: candidates,
            advice: candidates.isEmpty ? [.people(.add(address: nil))] : [])
    }
}

extension MatchQuality {
    /// True if the text is a whole name or address and not a part of one.
    var isOfWholeName: Bool { self <= .reordered }
}

extension Person {
    /// The search keys of a person without a card.
    fileprivate var keys: ContactKeys {
        var card = ContactCard(formattedName: name)
        if !address.isEmpty { card.emails = [ContactCard.Email(address: address)] }
        return ContactKeys(of: card)
    }
}
