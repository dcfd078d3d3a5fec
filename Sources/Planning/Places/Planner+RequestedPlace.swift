import Agenda
import Places
import Settings
import Storage

extension Planner {
    /// The place of a requested meeting; `nil` if the request names none. `known` holds the
    /// possible meanings of its text, if they were looked up already.
    func chosenPlace(
        _ request: MeetingRequest, known: PlaceMeanings? = nil
    ) async throws -> ChosenPlace? {
        guard (request.place ?? "").isEmpty, let interest = request.interest else {
            return try await chosenPlace(request.place, words: request.placeText, known: known)
        }
        guard let city = request.city ?? surroundings.configuration[.area] else {
            throw Refusal(
                .invalid, code: "no_city", "A city is missing.", advice: [.give([.city])])
        }
        return try await nearestPlace(
            city: city, interest: interest, words: request.placeText)
    }

    /// The place of an interest that is nearest to the centre of a city.
    func nearestPlace(
        city: String, interest: String, words: String?
    ) async throws -> ChosenPlace {
        var request = PlaceRequest()
        request.city = city
        request.interest = interest
        let search = try await findPlaces(request)
        guard let nearest = search.answer.places.first else {
            throw Refusal(
                .refused, code: "nothing_found",
                "No places for \"\(interest)\" were found in \(search.city?.name ?? city).")
        }
        var chosen = Self.chosen(
            FoundPlace(place: nearest, source: search.source), words: words)
        let source = search.answer.attribution
        let credit = source.isEmpty ? "" : " (\(source))"
        chosen.remarks +=
            search.answer.warnings.map { Remark($0) } + [
                Remark(
                    "The place is the nearest of \(search.answer.places.count) found\(credit).",
                    advice: .places(.search(city: city, interest: interest)))
            ]
        return chosen
    }
}
