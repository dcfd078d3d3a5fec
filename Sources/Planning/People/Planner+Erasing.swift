public import Agenda
import Interchange
import Ledger
import Settings
import Storage

/// The result of erasing a person, with the traces that remain.
public struct ErasureReport: Encodable, Sendable {
    /// A word that may still refer to the person.
    public struct Word: Encodable, Sendable {
        /// The word.
        public let word: String
        /// The number of texts of the person's meetings that contain it.
        public let texts: Int
    }

    /// The person's id, which stays.
    public let id: String
    /// The name that was erased.
    public let name: String
    /// The name that replaces the person's name from now on.
    public let pseudonym: String
    /// True if the whole database file was rewritten. Otherwise its write-ahead log may contain the
    /// name for a while.
    public let isOverwritten: Bool
    /// Parts of the name that texts of the person's meetings still contain.
    public let remaining: [Word]
    /// Databases that restores set aside in the home folder. They still contain the person.
    public let copies: [String]
    /// The folder from which contacts are synced. If it has a card of the person, the next sync
    /// brings them back.
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
    /// Permanently replaces a person's names, addresses and phone numbers everywhere with a stable
    /// pseudonym.
    ///
    /// - Parameter person: the person, from ``personToErase(named:)``.
    /// - Returns: the traces that remain.
    /// - Throws: ``Refusal`` with `not_allowed`, `is_owner`, `organizes` or `sending`.
    public func erasePerson(_ person: Person) async throws -> ErasureReport {
        try checkMayErase(person)
        do {
            return ErasureReport(
                person, try await store.erase(person.id, now: now),
                syncedFolder: surroundings.configuration[.contactsFolder])
        } catch ErasureObstacle.organizes(let title) {
            throw Refusal(
                .refused, code: "organizes",
                "\(person.name) organizes the coming meeting \"\(title)\". Cancel it first.",
                advice: [.meetings(.cancel(title))])
        } catch ErasureObstacle.isSending {
            throw Refusal(
                .refused, code: "sending",
                "A notification is being sent to \(person.name) right now. Try again in a moment, "
                    + "or finish the sending first if no daemon is running.",
                advice: [.installation(.sendNow)])
        }
    }

    /// Finds a person to erase, who may be in meetings only and in no address book. Erasing cannot
    /// be undone, so the text must be a whole name, an address or an id.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, `is_owner`, `partial_name`, `unknown_person` or
    ///   `ambiguous_person`.
    public func personToErase(named who: String) async throws -> Person {
        try checkIsOwner(to: "erase people")
        let person = try await personAnywhere(who)
        try checkMayErase(person)
        try await checkNames(who, all: person)
        return person
    }

    private func checkMayErase(_ person: Person) throws(Refusal) {
        try checkIsOwner(to: "erase people")
        guard person.id != owner.id, person.id != actor.id else {
            throw Refusal(
                .refused, code: "is_owner",
                "You cannot erase the owner of this installation or yourself.")
        }
    }

    /// Checks that a text is a whole name, an address or an id of the person. Erasing cannot be
    /// undone, so a part of a name is not enough.
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
            "\"\(who)\" is only a part of a name, and erasing cannot be undone. Give the whole "
                + "name, an address or the id.",
            candidates: [.person(try await searching { try $0.line(of: person) })])
    }
}
