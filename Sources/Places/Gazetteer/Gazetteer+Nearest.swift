internal import Timekeeping

extension Gazetteer {
    /// The largest distance of a nearest city, in kilometres.
    public static let reachKilometresMax = 500.0

    /// The city nearest to a position. Its time zone is most likely that of the position; near a
    /// border it may lie on the other side.
    ///
    /// The first call reads all cities, which takes some milliseconds. Later calls look only at the
    /// cities of a few grid squares.
    /// - Parameters:
    ///   - latitude: Degrees north, from -90 to 90.
    ///   - longitude: Degrees east, from -180 to 180.
    /// - Returns: nil if every city is farther away than ``reachKilometresMax``, or if the degrees
    ///   are out of range.
    public func nearest(latitude: Double, longitude: Double) -> City? {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        let nearest = grid().nearest(
            to: (latitude, longitude), reachKilometresMax: Self.reachKilometresMax)
        return nearest.flatMap(city(id:))
    }

    /// Suggestions for a query without a result: cities of that name elsewhere, or else cities with
    /// a similar or longer name, or else cities with a shorter name.
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

    /// The edit distance to each city with a similar name. A longer name that begins with the key
    /// counts as 1.
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
