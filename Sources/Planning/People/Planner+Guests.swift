import Agenda
import Interchange
import Ledger
import Storage
import Wording

/// The guests that a list of names means.
struct GuestList {
    /// The people to invite.
    var all: [Person] = []
    /// The guests who are new to the installation.
    var new: [Person] = []
    /// The addresses of the new guests, folded.
    var newAddresses: Set<String> = []
    /// The people who were named themselves and not only by a circle.
    var named: Set<PersonID> = []
    /// The people who were named only by a circle.
    var members: Set<PersonID> { Set(all.map(\.id)).subtracting(named) }
    /// The circles that were named.
    var circles: [CircleID] = []
    /// Remarks for the user.
    var remarks: [Remark] = []

    private var ids: Set<PersonID> = []

    /// Adds people, each once. The organizer is left out because they need no invitation.
    mutating func add(_ people: [Person], besides organizer: PersonID) {
        for person in people where person.id != organizer && ids.insert(person.id).inserted {
            all.append(person)
        }
    }

    /// True if a person was not named before. Somebody whom the organizer does not know may be
    /// named by several addresses: a refusal would tell that they are those of one account.
    ///
    /// - Throws: ``Refusal`` with `person_twice`.
    mutating func isFirst(_ person: Person, meantBy who: String) throws(Refusal) -> Bool {
        let typed = person.hasTypedName ? NamedAddress(WhoText.person(in: who))?.address : nil
        let isNew = typed.map { newAddresses.insert(MailAddress.folded($0)).inserted } ?? false
        guard !named.insert(person.id).inserted else { return true }
        guard isNew else { throw Self.twice(typed ?? person.name) }
        return false
    }

    static func twice(_ name: String) -> Refusal {
        Refusal(
            .refused, code: "person_twice", "\"\(name)\" is named twice. Name each person once.")
    }

    /// Puts new guests with the same names and addresses in the place of people.
    ///
    /// - Parameters:
    ///   - people: the people to replace.
    ///   - newID: the id of the next new guest.
    mutating func replace(_ people: Set<PersonID>, newID: () -> PersonID) {
        let known = people.subtracting(new.map(\.id))
        for place in all.indices where known.contains(all[place].id) {
            let person = all[place]
            all[place] = Person(id: newID(), name: person.name, address: person.address)
            new.append(all[place])
            if named.remove(person.id) != nil { named.insert(all[place].id) }
        }
    }

    /// Leaves out people who are already in a meeting and were named only by a circle. People who
    /// were named themselves stay in the list.
    mutating func passOver(_ meeting: MeetingBundle) {
        let present = Set(meeting.participants.filter { !$0.isRemoved }.map(\.person))
        let passed = all.filter { present.contains($0.id) && !named.contains($0.id) }
        guard !passed.isEmpty else { return }
        all.removeAll { guest in passed.contains { $0.id == guest.id } }
        let names = Phrase.Value.names(
            passed.prefix(Self.namesMax).map(\.name), rest: max(0, passed.count - Self.namesMax))
        remarks.append(
            Remark(
                Phrase(
                    passed.count == 1
                        ? "%names% is already in \"%title%\"."
                        : "%names% are already in \"%title%\".",
                    ["names": names, "title": .text(meeting.meeting.title)])))
    }

    /// Adds a remark for each guest who had answered before they were removed from a meeting: they
    /// are asked again.
    mutating func noteAskedAgain(_ meeting: MeetingBundle, on date: String) {
        for guest in all where meeting.rows.haveToldOff(guest.id, on: date) {
            let before = meeting.participants.first { $0.person == guest.id && $0.isRemoved }
            guard let answer = before?.answer, answer != .invited else { continue }
            remarks.append(
                Remark(
                    Phrase(
                        "%name% had answered \"%answer%\" and is asked again.",
                        ["name": .text(guest.name), "answer": .answer(answer)])))
        }
    }

    private static let namesMax = 5
}

extension Planner {
    /// True if a text with commas is the name of exactly one person and not a list.
    public func isOneName(_ text: String) async throws -> Bool {
        try await searching { try $0.isOneName(text) }
    }

    /// The guests that a list of names, addresses and circles means, for a meeting of this
    /// organizer.
    ///
    /// A person who is named twice is refused. A person in several of the circles is invited once.
    ///
    /// - Parameters:
    ///   - names: the names, addresses and circles.
    ///   - organizer: the organizer.
    ///   - isInviting: true to invite them; false for a preview.
    /// - Returns: the guests.
    /// - Throws: ``Refusal`` with `unknown_person`, `ambiguous_person` or `person_twice`.
    func guests(
        _ names: [String], organizer: PersonID, inviting isInviting: Bool
    ) async throws -> GuestList {
        try await searching(inviting: isInviting) {
            try guests(names, organizer: organizer, $0)
        }
    }

    /// The guests that a list of names means, found with an existing search. In a preview, new
    /// guests stand for people of whom it tells no more.
    func guests(
        _ names: [String], organizer: PersonID, _ search: PersonSearch
    ) throws -> GuestList {
        var list = GuestList()
        for name in names {
            switch try search.meaning(of: name) {
            case .person(let found):
                let person = try search.asKnown(found)
                guard try list.isFirst(person, meantBy: name) else { continue }
                if person.id == organizer { list.remarks.append(takesPart(person)) }
                list.add([person], besides: organizer)
            case .circle(let circle):
                guard !list.circles.contains(circle.id) else { continue }
                list.circles.append(circle.id)
                list.add(
                    try search.members(of: circle).map { try search.asKnown($0) },
                    besides: organizer)
            case .stranger(let name, let address):
                let folded = MailAddress.folded(address)
                guard list.newAddresses.insert(folded).inserted else {
                    throw GuestList.twice(address)
                }
                if let remark = Self.remark(onAddress: address) { list.remarks.append(remark) }
                let person = Person(id: surroundings.chance.id(), name: name, address: address)
                list.new.append(person)
                list.named.insert(person.id)
                list.add([person], besides: organizer)
            }
        }
        guard !search.isInviting else { return list }
        list.replace(try search.concealed(among: list.all)) { surroundings.chance.id() }
        return list
    }

    private func takesPart(_ organizer: Person) -> Remark {
        Remark(
            organizer.id == actor.id
                ? Phrase("You are the organizer and take part without an invitation.")
                : Phrase(
                    "%name% is the organizer and takes part without an invitation.",
                    ["name": .text(organizer.name)]))
    }
}
