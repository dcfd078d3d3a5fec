import Agenda
import Interchange
import Ledger
import Pictures
import Secrets
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
    ///   - saving: the choices for the import.
    ///   - pictures: the results so far.
    /// - Throws: ``StoreError``.
    func takePictures(
        of cards: [ImportedCard], _ decisions: [CardDecision], _ saving: ImportSaving,
        into pictures: inout ImportedPictures
    ) async throws {
        let pairs = zip(cards, decisions).filter { $0.0.photo != nil }
        let known = try await store.pictures(
            of: pairs.map(\.1.contact.person), owner: actor.id)
        for (card, decision) in pairs {
            let state = known[decision.contact.person] ?? PictureState()
            guard let photo = card.photo, decision.mayTakePicture(insteadOf: state) else {
                continue
            }
            switch photo {
            case .address:
                pictures.skip(card, "the picture is only an address, and is not fetched")
            case .unreadable:
                pictures.skip(card, "the picture could not be read")
            case .octets(let octets):
                let taken = CardPicture(
                    octets: octets, card: card, person: decision.contact.person)
                switch state.fate(of: taken.digest) {
                case .known: continue
                case .leftOut:
                    try await store.notePhoto(taken.digest, of: taken.person, owner: actor.id)
                case .taken: try await take(taken, saving, into: &pictures)
                }
            }
        }
    }

    /// Reads one picture. Pictures of an import are read one after another, so that one import uses
    /// one core.
    private func take(
        _ photo: CardPicture, _ saving: ImportSaving, into pictures: inout ImportedPictures
    ) async throws {
        guard !saving.isSent || pictures.count < ImportedPictures.sentMax else {
            return pictures.skip(
                photo.card,
                "a page takes at most \(ImportedPictures.sentMax) pictures at once; import the "
                    + "file again for the next ones")
        }
        guard !pictures.isWithoutReader else {
            return pictures.skip(photo.card, Self.withoutReader)
        }
        try Task.checkCancellation()
        let picture: ContactPicture
        do {
            picture = try await readPicture(photo.octets)
        } catch {
            pictures.isWithoutReader = error == .noHelper
            return pictures.skip(
                photo.card,
                error == .noHelper ? Self.withoutReader : "the picture was not taken")
        }
        pictures.count += 1
        try await store.takePicture(
            picture, ofPhoto: photo.digest, for: photo.person, by: saving.record, now: now)
    }

    private static let withoutReader: RemarkText =
        "the picture was not taken, because this server cannot read pictures"
}

/// The photo of an imported card, and its contact.
private struct CardPicture {
    let octets: [UInt8]
    let card: ImportedCard
    let person: PersonID
    /// The SHA-256 of the octets.
    let digest: String

    init(octets: [UInt8], card: ImportedCard, person: PersonID) {
        (self.octets, self.card, self.person) = (octets, card, person)
        digest = Hexadecimal.text(SHA256.hash(octets))
    }
}

extension PictureState {
    /// The decision of an import about a photo.
    fileprivate enum Fate {
        /// Nothing: it was decided about before.
        case known
        /// The picture that was chosen here stays. The next photo of the card replaces it.
        case leftOut
        case taken
    }

    /// Decides about the photo of a card that is new or has changed.
    ///
    /// - Parameter digest: the SHA-256 of the photo.
    /// - Returns: the decision.
    fileprivate func fate(of digest: String) -> Fate {
        guard digest != photo else { return .known }
        return isOwn && name != nil && photo == nil ? .leftOut : .taken
    }
}

extension CardDecision {
    /// True if the photo of the card may become the picture of its contact. An unchanged card only
    /// gives a picture to a contact that has none, and for which nobody removed it.
    fileprivate func mayTakePicture(insteadOf state: PictureState) -> Bool {
        switch act {
        case .insert, .update: true
        case .keep: state.name == nil && !state.isOwn
        case .outdated: false
        }
    }
}
