public import Agenda
import GRDB
public import Interchange
public import Ledger

/// The result of bringing the people of a group card into its circle.
public enum CircleOutcome: Sendable {
    /// The people came into a circle. If the card has another name than before and renamed the
    /// circle, with the former name.
    case extended(CircleExtension, formerName: String?)
    /// The circle already had the people, and the card has not changed.
    case unchanged
    /// The circle was deleted here, so the card changes nothing; true if the card has changed.
    case deleted(isNews: Bool)
}

/// A group card of an address book file, which a circle is made of.
///
/// The circle stays the one of the card, whatever its name is here and there, and is not made again
/// after it was deleted.
public struct CircleSource: Sendable {
    private let uid: String
    private let nameDigest: String
    private let cardDigest: String

    private init(_ card: ContactCard, uid: String?) {
        nameDigest = SipHash.digest(of: SearchKey.fold(card.formattedName))
        let members = Set((card.groupMembers ?? []).map(ContactCard.memberKey)).sorted()
        cardDigest = SipHash.digest(of: ([nameDigest] + members).joined(separator: "\n"))
        self.uid = uid ?? "#" + nameDigest
    }

    /// Describes the groups of an import. A group without a UID is known by its name, and so is one
    /// with the UID of a group with another name.
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
            CircleSource(card, uid: names[key(of: card)]?.count == 1 ? key(of: card) : nil)
        }
    }
}

extension Store {
    /// Brings the people of a group card into its circle, apart from those who were taken out of it
    /// by hand: into the one of the earlier version of the card, or into the owner's circle with
    /// the same name.
    ///
    /// - Parameters:
    ///   - members: the people of the group who are contacts.
    ///   - source: the card.
    ///   - circle: the circle to create if there is none.
    ///   - owner: the owner of the address book.
    /// - Returns: the result.
    /// - Throws: ``StoreError``.
    public func addOrExtend(
        by members: [PersonID], of source: CircleSource, as circle: Circle, owner: PersonID
    ) async throws -> CircleOutcome {
        try await write { db in
            let outcome = try source.take(members, into: circle, owner: owner, in: db)
            if case .extended(let result, _) = outcome {
                try source.save(for: result.circle, owner: owner, in: db)
            } else {
                try source.save(for: nil, owner: owner, in: db)
            }
            return outcome
        }
    }
}

extension CircleSource {
    fileprivate func take(
        _ members: [PersonID], into circle: Circle, owner: PersonID, in db: Database
    ) throws -> CircleOutcome {
        let row = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT s.circle_id, s.name_digest, s.card_digest, c.name FROM circle_source s
                    LEFT JOIN circle c ON c.id = s.circle_id AND c.owner_id = s.owner_id
                    WHERE s.owner_id = :owner AND s.uid = :uid
                    """), arguments: ["owner": owner.text, "uid": uid])
        guard let row else {
            let result = try CircleAddition(circle, members: members).save(owner: owner, in: db)
            return .extended(result, formerName: nil)
        }
        let isNews = row["card_digest"] != cardDigest
        guard let name = row["name"] as String?, let id = row["circle_id"] as String? else {
            return .deleted(isNews: isNews)
        }
        let known = CircleID(text: id)
        // A name that was given here is kept.
        let isRenamed =
            try row["name_digest"] != nameDigest
            && SipHash.digest(of: SearchKey.fold(name)) == row["name_digest"]
            && known.rename(to: circle.name, in: db)
        let result = try known.extend(by: members, as: isRenamed ? circle.name : name, in: db)
        guard isNews || result.added > 0 else { return .unchanged }
        return .extended(result, formerName: isRenamed ? name : nil)
    }

    /// Saves the card as the one that a circle was made of; with no circle, for the one it had.
    fileprivate func save(for circle: CircleID?, owner: PersonID, in db: Database) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO circle_source (owner_id, uid, circle_id, name_digest, card_digest)
                VALUES (:owner, :uid, :circle, :name, :card)
                ON CONFLICT (owner_id, uid) DO UPDATE SET
                    circle_id = coalesce(excluded.circle_id, circle_source.circle_id),
                    name_digest = excluded.name_digest, card_digest = excluded.card_digest
                """
        ).execute(arguments: [
            "owner": owner.text, "uid": uid, "circle": circle?.text, "name": nameDigest,
            "card": cardDigest,
        ])
    }
}
