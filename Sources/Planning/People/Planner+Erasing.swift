import Agenda
import Interchange
import Ledger
import Settings
import Storage

/// What erasing a person left.
public struct ErasureReport: Encodable, Sendable {
    /// A word by which the person may still be meant.
    public struct Word: Encodable, Sendable {
        /// The word.
        public let word: String
        /// How many texts of the person's meetings hold it.
        public let texts: Int
    }

    /// The person's id, which stays.
    public let id: String
    /// The name that was erased.
    public let name: String
    /// By what the person is known from now on.
    public let pseudonym: String
    /// Whether the whole file was written anew; else its log may hold the name for a while.
    public let isOverwritten: Bool
    /// Parts of the name that texts of the person's meetings still hold.
    public let remaining: [Word]
    /// Files of restores in the home that still hold the person.
    public let copies: [String]
    /// The folder that contacts are synced from, whose card of the person would bring them back.
    @Null public var syncedFolder: String?

    init(_ person: Person, _ traces: ErasureTraces, syncedFolder: String?) {
        id = person.id.text
        name = person.name
        pseudonym = Store.pseudonym(of: person.id)
        isOverwritten = traces.isOverwritten
        remaining = traces.words.map { Word(word: $0.word, texts: $0.texts) }
        copies = traces.copies
        self.syncedFolder = syncedFolder
    }
}

extension Planner {
    /// Replaces a person's names, addresses and phone numbers everywhere by a stable pseudonym, for
    /// good.
    ///
    /// - Parameters:
    ///   - who: the person, by the whole name, an address or an id; also one who is in meetings
    ///     only.
    ///   - confirm: asked with the person's name before anything happens.
    /// - Returns: what is left; `nil` when the question was answered with no.
    /// - Throws: ``Refusal`` with `not_allowed`, `is_owner`, `partial_name`, `organizes` or
    ///   `sending`.
    public func erasePerson(
        _ who: String, confirm: (_ name: String) -> Bool
    ) async throws -> ErasureReport? {
        try checkIsOwner(to: "erase people")
        let person = try await personAnywhere(who)
        guard person.id != owner.id, person.id != actor.id else {
            throw Refusal(
                .refused, code: "is_owner", "Nobody can erase the owner, or themselves.")
        }
        try await checkNames(who, all: person)
        guard confirm(person.name) else { return nil }
        do {
            return ErasureReport(
                person, try await store.erase(person.id, now: now),
                syncedFolder: surroundings.configuration[.contactsFolder])
        } catch ErasureObstacle.organizes(let title) {
            throw Refusal(
                .refused, code: "organizes",
                "\(person.name) organizes \(title), which is still ahead. Cancel it first: "
                    + "letsmeet meeting cancel \"\(title)\"")
        } catch ErasureObstacle.isSending {
            throw Refusal(
                .refused, code: "sending",
                "Something is being sent to \(person.name) at this moment. Try again; where no "
                    + "daemon runs, first run: letsmeetd once")
        }
    }

    /// What cannot be undone is not done to whom a part of a name happens to fit.
    private func checkNames(_ who: String, all person: Person) async throws {
        let name = WhoText.person(in: who)
        let card = try await store.contact(person.id, of: actor.id)?.card
        let quality = MatchQuality(of: name, on: card ?? ContactCard(formattedName: person.name))
        if let quality, quality.isOfWholeName { return }
        if NamedAddress(name) != nil { return }
        let byID = try await store.lookUp {
            try $0.persons(idPrefix: name, limit: PersonSearch.candidatesMax)
        }
        guard !byID.contains(where: { $0.id == person.id }) else { return }
        throw Refusal(
            .refused, code: "partial_name",
            "\(who) is only a part of a name, and erasing cannot be undone: write the whole name, "
                + "an address or the id.",
            candidates: [.person(try await searching { try $0.line(of: person) })])
    }
}
