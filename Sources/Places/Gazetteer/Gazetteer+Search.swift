internal import Agenda

extension Gazetteer {
    /// The most candidates for an ambiguous name.
    public static let candidatesMax = 25

    /// The most suggestions for an unknown name.
    public static let nearestMax = 5

    /// The city that a text means. The text is a name in any language, followed by the region or
    /// country after commas if the name alone is not enough ("Helsinki", "München", "NYC",
    /// "Springfield, IL", "London, Ontario, Canada"), or an id ("658225", "geonames:658225").
    ///
    /// Among several cities of one name, a city with ten times the population of the next is
    /// chosen. A city's own name takes precedence over the alternate names of others.
    /// - Throws: ``CityError`` when no city has the name, or several have.
    public func resolve(_ query: String) throws(CityError) -> City {
        let parsed = CityQuery(query)
        if let id = parsed.id {
            guard let city = city(id: id) else { throw .unknown(query, nearest: []) }
            return city
        }
        for reading in parsed.readings {
            switch CityChoice(among: cities(as: reading), typedName: parsed.typedName) {
            case .one(let city):
                return city
            case .several(let cities):
                throw .ambiguous(query, candidates: Array(cities.prefix(Self.candidatesMax)))
            case nil:
                continue
            }
        }
        throw .unknown(query, nearest: nearest(to: parsed))
    }

    /// The cities that a text may mean, best first: those with exactly this own name, then those
    /// with this alternate name, then those with a name that begins with it. Each group is sorted
    /// by population. A region or country after a comma must match.
    public func cities(matching query: String, limit: Int) -> [City] {
        let parsed = CityQuery(query)
        if let id = parsed.id { return [city(id: id)].compactMap(\.self) }
        for reading in parsed.readings {
            let found = matches(for: reading, limit: limit)
            if !found.isEmpty { return found }
        }
        return []
    }

    private func cities(as reading: CityQuery.Reading) -> [NamedCity] {
        cities(named: reading.name).filter { fits($0.city, reading) }
    }

    private func fits(_ city: City, _ reading: CityQuery.Reading) -> Bool {
        reading.qualifiers.allSatisfy { place(city, liesIn: $0) }
    }

    private func matches(for reading: CityQuery.Reading, limit: Int) -> [City] {
        let exact = cities(as: reading).sorted {
            ($0.rank, $1.city.population, $0.city.id) < ($1.rank, $0.city.population, $1.city.id)
        }
        var found = Array(exact.map(\.city).prefix(max(0, limit)))
        for id in idsByPopulation(beginningWith: reading.name) where found.count < limit {
            guard !exact.contains(where: { $0.city.id == id }), let city = city(id: id) else {
                continue
            }
            if fits(city, reading) { found.append(city) }
        }
        return found
    }

    /// The cities with a name, not a code, that begins with the key, the most populous first.
    private func idsByPopulation(beginningWith key: String) -> [Int] {
        let ids = Set(hits(for: key, isPrefix: true).filter { $0.rank < .code }.map(\.id))
        return sortedByPopulation(ids.map { (id: $0, score: 0) })
    }

    /// The ids sorted by score, the lowest first, and then by population, the largest first.
    func sortedByPopulation(_ scored: [(id: Int, score: Int)]) -> [Int] {
        scored
            .map { (id: $0.id, score: $0.score, population: population(of: $0.id)) }
            .sorted { ($0.score, $1.population, $0.id) < ($1.score, $0.population, $1.id) }
            .map(\.id)
    }

    private func population(of id: Int) -> Int {
        var population = 0
        cities.scan(from: { $0[0].number < id }) { line in
            population = line[7].number
            return false
        }
        return population
    }
}
