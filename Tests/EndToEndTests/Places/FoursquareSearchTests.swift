import Foundation
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct FoursquareSearchTests {
    private static let search = "place search --city Helsinki --for museum"

    @Test func `A search is one request with the key, a position and only basic fields`()
        async throws
    {
        try await withFoursquare([.places([FakeFoursquare.museum])]) { letsmeet, fake in
            let outcome = try await letsmeet.ask(Self.search, "--radius", "1500", "--limit", "7")
            #expect(outcome.status == 0)
            #expect(outcome.json["source"] as? String == "foursquare")
            #expect(outcome.attribution.contains("Foursquare"))
            #expect(outcome.warnings.isEmpty)
            #expect(outcome.errors.isEmpty)
            #expect(!outcome.output.contains("\n"))
            #expect((outcome.json["city"] as? [String: Any])?["id"] as? Int == 658225)
            let found = try #require(outcome.results.first)
            #expect(found["id"] as? String == "fsq:\(FakeFoursquare.id(0xA1))")
            #expect(found["tz"] as? String == "Europe/Helsinki")
            #expect(found["distance_m"] as? Int == 153)
            #expect(fake.faults.isEmpty)
            #expect(fake.requests.count == 1)
            let request = try #require(fake.requests.first)
            #expect(request.headers["accept"] == "application/json")
            #expect(request.headers["user-agent"]?.hasPrefix("letsmeet/") == true)
            #expect(
                Set(request.fields.keys) == [
                    "ll", "radius", "limit", "sort", "fields", "fsq_category_ids",
                ])
            #expect(request.fields["ll"] == "60.16952,24.93545")
            #expect(request.fields["radius"] == "1500")
            #expect(request.fields["limit"] == "7")
            #expect(request.fields["fsq_category_ids"] == "4bf58dd8d48988d181941735")
        }
    }

    /// Places in which fields other than id and name are missing, or not of the documented type.
    private static let odd = [
        FakeFoursquare.bare,
        FakeFoursquare.place(
            1, "Far", latitude: "60.17852", longitude: "24.93545", more: #","categories":[]"#),
        FakeFoursquare.place(
            2, "Near", latitude: "60", longitude: "25",
            more: #","distance":12.0,"location":{},"new_field":{"a":[1,{"b":null}]}"#),
        #"{"fsq_place_id":"\#(FakeFoursquare.id(3))","name":"Somewhere","distance":5}"#,
        FakeFoursquare.place(4, "Middle", more: #","distance":4e2,"categories":[{},null,7]"#),
        FakeFoursquare.place(5, "Nulls", more: #","location":null,"categories":null"#),
    ]

    @Test func `Places are sorted by distance, places without a position last`() async throws {
        let answer = FakeFoursquareAnswer.places(Self.odd + FakeFoursquare.closed)
        try await withFoursquare([answer]) { letsmeet, _ in
            let outcome = try await letsmeet.ask(Self.search)
            #expect(outcome.status == 0)
            #expect(
                outcome.names == ["Near", "Nulls", "Middle", "Far", "Bare Place", "Somewhere"])
            let distances = outcome.results.map { $0["distance_m"] as? Int }
            #expect(distances == [12, 257, 400, 1001, nil, nil])
            for place in outcome.results.suffix(2) {
                #expect(place["latitude"] is NSNull)
                #expect(place["distance_m"] is NSNull)
                #expect(place["tz"] as? String == "Europe/Helsinki")
            }
            let plain = try await letsmeet.run(Self.search.split(separator: " ").map(String.init))
            #expect(plain.output.contains("12 m"))
            #expect(plain.output.contains("Places by Foursquare"))
            #expect(plain.errors.isEmpty)
        }
    }

    struct Manner: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let manner: FakeAnswer.Manner
        var isPacked = false
    }

    @Test(arguments: [
        Manner(testDescription: "chunked", manner: .chunked(bytes: 7)),
        Manner(testDescription: "until closed", manner: .untilClosed),
        Manner(testDescription: "gzip", manner: .whole, isPacked: true),
        Manner(testDescription: "gzip, chunked", manner: .chunked(bytes: 50), isPacked: true),
        Manner(testDescription: "slow", manner: .trickling(bytes: 200, everyMilliseconds: 20)),
    ])
    func `An answer is read in every transfer encoding`(_ manner: Manner) async throws {
        let body = Array(#"{"results":[\#(FakeFoursquare.museum)],"context":{}}"#.utf8)
        let answer = FakeAnswer(
            200, headers: manner.isPacked ? [("Content-Encoding", "gzip")] : [],
            body: manner.isPacked ? try await gzipped(body) : body, manner: manner.manner)
        try await withFoursquare([FakeFoursquareAnswer(answer)]) { letsmeet, _ in
            let outcome = try await letsmeet.ask(Self.search, "--source", "foursquare")
            #expect(outcome.names == ["Museum of Invented Things"])
        }
    }

    @Test func `A search without results is an empty list, not a failure`() async throws {
        try await withFoursquare([.places([])]) { letsmeet, _ in
            let outcome = try await letsmeet.ask(Self.search)
            #expect(outcome.status == 0)
            #expect(outcome.results.isEmpty)
            #expect(outcome.json["source"] as? String == "foursquare")
            let plain = try await letsmeet.run(Self.search.split(separator: " ").map(String.init))
            #expect(plain.output.hasPrefix("No museum was found in Helsinki"))
        }
    }

    @Test(arguments: [
        (#"<{here}/places/search?cursor=c1>; rel="next""#, 2, false),
        (#"</places/search?cursor=c1>; rel="next""#, 2, false),
        (#"<?cursor=c1>; rel="next""#, 2, false),
        ("<https://elsewhere.example/places/search?cursor=c1>; rel=next", 1, true),
        ("<http://127.0.0.1:1/places/search?cursor=c1>; rel=next", 1, true),
        ("<{here}/places/search?cursor=c0>; rel=prev", 1, false),
    ])
    func `The next page is read only from the same host`(
        _ link: String, _ pagesCount: Int, _ isTruncated: Bool
    ) async throws {
        let pages = [
            FakeFoursquareAnswer.places([FakeFoursquare.museum], link: link),
            .places([FakeFoursquare.place(7, "Second Page")]),
        ]
        try await withFoursquare(pages) { letsmeet, fake in
            let outcome = try await letsmeet.ask(Self.search)
            #expect(outcome.status == 0)
            #expect(outcome.results.count == pagesCount)
            #expect(outcome.json["truncated"] as? Bool == isTruncated)
            #expect(fake.requests.count == pagesCount)
            #expect(fake.faults.isEmpty)
        }
    }

    @Test func `A place is shown by its id, and a removed one is unknown`() async throws {
        let answers = [
            FakeFoursquareAnswer.place(FakeFoursquare.museum), .refusal(404, "Not found"),
        ]
        try await withFoursquare(answers) { letsmeet, fake in
            let id = FakeFoursquare.id(0xA1)
            let shown = try await letsmeet.ask("place show fsq:\(id)")
            #expect(shown.status == 0)
            #expect(shown.place["name"] as? String == "Museum of Invented Things")
            #expect(shown.attribution.contains("Foursquare"))
            #expect(fake.requests.map(\.path) == ["/places/\(id)"])
            let gone = try await letsmeet.ask("place show fsq:\(id)")
            #expect(gone.status == 1)
            #expect(gone.code == "unknown_place")
        }
    }

    @Test func `Control sequences are shown as text`() async throws {
        try await withFoursquare([.places([FakeFoursquare.hostile])]) { letsmeet, _ in
            let plain = try await letsmeet.run(Self.search.split(separator: " ").map(String.init))
            #expect(plain.status == 0)
            #expect(plain.output.contains("Bad"))
            let hasControls = plain.output.unicodeScalars.contains {
                $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}"
            }
            #expect(!hasControls)
        }
    }
}
