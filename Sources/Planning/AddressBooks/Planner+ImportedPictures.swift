import Agenda
import Interchange
import Pictures
import Storage

/// The pictures of the cards of an import.
struct ImportedPictures {
    /// The most pictures that are read of a file that somebody sent to a page, which takes about
    /// ten seconds. The command line has no such limit.
    static let sentMax = 200

    /// The cards with a picture that could not be taken, each with the reason.
    private(set) var skipped: [ImportReport.Skipped] = []
    /// The number of pictures that were read.
    fileprivate(set) var count = 0
    /// True after a picture was refused because this server reads none.
    fileprivate(set) var isWithoutReader = false

    fileprivate mutating func skip(_ card: ImportedCard, _ reason: RemarkText) {
        skipped.append(card.withoutExtra.remark(reason, kind: "picture"))
    }
}

extension Planner {
    /// Gives the contacts of an import the pictures of their cards. A picture that cannot be taken
    /// is reported, and the rest of its card stays.
    ///
    /// - Parameters:
    ///   - cards: the imported cards.
    ///   - decisions: the decision about each card.
    ///   - isSent: true for a file that somebody sent to a page.
    ///   - pictures: the results so far.
    /// - Throws: ``StoreError``.
    func takePictures(
        of cards: [ImportedCard], _ decisions: [CardDecision], isSent: Bool,
        into pictures: inout ImportedPictures
    ) async throws {
        let known = try await pictured(zip(cards, decisions).filter { $0.0.photo != nil }.map(\.1))
        for (card, decision) in zip(cards, decisions) {
            guard let photo = card.photo, decision.mayTakePicture(isPictured: known) else {
                continue
            }
            switch photo {
            case .address:
                pictures.skip(card, "the picture is only an address, and is not fetched")
            case .unreadable:
                pictures.skip(card, "the picture could not be read")
            case .octets(let octets):
                guard !isSent || pictures.count < ImportedPictures.sentMax else {
                    pictures.skip(
                        card,
                        "a page takes at most \(ImportedPictures.sentMax) pictures at once; import "
                            + "the file again for the next ones")
                    continue
                }
                try await take(octets, of: card, decision.contact.person, into: &pictures)
            }
        }
    }

    /// Reads one picture. Pictures of an import are read one after another, so that one import uses
    /// one core.
    private func take(
        _ octets: [UInt8], of card: ImportedCard, _ person: PersonID,
        into pictures: inout ImportedPictures
    ) async throws {
        guard !pictures.isWithoutReader else {
            return pictures.skip(card, Self.withoutReader)
        }
        try Task.checkCancellation()
        let picture: ContactPicture
        do {
            picture = try await readPicture(octets)
        } catch {
            pictures.isWithoutReader = error == .noHelper
            return pictures.skip(
                card, error == .noHelper ? Self.withoutReader : "the picture was not taken")
        }
        pictures.count += 1
        _ = try await store.setPicture(picture, of: person, owner: actor.id)
    }

    private static let withoutReader: RemarkText =
        "the picture was not taken, because this server cannot read pictures"

    /// The people of decisions who have a picture.
    private func pictured(_ decisions: [CardDecision]) async throws -> Set<PersonID> {
        let names = try await store.pictureNames(
            of: decisions.map(\.contact.person), owner: actor.id)
        return Set(names.keys)
    }
}

extension CardDecision {
    /// True if the contact gets the picture of its card: it has none yet, or the card changed it.
    fileprivate func mayTakePicture(isPictured: Set<PersonID>) -> Bool {
        switch act {
        case .insert, .update: true
        case .keep: !isPictured.contains(contact.person)
        case .outdated: false
        }
    }
}
