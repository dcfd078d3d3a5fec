import Planning
import TextUI

/// The line for a place of which only the id may be stored. A line that a person accepts is stored
/// as that person's own words.
enum PlaceLine {
    /// Asks to accept or change the line of the source. After an empty answer, which gives `nil`,
    /// only the id is stored.
    static func ask(_ questioner: inout any Questioner, for line: String) async throws -> String? {
        let question = Question(
            label: "The place in your words", text: line, isEdited: true,
            notes: [
                "Text from Foursquare may not be stored. Accept this line as your own words, or "
                    + "change it."
            ],
            help: "Enter accepts it",
            skipped: "only the link to the place")
        let words = try await questioner.ask(question).words
        return words.isEmpty ? nil : words
    }

    /// Asks for the line of the place that a request names or a search finds, and writes place and
    /// line into the request. Asks only on a terminal, and only if the request has no line yet.
    static func settle(
        _ request: inout MeetingRequest, planner: Planner, consent: Consent
    ) async throws {
        guard consent.asks, !consent.options.dryRun, request.placeText == nil,
            let place = try await planner.plannedPlace(request), let line = place.borrowedLine
        else { return }
        var questioner = Terminal.questioner()
        place.remarks.forEach { questioner.say($0.shown) }
        request.placeText = try await ask(&questioner, for: line)
        request.place = place.reference
        request.city = nil
        request.interest = nil
    }
}
