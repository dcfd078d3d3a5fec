import Agenda
import Foundation
import Ledger
import Places
import Storage
import Timekeeping
import Wording

/// A place that somebody chose, and the zone in which it lies, where that is known.
struct ChosenPlace {
    let place: MeetingPlace
    let zone: Zone?
    /// Whether its source lets nobody keep more of it than the id.
    var isBorrowed = false
}

extension Planner {
    /// Finds the place that a text means: an id that a search printed, part of the name of a
    /// saved place, or any other text, which is then the place as written.
    func place(_ text: String?, words: String?) async throws -> ChosenPlace? {
        guard let text, !text.isEmpty else {
            return words.map { ChosenPlace(place: MeetingPlace(text: $0), zone: nil) }
        }
        if text.hasPrefix("osm:") || text.hasPrefix("fsq:") {
            return try await found(id: text, words: words)
        }
        guard let saved = try await savedPlace(named: text) else {
            return ChosenPlace(place: MeetingPlace(text: words ?? text), zone: nil)
        }
        let line = [saved.name, saved.address].filter { !$0.isEmpty }.joined(separator: ", ")
        return try chosen(
            MeetingPlace(
                reference: saved.reference ?? "own:\(saved.id.text)", text: words ?? line,
                latitude: saved.latitude, longitude: saved.longitude))
    }

    /// What Foursquare says of a place may not be kept: its id is, and the line that the organizer
    /// takes for their own words. Without words the link that the id makes stands for the place.
    private func found(id: String, words: String?) async throws -> ChosenPlace {
        let (source, answer) = try await PlaceFinder(self).details(id: id)
        guard let place = answer.places.first else {
            throw Refusal(.refused, code: "unknown_place", "There is no place \(id).")
        }
        let line =
            words
            ?? [place.name, place.address].filter { !$0.isEmpty }
            .joined(separator: ", ")
        let chosen = try chosen(
            MeetingPlace(
                reference: id, text: line, latitude: place.latitude, longitude: place.longitude))
        guard source != "catalogue" else { return chosen }
        var kept = MeetingPlace(reference: id, text: line)
        if line.isEmpty { kept = MeetingPlace(reference: id, text: PlaceLinks.map(of: kept)) }
        return ChosenPlace(place: kept, zone: chosen.zone, isBorrowed: true)
    }

    private func chosen(_ place: MeetingPlace) throws -> ChosenPlace {
        guard let latitude = place.latitude, let longitude = place.longitude,
            let city = try gazetteer().nearest(latitude: latitude, longitude: longitude)
        else { return ChosenPlace(place: place, zone: nil) }
        return ChosenPlace(place: place, zone: try zone(named: city.zone))
    }

    /// The nearest place of an interest in a city, for who says no more than that.
    func nearestPlace(
        city: String, interest: String, words: String?
    ) async throws -> (place: ChosenPlace, remark: String) {
        var request = PlaceRequest()
        request.city = city
        request.interest = interest
        let search = try await searchPlaces(request)
        guard let nearest = search.results.first else {
            throw Refusal(
                .refused, code: "nothing_found",
                "No \(interest) was found in \(search.city?.name ?? city).")
        }
        guard let chosen = try await place(nearest.id, words: words) else {
            throw Refusal(.refused, code: "unknown_place", "There is no place \(nearest.id).")
        }
        return (
            chosen,
            "The place is the nearest of \(search.results.count) found. Others: "
                + "letsmeet place search --city \"\(city)\" --for \"\(interest)\". "
                + search.attribution
        )
    }

    /// The saved place whose name, or part of it, a text is; an id or its beginning as well.
    func savedPlace(named text: String) async throws -> SavedPlace? {
        let key = SearchKey.fold(text)
        guard !key.isEmpty else { return nil }
        let saved = try await store.savedPlaces(of: actor.id, limit: Self.listRowsMax)
        let named = saved.map { ($0, SearchKey.fold($0.name)) }
        if let exact = named.first(where: { $0.1 == key })?.0 { return exact }
        let partly = named.filter { $0.1.contains(key) }.map(\.0)
        let byID = saved.filter { text.utf8.count >= 4 && $0.id.text.hasPrefix(text) }
        let found = partly.isEmpty ? byID : partly
        guard found.count <= 1 else {
            throw Refusal(
                .refused, code: "ambiguous_place", "\(text) may be several saved places.",
                candidates: found.map { .place(SavedPlaceView($0)) })
        }
        return found.first
    }

    /// One place with all that its source says of it.
    public func showPlace(_ id: String) async throws -> (PlaceView, attribution: String) {
        if let saved = try await savedPlace(named: id), saved.reference == nil {
            let place = Place(
                id: "own:\(saved.id.text)", name: saved.name, latitude: saved.latitude,
                longitude: saved.longitude, address: saved.address)
            return (PlaceView(place, zone: nil), "")
        }
        let (_, answer) = try await PlaceFinder(self).details(id: id)
        guard let place = answer.places.first else {
            throw Refusal(.refused, code: "unknown_place", "There is no place \(id).")
        }
        let zone = try place.latitude.flatMap { latitude in
            try place.longitude.flatMap { longitude in
                try gazetteer().nearest(latitude: latitude, longitude: longitude)?.zone
            }
        }
        return (PlaceView(place, zone: zone), answer.attribution)
    }

    /// Adds a place of one's own.
    public func addPlace(
        _ name: String, near: String?, address: String
    ) async throws -> SavedPlaceView {
        var place = SavedPlace(id: surroundings.chance.id(), name: name, address: address)
        if let near {
            guard let position = GeoText.position(near) else {
                throw Refusal(
                    .invalid, code: "bad_position",
                    "\(near) is no position. Write LAT,LON, such as 60.17,24.94.")
            }
            place.latitude = position.latitude
            place.longitude = position.longitude
        }
        return try await save(place)
    }

    /// Keeps a place that a search found.
    public func savePlace(_ id: String) async throws -> SavedPlaceView {
        let (source, answer) = try await PlaceFinder(self).details(id: id)
        guard let found = answer.places.first else {
            throw Refusal(.refused, code: "unknown_place", "There is no place \(id).")
        }
        var place = SavedPlace(id: surroundings.chance.id(), name: found.name, reference: id)
        if source == "catalogue" {
            place.address = found.address
            place.latitude = found.latitude
            place.longitude = found.longitude
        }
        return try await save(place)
    }

    private func save(_ place: SavedPlace) async throws -> SavedPlaceView {
        try MeetingRules.checkLine(
            place.name, named: "name", charactersMax: MeetingPlace.textCharactersMax)
        guard try await store.addPlace(place, owner: actor.id) else {
            throw Refusal(
                .refused, code: "known_place", "There is a saved place \(place.name) already.")
        }
        return SavedPlaceView(place)
    }

    /// The saved places.
    public func savedPlaces() async throws -> [SavedPlaceView] {
        try await store.savedPlaces(of: actor.id, limit: Self.listRowsMax)
            .map { SavedPlaceView($0) }
    }

    /// Forgets a saved place; meetings keep what they have of it.
    public func removePlace(_ name: String) async throws -> SavedPlaceView {
        guard let place = try await savedPlace(named: name) else {
            throw Refusal(
                .refused, code: "unknown_place",
                "No saved place is called \(name). See: letsmeet place saved")
        }
        try await store.removePlace(place.id)
        return SavedPlaceView(place)
    }
}
