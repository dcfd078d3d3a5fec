internal import Agenda
import Foundation
public import Storage
public import Timekeeping

/// The home's catalogue as a source of places. It needs neither a key nor a network.
public struct Catalogue: PlaceSource {
    /// The number of places saved in one transaction.
    public static let importRowsMax = 1000
    /// The number of places of a service saved in one transaction, which takes some 20 ms.
    private static let servedRowsMax = 100

    private let store: Store
    private let interests: Interests

    /// The catalogue in this store.
    public init(store: Store, interests: Interests) {
        self.store = store
        self.interests = interests
    }

    /// The places around a position, sorted by distance.
    public func search(_ query: PlaceQuery) async throws(PlaceError) -> PlaceAnswer {
        do {
            return try await found(query)
        } catch {
            throw .unavailable(.catalogue, "\(error)")
        }
    }

    private func found(_ query: PlaceQuery) async throws -> PlaceAnswer {
        let center = (latitude: query.latitude, longitude: query.longitude)
        let box = GeoBox(around: center, radiusMeters: Double(query.radiusMeters))
        let hits = try await store.catalogueHits(
            in: box, categories: query.categories.map(\.id), name: query.text)
        let near = hits.map { hit in
            (
                hit.number,
                GreatCircle.kilometres(
                    from: center, to: (hit.latitude, hit.longitude)) * 1000
            )
        }.filter { $0.1 <= Double(query.radiusMeters) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        let shown = near.prefix(query.limit)
        let (stored, named) = try await store.cataloguePlaces(shown.map(\.0))
        let distances = shown.map(\.1)
        let places = zip(stored, distances).map { place, distance in
            self.place(place, distanceMeters: Int(distance.rounded()))
        }
        let attributions = named.isEmpty ? try await attributions(around: query) : named
        return PlaceAnswer(
            places: places, attribution: attributions.joined(separator: "; "),
            truncated: near.count > shown.count)
    }

    /// True if the catalogue has any place in the area of a search or near it.
    public func covers(_ query: PlaceQuery) async throws -> Bool {
        try await !attributions(around: query).isEmpty
    }

    private func attributions(around query: PlaceQuery) async throws -> [String] {
        let radius = max(query.radiusMeters, PlaceQuery.radiusMetersDefault)
        return try await store.attributions(
            in: GeoBox(
                around: (query.latitude, query.longitude), radiusMeters: Double(radius)))
    }

    /// The place with this id.
    public func details(id: String) async throws(PlaceError) -> PlaceAnswer {
        let stored: (place: CataloguePlace, attribution: String)?
        do {
            stored = try await store.cataloguePlace(id: id)
        } catch {
            throw .unavailable(.catalogue, "\(error)")
        }
        guard let stored else { throw .notFound(id: id) }
        return PlaceAnswer(places: [place(stored.place)], attribution: stored.attribution)
    }

    /// The most places that are returned by a name or an address.
    private static let namesakesMax = 50
    /// The most places whose names are compared.
    private static let comparedMax = 2000

    /// The places with exactly this name, ignoring case and accents.
    public func places(named name: String) async throws -> [Place] {
        let numbers = try await store.catalogueNumbers(
            namedLike: name, limit: Self.comparedMax)
        guard !numbers.isEmpty else { return [] }
        let key = SearchKey.fold(name)
        return try await store.cataloguePlaces(numbers).places
            .filter { SearchKey.fold($0.name) == key }.prefix(Self.namesakesMax).map { place($0) }
    }

    /// The places in a box whose address begins with a street and its number.
    public func places(at street: String, in box: GeoBox) async throws -> [Place] {
        let key = SearchKey.fold(street.trimmingCharacters(in: .whitespaces))
        let numbers = try await store.catalogueAddresses(in: box).filter { entry in
            let address = SearchKey.fold(entry.address)
            // The house number 3 is not the beginning of 30, nor of 3b.
            return address.hasPrefix(key)
                && !(address.dropFirst(key.count).first.map { $0.isLetter || $0.isNumber } ?? false)
        }.map(\.number)
        return try await store.cataloguePlaces(Array(numbers.prefix(Self.namesakesMax)))
            .places.map { place($0) }
    }

    private func place(_ stored: CataloguePlace, distanceMeters: Int? = nil) -> Place {
        Place(
            id: stored.id, name: stored.name, latitude: stored.latitude,
            longitude: stored.longitude,
            categories: stored.categories.map(named).sorted { $0.label < $1.label },
            address: stored.address, url: stored.url.isEmpty ? nil : stored.url,
            hours: stored.hours.isEmpty ? nil : stored.hours, distanceMeters: distanceMeters)
    }
}

/// The result of an import of places.
public struct PlaceImport: Equatable, Sendable {
    /// The number of new places.
    public var imported = 0
    /// The number of existing places that were updated.
    public var updated = 0
    /// The number of places that were left out: without a name, closed, or repeated.
    public var leftOut = 0
    /// The number of imported places without a position.
    public var unlocated = 0
    /// The records that could not be read, by line; at most ``skippedMax``.
    public var skipped: [(line: Int, reason: String)] = []

