public import Agenda
import Places
import Storage
import Wording

/// The result of refreshing the fetched places.
public struct PlaceRefreshReport: Sendable {
    /// The number of refreshed cities.
    public internal(set) var cities = 0
    /// The number of new places.
    public internal(set) var added = 0
    /// The number of existing places that were updated.
    public internal(set) var updated = 0
    /// The number of places that were removed.
    public internal(set) var removed = 0
    /// The cities whose places could not be fetched, with the reasons.
    public internal(set) var failures: [Remark] = []

    /// The result in a sentence.
    public var remark: Remark {
        guard cities > 0 else {
            return Remark(
                "nothing to do: no places have been fetched yet",
                advice: .places(.fetch(city: nil)))
        }
        let counts =
            "\(TimeWords.count(cities, "city", plural: "cities")): \(added) new, "
            + "\(updated) updated, \(removed) removed"
        return Remark(
            ([counts] + failures.map(\.text)).joined(separator: "; "),
            advice: failures.flatMap(\.advice).uniqued())
    }
}

extension Planner {
    /// The maximum number of cities to refresh.
    private static let refreshedCitiesMax = 100
    /// The maximum number of places removed in one transaction.
    private static let removedRowsMax = 1000

    /// Fetches the places of each city again that `place fetch` fetched before. Places that the
    /// source no longer has are removed, unless its answer was incomplete.
    ///
    /// - Returns: the result. A city that cannot be fetched does not stop the others.
    /// - Throws: ``Refusal`` with `not_allowed`; or the last city's refusal, if no city could be
    ///   fetched.
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
                let name = Self.cityName(city, in: surroundings)
                report.failures.append(Remark("\(name): \(reason)", advice: reason.advice))
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
        let (view, isWhole) = try await fetchedPlaces(
            city: city, radiusMeters: dataset.radiusMeters)
        report.cities += 1
        report.added += view.imported
        report.updated += view.updated
        let name = Self.cityName(city, in: surroundings)
        report.failures += view.warnings.map { Remark("\(name): \($0)") }
        guard dataset.radiusMeters != nil, isWhole else { return }
        while true {
            let removed = try await store.removePlaces(
                ofDataset: dataset.name, seenBefore: begun, limit: Self.removedRowsMax)
            report.removed += removed
            guard removed == Self.removedRowsMax else { return }
        }
    }

    private static func cityName(_ id: String, in surroundings: PlannerSurroundings) -> String {
        (try? surroundings.city(named: id).label) ?? id
    }
}
