internal import Timekeeping

extension Gazetteer {
    /// Farther away than this, a place has no nearest city: 500 km.
    public static let reachKilometresMax = 500.0

    /// The city nearest to a place, whose time zone is most likely the place's; near a border it
    /// can lie on the other side.
    ///
    /// The first call reads all cities, which takes some milliseconds; each further one looks at
    /// those of a few squares.
    /// - Parameters:
    ///   - latitude: Degrees north, from -90 to 90.
    ///   - longitude: Degrees east, from -180 to 180.
    /// - Returns: nil beyond ``reachKilometresMax`` from every city, and for impossible degrees.
    public func nearest(latitude: Double, longitude: Double) -> City? {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        let nearest = grid().nearest(
            to: (latitude, longitude), reachKilometresMax: Self.reachKilometresMax)
        return nearest.flatMap(city(id:))
    }

    /// The cities that a query that found nothing may mean: those of that name elsewhere, else
    /// those with a name that is spelled nearly so or begins so, else those of a shorter name.
    func nearest(to query: CityQuery) -> [City] {
        let elsewhere = CityChoice.sorted(cities(named: query.nameKey).map(\.city))
        guard elsewhere.isEmpty else { return Array(elsewhere.prefix(Self.nearestMax)) }
        let ids = sortedByPopulation(
            distances(from: query.nameKey).map { (id: $0.key, score: $0.value) })
        guard ids.isEmpty else { return ids.prefix(Self.nearestMax).compactMap(city(id:)) }
        for reading in query.readings.dropFirst() {
            let shorter = CityChoice.sorted(cities(named: reading.name).map(\.city))
            if !shorter.isEmpty { return Array(shorter.prefix(Self.nearestMax)) }
        }
        return []
    }

    /// How many letters each city with a similar name is away; a longer name counts as 1.
    private func distances(from key: String) -> [Int: Int] {
        guard let initial = key.unicodeScalars.first, key.utf8.count <= CityQuery.keyBytesMax else {
            return [:]
        }
        let bytes = Array(key.utf8)
        let start = Array(String(initial).utf8)
        var spelling = Spelling(of: key)
        var distances: [Int: Int] = [:]
        names.scan(from: { $0[0].lexicographicallyPrecedes(start) }) { line in
            let name = line[0]
            guard name.starts(with: start) else { return false }
            let isLonger = bytes.count >= 3 && name.starts(with: bytes)
            let distance = isLonger ? 1 : spelling.distance(to: name)
            if let distance, line[2].number < NameRank.code.rawValue {
                let id = line[1].number
                distances[id] = min(distance, distances[id] ?? distance)
            }
            return true
        }
        return distances
    }
}
