import Agenda
import NIOHTTP1
import Places
import Planning
import Settings
import Settings
import Storage
import Testing
import TestKit
@testable import Web

/// The maps on the pages.
@Suite(.timeLimit(.minutes(5))) struct MapPageTests {
    private static let tiles = "https://tile.example.org/{z}/{x}/{y}.png"

    /// Streets of Tampere, as an Overpass server sends them.
    private static let elements = [
        #"""
        {"type":"node","id":1,"lat":61.4981,"lon":23.7610,
        "tags":{"amenity":"cafe","name":"Kuja"}}
        """#,
        #"""
        {"type":"way","id":2,"tags":{"highway":"primary","name":"Hämeenkatu"},"geometry":[
        {"lat":61.4981,"lon":23.7550},{"lat":61.4981,"lon":23.7690}]}
        """#,
    ]

    private func plan(_ site: TestSite) async throws -> String {
        var request = MeetingRequest()
        request.title = "Coffee"
        request.start = "2026-12-01T19:00"
        request.place = "osm:node/1"
        return try await site.planner.createMeeting(request, saving: true).meeting.id
    }

    @Test func `A fetched map shows the streets around a venue`() async throws {
        let fake = try FakeOverpass(.elements(Self.elements))
        defer { fake.stop() }
        try await TestSite.with(settings: [.sinks: "stdout", .overpassURL: fake.url]) { site in
            let report = try await site.planner.fetchPlaces(city: "Tampere", radiusMeters: 2000)
            #expect(report.ways == 1 && report.warnings.isEmpty)
            let id = try await plan(site)
            let browser = try await site.browser()
            let page = await browser.open("/m/\(id)").text
            #expect(page.contains("Hämeenkatu</textPath>"))
            #expect(page.contains("© OpenStreetMap contributors, ODbL 1.0, data of 2026-11-20"))
            #expect(!page.contains("class=\"ring\""))
            _ = try await site.planner.fetchPlaces(city: "Tampere", radiusMeters: 2000)
            let second = try #require(fake.requests.last?.fields["data"])
            #expect(second.contains("way[\"building\"](around:1000,61.5,23.76)"))
        }
    }

    @Test func `A map that was fetched again is drawn again`() async throws {
        let first = try FakeOverpass(.elements(Self.elements))
        defer { first.stop() }
        try await TestSite.with(settings: [.sinks: "stdout", .overpassURL: first.url]) { site in
            _ = try await site.planner.fetchPlaces(city: "Tampere", radiusMeters: 2000)
            let id = try await plan(site)
            let browser = try await site.browser()
            #expect(await browser.open("/m/\(id)").text.contains("Hämeenkatu"))
            site.world.clock.advance(bySeconds: 86_400)
            let renamed = Self.elements.map { $0.replacing("Hämeenkatu", with: "Uusikatu") }
            let second = try FakeOverpass(.elements(renamed))
            defer { second.stop() }
            let later = try await site.world.planner(settings: [.overpassURL: second.url])
            _ = try await later.refreshPlaces()
            let page = await browser.open("/m/\(id)?again").text
            #expect(page.contains("Uusikatu") && !page.contains("Hämeenkatu"))
        }
    }

    @Test func `Without streets, the page shows distances`() async throws {
        let fake = try FakeOverpass(.elements([Self.elements[0]]))
        defer { fake.stop() }
        try await TestSite.with(settings: [.sinks: "stdout", .overpassURL: fake.url]) { site in
            let report = try await site.planner.fetchPlaces(city: "Tampere", radiusMeters: 2000)
            #expect(report.ways == 0)
            let id = try await plan(site)
            #expect(try await site.browser().open("/m/\(id)").text.contains("class=\"ring\""))
        }
    }

    @Test func `Tiles are offered only where the operator names their server`() async throws {
        let fake = try FakeOverpass(.elements(Self.elements))
        defer { fake.stop() }
        for tiles in [nil, Self.tiles] {
            var settings: [SettingName: String] = [.sinks: "stdout", .overpassURL: fake.url]
            settings[.mapTiles] = tiles
            try await TestSite.with(settings: settings) { site in
                _ = try await site.planner.fetchPlaces(city: "Tampere", radiusMeters: 2000)
                let id = try await plan(site)
                let answer = try await site.browser().open("/m/\(id)")
                let policy = answer.field("Content-Security-Policy")
                let isOffered = tiles != nil
                #expect(answer.text.contains("data-tiles=\"\(Self.tiles)\"") == isOffered)
                #expect(
                    policy.contains("img-src 'self' https://tile.example.org;") == isOffered)
                #expect(policy.contains("img-src 'self';") != isOffered)
                #expect(!answer.text.contains("<img"))
            }
        }
    }
}
