/// The rank of a name among the names of a city. The raw values are stored in `names.tsv`.
enum NameRank: Int, Comparable {
    /// The city's own name.
    case primary = 0
    /// A name in another language, a historical name, or a nickname.
    case alternate = 1
    /// A code of three letters, such as NYC.
    case code = 2

    static func < (left: NameRank, right: NameRank) -> Bool { left.rawValue < right.rawValue }
}

/// A city that was found by a name.
struct NamedCity: Equatable {
    let city: City
    let rank: NameRank
}

/// The city or cities that a name means.
enum CityChoice: Equatable {
    case one(City)
    /// At least two cities, the most populous first.
    case several([City])

    /// A city is chosen if it has at least this many times the population of the next city of that
    /// name.
    static let takenFactor = 10

    /// A city for which the name is only an alternate one competes with a city of that own name if
    /// its population is this many times larger. A person who types "Mexico" hardly means the
    /// town of that name in the Philippines, but a person who types "Puno" does not mean Pune.
    static let alternateFactor = 100

    /// Chooses among cities of one name; nil if there are none.
    ///
    /// Own names take precedence over alternate names, and those over codes. Within the best rank,
    /// the city with ten times the population of the next is chosen; otherwise all are candidates.
    init?(among found: [NamedCity], typedName: String) {
        guard let best = found.map(\.rank).min() else { return nil }
        let ranked = Self.sorted(found.filter { $0.rank == best }.map(\.city))
        guard best == .primary else {
            self.init(ranked)
            return
        }
        let own = Self.spelled(ranked, as: typedName)
        let others = found.filter { $0.rank == .alternate }.map(\.city).filter {
            $0.population / Self.alternateFactor > own[0].population
        }
        if others.isEmpty { self.init(own) } else { self = .several(Self.sorted(own + others)) }
    }

    private init(_ sorted: [City]) {
        let isTaken =
            sorted.count == 1
            || sorted[0].population / Self.takenFactor >= max(1, sorted[1].population)
        self = isTaken ? .one(sorted[0]) : .several(sorted)
    }

    /// Keeps only exact matches if the typed name has an accent: "San José" is not San Jose in
    /// California.
    private static func spelled(_ cities: [City], as typedName: String) -> [City] {
        guard !typedName.utf8.allSatisfy({ $0 < 0x80 }) else { return cities }
        let same = cities.filter { $0.name.lowercased() == typedName.lowercased() }
        return same.isEmpty ? cities : same
    }

    /// Sorts by population, the largest first. Ties are broken by id, so the order is always the
    /// same.
    static func sorted(_ cities: [City]) -> [City] {
        cities.sorted { ($1.population, $0.id) < ($0.population, $1.id) }
    }
}
