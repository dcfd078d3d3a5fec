import Foundation
import Places
import Settings
import Storage
import Timekeeping

/// Chooses among the sources of places: Foursquare where a key is set, and the catalogue.
struct PlaceFinder {
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
            return ("foursquare", try await said { try await foursquare().search(query) })
        case "catalogue":
            return ("catalogue", try await searchCatalogue(query, near: city))
        case nil:
            break
        case let name?:
            throw Refusal(
                .invalid, code: "unknown_source",
                "There is no source named \(name). Sources are: catalogue, foursquare.")
        }
        guard planner.surroundings.configuration.foursquareKey != nil else {
            return ("catalogue", try await searchCatalogue(query, near: city))
        }
        do {
            return ("foursquare", try await foursquare().search(query))
        } catch let error as PlaceError {
            var answer = try await searchCatalogue(query, near: city)
            answer.warnings.append("\(error.message) The catalogue answered instead.")
            return ("catalogue", answer)
        }
    }

    private func searchCatalogue(
        _ query: PlaceQuery, near city: City?
    ) async throws -> PlaceAnswer {
        try await planner.loadSample(into: catalogue)
        let isCovered = try await catalogue.covers(
            latitude: query.latitude, longitude: query.longitude, radiusMeters: query.radiusMeters)
        guard isCovered else { throw Self.notCovered(city) }
        return try await said { try await catalogue.search(query) }
    }

    private static func notCovered(_ city: City?) -> Refusal {
        let name = city?.name ?? "that area"
        let fetch = city.map { "letsmeet place fetch --city \"\($0.label)\", " } ?? ""
        return Refusal(
            .refused, code: "not_covered",
            "The catalogue knows no places in \(name). Bring some in with: \(fetch)"
                + "letsmeet place import FILE, or set FOURSQUARE_SERVICE_KEY.")
    }

    /// The place that an id of a search means.
    func details(id: String) async throws -> (source: String, answer: PlaceAnswer) {
        if id.hasPrefix("fsq:"), planner.surroundings.configuration.foursquareKey != nil {
            return ("foursquare", try await said { try await foursquare().details(id: id) })
        }
        try await planner.loadSample(into: catalogue)
        return ("catalogue", try await said { try await catalogue.details(id: id) })
    }

    func foursquare() throws -> FoursquareSource {
        guard let key = planner.surroundings.configuration.foursquareKey else {
            throw Refusal(
                .invalid, code: "no_key",
                "Foursquare wants a key: set FOURSQUARE_SERVICE_KEY, or "
                    + "FOURSQUARE_SERVICE_KEY_FILE.")
        }
        let configuration = planner.surroundings.configuration
        let chance = planner.surroundings.chance
        return try PlaceServices.foursquare(
            key: key.value, base: configuration[.foursquareURL] ?? FoursquareBase.textDefault,
            clock: SystemClock(),
            jitter: { range in
                var source = chance.source
                return Int.random(in: range, using: &source)
            })
    }

    func overpass() throws -> OverpassClient {
        try PlaceServices.overpass(
            server: planner.surroundings.configuration[.overpassURL]
                ?? OverpassClient.serverDefault)
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
        case .badQuery, .misconfigured:
            self.init(.invalid, code: "bad_request", error.message)
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
