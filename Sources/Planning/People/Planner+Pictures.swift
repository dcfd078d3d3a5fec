public import Agenda
public import Foundation
import Ledger
import Pictures
public import Storage

/// The pictures of contacts. They are decoded by a program of its own, see `PictureReader`.
extension Planner {
    /// Gives a contact a picture.
    ///
    /// - Parameters:
    ///   - octets: a JPEG, PNG, WebP or HEIF file.
    ///   - person: the contact.
    /// - Throws: ``Refusal`` with `bad_picture`, `no_pictures` or `not_a_contact`.
    public func setPicture(_ octets: [UInt8], of person: Person) async throws {
        let picture: ContactPicture
        do {
            picture = try await readPicture(octets)
        } catch {
            throw Refusal(error)
        }
        try await savePicture(picture, of: person)
    }

    /// Gives a contact the picture in a file.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - person: the contact.
    /// - Throws: ``Refusal`` with `no_file`, and as ``setPicture(_:of:)``.
    public func setPicture(atPath path: String, of person: Person) async throws {
        try Refusal.checkNames(path, a: "file")
        let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
        guard size ?? 0 <= PictureLimits.octetsMax else { throw Refusal(PictureRefusal.tooLarge) }
        guard let octets = FileManager.default.contents(atPath: path) else {
            throw Refusal(.invalid, code: "no_file", "The file \(path) cannot be read.")
        }
        try await setPicture(Array(octets), of: person)
    }

    /// Takes the picture of a contact away.
    ///
    /// - Throws: ``Refusal`` with `not_a_contact`.
    public func removePicture(of person: Person) async throws {
        try await savePicture(nil, of: person)
    }

    private func savePicture(_ picture: ContactPicture?, of person: Person) async throws {
        guard try await store.setPicture(picture, of: person.id, owner: actor.id) else {
            throw Refusal(
                .refused, code: "not_a_contact",
                "\(person.name) is not in your address book.")
        }
    }

    /// Decodes a picture, and makes the two sizes that are kept.
    func readPicture(_ octets: [UInt8]) async throws(PictureRefusal) -> ContactPicture {
        let sizes = [ContactPicture.Size.large, .small].map(\.rawValue)
        let renditions = try await surroundings.pictures.renditions(of: octets, sizes: sizes)
        guard renditions.map(\.side) == sizes else { throw .damaged }
        return ContactPicture(small: Data(renditions[1].jpeg), large: Data(renditions[0].jpeg))
    }

    /// The names of the pictures of contacts of the actor, by person. People without one are left
    /// out, and so are people in other address books only.
    public func pictureNames(of people: [String]) async throws -> [String: String] {
        let pictures = try await store.pictures(
            of: people.filter { $0.utf8.allSatisfy(Self.isOfIDs) }.map { PersonID(text: $0) },
            owner: actor.id)
        return Dictionary(
            pictures.compactMap { person, state in state.name.map { (person.text, $0) } },
            uniquingKeysWith: { $1 })
    }

    /// True for the letters and digits of ids.
    private static func isOfIDs(_ octet: UInt8) -> Bool {
        (0x30...0x39).contains(octet) || (0x61...0x7A).contains(octet)
    }

    /// The picture of a contact of the actor.
    ///
    /// - Parameters:
    ///   - id: the id of the person.
    ///   - size: the size of the file.
    /// - Returns: the name of the picture and the JPEG file; `nil` if there is none.
    /// - Throws: ``StoreError``.
    public func picture(
        ofID id: String, _ size: ContactPicture.Size
    ) async throws -> (name: String, jpeg: Data)? {
        let name = try await store.pictureName(of: PersonID(text: id), owner: actor.id)
        guard let name, let jpeg = store.pictureFile(name, size) else { return nil }
        return (name, jpeg)
    }
}

extension Refusal {
    /// The refusal of a picture.
    init(_ refusal: PictureRefusal) {
        switch refusal {
        case .noHelper:
            self.init(.unreachable, code: "no_pictures", refusal.sentence)
        case .busy, .tooMuchWork, .malformed:
            self.init(.unreachable, code: "picture_failed", refusal.sentence)
        case .unknownKind, .tooLarge, .damaged:
            self.init(.invalid, code: "bad_picture", refusal.sentence)
        }
    }
}
