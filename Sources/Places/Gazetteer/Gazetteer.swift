internal import Synchronization

/// The cities of the bundled gazetteer. It searches the raw bytes of the files: opening it parses
/// nothing, and a search reads about twenty lines.
///
/// ```swift
/// let gazetteer = try Gazetteer(directory: share + "/gazetteer")
/// let city = try gazetteer.resolve("Springfield, IL")
/// city.zone == "America/Chicago"
/// ```
public final class Gazetteer: Sendable {
    /// The attribution that must be shown wherever its cities are shown.
    public static let attribution = "Cities: GeoNames, CC BY 4.0"

    let cities: SortedLines
    let names: SortedLines
    private let regions: SortedLines
    private let countries: SortedLines
    private let squares = Mutex<CityGrid?>(nil)

    /// Opens the folder that holds `cities.tsv`, `names.tsv`, `regions.tsv` and `countries.tsv`.
    public init(directory: String) throws(GazetteerError) {
        cities = try SortedLines(path: directory + "/cities.tsv")
        names = try SortedLines(path: directory + "/names.tsv")
        regions = try SortedLines(path: directory + "/regions.tsv")
        countries = try SortedLines(path: directory + "/countries.tsv")
    }

    /// The city with this GeoNames id.
    public func city(id: Int) -> City? {
        var found: City?
        cities.scan(from: { $0[0].number < id }) { line in
            if line[0].number == id { found = city(of: line) }
            return false
        }
        return found
    }

    /// The city of a line of `cities.tsv`.
    func city(of line: Line) -> City {
        let country = line[4].text
        return City(
            id: line[0].number, name: line[1].text, region: line[2].text, regionCode: line[3].text,
            country: country, countryName: countryName(of: country), latitude: line[5].decimal,
            longitude: line[6].decimal, population: line[7].number, zone: line[8].text)
    }

    /// The cities with exactly this key as a name, in no particular order.
    func cities(named key: String) -> [NamedCity] {
        hits(for: key, isPrefix: false).compactMap { hit in
            city(id: hit.id).map { NamedCity(city: $0, rank: hit.rank) }
        }
    }

    /// A line of `names.tsv`: one name of one city.
    struct Hit: Equatable {
        let id: Int
        let rank: NameRank
    }

    /// The lines whose key equals this key or, if `isPrefix` is true, begins with it.
    func hits(for key: String, isPrefix: Bool) -> [Hit] {
        let key = Array(key.utf8)
        guard !key.isEmpty else { return [] }
        var hits: [Hit] = []
        names.scan(from: { $0[0].lexicographicallyPrecedes(key) }) { line in
            let name = line[0]
            guard isPrefix ? name.starts(with: key) : name.elementsEqual(key) else { return false }
            if let rank = NameRank(rawValue: line[2].number) {
                hits.append(Hit(id: line[1].number, rank: rank))
            }
            return true
        }
        return hits
    }

    /// The index of the cities by position, built on first use.
    func grid() -> CityGrid {
        squares.withLock { squares in
            let grid = squares ?? CityGrid(cities)
            squares = grid
            return grid
        }
    }

    /// True if the key is a name or a code of the city's region or country.
    func place(_ city: City, liesIn key: String) -> Bool {
        let key = Array(key.utf8)
        return lists(key, in: countries, [city.country], field: 2)
            || lists(key, in: regions, [city.country, city.regionCode], field: 3)
    }

    /// True if the line that begins with these fields has the key in the list of another field.
    private func lists(
        _ key: [UInt8], in file: SortedLines, _ start: [String], field: Int
    ) -> Bool {
        let start = Array(start.joined(separator: "\t").utf8) + [UInt8(ascii: "\t")]
        var isListed = false
        file.scan(from: { $0.bytes.lexicographicallyPrecedes(start) }) { line in
            isListed = line.bytes.starts(with: start) && line[field].lists(key)
            return false
        }
        return isListed
    }

    private func countryName(of code: String) -> String {
        let code = Array(code.utf8)
        var name = ""
        countries.scan(from: { $0[0].lexicographicallyPrecedes(code) }) { line in
            if line[0].elementsEqual(code) { name = line[1].text }
            return false
        }
        return name
    }
}
