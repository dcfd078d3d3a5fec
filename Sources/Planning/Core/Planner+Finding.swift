public import Agenda
import Interchange
public import Ledger
import Storage
import Timekeeping
import Wording

extension Planner {
    /// Looks up people as the actor means them. All look-ups of `body` share one read of the store.
    ///
    /// - Parameters:
    ///   - isInviting: true if the people who are found are invited.
    ///   - body: the look-ups.
    /// - Returns: the result of `body`.
    /// - Throws: ``StoreError``, or the error of `body`.
    package func searching<Value: Sendable>(
        inviting isInviting: Bool = false,
        _ body: @escaping @Sendable (PersonSearch) throws -> Value
    ) async throws -> Value {
        let (actor, owner) = (actor, owner)
        return try await store.lookUp {
            try body(
                PersonSearch(people: $0, actor: actor, owner: owner, isInviting: isInviting))
        }
    }

    /// The person that a WHO means.
    ///
    /// - Throws: ``Refusal`` with `is_circle`, `unknown_person` or `ambiguous_person`.
    public func person(named who: String) async throws -> Person {
        switch try await searching({ try $0.meaning(of: who) }) {
        case .person(let person): return person
        case .circle(let circle):
            throw Refusal(
                .refused, code: "is_circle",
                "\(circle.name) is a circle. Name one person. If a person has this name, write "
                    + "\(WhoText(.person, circle.name).text.shellWord).")
        case .stranger(_, let address): throw Self.nobody(at: address)
        }
    }

