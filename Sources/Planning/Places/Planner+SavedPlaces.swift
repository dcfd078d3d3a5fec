import Agenda
import Foundation
import Ledger
import Places
import Storage
import Timekeeping

extension Planner {
    /// The saved place with this name, this part of a name, or this id or beginning of an id;
    /// `nil` if there is none.
    func savedPlace(named text: String) async throws -> SavedPlace? {
        try Self.savedPlace(
            named: text, in: try await store.savedPlaces(of: actor.id, limit: Self.listRowsMax))
    }

    /// The saved place that a text means; `nil` if there is none.
    static func savedPlace(named text: String, in saved: [SavedPlace]) throws -> SavedPlace? {
        let key = SearchKey.fold(text)
        guard !key.isEmpty else { return nil }
        let named = saved.map { ($0, SearchKey.fold($0.name)) }
        if let exact = named.first(where: { $0.1 == key })?.0 { return exact }
        let partly = named.filter { $0.1.contains(key) }.map(\.0)
        let id = text.hasPrefix("own:") ? String(text.dropFirst(4)) : text
        let byID = saved.filter { id.utf8.count >= 4 && $0.id.text.hasPrefix(id) }
        let found = partly.isEmpty ? byID : partly
        guard found.count <= 1 else {
            throw Refusal(
                .refused, code: "ambiguous_place",
                "Several saved places match \"\(text)\". Give more of the name, or the id.",
                candidates: found.map { .place(SavedPlaceView($0)) }
            ).ofAmbiguous(text)
        }
        return found.first
    }

    /// The details of a place, with the attribution to show with them.
    public func showPlace(_ text: String) async throws -> (PlaceView, attribution: String) {
        try Refusal.checkNames(text, a: "place")
        let saved = PlaceFinder.isID(text) ? nil : try await savedPlace(named: text)
        if let saved, saved.reference == nil {
            let place = Place(
                id: "own:\(saved.id.text)", name: saved.name, latitude: saved.latitude,
                longitude: saved.longitude, address: saved.address)
            return (PlaceView(place, zone: try zone(around: place)), "")
        }
        let found = try await placeFinder().details(id: saved?.reference ?? text)
        return (PlaceView(found.place, zone: try zone(around: found.place)), found.attribution)
    }

    /// The time zone of the city nearest to a place; `nil` if the position is unknown.
    func zone(around place: Place) throws -> String? {
        guard let latitude = place.latitude, let longitude = place.longitude else { return nil }
        return try surroundings.gazetteer().nearest(latitude: latitude, longitude: longitude)?.zone
    }

    /// Saves a place that the user describes.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - near: a position, or a place or an address that the catalogue knows; `nil` to look the
    ///     address up.
    ///   - address: its address, or how to find it; empty for none.
    /// - Returns: the place, without a position if the catalogue does not know the address.
    /// - Throws: ``Refusal``, for example with `no_position` or `known_place`.
    public func addPlace(
        _ name: String, near: String?, address: String
    ) async throws -> SavedPlaceView {
        var place = SavedPlace(id: surroundings.chance.id(), name: name, address: address)
        var position = try await position(ofAddress: address)
        if let near { position = try await self.position(near: near) }
        place.latitude = position?.latitude
        place.longitude = position?.longitude
        return SavedPlaceView(try await save(place))
    }

    /// Saves a search result under its own name or under a given one. Of a place at Foursquare only
    /// the id may be stored, so without a given name its web page becomes the name.
    ///
    /// - Returns: the place, and whether it is new. A place that is already saved is not changed.
    public func savePlace(
        _ id: String, name: String?
    ) async throws -> (place: SavedPlaceView, isNew: Bool) {
        try Refusal.checkNames(id, a: "place")
        if let known = try await store.savedPlace(referring: id, of: actor.id) {
            return (SavedPlaceView(known), false)
        }
        let found = try await placeFinder().details(id: id)
        let ownName = found.mayBeKept ? found.place.name : found.page
        var place = SavedPlace(
            id: surroundings.chance.id(), name: name ?? ownName, reference: found.place.id)
        if found.mayBeKept {
            place.address = found.place.address
            place.latitude = found.place.latitude
            place.longitude = found.place.longitude
        }
        let saved = try await save(place)
        return (SavedPlaceView(saved), saved.id == place.id)
    }

    private func save(_ place: SavedPlace) async throws -> SavedPlace {
        try Self.check(place)
        guard let saved = try await store.addPlace(place, owner: actor.id) else {
            throw Refusal(
                .refused, code: "known_place",
                "There is already a saved place called \"\(place.name)\". Choose another name, or "
                    + "remove that place first.", advice: [.places(.remove(place.name))])
        }
        return saved
    }

    /// The actor's saved places.
    public func savedPlaces() async throws -> [SavedPlaceView] {
        try await store.savedPlaces(of: actor.id, limit: Self.listRowsMax)
            .map { SavedPlaceView($0) }
    }

    /// Removes a saved place. Meetings keep the place that they stored.
    public func removePlace(_ name: String) async throws -> SavedPlaceView {
        try Refusal.checkNames(name, a: "place")
        guard let place = try await savedPlace(named: name) else {
            throw Refusal(
                .refused, code: "unknown_place",
                "No saved place is called \"\(name)\".", advice: [.places(.listSaved)])
        }
        try await store.removePlace(place.id)
        return SavedPlaceView(place)
    }
}
