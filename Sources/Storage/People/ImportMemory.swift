import Agenda
import GRDB
import Interchange
import Ledger

/// The findings of one transaction of an import, so that many cards with the same name or address
/// do not read the same contacts again and again.
final class ImportMemory {
    private var cards: [String: ContactCard] = [:]
    private var octetCount = 0
    private var guestless: Set<String> = []

    /// The most octets of cards that are kept, and of one card.
    private static let (octetsMax, cardOctetsMax) = (16 << 20, 64 << 10)

    /// The contact of a row.
    func contact(_ row: Row) throws -> Contact {
        Contact(person: PersonID(text: row["person_id"]), card: try card(row["card"]))
    }

    /// The card that a text describes.
    func card(_ text: String) throws -> ContactCard {
        if let card = cards[text] { return card }
        let card = try ContactCard(stored: text)
        let octets = text.utf8.count
        guard octets <= Self.cardOctetsMax else { return card }
        if octetCount + octets > Self.octetsMax {
            cards = [:]
            octetCount = 0
        }
        octetCount += octets
        cards[text] = card
        return card
    }

    /// The guests who have one of these addresses. An import makes no guests, so an address
    /// without guests is not looked up again in the same import.
    func guests(
        at addresses: [String], besides owner: PersonID, in db: Database
    ) throws -> [Person] {
        let open = addresses.filter { !guestless.contains($0) }
        guard !open.isEmpty else { return [] }
        let guests = try Person.guests(at: open, besides: owner, in: db)
        if guests.isEmpty { guestless.formUnion(open) }
        return guests
    }
}