    /// The contact that a WHO means.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func contact(named who: String) async throws -> Person {
        let person = try await person(named: who)
        try await checkIsOwn(person, meantBy: who)
        return person
    }

    /// Checks that a person whom the actor named by an address is the actor or one of their
    /// contacts. Others are refused like an address that nobody has. The owner of the installation
    /// may name anybody.
    ///
    /// - Throws: ``Refusal`` with `unknown_person`.
    package func checkIsOwn(_ person: Person, meantBy who: String) async throws {
        guard let named = NamedAddress(WhoText.person(in: who)),
            try await !searching({ try $0.isOwn(person.id) })
        else { return }
        throw Self.nobody(at: named.address)
    }

    /// The refusal of an address with which nobody is found, whether somebody has it or not.
    package static func nobody(at address: String) -> Refusal {
        Refusal(
            .refused, code: "unknown_person",
            "Nobody in your address book has the address \"\(address)\".",
            advice: [.people(.add(address: address))])
    }

    /// The person that a WHO means. The owner of the installation, who sees everything, can also
    /// name people who are not in their own address book.
    ///
    /// - Throws: ``Refusal`` with `unknown_person` or `ambiguous_person`.
    public func knownPerson(named who: String) async throws -> Person {
        do {
            return try await person(named: who)
        } catch let refusal as Refusal where refusal.code == "unknown_person" && actsAsOwner {
            let others = try await store.persons(
                fitting: WhoText.person(in: who), outside: owner.id,
                limit: PersonSearch.candidatesMax)
            guard let other = others.first?.person else { throw refusal }
            guard others.count == 1 else {
                throw try await searching { try $0.ambiguous(who, others.map(\.person)) }
            }
            return other
        }
    }

    /// Finds people of a meeting, or of one date of a series, which may be over if `isPastToo`. If
    /// several people match a name, participants come first.
    public func participants(
        named names: [String], of id: MeetingID, on date: String? = nil,
        pastToo isPastToo: Bool = false
    ) async throws -> [Person] {
        guard let bundle = try await store.meetingBundle(id) else {
            throw Refusal.unknownMeeting(id.text)
        }
        return try await participants(named: names, in: bundle, on: date, pastToo: isPastToo)
            .flatMap(\.people).uniqued()
    }

    /// Finds people of a meeting, or of one date of a series.
    ///
    /// - Parameters:
    ///   - names: the names.
    ///   - all: the meeting.
    ///   - date: a date of a series; `nil` for all dates.
    ///   - isPastToo: true if the date may have passed.
    /// - Returns: for each name, the participants that it means.
    /// - Throws: ``Refusal`` with `not_a_participant`, `unknown_person`, `ambiguous_person` and
    ///   others.
    func participants(
        named names: [String], in all: MeetingBundle, on date: String?,
        pastToo isPastToo: Bool = false
    ) async throws -> [NamedParticipants] {
        let bundle = try drafting.known(all, on: date, pastToo: isPastToo)
        let day = date.map { _ in " on \(TimeWords.date(bundle.meeting.time.start.date))" } ?? ""
        var found: [NamedParticipants] = []
        for name in names {
            try Refusal.checkNames(name, a: "person")
            found.append(
                try await participants(
                    name, among: bundle.everybody, of: all.meeting.id,
                    title: bundle.meeting.title + day))
        }
        return found
    }

    /// Finds one person of a meeting.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_person` if the text means several people, or with
    ///   `not_a_participant`.
    public func participant(named who: String, of id: MeetingID) async throws -> Person {
        let found = try await participants(named: [who], of: id)
        guard let only = found.first, found.count == 1 else {
            throw Refusal(
                .refused, code: "ambiguous_person",
                "\"\(who)\" means more than one person. Name one person.")
        }
        return only
    }

    /// Finds one person to whom a meeting sends notifications. If several people match the name,
    /// present and former participants come first.
    func receiver(named name: String, of id: MeetingID) async throws -> Person {
        try Refusal.checkNames(name, a: "person")
        let people = try await store.meetingBundle(id)?.people.values.map(\.self) ?? []
        let matches = Self.matches(name, among: people)
        guard let match = matches.first else { return try await knownPerson(named: name) }
        guard matches.count == 1 else {
            throw try await searching { try $0.ambiguous(name, matches) }
        }
        return match
    }

    private static func matches(_ name: String, among people: [Person]) -> [Person] {
        let told = WhoText(name)
        guard told?.kind != .circle else { return [] }
        let name = told?.name ?? name
        let key = SearchKey.fold(name)
        let address = MailAddress.folded(name)
        let exact = people.filter {
            SearchKey.fold($0.name) == key || MailAddress.folded($0.address) == address
                || $0.id.text == name
        }
        let partly = people.filter { person in
            SearchKey.fold(person.name).split(separator: " ").contains { $0.hasPrefix(key) }
        }
        return exact.isEmpty && !key.isEmpty ? partly : exact
    }

    /// Finds the people whom a name means among some people of a meeting.
    ///
    /// - Parameters:
    ///   - name: a name, part of one, an address, or the name of a circle.
    ///   - present: the people.
    ///   - id: the meeting.
    ///   - title: the title of the meeting, for the refusal.
    /// - Returns: the people.
    /// - Throws: ``Refusal`` with `not_a_participant`, `unknown_person` or `ambiguous_person`.
    func participants(
        _ name: String, among present: [Person], of id: MeetingID, title: String
    ) async throws -> NamedParticipants {
        let matches = Self.matches(name, among: present)
        if matches.count == 1 { return NamedParticipants(people: matches) }
        var meant: NamedParticipants
        do {
            meant = try await people(meantBy: name)
        } catch let refusal as Refusal {
            throw matches.isEmpty
                ? refusal : try await searching { try $0.ambiguous(name, matches) }
        }
        meant.people.removeAll { person in !present.contains { $0.id == person.id } }
        guard meant.people.isEmpty else { return meant }
        throw matches.isEmpty
            ? Refusal(
                .refused, code: "not_a_participant", "\"\(name)\" is not invited to \(title).",
                advice: [.meetings(.show(id.text))])
            : try await searching { try $0.ambiguous(name, matches) }
    }

    private func people(meantBy name: String) async throws -> NamedParticipants {
        try await searching { search in
            switch try search.meaning(of: name) {
            case .person(let person): NamedParticipants(people: [person])
            case .circle(let circle):
                NamedParticipants(people: try search.members(of: circle), circle: circle)
            case .stranger: NamedParticipants(people: [])
            }
        }
    }
}

/// The participants that one name means.
struct NamedParticipants: Sendable {
    /// The people.
    var people: [Person]
    /// The circle that has this name; `nil` for a person.
    var circle: Circle?
}
