import Planning

/// The line of a place whose source lets nobody keep more than its id: it is kept as the words of
/// whoever accepts it.
enum PlaceLine {
    /// Asks for the line; an empty one keeps the id alone.
    static func ask(_ questioner: inout any Questioner, _ place: PlannedPlace) async throws
        -> String
    {
        let question = Question(
            label: "The place in your words", text: place.line,
            notes: ["Foursquare lets nobody keep its words: what you accept here is yours."],
            help: "Enter accepts the line; emptied, people get the link to the place alone")
        return try await questioner.ask(question).words
    }

    /// Asks about the place that a request names or leads to, where somebody can be asked and
    /// nothing was said of it, and writes place and line into the request.
    static func settle(
        _ request: inout MeetingRequest, planner: Planner, consent: Consent
    ) async throws {
        guard consent.asks, !consent.options.dryRun, request.placeText == nil,
            let place = try await planner.plannedPlace(request), place.isBorrowed
        else { return }
        var questioner = Terminal.questioner()
        if let remark = place.remark { questioner.say(remark) }
        request.placeText = try await ask(&questioner, place)
        request.place = place.reference
    }
}
