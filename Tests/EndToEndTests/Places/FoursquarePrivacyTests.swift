import Foundation
import TestKit
import Testing

/// Only the ids of Foursquare's places may be stored. Everything else in an answer may be shown but
/// must not be found anywhere afterwards.
@Suite(.serialized, .timeLimit(.minutes(5))) struct FoursquarePrivacyTests {
    private static let id = "4d41b8c490f9224b9397121e"
    private static let search = "place search --city Helsinki --for museum --limit 1"
    private static let accepted = "The quiet corner behind the clock"
    /// A value for every field; each text occurs nowhere else.
    private static let texts = [
        "name": "qzname", "address": "qzstreet 17", "locality": "qztown", "region": "qzregion",
        "postcode": "qz99321", "country": "qzland", "formatted": "qzformatted 17, qztown",
        "category": "4bf58dd8d48988d1qz", "label": "qzlabel", "short": "qzshort",
        "tel": "+358987612345", "email": "qzmail@qz.example", "website": "https://qzsite.example/",
        "facebook": "171050519623290", "instagram": "qzgram", "chain": "qzchain",
        "store": "qzstore", "child": "qzchild", "refreshed": "2025-10-19", "made": "2011-01-27",
        "description": "qzdescription", "tip": "qztip", "photo": "qzphoto", "icon": "qzicon",
        "latitude": "60.1765431", "longitude": "24.9456789", "distance": "98765",
        "trouble": "qztrouble",
    ]

    private static let place: String = {
        let form = #"""
            {"fsq_place_id":"ID","name":"NAME","latitude":LATITUDE,"longitude":LONGITUDE,
            "distance":DISTANCE,"tel":"TEL","email":"EMAIL","website":"WEBSITE",
            "location":{"address":"ADDRESS","locality":"LOCALITY","region":"REGION",
            "postcode":"POSTCODE","country":"COUNTRY","formatted_address":"FORMATTED"},
            "categories":[{"fsq_category_id":"CATEGORY","name":"LABEL","short_name":"SHORT",
            "icon":{"prefix":"ICON","suffix":".png"}}],"date_refreshed":"REFRESHED",
            "date_created":"MADE","social_media":{"facebook_id":"FACEBOOK","instagram":"INSTAGRAM"},
            "chains":[{"fsq_chain_id":"CHAIN"}],"store_id":"STORE","description":"DESCRIPTION",
            "related_places":{"children":[{"fsq_place_id":"CHILD","name":"CHILD"}]},
            "tips":[{"text":"TIP"}],"photos":[{"prefix":"PHOTO"}]}
            """#
        let parts = form.split(separator: "\"", omittingEmptySubsequences: false).map { part in
            part == part.uppercased() ? texts[part.lowercased()] ?? String(part) : String(part)
        }
        return parts.joined(separator: "\"").replacing("\"ID\"", with: "\"\(id)\"")
            .replacing("LATITUDE", with: texts["latitude"] ?? "")
            .replacing("LONGITUDE", with: texts["longitude"] ?? "")
            .replacing("DISTANCE", with: texts["distance"] ?? "")
    }()

    @Test func `Only the id and the accepted words of a place are stored, whatever happens to it`()
        async throws
    {
        // This body answers a search as well as a request for the place itself.
        let body = "\(Self.place.dropLast()),\"results\":[\(Self.place)]}"
        try await withFoursquare([FakeFoursquareAnswer(.json(body))]) { letsmeet, fake in
            let search = try await letsmeet.ask(Self.search)
            #expect(search.names == ["qzname"])
            #expect(search.output.contains("60.1765431"))
            let place = "fsq:\(Self.id)"
            #expect(try await letsmeet.ask("place show \(place)").place["name"] is String)
            let saved = try await letsmeet.ask("place save \(place) --name", "Our corner")
            #expect(saved.place["name"] as? String == "Our corner")
            #expect(saved.place["reference"] as? String == place)
            #expect(try await letsmeet.ask("place save \(place)").status == 0)
            try await Self.makeMeetings(letsmeet, place: place)
            #expect(fake.faults.isEmpty)

            let daemon = Program("letsmeetd", home: letsmeet.home, settings: letsmeet.settings)
            let once = try await daemon.run("once", "--json", "--log", "trace")
            #expect(once.status == 0)
            #expect(once.output.contains(Self.accepted))
            #expect(once.output.contains("https://foursquare.com/v/\(Self.id)"))
            let told = (once.output + once.errors).lowercased()
            #expect(Self.texts.values.filter { told.contains($0) }.isEmpty)
            try once.errors.write(
                toFile: letsmeet.home + "/daemon.log", atomically: true, encoding: .utf8)
            let backup = letsmeet.home + "/backup.sqlite"
            #expect(try await letsmeet.run("backup", backup).status == 0)
            try checkKept(letsmeet.home)
        }
    }

    /// Creates meetings at the place, chosen in every way.
    private static func makeMeetings(_ letsmeet: Program, place: String) async throws {
        func meet(_ title: String, _ more: String...) async throws -> Program.Outcome {
            let outcome = try await letsmeet.run(
                ["meeting", "new", title, "--with", "anna@example.org", "--json"]
                    + ["--start", "2099-01-01T12:00"] + more)
            #expect(outcome.status == 0, "\(outcome.output)")
            return outcome
        }
        let page = "https://foursquare.com/v/\(id)"
        let worded = try await meet("Worded", "--place", place, "--place-text", accepted)
        #expect(worded.place["text"] as? String == accepted)
        #expect(worded.place["id"] as? String == place)
        #expect(worded.place["latitude"] is NSNull)
        let bare = try await meet("Bare", "--place", place)
        #expect(bare.place["text"] as? String == page)
        #expect((bare.json["remarks"] as? [String])?.first?.contains("qzname") == true)
        let nearest = try await meet("Nearest", "--city", "Helsinki", "--for", "museum")
        #expect(nearest.place["id"] as? String == place)
        #expect(nearest.place["text"] as? String == page)
        let saved = try await meet("Saved", "--place", "our corner")
        #expect(saved.place["text"] as? String == "Our corner")
        #expect(saved.place["id"] as? String == place)
        let renamed = try await letsmeet.ask("meeting edit bare --title", "Renamed")
        #expect(renamed.place["text"] as? String == page)
        let reworded = try await letsmeet.ask("meeting edit nearest --place-text", "Ours")
        #expect(reworded.place["text"] as? String == "Ours")
        #expect(reworded.place["id"] as? String == place)
    }

    private func checkKept(_ home: String) throws {
        let kept = try KeptBytes(in: home)
        #expect(kept.files.keys.contains("letsmeet.sqlite"))
        #expect(kept.files.keys.contains("backup.sqlite"))
        #expect(kept.find(Array(Self.texts.values)).isEmpty)
        #expect(kept.find([60.1765431, 24.9456789, 98765]).isEmpty)
        #expect(kept.find([FakeFoursquare.key]).isEmpty)
        // The search finds texts that are stored.
        #expect(kept.find([Self.id]).count >= 2)
        #expect(kept.find([Self.accepted]).count >= 2)
    }

    @Test func `A failed search leaves nothing behind`() async throws {
        let answers = [
            FakeFoursquareAnswer.refusal(400, "qztrouble"),
            .places([Self.place], link: "<https://qzelsewhere.example/>; rel=next"),
        ]
        try await withFoursquare(answers) { letsmeet, _ in
            let failed = try await letsmeet.ask(Self.search)
            #expect(failed.warnings.first?.contains("qztrouble") == true)
            let found = try await letsmeet.ask(Self.search)
            #expect(found.names == ["qzname"])
            let kept = try KeptBytes(in: letsmeet.home)
            #expect(kept.find(Self.texts.values + ["qzelsewhere"]).isEmpty)
        }
    }
}
