import Planning
import Storage
import Wording

/// An account in a list of follows.
enum FollowRow {
    static let names = ["id", "name", "since", "waits"] + Face.names

    static func values(
        of line: FollowLine, picture: String?, _ words: PageWords
    ) -> TemplateValues {
        let face = Face(
            of: line.name, line.id,
            picture.map { PersonPicture.profile(of: line.id, .small, name: $0) })
        return face.values.merging([
            "id": .text(line.id), "name": .text(line.name), "waits": .flag(!line.accepted),
            "since": .text(
                words(
                    "since %when%",
                    ["when": words.moment(line.since.moment, in: line.since.reader)])),
        ]) { $1 }
    }
}

extension Site {
    /// Carries out what a form about follows asks for.
    ///
    /// - Parameters:
    ///   - deed: the name of the button.
    ///   - who: the id of the other person.
    ///   - planner: acts as the reader.
    /// - Returns: the result in a word; `nil` for an unknown button.
    /// - Throws: ``Refusal``.
    func change(
        _ deed: String, _ who: String, _ planner: Planner
    ) async throws -> String? {
        let profile = "@\(who)"
        return switch deed {
        case "follow": try await planner.follow(profile).state
        case "unfollow": try await planner.unfollow(profile).state
        case "approve": try await planner.approveFollower(profile).state
        case "refuse": try await planner.refuseFollower(profile).state
        case "remove": try await planner.removeFollower(profile).state
        case "block": try await planner.blockPerson(profile).state
        case "unblock": try await planner.unblockPerson(profile).state
        default: nil
        }
    }

    /// The code of the notice about a result.
    static func saved(_ state: String?) -> String? {
        switch state {
        case "removed": "follow-removed"
        case "requested": "follow-requested"
        default: state
        }
    }
}
