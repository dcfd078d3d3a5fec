public import Agenda
import GRDB
public import Interchange
public import Ledger
public import Timekeeping

/// The result of bringing the people of a group card into its circle.
public enum CircleOutcome: Sendable {
    /// The people came into a circle. If the card has another name than before and renamed the
    /// circle, with the former name.
    case extended(CircleExtension, formerName: String?)
    /// The circle already had the people, and the card has not changed.
    case unchanged
    /// The circle was deleted here, and there is none with the name of the group, so the card
    /// changes nothing; true if the card has changed.
    case deleted(isNews: Bool)
}

/// A group card of an address book file, which a circle is made of.
///
/// The circle stays the one of the card, whatever its name is here and there. A new name of the
/// group renames only a circle that its import created and that no other group has. A circle that
/// was deleted is not made again, but one that is made by hand with the name of the group takes its
/// place.
public struct CircleSource: Sendable {
    /// The UID in the form in which UIDs are compared; `nil` if there is none.
    private let uid: String?
    /// True if the import has a group with the same UID and another name.
    private let sharesUID: Bool
    private let nameDigest: String
    private let cardDigest: String

    private init(_ card: ContactCard, uid: String?, sharesUID: Bool) {
        nameDigest = SipHash.digest(of: SearchKey.fold(card.formattedName))
        let members = Set((card.groupMembers ?? []).map(ContactCard.memberKey)).sorted()
        cardDigest = SipHash.digest(of: ([nameDigest] + members).joined(separator: "\n"))
        self.uid = uid
        self.sharesUID = sharesUID
    }

    /// Describes the groups of an import.
    ///
    /// - Parameter groups: the cards of the groups.
    /// - Returns: the sources, in the same order.
    public static func all(of groups: [ContactCard]) -> [CircleSource] {
        func key(of card: ContactCard) -> String? {
            card.uid.map(ContactCard.memberKey).flatMap { $0.isEmpty ? nil : $0 }
        }
        let names = Dictionary(grouping: groups, by: key).mapValues { cards in
            Set(cards.map { SearchKey.fold($0.formattedName) })
        }
        return groups.map { card in
            let uid = key(of: card)
            return CircleSource(card, uid: uid, sharesUID: names[uid].map { $0.count > 1 } ?? false)
        }
    }
}

extension Store {
    /// Brings the people of a group card into its circle, apart from those who were taken out of it
    /// by hand: into the one of the earlier version of the card, or, if there is none, into the
    /// owner's circle with the same name.
    ///
    /// - Parameters:
    ///   - members: the people of the group who are contacts.
    ///   - source: the card.
    ///   - circle: the circle to create if there is none.
    ///   - owner: the owner of the address book.
    ///   - now: the current time.
    ///   - record: records the changes, so that they can be taken back; `nil` for none.
    /// - Returns: the result.
    /// - Throws: ``StoreError``.
    public func addOrExtend(
        by members: [PersonID], of source: CircleSource, as circle: Circle, owner: PersonID,
        now: Moment, record: ContactImport? = nil
    ) async throws -> CircleOutcome {
        try await write { db in
            try record?.checkMaySave(in: db)
            let (key, known) = try source.link(of: owner, in: db)
            let outcome = try source.take(members, into: circle, known, owner: owner, in: db)
            var saved = (circle: known?.circle?.id, isMaker: known?.isMaker ?? false)
            if case .extended(let result, _) = outcome {
                if result.circle != saved.circle { saved = (result.circle, result.isNew) }
                try record?.note(result, now: now, in: db)
            }
            try source.save(as: key, for: saved, owner: owner, in: db)
            return outcome
        }
    }
}

extension CircleSource {
    /// The key under which the group card is stored, and its row if it was imported before.
    ///
    /// A group without a UID is known by its name. So is one with the UID of a group with another
    /// name, if that is not its own earlier name: if the import also has another group with the
    /// UID, or the group is already known by its name.
    fileprivate func link(
        of owner: PersonID, in db: Database
    ) throws -> (key: String, known: CircleLink?) {
        let nameKey = "#" + nameDigest
        let known = try uid.flatMap { try CircleLink.fetch($0, of: owner, in: db) }
        if let uid, known.map({ $0.nameDigest == nameDigest }) ?? true { return (uid, known) }
        let named = try CircleLink.fetch(nameKey, of: owner, in: db)
        guard let uid, !sharesUID, named == nil else { return (nameKey, named) }
        return (uid, known)
    }

    fileprivate func take(
        _ members: [PersonID], into circle: Circle, _ known: CircleLink?, owner: PersonID,
        in db: Database
    ) throws -> CircleOutcome {
        let isNews = known?.cardDigest != cardDigest
        guard let known, let (id, name) = known.circle else {
            // A circle with the name of the group was made since the one of the group was deleted.
            let isThere = try PeopleLookup(db: db).circle(named: circle.name, of: owner) != nil
            guard known == nil || isThere else { return .deleted(isNews: isNews) }
            let result = try CircleAddition(circle, members: members).save(owner: owner, in: db)
            return .extended(result, formerName: nil)
        }
        // A name that was given here is kept, and that of a circle that others made or use.
        let isRenamed =
            try known.nameDigest != nameDigest
            && SipHash.digest(of: SearchKey.fold(name)) == known.nameDigest
            && known.mayRename(in: db) && id.rename(to: circle.name, in: db)
        let result = try id.extend(by: members, as: isRenamed ? circle.name : name, in: db)
        guard isNews || result.added > 0 else { return .unchanged }
        return .extended(result, formerName: isRenamed ? name : nil)
    }

    /// Saves the card as the one that a circle was made of; with no circle, if it was deleted.
    fileprivate func save(
        as key: String, for saved: (circle: CircleID?, isMaker: Bool), owner: PersonID,
        in db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO circle_source
                    (owner_id, uid, circle_id, name_digest, card_digest, is_maker)
                VALUES (:owner, :uid, :circle, :name, :card, :maker)
                ON CONFLICT (owner_id, uid) DO UPDATE SET
                    circle_id = excluded.circle_id, name_digest = excluded.name_digest,
                    card_digest = excluded.card_digest, is_maker = excluded.is_maker
                """
        ).execute(arguments: [
            "owner": owner.text, "uid": key, "circle": saved.circle?.text, "name": nameDigest,
            "card": cardDigest, "maker": saved.isMaker,
        ])
    }
}
