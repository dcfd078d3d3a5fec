import Agenda
import Foundation
import Ledger
import Places
import Settings
import Storage
import Timekeeping

/// A place that somebody chose.
struct ChosenPlace {
    /// What a meeting keeps of it.
    let place: MeetingPlace
    /// Where it is, also where that may not be kept.
    var position: (latitude: Double, longitude: Double)?
    /// Why it is not known where it is.
    var trouble: Refusal?
    /// What its source says of it in a line, where only the id may be kept and nobody gave words.
    var borrowedLine: String?
    /// What else there is to know, in sentences.
    var remarks: [String] = []

    /// What there is to know when nobody gives words for it.
    var remarksWithoutWords: [String] {
        guard let borrowedLine else { return remarks }
        return [
            "People are told the page of \(borrowedLine): what Foursquare says of a place may not "
                + "be kept. To tell them a line of your own, give it with --place-text."
        ] + remarks
    }
}

extension Planner {
    /// Where a meeting that is asked for so takes place; `nil` where that is left open. `known` is
    /// what its text may mean, where somebody has looked.
    func chosenPlace(
        _ request: MeetingRequest, known: PlaceMeanings? = nil
    ) async throws -> ChosenPlace? {
        guard (request.place ?? "").isEmpty, let interest = request.interest else {
            return try await place(request.place, words: request.placeText, known: known)
        }
        guard let city = request.city ?? surroundings.configuration[.area] else {
            throw Refusal(.invalid, code: "no_city", "Where? Give --city CITY too.")
        }
        return try await nearestPlace(
            city: city, interest: interest, words: request.placeText)
    }

    /// Finds the place that a text means: an id that a search printed, part of the name of a
    /// saved place, or any other text, which is then the place as written.
    func place(
        _ text: String?, words: String?, known: PlaceMeanings? = nil
    ) async throws -> ChosenPlace? {
        guard let text, !text.isEmpty else { return nil }
        guard !PlaceFinder.isID(text) else {
            return Self.chosen(try await details(id: text), words: words)
        }
        let known =
            if let known { known } else {
                try await searching { try placeMeanings(of: text, $0) }
            }
        if let saved = try Self.place(named: text, in: known.saved) {
            return try await chosen(saved, words: words)
        }
        guard known.isCatalogued else {
            return ChosenPlace(place: MeetingPlace(text: words ?? text))
        }
        return Self.chosen(try await details(id: text), words: words)
    }

    /// What a text may mean that names a place.
    func placeMeanings(of text: String, _ search: PersonSearch) throws -> PlaceMeanings {
        try search.people.placeMeanings(of: text, owner: actor.id, limit: Self.listRowsMax)
    }

    /// Of a place of Foursquare's only the id and the name that somebody gave it are saved: where
    /// it lies is asked anew. Who cannot be told still has a place.
    private func chosen(_ saved: SavedPlace, words: String?) async throws -> ChosenPlace {
        let line = [saved.name, saved.address].filter { !$0.isEmpty }.joined(separator: ", ")
        let place = MeetingPlace(
            reference: saved.reference ?? "own:\(saved.id.text)", text: words ?? line,
            latitude: saved.latitude, longitude: saved.longitude)
        var chosen = ChosenPlace(
            place: place, position: Self.position(saved.latitude, saved.longitude))
        guard let reference = saved.reference, saved.latitude == nil else { return chosen }
        do {
            let found = try await details(id: reference)
            // Who gave it no name of their own saved the page.
            let ownWords = line == found.page ? nil : line
            return Self.chosen(found, words: words ?? ownWords)
        } catch {
            let trouble = Refusal(error)
            guard trouble.category != .bug else { throw error }
            // A later answer would give another zone than the one that was shown.
            memory[reference] = .failure(trouble)
            chosen.trouble = trouble
            chosen.remarks = [
                "Where \(saved.name) lies is not known now, nor its zone. \(trouble.message)"
            ]
            return chosen
        }
    }

    /// What its source says of a place, asked once as long as this planner lives.
    private func details(id: String) async throws -> FoundPlace {
        if let known = memory[id] { return try known.get() }
        let found = try await PlaceFinder(self).details(id: id)
        memory[id] = .success(found)
        return found
    }

    /// What Foursquare says of a place may not be kept: its id is, and the line that the organizer
    /// gives. Without such a line people are told where Foursquare describes the place.
    private static func chosen(_ found: FoundPlace, words: String?) -> ChosenPlace {
        let place = found.place
        let position = position(place.latitude, place.longitude)
        guard !found.mayBeKept else {
            let kept = MeetingPlace(
                reference: place.id, text: words ?? place.line, latitude: place.latitude,
                longitude: place.longitude)
            return ChosenPlace(place: kept, position: position)
        }
        let kept = MeetingPlace(reference: place.id, text: words ?? found.page)
        return ChosenPlace(
            place: kept, position: position, borrowedLine: words == nil ? place.line : nil)
    }

    private static func position(
        _ latitude: Double?, _ longitude: Double?
    ) -> (latitude: Double, longitude: Double)? {
        guard let latitude, let longitude else { return nil }
        return (latitude, longitude)
    }

    /// The zone in which a place lies, where that is known.
    func zone(of chosen: ChosenPlace?) throws -> Zone? {
        guard let position = chosen?.position,
            let city = try gazetteer().nearest(
                latitude: position.latitude, longitude: position.longitude)
        else { return nil }
        return try zone(named: city.zone)
    }

    /// The nearest place of an interest in a city, for who says no more than that.
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
                "No \(interest) was found in \(search.city?.name ?? city).")
        }
        var chosen = Self.chosen(
            FoundPlace(place: nearest, source: search.source), words: words)
        chosen.remarks +=
            search.answer.warnings + [
                "The place is the nearest of \(search.answer.places.count) found. Others: "
                    + "letsmeet place search --city \"\(city)\" --for \"\(interest)\". "
                    + search.answer.attribution
            ]
        return chosen
    }
}
