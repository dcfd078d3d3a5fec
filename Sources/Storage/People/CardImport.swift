public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The cards without a UID of an import, which may be of one person and disagree.
public struct CardsWithoutUID: Sendable {
    private var keys: Set<String> = []

    /// No cards.
    public init() {}

    /// Adds cards of an import, of which those without a UID count.
    public mutating func add(_ cards: [ContactCard]) {
        keys.formUnion(cards.filter { $0.uid == nil }.map { CardSource.key(of: $0) })
    }

    /// True if the import has the card with a key.
    func contains(_ key: String) -> Bool { keys.contains(key) }
}

/// The rules by which an import takes cards.
public struct ImportRules: Sendable {
    /// Selects the contact that a card describes; `nil` if there is none.
    let contact: @Sendable (ContactCard, CardCandidates) -> Contact?
    /// Decides what becomes of a card: of one that describes no contact, or of one that describes
    /// this contact.
    let decision: @Sendable (ContactCard, CardCandidates, KnownContact?) -> CardDecision
    /// Decides which circles the people of all cards come into.
    let circles: @Sendable ([CardDecision]) -> [CircleAddition]

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - contact: selects the contact that a card describes.
    ///   - circles: decides which circles the people of all cards come into; the default is none.
    ///   - decision: decides what becomes of a card.
    public init(
        contact: @escaping @Sendable (ContactCard, CardCandidates) -> Contact?,
        circles: @escaping @Sendable ([CardDecision]) -> [CircleAddition] = { _ in [] },
        decision: @escaping @Sendable (ContactCard, CardCandidates, KnownContact?) -> CardDecision
    ) {
        self.contact = contact
        self.circles = circles
        self.decision = decision
    }
}

extension Store {
    /// Imports cards into an address book in one transaction.
    ///
    /// A card that is identical to its last import changes nothing, so that later manual changes
    /// are kept. The circles are saved in the same transaction: a category makes a circle only when
    /// it is new on its card, and after this import it is not. If a card gives a contact the
    /// address of a guest, and `decisions` says that both are the same person, they are merged.
    /// Coming meetings of changed contacts are planned again.
    ///
    /// - Parameters:
    ///   - cards: the cards.
    ///   - all: the cards without a UID of the whole import, which may take several transactions;
    ///     `nil` if these are all.
    ///   - owner: the owner of the address book.
    ///   - now: the current time.
    ///   - record: records the changes, so that they can be taken back; `nil` for none.
    ///   - rules: decide about each card.
    ///   - decisions: decide who is the same person, and about cards and meetings.
    /// - Returns: the decision for each card, and the circles that got people.
    /// - Throws: ``StoreError``.
    public func importCards(
        _ cards: [ContactCard], besides all: CardsWithoutUID? = nil, owner: PersonID, now: Moment,
        record: ContactImport? = nil, rules: ImportRules, decisions: ContactDecisions
    ) async throws -> (decisions: [CardDecision], circles: [CircleExtension]) {
        var own = CardsWithoutUID()
        if all == nil { own.add(cards) }
        return try await write { [all = all ?? own] db in
            try record?.checkMayGoOn(in: db)
            try Self.prepareImport(in: db)
            let run = CardImport(
                owner: owner, all: all, rules: rules, decisions: decisions, now: now,
                record: record, db: db)
            let taken = try cards.map(run.take)
            // A meeting is planned again once, even if several imported people are invited to it.
            let meetings = try Set(taken.compactMap(\.known)).reduce(into: Set<MeetingID>()) {
                try $0.formUnion(MeetingID.coming(of: $1, now: now, in: db))
            }
            try MeetingBundle.replan(meetings, by: decisions.merge.meeting, in: db)
            let circles = try rules.circles(taken).map { try $0.save(owner: owner, in: db) }
            for circle in circles { try record?.note(circle, now: now, in: db) }
            return (taken, circles)
        }
    }
}

/// A transaction of an import.
private struct CardImport {
    let owner: PersonID
    let all: CardsWithoutUID
    let rules: ImportRules
    let decisions: ContactDecisions
    let now: Moment
    let record: ContactImport?
    let db: Database
    private let memory = ImportMemory()

    init(
        owner: PersonID, all: CardsWithoutUID, rules: ImportRules, decisions: ContactDecisions,
        now: Moment, record: ContactImport?, db: Database
    ) {
        self.owner = owner
        self.all = all
        self.rules = rules
        self.decisions = decisions
        self.now = now
        self.record = record
        self.db = db
    }

    /// Saves what is decided about a card.
    func take(_ read: ContactCard) throws -> CardDecision {
        var source = CardSource(of: read, owner: owner)
        if let known = try source.unchanged(in: db) { return .keep(known) }
        let (card, sameUID) = try identified(read)
        if card.uid != read.uid {
            source = CardSource(of: card, owner: owner)
            if let known = try source.unchanged(in: db) { return .keep(known) }
        }
        let candidates = try CardCandidates.fetch(
            for: card, known: sameUID, of: owner, memory, in: db)
        let known = try rules.contact(card, candidates).map {
            try KnownContact($0, as: source, of: owner, in: db)
        }
        let decision = rules.decision(card, candidates, known)
        let trace = try record.flatMap { try ContactTrace(of: decision, by: $0, in: db) }
        try known?.saveTyped(of: owner, in: db)
        let isJoined = try save(decision, of: source)
        try trace?.save(isJoined: isJoined, now: now, in: db)
        return decision
    }

    /// A card with the UID by which it is known, and its contact. A UID of its own comes first,
    /// because several people may have the UID of the file.
    private func identified(_ read: ContactCard) throws -> (ContactCard, Contact?) {
        let own = read.withOwnUID()
        guard let uid = read.uid, let ownUID = own.uid else { return (read, nil) }
        var plain = read
        plain.uid = read.sharedUID ?? uid
        let uids = [ownUID, plain.uid].compactMap(\.self)
        guard let found = try Contact.fetch(uids: uids, of: owner, in: db) else {
            return (read, nil)
        }
        guard found.uid != ownUID else { return (own, found.contact) }
        return try isOfOther(plain, than: found.contact, isShared: read.sharedUID != nil)
            ? (own, nil) : (plain, found.contact)
    }

    /// True if a contact with the UID of a card is somebody else. If several people of the import
    /// share the UID, it renames nobody.
    private func isOfOther(
        _ card: ContactCard, than contact: Contact, isShared: Bool
    ) throws -> Bool {
        guard isShared else { return contact.card.isOfStranger(card) }
        let before = try CardSource(of: card, owner: owner).base(of: contact.person, in: db)?.card
        return ![contact.card, before].compactMap(\.self).contains {
            SearchKey.isSameName($0.formattedName, card.formattedName)
        }
    }

    /// Saves a decision.
    ///
    /// - Returns: true if a guest became the same person as the contact.
    private func save(_ decision: CardDecision, of source: CardSource) throws -> Bool {
        var isJoined = false
        try decision.save(owner: owner, now: now, in: db)
        switch decision.act {
        case .outdated: return false
        case .update(let before):
            isJoined = try decision.contact.adoptGuest(
                since: before, owner: owner, decisions: decisions, in: db)
        case .insert, .keep: break
        }
        try source.save(for: decision, besides: all, in: db)
        return isJoined
    }
}
