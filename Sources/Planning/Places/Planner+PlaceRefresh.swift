import Places
import Storage
import Wording

/// What became of places that were fetched anew.
public struct PlaceRefreshReport: Sendable {
    /// How many cities they are of.
    public internal(set) var cities = 0
    /// Places that are new.
    public internal(set) var added = 0
    /// Places that were there, and are as their source says now.
    public internal(set) var updated = 0
    /// Places that are there no more.
    public internal(set) var removed = 0
    /// The cities whose places could not be fetched, with the reasons.
    public internal(set) var failures: [String] = []

    /// The same in a sentence.
    public var words: String {
        guard cities > 0 else {
            return "nothing to do: no places were fetched yet. letsmeet place fetch --city CITY"
        }
        let counts =
            "\(TimeWords.count(cities, "city", plural: "cities")): \(added) new, "
            + "\(updated) as they are now, \(removed) gone"
        return ([counts] + failures).joined(separator: "; ")
    }
}

extension Planner {
    /// The most cities whose places are fetched anew.
    private static let refreshedCitiesMax = 100
    /// How many places are removed in one transaction.
    private static let removedRowsMax = 1000

    /// Fetches the places anew that `place fetch` brought, city by city. What the source does not
    /// know any more goes, unless its answer was not whole.
    ///
    /// - Returns: what became of them; a city that could not be fetched holds up no other.
    /// - Throws: ``Refusal`` with `not_allowed`; or why, where no city could be fetched.
    public func refreshPlaces() async throws -> PlaceRefreshReport {
        try checkIsOwner(to: "fetch places")
        var report = PlaceRefreshReport()
        var refusal: Refusal?
        for dataset in try await store.datasets(
            namedWith: Self.fetchedPrefix, limit: Self.refreshedCitiesMax)
        {
            let city = String(dataset.name.dropFirst(Self.fetchedPrefix.count))
            do {
                try await refresh(dataset, ofCity: city, &report)
            } catch {
                try Task.checkCancellation()
                let reason = Refusal(error)
                report.failures.append("\(Self.cityName(city, in: surroundings)): \(reason)")
                refusal = reason
            }
        }
        if let refusal, report.cities == 0 { throw refusal }
        return report
    }

    private func refresh(
        _ dataset: Dataset, ofCity city: String, _ report: inout PlaceRefreshReport
    ) async throws {
        let begun = now
        let view = try await fetchPlaces(city: city, radiusMeters: dataset.radiusMeters)
        report.cities += 1
        report.added += view.imported
        report.updated += view.updated
        guard dataset.radiusMeters != nil, view.warnings.isEmpty, view.skipped.isEmpty else {
            return
        }
        while true {
            let removed = try await store.removePlaces(
                ofDataset: dataset.name, seenBefore: begun, limit: Self.removedRowsMax)
            report.removed += removed
            guard removed == Self.removedRowsMax else { return }
        }
    }

    private static func cityName(_ id: String, in surroundings: PlannerSurroundings) -> String {
        (try? city(named: id, in: surroundings).label) ?? id
    }
}
