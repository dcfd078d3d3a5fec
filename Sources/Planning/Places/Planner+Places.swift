import Agenda
import Foundation
import Ledger
import Places
import Settings
import Storage
import Timekeeping

/// What is looked for, as somebody typed it.
public struct PlaceRequest: Sendable {
    /// How many places are brought unless somebody says otherwise.
    public static let limitDefault = PlaceQuery.limitDefault

    /// The city.
    public var city: String?
    /// A position `LAT,LON`, the name of a saved place, or the id of one that a search found.
    public var near: String?
    /// The interest; empty for a search by name alone.
    public var interest = ""
    /// Beginnings of words of the name.
    public var name: String?
    /// How far around, in metres.
    public var radiusMeters: Int?
    /// How many places.
    public var limit: Int?
    /// `catalogue` or `foursquare`; `nil` for the best that there is.
    public var source: String?

    /// An empty request.
    public init() {}
}

/// What a search brought.
struct PlaceSearchResult {
    let city: City?
    let meaning: InterestMeaning
    let source: String
    let answer: PlaceAnswer
}

extension Planner {
    /// The name of the shipped sample in the catalogue.
    private static let sampleName = "helsinki-sample"

    /// Who must be named beside cities.
    public static let cityAttribution = Gazetteer.attribution

    /// Opens the gazetteer.
    func gazetteer() throws -> Gazetteer {
        try Gazetteer(directory: surroundings.shipped.gazetteer)
    }

    /// Opens the table of interests.
    func interests() throws -> Interests {
        try Interests(file: surroundings.shipped.interests)
    }

    /// The cities that a query may mean, best first.
    public func cities(_ query: String) throws -> [CityView] {
        try Refusal.checkNames(query, a: "city")
        return try gazetteer().cities(matching: query, limit: 50).map { CityView($0) }
    }

    /// Everything that can be looked for.
    public func interestNames() throws -> [InterestView] {
        try interests().all.map { InterestView($0) }
    }

    /// Looks for places.
    ///
    /// - Throws: ``Refusal`` with `ambiguous_city`, `unknown_city`, `unknown_interest` or
    ///   `not_covered`, or what a source that was named said.
    public func searchPlaces(_ request: PlaceRequest) async throws -> PlaceSearchView {
        let search = try await findPlaces(request)
        let gazetteer = try gazetteer()
        return PlaceSearchView(search, asked: request.interest) { place in
            guard let latitude = place.latitude, let longitude = place.longitude else {
                return search.city?.zone
            }
            return gazetteer.nearest(latitude: latitude, longitude: longitude)?.zone
        }
    }

    /// Looks for places, and says where that was done.
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
        let finder = try PlaceFinder(self)
        let (source, answer) = try await finder.search(query, source: request.source, near: city)
        return PlaceSearchResult(city: city, meaning: meaning, source: source, answer: answer)
    }

    private static func nameSought(_ name: String) throws(Refusal) -> String {
        guard name.contains(where: { $0.isLetter || $0.isNumber }), name.count <= 100 else {
            throw Refusal(
                .invalid, code: "bad_name", "--name wants words of a name, up to 100 characters.")
        }
        return name
    }

    func meaning(_ interest: String) throws -> InterestMeaning {
        try Refusal.checkNames(interest, a: "kind of place")
        do {
            return try interests().meaning(of: interest)
        } catch InterestError.unknown(let asked, let nearest) {
            throw Refusal(
                .refused, code: "unknown_interest",
                "Nothing is known of \"\(asked)\". See: letsmeet place interests",
                candidates: nearest.map { .word($0) })
        }
    }

    /// Where a search begins.
    private func position(
        city: String?, near: String?
    ) async throws -> (City?, (latitude: Double, longitude: Double)) {
        if let near {
            if let position = GeoText.position(near) { return (nil, position) }
            let place = try await place(near, words: nil)
            guard let position = place?.position else {
                throw place?.trouble
                    ?? Refusal(
                        .invalid, code: "no_position",
                        "\(near) has no position. Write one as LAT,LON, such as 60.17,24.94.")
            }
            return (nil, position)
        }
        guard let city = city ?? surroundings.configuration[.area] else {
            throw Refusal(
                .invalid, code: "no_city", "Where? Give --city CITY, or --near LAT,LON.")
        }
        let found = try self.city(named: city)
        return (found, (found.latitude, found.longitude))
    }

    /// The city that a text means.
    func city(named text: String) throws -> City {
        try Self.city(named: text, in: surroundings)
    }

    static func city(named text: String, in surroundings: PlannerSurroundings) throws -> City {
        try Refusal.checkNames(text, a: "city")
        let gazetteer = try Gazetteer(directory: surroundings.shipped.gazetteer)
        do throws(CityError) {
            return try gazetteer.resolve(text)
        } catch {
            switch error {
            case .ambiguous(let query, let candidates):
                throw Refusal(
                    .refused, code: "ambiguous_city",
                    "\(query) may be several cities: add the region or the country, or write the "
                        + "id.", candidates: candidates.map { .city(CityView($0)) })
            case .unknown(let query, let nearest):
                throw Refusal(
                    .refused, code: "unknown_city",
                    "No city of more than 15,000 people is called \(query). Name one near it; "
                        + "place search also takes a position: --near LAT,LON",
                    candidates: nearest.map { .city(CityView($0)) })
            }
        }
    }

    /// Brings the shipped sample into the catalogue of a fresh home.
    func loadSample(into catalogue: Catalogue) async throws {
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
        // All or nothing: who comes while it is loaded, or after a crash, must not see a part.
        _ = try await catalogue.importPlaces(
            PlaceFile(file), into: Dataset(name: Self.sampleName, attribution: description.words),
            now: now, rowsMax: .max
        ) { _ in }
    }
}

/// What the shipped sample says of itself.
private struct SampleDescription: Decodable {
    let file: String
    let attribution: String
    let note: String

    /// "© OpenStreetMap contributors, April 2019, a sample: check before you go".
    var words: String {
        let end = note.hasSuffix(".") ? String(note.dropLast()) : note
        return "\(attribution), \(end.prefix(1).lowercased())\(end.dropFirst())"
    }
}

/// Positions as people write them: `60.17,24.94`.
enum GeoText {
    static func position(_ text: String) -> (latitude: Double, longitude: Double)? {
        let parts = text.split(separator: ",").map { part -> Double? in
            let digits = part.trimmingCharacters(in: .whitespaces)
            // Swift reads more than people write: hexadecimal digits, infinity.
            return digits.allSatisfy { "+-.0123456789".contains($0) } ? Double(digits) : nil
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
            (-90.0...90.0).contains(latitude), (-180.0...180.0).contains(longitude)
        else { return nil }
        return (latitude, longitude)
    }
}
