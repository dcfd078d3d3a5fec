import Planning

/// The line of a place of which nobody may keep more than the id: it is kept as the words of
/// whoever accepts it.
enum PlaceLine {
    /// Asks for the line that a source gives; an empty one is `nil`, and keeps the id alone.
    static func ask(_ questioner: inout any Questioner, for line: String) async throws -> String? {
        let question = Question(
            label: "The place in your words", text: line, isEdited: true,
            notes: [
                "Only a line of your own may be kept: accept or change how Foursquare describes "
                    + "the place."
            ],
            help: "Enter accepts it",
            skipped: "only the link to the place")
        let words = try await questioner.ask(question).words
        return words.isEmpty ? nil : words
    }

    /// Asks about the place that a request names or leads to, where somebody can be asked and
    /// nothing was said of it, and writes place and line into the request.
    static func settle(
        _ request: inout MeetingRequest, planner: Planner, consent: Consent
    ) async throws {
        guard consent.asks, !consent.options.dryRun, request.placeText == nil,
            let place = try await planner.plannedPlace(request), let line = place.borrowedLine
        else { return }
        var questioner = Terminal.questioner()
        place.remarks.forEach(questioner.say)
        request.placeText = try await ask(&questioner, for: line)
        request.place = place.reference
        request.city = nil
        request.interest = nil
    }
}
