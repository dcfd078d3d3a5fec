import TestKit
import Testing
import Transport

@testable import Places

@Suite(.timeLimit(.minutes(5))) struct OverpassTests {
    private static let tags = [
        OverpassTag(key: "amenity", value: "cafe"), OverpassTag(key: "leisure", value: "park"),
    ]

    private func fetch(
        _ fake: FakeOverpass, tags: [OverpassTag] = OverpassTests.tags, latitude: Double = 60.17,
        radiusMeters: Int = 3000
    ) async throws -> OverpassAnswer {
        let client = try HTTPClient(userAgent: "letsmeet/1.2 (self-hosted meeting planner)")
        return try await OverpassClient(client: client, server: fake.url).places(
            with: tags, latitude: latitude, longitude: 24.94, radiusMeters: radiusMeters)
    }

    private func failure(_ answer: FakeOverpass.Answer) async throws -> PlaceError? {
        let fake = try FakeOverpass(answer)
        defer { fake.stop() }
        let error = await #expect(throws: PlaceError.self) { try await fetch(fake) }
        #expect(fake.requests.count == 1)
        return error
    }

    @Test func `One request has all tags and the user agent`() async throws {
        let fake = try FakeOverpass(.elements([]))
        defer { fake.stop() }
        _ = try await fetch(fake)
        let request = try #require(fake.requests.first)
        #expect(fake.requests.count == 1)
        #expect(request.method == "POST")
        #expect(request.headers["user-agent"] == "letsmeet/1.2 (self-hosted meeting planner)")
        #expect(
            request.fields["data"] == """
                [out:json][timeout:60];
                (
                nwr["amenity"="cafe"]["name"](around:3000,60.17,24.94);
                nwr["leisure"="park"]["name"](around:3000,60.17,24.94);
                );
                out center tags 20000;
                """)
    }

    @Test func `A tag cannot break out of its quotes`() async throws {
        let fake = try FakeOverpass(.elements([]))
        defer { fake.stop() }
        _ = try await fetch(fake, tags: [OverpassTag(key: "a\"]", value: "\\\"\n;")])
        let query = try #require(fake.requests.first?.fields["data"])
        #expect(query.contains(#"nwr["a\"]"="\\\" ;"]["name"]"#))
    }

    @Test func `Elements become places without contact details`() async throws {
        let fake = try FakeOverpass(.elements(FakeOverpass.sample + FakeOverpass.sample))
        defer { fake.stop() }
        let answer = try await fetch(fake)
        #expect(
            answer.places.map(\.place) == [
                Place(
                    id: "osm:node/101", name: "Invented Café", latitude: 60.1701,
                    longitude: 24.9402, address: "Keksitty katu 5, 00100 Helsinki",
                    url: "https://cafe.example/", hours: "Mo-Fr 08:00-18:00"),
                Place(
                    id: "osm:way/102", name: "Invented Park", latitude: 60.18, longitude: 24.95),
                Place(
                    id: "osm:relation/103", name: "Invented Pool", latitude: 60.19,
                    longitude: 24.96),
            ])
        #expect(
            answer.places.last?.osmTags == [
                "leisure": "swimming_pool", "name": "Invented Pool",
                "website": "javascript:alert(1)",
            ])
        let keys = Set(answer.places.flatMap(\.osmTags.keys))
        #expect(!keys.contains { $0.contains("phone") || $0.contains("mail") })
        #expect(
            answer.attribution == "© OpenStreetMap contributors, ODbL 1.0, data of 2026-11-20")
        #expect(answer.warnings.isEmpty)
        // One bench has no name, and all elements are repeated once.
        #expect(answer.leftOutCount == 5)
        #expect(
            answer.faults == [
                "Element 5, osm:way/105, has no position.",
                "Element 10, osm:way/105, has no position.",
            ])
    }

    @Test func `Unreadable elements are reported and the others are read`() async throws {
        let fake = try FakeOverpass(
            .elements([
                #"{"type":"node","id":9,"lat":"x","lon":null,"tags":{"name":"Bad"}}"#,
                #""a text""#, #"{"type":"area","id":4,"lat":60.1,"lon":24.9}"#,
                FakeOverpass.sample[1],
            ]))
        defer { fake.stop() }
        let answer = try await fetch(fake)
        #expect(answer.places.map(\.place.name) == ["Invented Park"])
        #expect(answer.leftOutCount == 0)
        #expect(
            answer.faults == [
                "Element 1, osm:node/9, has no position.",
                "Element 2 is not a node, way or relation with an id.",
                "Element 3 is not a node, way or relation with an id.",
            ])
    }

    @Test func `A successful answer with a remark is a failure`() async throws {
        let remark = "runtime error: Query timed out in \\\"query\\\" at line 3 after 25 seconds."
        let error = try await failure(.remark(remark, elements: FakeOverpass.sample))
        #expect(
            error?.message == "Overpass cannot answer now: it stopped early and said "
                + "\"runtime error: Query timed out in \"query\" at line 3 after 25 seconds.\". "
                + "Try again later.")
    }

    @Test(arguments: [
        (
            FakeOverpass.Answer.refusal(429, retryAfter: "30"),
            "Overpass is busy: try again in 30 seconds."
        ),
        (.refusal(429, retryAfter: nil), "Overpass is busy: try again in a few minutes."),
        (.refusal(504, retryAfter: nil), "Overpass is busy: try again in a few minutes."),
        (
            .refusal(500, retryAfter: nil),
            "Overpass cannot answer now: it answered 500. Try again later."
        ),
        (.refusal(400, retryAfter: nil), "Overpass did not accept the request: it answered 400."),
        (
            .refusal(406, retryAfter: nil),
            "The Overpass server refused the request (406). Check LETSMEET_OVERPASS_URL, or set it "
                + "to another server."
        ),
        (
            .refusal(301, retryAfter: nil),
            "Overpass sent an answer that cannot be read: it is a redirect (301), which is not "
                + "followed."
        ),
        (
            .raw(.json(#"{"version":0.6,"elements":[{"type":"no"#)),
            "Overpass sent an answer that cannot be read: it is not valid JSON (it ends too early "
                + "at byte 38)."
        ),
        (
            .raw(FakeAnswer(200, body: Array("<html>".utf8))),
            "Overpass sent an answer that cannot be read: it is a web page, not JSON."
        ),
        (
            .elements([#""a text""#]),
            "Overpass sent an answer that cannot be read: none of its elements is a readable place."
        ),
        (
            .raw(.json(#"{"places":[]}"#)),
            "Overpass sent an answer that cannot be read: it contains no list of elements."
        ),
    ])
    func `A failure is reported as a sentence and not retried`(
        _ answer: FakeOverpass.Answer, _ message: String
    ) async throws {
        #expect(try await failure(answer)?.message == message)
    }

    @Test func `A truncated answer is an error`() async throws {
        let error = try await failure(
            .raw(.json(#"{"elements":[]}"#, manner: .brokenOff(afterBytes: 9))))
        guard case .unreachable(.overpass, .failed) = error else {
            Issue.record("told as \(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        (1, 91.0, 3000), (1, 60, 0), (1, 60, OverpassClient.radiusMetersMax + 1), (0, 60, 3000),
        (201, 60, 3000),
    ])
    func `An invalid query is not sent`(
        _ tagsCount: Int, _ latitude: Double, _ radiusMeters: Int
    ) async throws {
        let tags = Array(repeating: Self.tags[0], count: tagsCount)
        let fake = try FakeOverpass(.elements([]))
        defer { fake.stop() }
        let error = await #expect(throws: PlaceError.self) {
            try await fetch(fake, tags: tags, latitude: latitude, radiusMeters: radiusMeters)
        }
        guard case .badQuery = error else {
            Issue.record("refused as \(String(describing: error))")
            return
        }
        #expect(fake.requests.isEmpty)
    }

    @Test func `An invalid address is reported by its variable`() throws {
        let client = try HTTPClient(userAgent: "letsmeet/test")
        let error = #expect(throws: PlaceError.self) {
            try OverpassClient(client: client, server: "overpass-api.de")
        }
        #expect(error?.message.hasPrefix("LETSMEET_OVERPASS_URL is wrong. ") == true)
    }
}
