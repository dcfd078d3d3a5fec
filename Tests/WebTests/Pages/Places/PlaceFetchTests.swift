import Ledger
import NIOHTTP1
import Planning
import Settings
import Storage
import TestKit
import Testing

@testable import Web

/// Fetching the places of a city from its page, and what the pages show where nothing was fetched.
@Suite(.timeLimit(.minutes(5))) struct PlaceFetchTests {
    private static let cafe = #"""
        {"type":"node","id":1,"lat":61.4981,"lon":23.7610,
        "tags":{"amenity":"cafe","name":"Kuja"}}
        """#
    private static let search = "/places?city=Tampere&interest=coffee"

    /// Presses the button that fetches the places of Tampere, and waits for the end of the task.
    private static func fetch(on site: TestSite) async throws -> PageAnswer {
        let browser = try await site.browser()
        let page = await browser.open(search).text
        let form = try #require(page.firstMatch(of: #/type="hidden" name="city" value="(\d+)"/#))
        let place = await browser.submit("/places/fetch", "city=\(form.1)").field("Location")
        await site.site.tasks.ended(LongTaskID(text: String(place.dropFirst(7))))
        return await browser.open(place)
    }

    @Test func `The owner fetches the places of a city that the catalogue does not cover`()
        async throws
    {
        let fake = try FakeOverpass(.elements([Self.cafe]))
        defer { fake.stop() }
        try await TestSite.with(settings: [.sinks: "stdout", .overpassURL: fake.url]) { site in
            let page = try await Self.fetch(on: site)
            #expect(page.text.contains("1 place is new"))
            #expect(!fake.requests.isEmpty)
            let found = try await site.browser().open(Self.search).text
            #expect(found.contains("<bdi>Kuja</bdi>") && !found.contains("/places/fetch"))
        }
    }

    @Test func `A server that refuses is named on the page of the task, and nothing is saved`()
        async throws
    {
        let fake = try FakeOverpass(.refusal(403, retryAfter: nil))
        defer { fake.stop() }
        try await TestSite.with(settings: [.sinks: "stdout", .overpassURL: fake.url]) { site in
            let page = try await Self.fetch(on: site)
            #expect(page.status == .ok && page.text.contains("This could not be done."))
            #expect(try await site.browser().open(Self.search).text.contains("/places/fetch"))
        }
    }

    @Test func `A saved place without a position is named when places near it are looked for`()
        async throws
    {
        try await TestSite.with { site in
            _ = try await site.planner.addPlace("Yard", near: nil, address: "Katu 1")
            let page = try await site.browser().open("/places?near=yard&interest=coffee").text
            #expect(page.contains("Yard") && page.contains("has no position."))
            #expect(!page.contains("knows no place"))
        }
    }

    @Test(arguments: [("Helsinki", "1200"), ("Tampere", "4000")])
    func `The map of a new place begins with the streets that are known`(
        city: String, radius: String
    ) async throws {
        try await TestSite.with(settings: [.sinks: "stdout", .area: city]) { site in
            let page = try await site.browser().open("/places/new")
            #expect(page.input("radius") == radius)
        }
    }
}
