import Agenda
import Planning
import TextUI

extension MeetingGuide {
    func askCity() async throws {
        let question = Question(
            label: "City", text: form.cityText,
            skipped: "no city and no search")
        form.city = try await questioner.settle(question) { [planner] text in
            // Thousands of cities begin with the same letter.
            guard text.count > 1 else { return Hints() }
            return Hints(
                choices: try planner.cities(text).prefix(PromptView.choicesMax).map {
                    Choice(value: String($0.id), label: $0.label)
                })
        } reading: { [planner] reply in
            let words = reply.words
            return words.isEmpty ? nil : try planner.cityMeant(by: words)
        }
        form.cityText = form.city?.label ?? ""
    }

    func askInterest() async throws {
        let question = Question(
            label: "Interest", text: form.interest,
            help: "Example: museum", skipped: "no search")
        form.interest = try await questioner.settle(question) { [planner] text in
            Hints(
                choices: try planner.interestSuggestions(text).prefix(PromptView.choicesMax).map {
                    Choice(
                        value: $0.name,
                        label: "\($0.name): \($0.categories.joined(separator: ", "))")
                })
        } reading: { [planner] reply in
            let words = reply.words
            if !words.isEmpty { try planner.checkInterest(words) }
            return words
        }
    }

    /// Asks for a place: one that a search found, a saved one, or a description.
    func askPlace() async throws {
        let found = try await findPlaces()
        let question = Question(
            label: "Place", text: form.place?.ownWords ?? "", offers: found.choices,
            notes: found.notes,
            help: "Or describe it", skipped: "not decided")
        let place = try await questioner.settle(question) { text in
            guard !text.isEmpty else { return Hints() }
            let key = SearchKey.fold(text)
            return Hints(
                choices: found.choices.filter { SearchKey.fold($0.label).contains(key) })
        } reading: { [planner] reply in
            try await Self.place(reply.words, planner: planner)
        }
        form.place = place
        if let line = place?.planned.borrowedLine {
            form.place?.words = try await PlaceLine.ask(&questioner, for: line)
        }
        if place != nil { found.notes.forEach(questioner.say) }
    }

    private static func place(_ asked: String, planner: Planner) async throws -> MeetingForm.Place?
    {
        guard !asked.isEmpty else { return nil }
        var request = MeetingRequest()
        request.place = asked
        guard let planned = try await planner.plannedPlace(request) else { return nil }
        try MeetingRules.checkLine(
            planned.line, named: "place", charactersMax: MeetingPlace.textCharactersMax)
        return MeetingForm.Place(asked: asked, planned: planned)
    }

    /// The saved places, and the places found by city and interest. If the search fails, the notes
    /// give the reason, and the place can still be described in words.
    private func findPlaces() async throws -> (choices: [Choice], notes: [String]) {
        let saved = try await planner.savedPlaces().map {
            Choice(value: $0.id, label: Self.line($0.name, "saved", $0.address))
        }
        guard let city = form.city, !form.interest.isEmpty else { return (saved, []) }
        var request = PlaceRequest()
        request.city = String(city.id)
        request.interest = form.interest
        questioner.wait(for: "Searching for \(form.interest) in \(city.name) …")
        do {
            let search = try await planner.searchPlaces(request)
            let places = search.results.map { place in
                let way = place.distanceM.map { "\($0) m" } ?? ""
                return Choice(value: place.id, label: Self.line(place.name, way, place.address))
            }
            let none = "No \(form.interest) was found in \(city.name)."
            return (
                places + saved,
                search.warnings + [places.isEmpty ? none : search.attribution]
            )
        } catch {
            return (saved, [try Refusal(answering: error).remark.shown])
        }
    }

    private static func line(_ parts: String...) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " · ")
    }
}
