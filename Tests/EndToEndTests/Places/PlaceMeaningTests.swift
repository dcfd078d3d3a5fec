import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct PlaceMeaningTests {
    private func withHome(_ body: (Program) async throws -> Void) async throws {
        try await withFolderOnDisk { folder in
            try await body(Program("letsmeet", home: folder + "/home"))
        }
    }

    private func meet(_ letsmeet: Program, at place: String) async throws -> Program.Outcome {
        try await letsmeet.ask("meeting new Lunch --start 2099-01-01T12:00 --place", place)
    }

    @Test func `A place is an id, part of the name of a saved one, or words`() async throws {
        try await withHome { letsmeet in
            let found = try await letsmeet.ask(
                "place search --city Helsinki --for museum --limit 1")
            #expect(found.json["source"] as? String == "catalogue")
            let museum = try #require(found.results.first)
            let id = try #require(museum["id"] as? String)
            let name = try #require(museum["name"] as? String)
            let office = try await letsmeet.ask(
                "place add Office --near 40.71,-74.01 --address", "Wall Street 1")
            #expect(office.status == 0)
            #expect(try await letsmeet.ask("place save \(id)").place["name"] as? String == name)

            let byID = try await meet(letsmeet, at: id)
            #expect(byID.place["id"] as? String == id)
            #expect((byID.place["text"] as? String)?.hasPrefix(name) == true)
            #expect(byID.place["latitude"] is Double)
            let byName = try await meet(letsmeet, at: "offi")
            #expect(byName.place["text"] as? String == "Office, Wall Street 1")
            let meeting = try #require(byName.json["meeting"] as? [String: Any])
            #expect(meeting["tz"] as? String == "America/New_York")
            let shown = try await letsmeet.ask("place show office")
            #expect(shown.place["tz"] as? String == "America/New_York")
            let byWords = try await meet(letsmeet, at: "Anna's garden")
            #expect(byWords.place["text"] as? String == "Anna's garden")
            #expect(byWords.place["id"] is NSNull)
            let none = try await meet(letsmeet, at: "osm:node/1")
            #expect(none.status == 1)
            #expect(none.code == "unknown_place")

            let near = try await letsmeet.ask("place search --near offi --for museum")
            #expect(near.code == "not_covered")
            let nearby = try await letsmeet.ask("place search --for museum --limit 1 --near", id)
            #expect(nearby.results.first?["distance_m"] as? Int == 0)
            #expect(nearby.json["city"] is NSNull)
        }
    }

    @Test func `The first line of a search is its city`() async throws {
        try await withHome { letsmeet in
            let label = "Helsinki, Uusimaa, Finland\n"
            let asked = try await letsmeet.run(
                "place", "search", "--city", "helsinki", "--for", "museum")
            #expect(asked.output.hasPrefix(label), "\(asked.output)")
            try "area: Helsinki\n".write(
                toFile: letsmeet.home + "/letsmeet.yaml", atomically: true, encoding: .utf8)
            let usual = try await letsmeet.run("place", "search", "--for", "museum")
            #expect(usual.output.hasPrefix(label))
            let near = try await letsmeet.run(
                "place", "search", "--near", "60.17,24.94", "--for", "museum")
            #expect(near.status == 0)
            #expect(!near.output.contains(label))
        }
    }

    @Test func `A name that matches several saved places is refused with candidates`() async throws
    {
        try await withHome { letsmeet in
            _ = try await letsmeet.ask("place add", "Office North")
            _ = try await letsmeet.ask("place add", "Office South")
            let twice = try await letsmeet.ask("place add", "office north")
            #expect(twice.status == 1)
            #expect(twice.code == "known_place")
            for outcome in [
                try await meet(letsmeet, at: "office"), try await letsmeet.ask("place show office"),
                try await letsmeet.ask("place remove office"),
                try await letsmeet.ask("place search --for museum --near office"),
            ] {
                #expect(outcome.status == 1)
                #expect(outcome.code == "ambiguous_place")
                #expect(outcome.candidates == ["Office North", "Office South"])
            }
            #expect(try await letsmeet.ask("place remove", "office n").status == 0)
            let saved = try await letsmeet.ask("place saved").json["places"] as? [[String: Any]]
            #expect(saved?.map { $0["name"] as? String } == ["Office South"])
            #expect(
                try await meet(letsmeet, at: "office").place["text"] as? String == "Office South")
        }
    }

    @Test func `A saved Foursquare place is shown and used for searches under its name`()
        async throws
    {
        let body = "\(FakeFoursquare.museum.dropLast()),\"results\":[\(FakeFoursquare.museum)]}"
        try await withFoursquare([FakeFoursquareAnswer(.json(body))]) { letsmeet, fake in
            _ = try await letsmeet.ask("place save fsq:\(FakeFoursquare.id(0xA1)) --name Corner")
            let shown = try await letsmeet.ask("place show corner")
            #expect(shown.place["name"] as? String == "Museum of Invented Things")
            let near = try await letsmeet.ask("place search --near corner --for museum")
            #expect(near.status == 0)
            #expect(fake.requests.last?.fields["ll"] == "60.1712,24.9414")
            var offline = letsmeet
            offline.settings = [:]
            let meeting = try await meet(offline, at: "corner")
            #expect(meeting.status == 0)
            #expect(meeting.place["text"] as? String == "Corner")
        }
    }

    @Test(arguments: [
        ("place search --for museum --near 91,10", 2, "no_position"),
        ("place search --for museum --near 60.1", 2, "no_position"),
        ("place search --for museum --near 0x10,5", 2, "no_position"),
        ("place search --for museum --near nan,5", 2, "no_position"),
        ("place search --for museum --near Nowhere", 2, "no_position"),
        ("place search --for museum --near osm:node/1", 1, "unknown_place"),
        ("place search --for museum", 2, "no_city"),
        ("place search --city Helsinki", 2, "usage"),
        ("place search --for museum --city Helsinki --near 60,25", 2, "usage"),
        ("place search --for museum --city Helsinki --radius 0", 2, "usage"),
        ("place search --for museum --city Helsinki --radius 100001", 2, "usage"),
        ("place search --for museum --city Helsinki --radius far", 2, "usage"),
        ("place search --for museum --city Helsinki --limit 0", 2, "usage"),
        ("place search --for museum --city Helsinki --limit 501", 2, "usage"),
        ("place search --for museum --city Helsinki --source elsewhere", 2, "unknown_source"),
        ("place search --for mseum --city Helsinki", 1, "unknown_interest"),
        ("place search --for museum --city Helsinkki", 1, "unknown_city"),
        ("place search --for museum --city Odessa", 1, "ambiguous_city"),
        ("place search --for museum --city Tampere", 1, "not_covered"),
        ("place add Home --near here", 2, "no_position"),
        ("place remove nothing", 1, "unknown_place"),
        ("place show nothing", 1, "unknown_place"),
        ("place import /", 2, "no_file"), ("place import /nowhere", 2, "no_file"),
        ("place import /dev/null", 2, "no_file"),
        ("meeting new A --start 2099-01-01T12:00 --city Helsinki", 2, "usage"),
        ("meeting new A --start 2099-01-01T12:00 --place X --for museum", 2, "usage"),
        ("place fetch --city Helsinki --radius 0", 2, "bad_request"),
    ])
    func `A wrong call is refused with a code and a status`(
        _ line: String, _ status: Int32, _ code: String
    ) async throws {
        try await withHome { letsmeet in
            let outcome = try await letsmeet.ask(line)
            #expect(outcome.status == status)
            #expect(outcome.code == code)
            #expect(!outcome.message.isEmpty)
            #expect(outcome.errors.isEmpty)
        }
    }

    @Test func `Missing shipped files are named, and not reported as a bug`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program(
                "letsmeet", home: folder + "/home", settings: ["LETSMEET_SHARE": folder])
            let outcome = try await letsmeet.ask("place cities Helsinki")
            #expect(outcome.status == 2)
            #expect(outcome.code == "no_shipped_files")
            #expect(outcome.message.contains("LETSMEET_SHARE"))
        }
    }

    @Test func `Outside the catalogue, the message says what helps`() async throws {
        try await withHome { letsmeet in
            let outcome = try await letsmeet.ask("place search --for museum --city Tampere")
            for help in ["place fetch", "place import", "FOURSQUARE_SERVICE_KEY"] {
                #expect(outcome.message.contains(help))
            }
            let near = try await letsmeet.ask(
                "place search --for museum --near 60.17,24.94 --radius 1")
            #expect(near.status == 0)
            #expect(near.results.isEmpty)
            #expect(near.attribution.contains("OpenStreetMap"))
        }
    }

    @Test func `The English name of a renamed city is found, too`() async throws {
        try await withHome { letsmeet in
            let answer = try await letsmeet.ask("place cities Odessa")
            let cities = try #require(answer.json["cities"] as? [[String: Any]])
            #expect(cities.map { $0["country"] as? String } == ["UA", "US"])
        }
    }
}
