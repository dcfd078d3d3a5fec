import Agenda
import Ledger
import Places
import Storage
import Timekeeping

/// Everything about a place that its page shows.
public struct PlaceSight: Sendable {
    /// The place as its source describes it; of a saved place of a source that does not answer,
    /// the saved name only.
    public let place: PlaceView
    /// The attribution to show with the place; empty for a place of the reader's own.
    public let attribution: String
    /// The place as the reader saved it; `nil` if they did not.
    public let saved: SavedPlaceView?
    /// The reason why the source of a saved place does not answer; `nil` if it did.
    public let trouble: Refusal?

    /// The id by which meetings know the place.
    public var reference: String { saved.map { $0.reference ?? "own:\($0.id)" } ?? place.id }
    /// True if the reader described the place themselves.
    public var isOwn: Bool { saved != nil && saved?.reference == nil }
}

/// The changes of a saved place. What is `nil` stays.
public struct SavedPlaceEdit: Sendable {
    /// The new name.
    public var name: String?
    /// The new address; only for places that the actor described themselves.
    public var address: String?
    /// The new position as `LAT,LON`, or empty for none; only for places that the actor described
    /// themselves.
    public var position: String?

    /// No changes.
    public init() {}
}

extension Planner {
    /// A place of the catalogue, of Foursquare or of the actor, by its id.
    ///
    /// - Parameter id: the id at its source, or that of a saved place.
    /// - Returns: the place.
    /// - Throws: ``Refusal`` with `unknown_place`.
    public func place(withID id: String) async throws -> PlaceSight {
        try Refusal.checkNames(id, a: "place")
        guard PlaceFinder.isID(id) else { return try await sight(of: try await saved(id)) }
        let found = try await foundPlace(id)
        let saved = try await store.savedPlace(referring: id, of: actor.id)
        return PlaceSight(
            place: PlaceView(found.place, zone: try zone(around: found.place)),
            attribution: found.attribution, saved: saved.map { SavedPlaceView($0) }, trouble: nil)
    }

    private func foundPlace(_ id: String) async throws -> FoundPlace {
        do {
            return try await placeFinder().details(id: id)
        } catch let error as PlaceError {
            throw Refusal(error)
        }
    }

    private func sight(of saved: SavedPlace) async throws -> PlaceSight {
        let view = SavedPlaceView(saved)
        guard let reference = saved.reference else {
            return PlaceSight(
                place: try placeView(saved), attribution: "", saved: view, trouble: nil)
        }
        do {
            let found = try await foundPlace(reference)
            return PlaceSight(
                place: PlaceView(found.place, zone: try zone(around: found.place)),
                attribution: found.attribution, saved: view, trouble: nil)
        } catch {
            let trouble = Refusal(error)
            guard trouble.category != .bug, trouble.fault == nil else { throw error }
            return PlaceSight(
                place: try placeView(saved), attribution: "", saved: view, trouble: trouble)
        }
    }

    private func placeView(_ saved: SavedPlace) throws -> PlaceView {
        let place = Place(
            id: saved.reference ?? "own:\(saved.id.text)", name: saved.name,
            latitude: saved.latitude, longitude: saved.longitude, address: saved.address)
        return PlaceView(place, zone: try zone(around: place))
    }

    /// The actor's saved place with exactly this id.
    private func saved(_ id: String) async throws -> SavedPlace {
        let id = id.hasPrefix("own:") ? String(id.dropFirst(4)) : id
        guard let place = try await store.savedPlace(SavedPlaceID(text: id), of: actor.id) else {
            throw Refusal(.refused, code: "unknown_place", "No saved place has this id.")
        }
        return place
    }

    /// The actor's past meetings at a place. Those of which they are invited to single dates only
    /// are left out.
    ///
    /// - Parameters:
    ///   - place: the place.
    ///   - offset: the number of meetings before the first one that is returned.
    ///   - limit: the most meetings.
    /// - Returns: the meetings, the latest first.
    /// - Throws: ``StoreError``.
    public func pastMeetings(
        at place: PlaceSight, from offset: Int = 0, limit: Int
    ) async throws -> FirstRows<MeetingWithPerson> {
        let found = try await store.pastMeetings(
            of: actor.id, at: place.reference, now: now, offset: offset, limit: limit + 1)
        return FirstRows(
            found.map { MeetingWithPerson(meeting: pastMeeting($0), isOfDates: false) },
            countMax: limit)
    }

    /// Changes a saved place. Meetings keep the place that they stored.
    ///
    /// - Parameters:
    ///   - id: the id of the saved place.
    ///   - edit: the changes.
    /// - Returns: the place.
    /// - Throws: ``Refusal``, for example with `known_place` or `no_position`.
    public func editPlace(_ id: String, _ edit: SavedPlaceEdit) async throws -> SavedPlaceView {
        var place = try await saved(id)
        place.name = edit.name ?? place.name
        if place.reference == nil {
            place.address = edit.address ?? place.address
            try change(&place, to: edit.position)
        }
        try Self.check(place)
        guard try await store.editPlace(place, owner: actor.id) else {
            throw Refusal(
                .refused, code: "known_place",
                "There is already a saved place called \"\(place.name)\". Choose another name.")
        }
        return SavedPlaceView(place)
    }

    private func change(_ place: inout SavedPlace, to position: String?) throws(Refusal) {
        guard let position else { return }
        let found = position.isEmpty ? nil : GeoText.position(position)
        guard position.isEmpty || found != nil else { throw .notPosition(position) }
        place.latitude = found?.latitude
        place.longitude = found?.longitude
    }

    /// Removes the saved place with this id. Meetings keep the place that they stored.
    public func removePlace(withID id: String) async throws {
        try await store.removePlace(try await saved(id).id)
    }

    /// The name and the address of a place to save, both in one line. Places are found by the
    /// letters and digits of their names.
    static func check(_ place: SavedPlace) throws {
        let limit = MeetingPlace.textCharactersMax
        try MeetingRules.checkLine(
            place.name, named: "name", of: "place", charactersMax: limit)
        guard !SearchKey.fold(place.name).isEmpty else {
            throw Refusal(
                .invalid, code: "bad_name", "The name of a place needs a letter or a digit.")
        }
        try MeetingRules.checkLine(
            place.address, named: "place", charactersMax: limit, mayShowNothing: true)
    }

    /// The position of a city, in degrees north and east; `nil` if the text does not mean one.
    public func position(ofCity text: String) -> (latitude: Double, longitude: Double)? {
        (try? city(named: text)).map { ($0.latitude, $0.longitude) }
    }

    /// The position that a text names, in degrees north and east: a position, a saved place, the
    /// id of a search result, a place or an address of the catalogue, or a city.
    ///
    /// - Throws: ``Refusal`` with `no_position`, `ambiguous_place` or `ambiguous_city`.
    public func spot(named text: String) async throws -> (latitude: Double, longitude: Double) {
        do {
            return try await position(near: text)
        } catch let refusal as Refusal where refusal.code == "no_position" {
            guard let city = position(ofCity: text) else { throw refusal }
            return city
        }
    }
}

extension Refusal {
    fileprivate static func notPosition(_ text: String) -> Refusal {
        Refusal(
            .invalid, code: "no_position",
            "\"\(text)\" is not a position. Give the latitude and the longitude, such as "
                + "60.17,24.94.")
    }
}
