import Agenda
import Foundation
import Places
import Settings
import Storage
import Synchronization
import Timekeeping

/// A place with the source in which it was found.
struct FoundPlace {
    let place: Place
    /// `catalogue` or `foursquare`.
    let source: String
    /// The attribution to show with the place.
    var attribution = ""

    /// True if more than the id of the place may be stored.
    var mayBeKept: Bool { source == "catalogue" }

    /// The web page of the place at its source, or its id if there is no page.
    var page: String { place.url ?? place.id }
}

extension Place {
    /// The name and the address in one line.
    var line: String { [name, address].filter { !$0.isEmpty }.joined(separator: ", ") }
}

/// Chooses the source for a search of places: Foursquare if a key is set, otherwise the catalogue.
struct PlaceFinder {
    /// The name of the sample dataset that comes with letsmeet.
    private static let sampleName = "helsinki-sample"

    private let surroundings: PlannerSurroundings
    private let store: Store
    let catalogue: Catalogue

    init(_ surroundings: PlannerSurroundings, _ store: Store) throws {
        self.surroundings = surroundings
        self.store = store
        catalogue = Catalogue(store: store, interests: try surroundings.interests())
    }

    /// Searches the named source, or the best one. Only if no source is named, the catalogue
    /// replaces a source that fails, with a warning about the reason.
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
                "There is no source called \"\(name)\". The sources are catalogue and foursquare.")
        }
        guard surroundings.configuration.foursquareKey != nil else {
            let fault = surroundings.configuration.fault(of: .foursquareKey)
            return try await searchCatalogue(
                query, near: city,
                because: fault.map { "Foursquare was not searched: \($0.description)" })
        }
        do {
            return ("foursquare", try await searchFoursquare(query))
        } catch let error as PlaceError {
            return try await searchCatalogue(query, near: city, because: error.message)
        }
    }

    private func searchFoursquare(_ query: PlaceQuery) async throws -> PlaceAnswer {
        let source = try foursquare()
        return try await surroundings.awaiting(.foursquare) {
            try await source.search(query)
        }
    }

    private func foursquareDetails(id: String) async throws -> PlaceAnswer {
        let source = try foursquare()
        return try await surroundings.awaiting(.foursquare) {
            try await source.details(id: id)
        }
    }

    /// Searches the catalogue. If it replaces another source, the reason becomes a warning of the
    /// answer.
    private func searchCatalogue(
        _ query: PlaceQuery, near city: City?, because reason: String?
    ) async throws -> (source: String, answer: PlaceAnswer) {
        try await loadSample()
        guard try await catalogue.covers(query) else {
            throw Self.notCovered(city, because: reason)
        }
        var answer = try await said { try await catalogue.search(query) }
        if let reason { answer.warnings.append("\(reason) The catalogue was searched instead.") }
        return ("catalogue", answer)
    }

    private static func notCovered(_ city: City?, because reason: String?) -> Refusal {
        let name = city?.name ?? "this area"
        let fetch = city.map { Advice.places(.fetch(city: $0.label)) }
        let key: Advice? =
            reason == nil
            ? .say("To search Foursquare instead, set FOURSQUARE_SERVICE_KEY.") : nil
        let said = reason.map { "\($0) " } ?? ""
        return Refusal(
            .refused, code: "not_covered", "\(said)The catalogue has no places in \(name).",
            advice: [fetch, Advice.places(.importFile), key].compactMap(\.self))
    }

    /// True if a text can only be the id of a place.
    static func isID(_ text: String) -> Bool {
        ["osm:", "fsq:", "geojson:"].contains { text.hasPrefix($0) }
    }

    /// The place with an id from a search. The catalogue is asked first, because it costs nothing
    /// and everything in it may be stored; then Foursquare, for its own ids.
    func details(id: String) async throws -> FoundPlace {
        if !id.hasPrefix("fsq:") { try await loadSample() }
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

    /// The places of the catalogue with exactly this name.
    func places(named name: String) async throws -> [Place] {
        try await loadSample()
        return try await catalogue.places(named: name)
    }

    /// False if the catalogue surely has no place of this name. To find that out takes much less
    /// than a finder, which reads the kinds of places.
    static func mayKnowPlaces(named name: String, in store: Store) async throws -> Bool {
        guard try await store.hasDataset(named: sampleName) else { return true }
        return try await !store.catalogueNumbers(namedLike: name, limit: 1).isEmpty
    }

    /// The places of the catalogue in a box with this address.
    func places(at street: String, in box: GeoBox) async throws -> [Place] {
        try await loadSample()
        return try await catalogue.places(at: street, in: box)
    }

    private func foursquare() throws -> FoursquareSource {
        guard let key = surroundings.configuration.foursquareKey else {
            if let fault = surroundings.configuration.fault(of: .foursquareKey) {
                throw Refusal(
                    .unreachable, code: "no_key", "Foursquare needs a key. \(fault.description)")
            }
            throw Refusal(
                .unreachable, code: "no_key",
                "Foursquare needs a key. Set FOURSQUARE_SERVICE_KEY or "
                    + "FOURSQUARE_SERVICE_KEY_FILE.")
        }
        let configuration = surroundings.configuration
        let chance = surroundings.chance
        return try PlaceServices.foursquare(
            key: key.value, base: configuration.foursquareURL,
            userAgent: Planner.userAgent, clock: surroundings.waitClock,
            jitter: { range in
                var source = chance.source
                return Int.random(in: range, using: &source)
            })
    }

    /// The places with these tags around a position, from an Overpass server.
    func fetched(
        _ tags: [OverpassTag], latitude: Double, longitude: Double, radiusMeters: Int
    ) async throws -> OverpassAnswer {
        let server = try overpass()
        return try await surroundings.awaiting(.overpass) {
            try await server.places(
                with: tags, latitude: latitude, longitude: longitude, radiusMeters: radiusMeters)
        }
    }

    /// The map of an area, from an Overpass server.
    func fetchedMap(of area: MapArea) async throws -> OverpassMap {
        let server = try overpass()
        return try await surroundings.awaiting(.overpass) { try await server.map(of: area) }
    }

    private func overpass() throws -> OverpassClient {
        try PlaceServices.overpass(
            server: surroundings.configuration.overpassURL, userAgent: Planner.userAgent)
    }

    /// Runs a search and turns an error of the source into a refusal.
    private func said<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PlaceError {
            throw Refusal(error)
        }
    }
}

