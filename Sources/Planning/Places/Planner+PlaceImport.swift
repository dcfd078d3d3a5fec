import Foundation
import Places
import Storage
import Timekeeping

/// The result of an import of places.
public struct PlaceImportView: Encodable, Sendable {
    /// A line of a file, or an element of an answer, that could not be read.
    public struct Skipped: Encodable, Sendable {
        /// The file, or the name of the service.
        public let file: String
        /// The line, counted from 1; `null` in an answer.
        @Null public var line: Int?
        /// The reason.
        public let reason: String
    }

    /// The number of new places.
    public let imported: Int
    /// The number of existing places that were updated.
    public let updated: Int
    /// The number of places left out because they have no name, are closed or are duplicates.
    public let leftOut: Int
    /// The number of fetched streets, buildings and areas for maps.
    public let ways: Int
    /// The parts that could not be read.
    public let skipped: [Skipped]
    /// The attribution to show with these places.
    public let attribution: String
    /// Remarks for the user.
    public let warnings: [String]
}

/// Called between the steps of fetching places.
public typealias PlaceFetchStep = (_ done: Int, _ of: Int) async throws -> Void

extension Planner {
    /// Imports the places of a file into the catalogue. The file has rows of FSQ OS Places as
    /// lines of JSON, GeoJSON, or a sequence of GeoJSON features.
    ///
    /// - Throws: ``Refusal`` with `not_allowed`, or with `nothing_read` if not a single place can
    ///   be read.
    public func importPlaces(
        _ path: String, progress: (_ done: Int) -> Void = { _ in }
    ) async throws -> PlaceImportView {
        try checkIsOwner(to: "import places")
        let file = try Self.file(at: path)
        let finder = try placeFinder()
        let name = URL(filePath: path).lastPathComponent
        let dataset = Dataset(name: "import: \(name)", attribution: Self.attribution(of: file))
        let report = try await finder.catalogue.importPlaces(
            file, into: dataset, now: now, progress: progress)
        guard report.imported + report.updated > 0 else {
            let first = report.skipped.first.map { " Line \($0.line): \($0.reason)" } ?? ""
            throw Refusal(
                .invalid, code: "nothing_read",
                file.isEmpty
                    ? "\(path) is empty."
                    : "\(path) contains no place that can be read.\(first)")
        }
        return PlaceImportView(
            imported: report.imported, updated: report.updated, leftOut: report.leftOut, ways: 0,
            skipped: report.skipped.map {
                .init(file: path, line: $0.line, reason: $0.reason)
            },
            attribution: dataset.attribution,
            warnings: report.unlocated > 0 ? [Self.unlocated(report.unlocated)] : [])
    }

    private static func unlocated(_ count: Int) -> String {
        count == 1
            ? "1 place has no position, so no search around another place finds it."
            : "\(count) places have no position, so no search around another place finds them."
    }

