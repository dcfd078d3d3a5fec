import Agenda
import Interchange
import Storage

/// The formats in which contacts are exported.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// vCard 3.0, which every program reads.
    case vcard3
    /// vCard 4.0.
    case vcard4
    /// CSV with the column names of Google Contacts.
    case csv
}

extension Planner {
    /// Exports the whole address book, page by page. The circles of a person are the categories of
    /// their card. A vCard has the picture that was chosen here, or else the photo of the card that
    /// was imported.
    public func exportPeople(
        _ format: ExportFormat, write: (_ text: String) throws -> Void
    ) async throws {
        let circles = try await store.circleNames(of: actor.id)
        var cards: [ContactCard] = []
        try await readContacts { page in
            let pictures = try await store.pictures(of: page.map(\.person), owner: actor.id)
            let current = page.map { contact in
                var card = contact.card
                if format != .csv, let picture = pictures[contact.person] {
                    take(picture, into: &card)
                }
                card.categories = circles.updated(card.categories, of: contact.person)
                return card
            }
            switch format {
            case .vcard3: try write(VCardWriter.write(current, version: .v3))
            case .vcard4: try write(VCardWriter.write(current, version: .v4))
            case .csv: cards += current
            }
        }
        // A CSV file has one header, and its columns depend on all rows.
        if format == .csv { try write(ContactCSVWriter.write(cards)) }
    }

    /// Puts the picture of a contact in place of the photo on its card, unless the picture was made
    /// of this photo.
    private func take(_ picture: PictureState, into card: inout ContactCard) {
        guard picture.isOwn || card.photo == nil else { return }
        let jpeg = picture.name.flatMap { store.pictureFile($0, .large) }
        guard picture.name == nil || jpeg != nil else { return }
        card.setPhoto(jpeg: jpeg)
    }
}
