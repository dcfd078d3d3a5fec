/// How well a name names its city; the numbers stand in `names.tsv`.
enum NameRank: Int, Comparable {
    /// The city's own name.
    case primary = 0
    /// A name in another language, of another time, or a nickname.
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

/// What a name means when these cities have it.
enum CityChoice: Equatable {
    case one(City)
    /// At least two, those with most people first.
    case several([City])

    /// A city is taken when it has this many times the people of the next of that name.
    static let takenFactor = 10

    /// A city that has the name only besides its own counts beside one whose own name it is when
    /// it has this many times the people: who types "Mexico" hardly means the town of that name
    /// in the Philippines, but who types "Puno" does not mean Pune.
    static let alternateFactor = 100

    /// Chooses among cities of one name, of which there must be at least one.
    ///
    /// Own names go before other names, and those before codes. Within the best rank the city
    /// with ten times the people of the next is taken; else all are candidates.
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

    /// Who types an accent means it: "San José" is not San Jose in California.
    private static func spelled(_ cities: [City], as typedName: String) -> [City] {
        guard !typedName.utf8.allSatisfy({ $0 < 0x80 }) else { return cities }
        let same = cities.filter { $0.name.lowercased() == typedName.lowercased() }
        return same.isEmpty ? cities : same
    }

    /// Most people first, and always in the same order.
    static func sorted(_ cities: [City]) -> [City] {
        cities.sorted { ($1.population, $0.id) < ($0.population, $1.id) }
    }
}