    /// The most records to list.
    public static let skippedMax = 1000

    /// An empty result.
    public init() {}

    /// Compares the counts and the lines.
    public static func == (left: PlaceImport, right: PlaceImport) -> Bool {
        left.imported == right.imported && left.updated == right.updated
            && left.leftOut == right.leftOut
            && left.skipped.map(\.line) == right.skipped.map(\.line)
    }
}

extension Catalogue {
    /// Imports the places of a file into a dataset.
    ///
    /// - Parameters:
    ///   - file: the places.
    ///   - dataset: the name of the dataset and its attribution.
    ///   - now: the current time.
    ///   - rowsMax: the number of places saved in one transaction.
    ///   - progress: called after each full batch with the number of places saved so far.
    /// - Returns: the result of the import.
    /// - Throws: ``StoreError``.
    public func importPlaces(
        _ file: PlaceFile, into dataset: Dataset, now: Moment,
        rowsMax: Int = Catalogue.importRowsMax, progress: (_ done: Int) -> Void
    ) async throws -> PlaceImport {
        var report = PlaceImport()
        var batch: [CataloguePlace] = []
        for item in file {
            switch item {
            case .place(let imported):
                batch.append(stored(imported))
                if imported.place.latitude == nil { report.unlocated += 1 }
            case .leftOut: report.leftOut += 1
            case .bad(let line, let reason):
                if report.skipped.count < PlaceImport.skippedMax {
                    report.skipped.append((line, reason))
                }
            }
            guard batch.count == rowsMax else { continue }
            try await save(&batch, into: dataset, now: now, report: &report)
            progress(report.imported + report.updated)
        }
        try await save(&batch, into: dataset, now: now, report: &report)
        return report
    }

    /// Imports places from a service into a dataset.
    public func importPlaces(
        _ places: [ImportedPlace], into dataset: Dataset, now: Moment
    ) async throws -> PlaceImport {
        var report = PlaceImport()
        // A page or a delivery waits for one part at most.
        for start in stride(from: 0, to: places.count, by: Self.servedRowsMax) {
            var batch = places[start...].prefix(Self.servedRowsMax).map(stored)
            try await save(&batch, into: dataset, now: now, report: &report)
        }
        return report
    }

    private func save(
        _ batch: inout [CataloguePlace], into dataset: Dataset, now: Moment,
        report: inout PlaceImport
    ) async throws {
        guard !batch.isEmpty else { return }
        let new = try await store.importPlaces(batch, into: dataset, now: now)
        report.imported += new
        report.updated += batch.count - new
        batch.removeAll(keepingCapacity: true)
    }

    /// A category with its stored label, or else with the label of the table. Where neither was
    /// known on import, the id was stored as the label.
    private func named(id: String, label: String) -> Category {
        let isUnnamed = label.isEmpty || label == id
        let own = isUnnamed ? interests.label(ofID: id) ?? "" : label
        return Category(id: id, label: own, v3: nil)
    }

    /// Converts a place for the store. It can be found by its own categories and by their
    /// ancestors.
    private func stored(_ imported: ImportedPlace) -> CataloguePlace {
        let own =
            imported.place.categories + interests.categories(forOSMTags: imported.osmTags)
            + interests.categories(withIDs: imported.categoryIDs)
        let wider = interests.categories.filter { category in
            !own.contains(category) && own.contains { category.covers($0) }
        }
        let place = imported.place
        return CataloguePlace(
            id: place.id, name: place.name, latitude: place.latitude, longitude: place.longitude,
            address: place.address, url: place.url ?? "", hours: place.hours ?? "",
            categories: Self.labels(own), wider: Self.labels(wider))
    }
}

extension Catalogue {
    private static func labels(_ categories: [Category]) -> [String: String] {
        Dictionary(categories.map { ($0.id, $0.label) }, uniquingKeysWith: { first, _ in first })
    }
}

extension GeoBox {
    /// The bounding box of a circle. If the circle contains a pole or crosses the 180th meridian,
    /// the box covers all longitudes.
    public init(around center: (latitude: Double, longitude: Double), radiusMeters: Double) {
        let degrees = radiusMeters / 1000 / GreatCircle.degreeKilometres
        let width = GreatCircle.widthDegrees(of: degrees, aroundLatitude: center.latitude)
        let isWhole =
            width >= 180 || center.longitude - width < -180 || center.longitude + width > 180
        self.init(
            south: center.latitude - degrees, north: center.latitude + degrees,
            west: isWhole ? -180 : center.longitude - width,
            east: isWhole ? 180 : center.longitude + width)
    }
}