extension Planner {
    /// The sources of places.
    func placeFinder() throws -> PlaceFinder { try PlaceFinder(surroundings, store) }
}

extension PlaceFinder {
    /// Imports the sample that comes with letsmeet into the catalogue of a new home.
    fileprivate func loadSample() async throws {
        guard try await !store.hasDataset(named: Self.sampleName) else { return }
        let folder = surroundings.shipped.sample
        let description: SampleDescription
        let file: Data
        do {
            description = try JSONDecoder().decode(
                SampleDescription.self,
                from: try Data(contentsOf: URL(filePath: folder + "/dataset.json")))
            file = try Data(contentsOf: URL(filePath: "\(folder)/\(description.file)"))
        } catch {
            throw Refusal(missing: folder)
        }
        // One transaction: no other process may see a part of the sample, not even after a crash.
        _ = try await catalogue.importPlaces(
            PlaceFile(file), into: Dataset(name: Self.sampleName, attribution: description.words),
            now: surroundings.clock.now, rowsMax: .max
        ) { _ in }
    }
}

/// The description of the sample that comes with letsmeet.
private struct SampleDescription: Decodable {
    let file: String
    let attribution: String
    let note: String

    /// The attribution and the note in one line, such as "© OpenStreetMap contributors, April 2019,
    /// a sample: check before you go".
    var words: String {
        let end = note.hasSuffix(".") ? String(note.dropLast()) : note
        return "\(attribution), \(end.prefix(1).lowercased())\(end.dropFirst())"
    }
}

extension Refusal {
    init(_ error: PlaceError) {
        switch error {
        case .badQuery: self.init(.invalid, code: "bad_request", error.message)
        case .misconfigured: self.init(.unreachable, code: "misconfigured", error.message)
        case .notFound:
            self.init(
                .refused, code: "unknown_place", error.message, advice: [.places(.listSaved)])
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

/// A cache of the details of places, or of refusals. It lives as long as its planner and is never
/// stored.
final class PlaceMemory: Sendable {
    private let answers = Mutex<[String: Result<FoundPlace, Refusal>]>([:])

    /// The cached answer about the place with an id; `nil` if it was not asked yet.
    subscript(id: String) -> Result<FoundPlace, Refusal>? {
        get { answers.withLock { $0[id] } }
        set { answers.withLock { $0[id] = newValue } }
    }
}
