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
    /// What its source says of it in a line, where only the id may be kept.
    var borrowedLine: String?
    /// What else there is to know, in sentences.
    var remarks: [String] = []
}

extension Planner {
    /// Finds the place that a text means: an id that a search printed, part of the name of a
    /// saved place, or any other text, which is then the place as written.
    func place(_ text: String?, words: String?) async throws -> ChosenPlace? {
        guard let text, !text.isEmpty else { return nil }
        if !PlaceFinder.isID(text), let saved = try await savedPlace(named: text) {
            return try await chosen(saved, words: words)
        }
        let isCatalogued = try await store.cataloguePlace(id: text) != nil
        guard isCatalogued || PlaceFinder.isID(text) else {
            return ChosenPlace(place: MeetingPlace(text: words ?? text))
        }
        return Self.chosen(try await PlaceFinder(self).details(id: text), words: words)
    }

    /// Of a place of Foursquare's only the id is saved: where it lies is asked anew, where there
    /// is a key.
    private func chosen(_ saved: SavedPlace, words: String?) async throws -> ChosenPlace {
        let line = [saved.name, saved.address].filter { !$0.isEmpty }.joined(separator: ", ")
        let hasKey = surroundings.configuration.foursquareKey != nil
        if let reference = saved.reference, saved.latitude == nil, hasKey {
            return Self.chosen(
                try await PlaceFinder(self).details(id: reference), words: words ?? line)
        }
        let place = MeetingPlace(
            reference: saved.reference ?? "own:\(saved.id.text)", text: words ?? line,
            latitude: saved.latitude, longitude: saved.longitude)
        return ChosenPlace(place: place, position: Self.position(saved.latitude, saved.longitude))
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
            place: kept, position: position, borrowedLine: place.line,
            remarks: words == nil ? [linkAlone(place)] : [])
    }

    private static func linkAlone(_ place: Place) -> String {
        "The place is \(place.line). Of Foursquare's places only ids may be kept: people are told "
            + "its page, or a line that you write yourself with --place-text."
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
