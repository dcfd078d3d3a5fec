import Foundation
import Places
import Settings
import Storage
import Timekeeping

/// A place, and where it was found.
struct FoundPlace {
    let place: Place
    /// `catalogue` or `foursquare`.
    let source: String
    /// Who must be named beside it.
    var attribution = ""

    /// Whether more than the id may be kept of it.
    var mayBeKept: Bool { source == "catalogue" }

    /// Where its source describes it, else its id.
    var page: String { place.url ?? place.id }
}

extension Place {
    /// The name and the address in one line.
    var line: String { [name, address].filter { !$0.isEmpty }.joined(separator: ", ") }
}

/// Chooses among the sources of places: Foursquare where a key is set, and the catalogue.
struct PlaceFinder {
    /// How letsmeet names itself to services.

    private let planner: Planner
    let catalogue: Catalogue

    init(_ planner: Planner) throws {
        self.planner = planner
        catalogue = Catalogue(store: planner.store, interests: try planner.interests())
    }

    /// Searches where somebody said, or where it is best; then the catalogue steps in for a
    /// source that fails, and says why.
    func search(
        _ query: PlaceQuery, source: String?, near city: City?
    ) async throws -> (source: String, answer: PlaceAnswer) {
        switch source {
        case "foursquare":
            return ("foursquare", try await said { try await searchFoursquare(query) })
        case "catalogue":
            return try await searchCatalogue(query, near: city, because: nil)
        case nil:
            break
        case let name?:
            throw Refusal(
                .invalid, code: "unknown_source",
                "There is no source named \(name). Sources are: catalogue, foursquare.")
        }
        guard planner.surroundings.configuration.foursquareKey != nil else {
            let fault = planner.surroundings.configuration.fault(of: .foursquareKey)
            return try await searchCatalogue(
                query, near: city,
                because: fault.map { "Foursquare was not asked: \($0.description)" })
        }
        do {
            return ("foursquare", try await searchFoursquare(query))
        } catch let error as PlaceError {
            return try await searchCatalogue(query, near: city, because: error.message)
        }
    }

    private func searchFoursquare(_ query: PlaceQuery) async throws -> PlaceAnswer {
        let source = try foursquare()
        return try await planner.surroundings.awaiting(.foursquare) {
            try await source.search(query)
        }
    }

    private func foursquareDetails(id: String) async throws -> PlaceAnswer {
        let source = try foursquare()
        return try await planner.surroundings.awaiting(.foursquare) {
            try await source.details(id: id)
        }
    }

    /// Searches the catalogue, perhaps because another source did not answer, for a reason that is
    /// said with the answer.
    private func searchCatalogue(
        _ query: PlaceQuery, near city: City?, because reason: String?
    ) async throws -> (source: String, answer: PlaceAnswer) {
        try await planner.loadSample(into: catalogue)
        guard try await catalogue.covers(query) else {
            throw Self.notCovered(city, because: reason)
        }
        var answer = try await said { try await catalogue.search(query) }
        if let reason { answer.warnings.append("\(reason) The catalogue answered instead.") }
        return ("catalogue", answer)
    }

    private static func notCovered(_ city: City?, because reason: String?) -> Refusal {
        let name = city?.name ?? "that area"
        let fetch = city.map { "letsmeet place fetch --city \"\($0.label)\"" }
        let key = reason == nil ? "set FOURSQUARE_SERVICE_KEY" : nil
        let help = [fetch, "letsmeet place import FILE", key].compactMap(\.self)
        let said = reason.map { "\($0) " } ?? ""
        return Refusal(
            .refused, code: "not_covered",
            "\(said)The catalogue knows no places in \(name). Bring some in with: "
                + "\(help.dropLast().map { "\($0), " }.joined())or \(help.suffix(1).joined()).")
    }

    /// Whether a text can only be the id of a place.
    static func isID(_ text: String) -> Bool {
        ["osm:", "fsq:", "geojson:"].contains { text.hasPrefix($0) }
    }

    /// The place that an id of a search means: as the catalogue has it, where nothing is paid and
    /// all may be kept, else as Foursquare has it.
    func details(id: String) async throws -> FoundPlace {
        if !id.hasPrefix("fsq:") { try await planner.loadSample(into: catalogue) }
        let source: String
        let answer: PlaceAnswer
        do {
            (source, answer) = ("catalogue", try await catalogue.details(id: id))
        } catch PlaceError.notFound where id.hasPrefix("fsq:") {
            (source, answer) = ("foursquare", try await foursquareDetails(id: id))
        }
        guard let place = answer.places.first else { throw PlaceError.notFound(id: id) }
        return FoundPlace(place: place, source: source, attribution: answer.attribution)
    }

    private func foursquare() throws -> FoursquareSource {
        guard let key = planner.surroundings.configuration.foursquareKey else {
            if let fault = planner.surroundings.configuration.fault(of: .foursquareKey) {
                throw Refusal(
                    .unreachable, code: "no_key", "Foursquare wants a key. \(fault.description)")
            }
            throw Refusal(
                .unreachable, code: "no_key",
                "Foursquare wants a key: set FOURSQUARE_SERVICE_KEY, or "
                    + "FOURSQUARE_SERVICE_KEY_FILE.")
        }
        let configuration = planner.surroundings.configuration
        let chance = planner.surroundings.chance
        return try PlaceServices.foursquare(
            key: key.value, base: configuration.foursquareURL,
            userAgent: Planner.userAgent, clock: planner.surroundings.waitClock,
            jitter: { range in
                var source = chance.source
                return Int.random(in: range, using: &source)
            })
    }

    /// The places with these tags around a position, from an Overpass server.
    func fetched(
        _ tags: [OverpassTag], latitude: Double, longitude: Double, radiusMeters: Int
    ) async throws -> OverpassAnswer {
        let server = try PlaceServices.overpass(
            server: planner.surroundings.configuration.overpassURL, userAgent: Planner.userAgent)
        return try await planner.surroundings.awaiting(.overpass) {
            try await server.places(
                with: tags, latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
        }
    }

    /// What a source says, as a refusal to whoever asked for that source.
    private func said<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PlaceError {
            throw Refusal(error)
        }
    }
}

extension Refusal {
    init(_ error: PlaceError) {
        switch error {
        case .badQuery: self.init(.invalid, code: "bad_request", error.message)
        case .misconfigured: self.init(.unreachable, code: "misconfigured", error.message)
        case .notFound: self.init(.refused, code: "unknown_place", error.message)
        case .unreachable: self.init(.unreachable, code: "unreachable", error.message)
        case .refused: self.init(.unreachable, code: "refused", error.message)
        case .badRequest: self.init(.unreachable, code: "bad_request", error.message)
        case .rateLimited: self.init(.unreachable, code: "rate_limited", error.message)
        case .outOfCredit: self.init(.unreachable, code: "out_of_credit", error.message)
        case .unavailable: self.init(.unreachable, code: "unavailable", error.message)
        case .unreadable: self.init(.unreachable, code: "unreadable", error.message)
        case .cancelled: self.init(.refused, code: "cancelled", error.message)
        }
    }
}