    private static func file(at path: String) throws(Refusal) -> PlaceFile {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw Refusal(.invalid, code: "no_file", "There is no readable file \(path).")
        }
        guard let file = PlaceFile(path: path) else {
            throw Refusal(.invalid, code: "no_file", "\(path) is not a regular file.")
        }
        return file
    }

    /// The attribution for the places of a file, judged by the ids of its first 100 places.
    private static func attribution(of file: PlaceFile) -> String {
        var names: Set<String> = []
        let first = file.prefix(100_000).lazy.compactMap { item -> ImportedPlace? in
            guard case .place(let imported) = item else { return nil }
            return imported
        }.prefix(100)
        for imported in first {
            if imported.place.id.hasPrefix("osm:") {
                names.insert("© OpenStreetMap contributors (ODbL)")
            } else if imported.place.id.hasPrefix("fsq:") {
                names.insert("Foursquare Open Source Places (Apache-2.0)")
            }
        }
        return names.sorted().joined(separator: "; ")
    }

    /// Fetches the places and the map of one city from OpenStreetMap, with one request to an
    /// Overpass server for each. Without the map, the places are kept, with a warning.
    ///
    /// - Parameters:
    ///   - name: the city.
    ///   - radiusMeters: the radius around its centre; `nil` for the default.
    ///   - step: called with the number of steps that are done, and with all: the places are
    ///     fetched, saved, and the map is fetched. What it throws ends the work.
    /// - Returns: the result.
    /// - Throws: ``Refusal`` with `not_allowed` or `nothing_found`.
    public func fetchPlaces(
        city name: String, radiusMeters: Int?, step: PlaceFetchStep = { _, _ in }
    ) async throws -> PlaceImportView {
        try await fetchedPlaces(city: name, radiusMeters: radiusMeters, step: step).view
    }

    /// The steps of ``fetchPlaces(city:radiusMeters:step:)``.
    private static let fetchSteps = 3

    /// Fetches the places and the map of one city, and says whether these are all its places.
    func fetchedPlaces(
        city name: String, radiusMeters: Int?, step: PlaceFetchStep = { _, _ in }
    ) async throws -> (view: PlaceImportView, isWhole: Bool) {
        try checkIsOwner(to: "fetch places")
        let city = try city(named: name)
        let finder = try placeFinder()
        let radius = radiusMeters ?? PlaceQuery.radiusMetersDefault
        let tags = try surroundings.interests().tags.compactMap { tag -> OverpassTag? in
            let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
            return parts.count == 2 ? OverpassTag(key: parts[0], value: parts[1]) : nil
        }
        try await step(0, Self.fetchSteps)
        let answer = try await finder.fetched(
            tags, latitude: city.latitude, longitude: city.longitude, radiusMeters: radius)
        guard !answer.places.isEmpty else {
            throw Refusal(
                .refused, code: "nothing_found",
                "OpenStreetMap has no places around the centre of \(city.label).")
        }
        let dataset = Dataset(
            name: Self.fetchedPrefix + "\(city.id)", attribution: answer.attribution,
            radiusMeters: radius)
        try await step(1, Self.fetchSteps)
        let report = try await finder.catalogue.importPlaces(
            answer.places, into: dataset, now: now)
        try await step(2, Self.fetchSteps)
        let map = try await fetchMap(of: city, radiusMeters: radius, dataset.name, finder)
        let view = PlaceImportView(
            imported: report.imported, updated: report.updated, leftOut: answer.leftOutCount,
            ways: map.ways,
            skipped: answer.faults.map { .init(file: "Overpass", line: nil, reason: $0) },
            attribution: answer.attribution, warnings: answer.warnings + map.warnings)
        return (view, answer.warnings.isEmpty && answer.faults.isEmpty)
    }

    /// Fetches and saves the map of a city. A failure is a warning.
    private func fetchMap(
        of city: City, radiusMeters: Int, _ dataset: String, _ finder: PlaceFinder
    ) async throws -> (ways: Int, warnings: [String]) {
        do {
            let area = try await mapArea(of: city, radiusMeters: radiusMeters)
            let map = try await finder.fetchedMap(of: area)
            guard !map.ways.isEmpty else { return (0, []) }
            let region = StreetBox(
                latitude: city.latitude, longitude: city.longitude, meters: Double(radiusMeters))
            try await store.saveMap(
                try StreetSquare.packed(map.ways, of: region), ofDataset: dataset,
                attribution: map.attribution, now: now)
            let warning = "There are more streets than one request can return; some are missing."
            return (map.ways.count, map.isFull ? [warning] : [])
        } catch {
            try Task.checkCancellation()
            return (0, ["The map was not fetched. \(Refusal(error))"])
        }
    }

    /// The area of a city's map, with the venues of meetings and saved places in it.
    private func mapArea(of city: City, radiusMeters: Int) async throws -> MapArea {
        let box = GeoBox(
            around: (city.latitude, city.longitude), radiusMeters: Double(radiusMeters))
        let venues = try await store.venuePositions(in: box, after: now, limit: MapArea.venuesMax)
        return MapArea(
            center: MapArea.Spot(latitude: city.latitude, longitude: city.longitude),
            radiusMeters: radiusMeters,
            venues: venues.map { MapArea.Spot(latitude: $0.latitude, longitude: $0.longitude) })
    }

    /// The prefix of the names of fetched datasets, followed by the id of the city.
    static let fetchedPrefix = "overpass: "
}
