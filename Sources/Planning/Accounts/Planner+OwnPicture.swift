import Agenda
public import Foundation
import Ledger
import Pictures
public import Storage

/// The picture that people with accounts choose for themselves. People in the same meetings see it.
extension Planner {
    /// Gives the actor a picture.
    ///
    /// - Parameter octets: a JPEG, PNG, WebP or HEIF file.
    /// - Throws: ``Refusal`` with `bad_picture`, `no_pictures`, `picture_failed` or `no_account`.
    public func setOwnPicture(_ octets: [UInt8]) async throws {
        let picture: ContactPicture
        do {
            picture = try await readPicture(octets)
        } catch {
            throw Refusal(error)
        }
        try await saveOwnPicture(picture)
    }

    /// Takes the picture of the actor away.
    ///
    /// - Throws: ``Refusal`` with `no_account`.
    public func removeOwnPicture() async throws { try await saveOwnPicture(nil) }

    private func saveOwnPicture(_ picture: ContactPicture?) async throws {
        guard try await store.setOwnPicture(picture, of: actor.id) else {
            throw Refusal(.refused, code: "no_account", "\(actor.name) has no account.")
        }
    }

    /// The version of the actor's own picture; `nil` for none.
    public var ownPictureName: String? { store.ownPictures(of: [actor.id])[actor.id] }

    /// The actor's own picture.
    ///
    /// - Parameter size: the size of the file.
    /// - Returns: the version of the picture and the JPEG file; `nil` if there is none.
    public func ownPicture(_ size: ContactPicture.Size) -> (name: String, jpeg: Data)? {
        ownPicture(of: actor.id, size)
    }

    /// The versions of the pictures that people in a meeting chose for themselves, by person.
    /// People without one, and people who are not in the meeting, are left out.
    ///
    /// - Parameters:
    ///   - people: the ids of the people.
    ///   - meeting: a meeting as the actor sees it.
    /// - Returns: the versions.
    public func ownPictureNames(
        of people: [String], in meeting: MeetingView
    ) -> [String: String] {
        let people = Set(people).intersection(meeting.participants.map(\.id))
        let names = store.ownPictures(of: people.map { PersonID(text: $0) }).map {
            ($0.key.text, $0.value)
        }
        return Dictionary(names, uniquingKeysWith: { $1 })
    }

    /// The picture that a person in a meeting chose for themselves.
    ///
    /// - Parameters:
    ///   - person: the id of the person.
    ///   - meeting: a meeting as the actor sees it.
    ///   - size: the size of the file.
    /// - Returns: the version of the picture and the JPEG file; `nil` if there is none.
    /// - Throws: ``Refusal`` with `unknown_person` if the person is not in the meeting.
    public func ownPicture(
        of person: String, in meeting: MeetingView, _ size: ContactPicture.Size
    ) throws -> (name: String, jpeg: Data)? {
        guard meeting.participants.contains(where: { $0.id == person }) else {
            throw Refusal(.refused, code: "unknown_person", "Nobody in the meeting has this id.")
        }
        return ownPicture(of: PersonID(text: person), size)
    }

    /// The picture that a person chose for themselves. The caller decides who may see it.
    func ownPicture(
        of person: PersonID, _ size: ContactPicture.Size
    ) -> (name: String, jpeg: Data)? {
        guard let name = store.ownPictures(of: [person])[person],
            let jpeg = store.ownPictureFile(of: person, size)
        else { return nil }
        return (name, jpeg)
    }
}
