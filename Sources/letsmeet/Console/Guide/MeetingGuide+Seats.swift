import Planning
import TextUI

extension MeetingGuide {
    /// Asks for the people who can join without an invitation, and for the number of seats.
    func askSeating() async throws {
        let question = Question(
            label: "Open to", text: form.seating.map(SeatingWords.text) ?? "",
            help: "followers, circle:NAME, link or public, with the number of seats if it is "
                + "limited: followers, 4 seats",
            skipped: "nobody without an invitation")
        form.seating = try await questioner.settle(question) { reply in
            try SeatingWords.read(reply.words)
        }
    }
}

/// The people who can join and the number of seats in one line, as in "followers, 4 seats".
enum SeatingWords {
    /// The line.
    static func text(_ edit: SeatingEdit) -> String {
        let seats = edit.seats.map { $0 == "1" ? "1 seat" : "\($0) seats" }
        return [edit.audience, seats].compactMap(\.self).joined(separator: ", ")
    }

    /// Reads a line.
    ///
    /// - Parameter line: the line.
    /// - Returns: the wishes; `nil` for an empty line, and for `nobody`.
    /// - Throws: ``Refusal`` with `usage`.
    static func read(_ line: String) throws -> SeatingEdit? {
        var edit = SeatingEdit()
        for part in [line].splitAtCommas {
            let words = part.lowercased().split(separator: " ")
            let isCount = words.count == 1 || words.count == 2 && words[1].hasPrefix("seat")
            if isCount, let count = words.first.flatMap({ Int($0) }), edit.seats == nil {
                edit.seats = String(count)
            } else if words != ["nobody"] {
                guard edit.audience == nil, isAudience(part.lowercased()) else {
                    throw Refusal(
                        .invalid, code: "usage",
                        "\"\(part)\" is neither followers, circle:NAME, link or public, nor a "
                            + "number of seats.")
                }
                edit.audience = audience(part)
            }
        }
        return edit.isEmpty ? nil : edit
    }

    /// The audience as it is asked for: the words in lower case, the name of a circle as typed.
    private static func audience(_ text: String) -> String {
        let word = String(text.lowercased().prefix { $0 != ":" })
        return word + text.drop { $0 != ":" }
    }

    private static func isAudience(_ text: String) -> Bool {
        ["followers", "link", "public"].contains(text)
            || text.hasPrefix("circle:") && text != "circle:"
    }
}
