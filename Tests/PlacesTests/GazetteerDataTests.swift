import Agenda
import Foundation
import Places
import Testing

/// Properties of all cities and keys in the bundled data.
struct GazetteerDataTests {
    @Test func `Every key is already folded, and the keys are sorted`() throws {
        var previous: [UInt8] = []
        var wrong: [String] = []
        var count = 0
        for row in try ShippedData.rows(of: "names.tsv") {
            let key = Array(row[0].utf8)
            let isFolded = Array(SearchKey.fold(String(row[0])).utf8) == key
            let isSorted = !key.lexicographicallyPrecedes(previous)
            if !isFolded || !isSorted || row.count != 3 { wrong.append(String(row[0])) }
            previous = key
            count += 1
        }
        #expect(wrong == [])
        #expect(count > 250_000)
    }

    @Test func `Every name of a city, region and country has its key`() throws {
        var primary: Set<String> = []
        for row in try ShippedData.rows(of: "names.tsv") where row[2] == "0" {
            primary.insert("\(row[1]) \(row[0])")
        }
        let cities = try ShippedData.rows(of: "cities.tsv")
        let nameless = cities.filter { row in
            !primary.contains("\(row[0]) " + SearchKey.fold(String(row[1])))
        }
        #expect(nameless == [])
        for (file, name, keys) in [("regions.tsv", 2, 3), ("countries.tsv", 1, 2)] {
            let keyless = try ShippedData.rows(of: file).filter { row in
                let key = SearchKey.fold(String(row[name]))
                return !row[keys].split(separator: "|").contains { $0 == key }
            }
            #expect(keyless == [])
        }
    }

    @Test func `The time zone of every city exists on this system`() throws {
        let zones = Set(try ShippedData.rows(of: "cities.tsv").map { String($0[8]) })
        let unknown = zones.filter {
            !FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/" + $0)
        }
        #expect(unknown == [])
        #expect(zones.count > 300)
    }

    @Test func `Every city is found by its id and by its label`() throws {
        let gazetteer = try ShippedData.gazetteer()
        var shared = 0
        var wrong: [String] = []
        let rows = try ShippedData.rows(of: "cities.tsv")
        for row in rows {
            guard let id = Int(row[0]), let city = gazetteer.city(id: id), city.id == id,
                city.name == row[1], city.population == Int(row[7]), city.zone == row[8],
                city.latitude == Double(row[5]), city.longitude == Double(row[6]),
                !city.countryName.isEmpty
            else {
                wrong.append(String(row[0]))
                continue
            }
            do {
                let found = try gazetteer.resolve(city.label)
                if found.label != city.label { wrong.append(city.label) }
            } catch .ambiguous(_, let candidates) where candidates.contains(city) {
                shared += 1
            } catch {
                wrong.append(city.label)
            }
        }
        #expect(wrong == [])
        #expect(rows.count == 34_006)
        #expect(shared < 300)
        print("labels that name several cities: \(shared)")
    }
}
