import Places
import Settings
import Storage
import Timekeeping

extension Planner {
    /// The radius around the actor's city in which names and addresses are looked up, in metres.
    private static let areaMeters = 30_000.0

    /// The position that a text names: that of a place in the catalogue by its name, or of an
    /// address that a place there has.
    ///
    /// - Parameter text: a name, or a street with its number.
    /// - Returns: the position; `nil` if nothing is known.
    /// - Throws: ``Refusal`` with `ambiguous_place` if several places have the name.
    func cataloguedPosition(
        of text: String
    ) async throws -> (latitude: Double, longitude: Double)? {
        let places = try await cataloguedPlacesNearby(named: text)
        guard let first = places.first else { return try await position(ofAddress: text) }
        guard let spot = places.spot else {
            throw Refusal(
                .refused, code: "ambiguous_place",
                "Several places are called \"\(first.name)\". Give the id of one.",
                candidates: places.prefix(PersonSearch.candidatesMax).map {
                    .found(PlaceView($0, zone: nil))
                }
            ).ofAmbiguous(text)
        }
        return spot
    }

    /// The places of the catalogue that a text, written as the place of a meeting, may mean.
    ///
    /// - Parameter text: the text.
    /// - Returns: the places with exactly this name, which have an id to choose; none if the text
    ///   is an id or means a saved place.
    /// - Throws: ``Refusal`` with `ambiguous_place` if several saved places match.
    public func cataloguedChoices(for text: String) async throws -> [PlaceView] {
        guard !text.isEmpty, !PlaceFinder.isID(text) else { return [] }
        let known = try await searching { try placeMeanings(of: text, $0) }
        guard try Self.savedPlace(named: text, in: known.saved) == nil, !known.isCatalogued else {
            return []
        }
        let places = try await cataloguedPlacesNearby(named: text)
        return places.prefix(PersonSearch.candidatesMax).map { PlaceView($0, zone: nil) }
    }

    /// The places of the catalogue with exactly this name: those around the actor's city, or all if
    /// there are none.
    func cataloguedPlacesNearby(named text: String) async throws -> [Place] {
        let all = try await cataloguedPlaces(named: text)
        let area = try areaBox()
        let near = all.filter { place in area.map { $0.contains(place) } ?? true }
        return near.isEmpty ? all : near
    }

    /// The places of the catalogue with exactly this name, ignoring case and accents.
    func cataloguedPlaces(named text: String) async throws -> [Place] {
        guard text.contains(where: { $0.isLetter || $0.isNumber }),
            try await PlaceFinder.mayKnowPlaces(named: text, in: store)
        else { return [] }
        return try await placeFinder().places(named: text)
    }

    /// The position of an address in the catalogue.
    ///
    /// - Parameter text: a street with its number. If a city follows after a comma, the address is
    ///   looked up around it, and otherwise around the actor's city.
    /// - Returns: the position; `nil` if there is no city, if no place around it has the address,
    ///   or if places far apart have it.
    /// - Throws: ``StoreError``.
    func position(
        ofAddress text: String
    ) async throws -> (latitude: Double, longitude: Double)? {
        let parts = text.split(separator: ",").map(String.init)
        let street = parts.first ?? ""
        guard street.contains(where: \.isNumber), street.contains(where: \.isLetter),
            let area = try namedBox(parts.dropFirst()) ?? areaBox()
        else { return nil }
        return try await placeFinder().places(at: street, in: area).spot
    }

    /// The area around the city that the parts of an address after the street name, with or without
    /// a postal code; `nil` if they name none.
    private func namedBox(_ parts: ArraySlice<String>) -> GeoBox? {
        parts.reversed().lazy.compactMap { part -> City? in
            let words = part.split(separator: " ").filter { !$0.allSatisfy(\.isNumber) }
            // A floor or a flat, such as "2nd floor", is not a city.
            guard !words.isEmpty, !words.contains(where: { $0.contains(where: \.isNumber) }) else {
                return nil
            }
            return try? self.city(named: words.joined(separator: " "))
        }.first.map(box(around:))
    }

    /// The area around the actor's city; `nil` if none is set.
    private func areaBox() throws -> GeoBox? {
        guard let area = surroundings.configuration[.area], let city = try? city(named: area) else {
            return nil
        }
        return box(around: city)
    }

    private func box(around city: City) -> GeoBox {
        GeoBox(around: (city.latitude, city.longitude), radiusMeters: Self.areaMeters)
    }
}

extension GeoBox {
    /// True if a place is known to be in the box.
    fileprivate func contains(_ place: Place) -> Bool {
        guard let latitude = place.latitude, let longitude = place.longitude else { return false }
        return (south...north).contains(latitude) && (west...east).contains(longitude)
    }
}
