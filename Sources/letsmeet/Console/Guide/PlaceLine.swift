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

    /// Asks which place of the catalogue a written name means.
    ///
    /// - Parameters:
    ///   - questioner: the questioner.
    ///   - text: the name as it was written.
    ///   - places: the places with this name.
    /// - Returns: the id of the chosen place, or the words to keep.
    /// - Throws: ``Leaving`` if the person leaves.
    static func choose(
        _ questioner: inout any Questioner, for text: String, among places: [PlaceView]
    ) async throws -> String {
        let question = Question(
            label: "Place",
            offers: places.map { place in
                let parts = [place.name, place.address].filter { !$0.isEmpty }
                return Choice(value: place.id, label: parts.joined(separator: " · "))
            },
            notes: ["The catalogue has \(places.count == 1 ? "this place" : "these places"):"],
            help: "Type a number", skipped: "\"\(text)\" without a map")
        let words = try await questioner.ask(question).words
        return words.isEmpty ? text : words
    }

    /// Asks for the place of the catalogue that a request names, and for the line of a place that
    /// the request names or a search finds, and writes both into the request. Asks only on a
    /// terminal, and only if the request has no line yet.
    static func settle(
        _ request: inout MeetingRequest, planner: Planner, consent: Consent
    ) async throws {
        guard consent.asks, !consent.options.dryRun, request.placeText == nil else { return }
        if let text = request.place {
            let found = try await planner.cataloguedChoices(for: text)
            if !found.isEmpty {
                var questioner = Terminal.questioner()
                request.place = try await choose(&questioner, for: text, among: found)
            }
        }
        guard let place = try await planner.plannedPlace(request), let line = place.borrowedLine
        else { return }
        var questioner = Terminal.questioner()
        place.remarks.forEach { questioner.say($0.shown) }
        request.placeText = try await ask(&questioner, for: line)
        request.place = place.reference
        request.city = nil
        request.interest = nil
    }
}
