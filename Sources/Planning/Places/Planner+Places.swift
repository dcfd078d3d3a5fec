import Agenda
import Foundation
import Ledger
package import Places
import Settings
import Storage
import Timekeeping

/// A search for places, as the user typed it.
public struct PlaceRequest: Sendable {
    /// The number of places to return if the request gives no limit.
    public static let limitDefault = PlaceQuery.limitDefault

    /// The city.
    public var city: String?
    /// The centre of the search: a position `LAT,LON`, the name of a saved place, the id of a
    /// search result, or the name or the address of a place in the catalogue.
    public var near: String?
    /// The interest; empty for a search by name alone.
    public var interest = ""
    /// The beginnings of words in the name.
    public var name: String?
    /// The radius of the search, in metres.
    public var radiusMeters: Int?
    /// The maximum number of places.
    public var limit: Int?
    /// The source, `catalogue` or `foursquare`; `nil` for the best one available.
    public var source: String?

    /// An empty request.
    public init() {}
}

/// The result of a search.
struct PlaceSearchResult {
    let city: City?
    let meaning: InterestMeaning
    let source: String
    let answer: PlaceAnswer
}

extension Planner {
    /// The attribution to show with cities.
    public static let cityAttribution = Gazetteer.attribution

    /// The cities that match a query, best matches first.
    public func cities(_ query: String) throws -> [CityView] {
        try Refusal.checkNames(query, a: "city")
        return try surroundings.gazetteer().cities(matching: query, limit: 50).map { CityView($0) }
    }

    /// The city that a name means.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_city` or `unknown_city`.
    public func city(called name: String) throws -> CityView { CityView(try city(named: name)) }

    /// All known interests.
    public func interestNames() throws -> [InterestView] {
        try surroundings.interests().all.map { InterestView($0) }
    }

    /// Searches for places.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_city`, `unknown_city`, `unknown_interest` or
    ///   `not_covered`, or the error of the source that was named.
    public func searchPlaces(_ request: PlaceRequest) async throws -> PlaceSearchView {
        let search = try await findPlaces(request)
        let gazetteer = try surroundings.gazetteer()
        return PlaceSearchView(search, asked: request.interest) { place in
            guard let latitude = place.latitude, let longitude = place.longitude else {
                return search.city?.zone
            }
            return gazetteer.nearest(latitude: latitude, longitude: longitude)?.zone
        }
    }

    /// Searches for places, and returns them with the city and the source of the search.
    func findPlaces(_ request: PlaceRequest) async throws -> PlaceSearchResult {
        let isByName = request.interest.isEmpty && request.name != nil
        let meaning =
            isByName ? InterestMeaning.anything : try meaning(request.interest)
        let name = try request.name.map(Self.nameSought)
        let (city, position) = try await position(city: request.city, near: request.near)
        let query = PlaceQuery(
            latitude: position.latitude, longitude: position.longitude,
            radiusMeters: request.radiusMeters ?? PlaceQuery.radiusMetersDefault,
            categories: meaning.categories, text: name,
            limit: request.limit ?? PlaceRequest.limitDefault)
        let finder = try placeFinder()
        let (source, answer) = try await finder.search(query, source: request.source, near: city)
        return PlaceSearchResult(city: city, meaning: meaning, source: source, answer: answer)
    }

    private static func nameSought(_ name: String) throws(Refusal) -> String {
        guard name.contains(where: { $0.isLetter || $0.isNumber }), name.count <= 100 else {
            throw Refusal(
                .invalid, code: "bad_name",
                "The name of a place needs a letter or a digit, and at most 100 characters.")
        }
        return name
    }

    func meaning(_ interest: String) throws -> InterestMeaning {
        try Refusal.checkNames(interest, a: "kind of place")
        do {
            return try surroundings.interests().meaning(of: interest)
        } catch InterestError.unknown(let asked, let nearest) {
            throw Refusal(
                .refused, code: "unknown_interest",
                "The interest \"\(asked)\" is unknown.",
                candidates: nearest.map { .word($0) }, advice: [.places(.listInterests)])
        }
    }

    /// The centre of a search, with its city if a city was named.
    private func position(
        city: String?, near: String?
    ) async throws -> (City?, (latitude: Double, longitude: Double)) {
        if let near {
            return (nil, try await position(near: near))
        }
        guard let city = city ?? surroundings.configuration[.area] else {
            throw Refusal(
                .invalid, code: "no_city", "A city or a position is missing.",
                advice: [.give([.city, .position])])
        }
        let found = try self.city(named: city)
        return (found, (found.latitude, found.longitude))
    }

    /// The position that a text names: a position, a saved place, the id of a search result, or a
    /// place or an address in the catalogue.
    ///
    /// - Throws: ``Refusal`` with `no_position` or `ambiguous_place`.
    func position(near: String) async throws -> (latitude: Double, longitude: Double) {
        if let position = GeoText.position(near) { return position }
        let place = try await chosenPlace(near, words: nil)
        if let position = place?.position { return position }
        let isText = place?.place.reference == nil
        if isText, let position = try await cataloguedPosition(of: near) { return position }
        if let trouble = place?.trouble { throw trouble }
        throw try await refusal(ofPositionNear: near)
    }

    /// The refusal of a text whose position is not known.
    private func refusal(ofPositionNear text: String) async throws -> Refusal {
        let cause =
            try await savedPlace(named: text).map {
                "The saved place \"\($0.name)\" has no position."
            }
            ?? "The catalogue knows no place and no address \"\(text)\"."
        return Refusal(
            .invalid, code: "no_position",
            cause + " Give the latitude and the longitude, such as 60.17,24.94.")
    }

    /// The city that a text means.
    package func city(named text: String) throws -> City {
        try surroundings.city(named: text)
    }
}

/// A position that was typed or sent.
public struct GeoPoint: Equatable, Sendable {
    /// Degrees north.
    public let latitude: Double
    /// Degrees east.
    public let longitude: Double

    /// Reads a position such as `60.17,24.94`; `nil` for any other text.
    public init?(_ text: String) {
        guard let position = GeoText.position(text) else { return nil }
        (latitude, longitude) = position
    }
}

/// Positions as people write them: `60.17,24.94`.
enum GeoText {
    static func position(_ text: String) -> (latitude: Double, longitude: Double)? {
        let parts = text.split(separator: ",").map { part -> Double? in
            let digits = part.trimmingCharacters(in: .whitespaces)
            // Swift would also accept hexadecimal digits and infinity.
            return digits.allSatisfy { "+-.0123456789".contains($0) } ? Double(digits) : nil
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude)
        else { return nil }
        return (latitude, longitude)
    }
}
