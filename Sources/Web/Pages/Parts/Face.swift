import Planning
import Wording

/// A person in a list: their picture, or else the first letters of their name.
struct Face {
    static let names = ["initials", "colour", "face"]

    private let name: String
    private let id: String
    private let link: String?

    /// The face of a person.
    ///
    /// - Parameters:
    ///   - name: the name of the person.
    ///   - id: the id of the person, which decides about the colour behind the letters.
    ///   - link: the link to the picture, below the root of the site; `nil` for none.
    init(of name: String, _ id: String, _ link: String?) {
        (self.name, self.id, self.link) = (name, id, link)
    }

    /// The face of a contact of the reader, with the small size of the picture.
    ///
    /// - Parameters:
    ///   - id: the id of the person.
    ///   - name: the name of the person.
    ///   - picture: the name of the picture in the reader's address book; `nil` for none.
    init(ofContact id: String, _ name: String, picture: String?) {
        self.init(of: name, id, picture.map { PersonPicture.small(of: id, name: $0) })
    }

    var values: TemplateValues {
        var values: TemplateValues = [
            "initials": .text(Initials.of(name)), "colour": .text(Initials.colour(of: id)),
        ]
        values[text: "face"] = link
        return values
    }
}

extension Site {
    /// The links to the pictures of people in a meeting: those of the reader's address book, or
    /// else those that the people chose for themselves.
    ///
    /// - Parameters:
    ///   - people: the ids of the people.
    ///   - meeting: the meeting as the reader sees it.
    ///   - planner: acts as the reader.
    /// - Returns: the links, by person. People without a picture are left out.
    /// - Throws: ``StoreError``.
    func pictures(
        of people: [String], in meeting: MeetingView, _ planner: Planner
    ) async throws -> [String: String] {
        let own = planner.ownPictureNames(of: people, in: meeting).map { person, name in
            (person, PersonPicture.small(of: person, in: meeting, name: name))
        }
        let known = try await planner.pictureNames(of: people).map { person, name in
            (person, PersonPicture.small(of: person, name: name))
        }
        return Dictionary(own + known, uniquingKeysWith: { $1 })
    }
}
