import Foundation
import NIOHTTP1
import Planning
import Settings
import TestKit
import Testing

@testable import Web

/// The pages of places.
@Suite(.timeLimit(.minutes(5))) struct PlacePageTests {
    /// Théhuone, a tea house of the sample: "Mo-Fr 10:00-19:00; Sa 10:00-18:00".
    private static let cafe = "osm-node-1007416273"

    @Test func `A place of the catalogue shows its hours, links, source and licence`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let path = "/places/\(Self.cafe)"
            // The clock of the test stands at Tuesday, 1 December 2026.
            let page = await browser.open(path).text
            #expect(page.contains("Mo-Fr 10:00-19:00; Sa 10:00-18:00"))
            #expect(page.contains("open now") || page.contains("closed now"))
            #expect(page.contains("http://www.thehuone.com/"))
            #expect(page.contains("https://www.openstreetmap.org/node/1007416273"))
            #expect(page.contains("© OpenStreetMap contributors"))
            #expect(page.contains("<svg class=\"map\""))
            #expect(page.contains("/new?place=osm%3Anode%2F1007416273"))
            let sunday = await browser.open("\(path)?at=2026-12-06T12:00").text
            #expect(sunday.contains("closed then"))
            let monday = await browser.open("\(path)?at=2026-12-07T12:00").text
            #expect(monday.contains("open then"))
        }
    }

    @Test func `The remark on places of the sample is in the language of the page`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            for path in ["/places/\(Self.cafe)", "/places?city=Helsinki&interest=tea"] {
                let english = await browser.open(path).text
                #expect(english.contains("April 2019, a sample: check before you go"))
                let german = await browser.open(path, [("Accept-Language", "de")]).text
                #expect(german.contains("April 2019, Beispieldaten, vor dem Besuch prüfen"))
                #expect(!german.contains("check before you go"))
            }
        }
    }

    @Test func `A found place is saved, renamed and removed`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let saved = await browser.submit("/places/\(Self.cafe)/save", "name=Tea")
            #expect(saved.status == .seeOther)
            let place = try #require(try await site.planner.savedPlaces().first)
            #expect(place.name == "Tea" && place.reference == "osm:node/1007416273")
            #expect(saved.field("Location") == "/places/\(place.id)?saved=place")
            let page = await browser.open("/places/\(place.id)").text
            #expect(page.contains("Eerikinkatu 10") && page.contains("value=\"Tea\""))
            let renamed = await browser.submit("/places/\(place.id)/save", "name=Best+tea")
            #expect(renamed.status == .seeOther)
            #expect(try await site.planner.savedPlaces().map(\.name) == ["Best tea"])
            let empty = await browser.submit("/places/\(place.id)/save", "name=")
            #expect(empty.status == .badRequest && empty.text.contains("name-fault"))
            _ = await browser.submit("/places/\(place.id)/remove", "")
            #expect(try await site.planner.savedPlaces().isEmpty)
        }
    }

    @Test func `Past meetings at a place are those of the reader alone`() async throws {
        try await TestSite.with { site in
            var request = MeetingRequest()
            (request.title, request.start) = ("Tea time", "2026-12-02T15:00")
            (request.place, request.with) = ("osm:node/1007416273", ["anna@example.org"])
            _ = try await site.planner.createMeeting(request, saving: true)
            _ = try await site.planner.add("Mia", "mia@example.org")
            let path = "/places/\(Self.cafe)"
            let olga = try await site.browser()
            #expect(!(await olga.open(path).text.contains("Tea time")))
            site.world.clock.advance(bySeconds: 3 * 86_400)
            #expect(await olga.open("\(path)?later").text.contains("Tea time"))
            let anna = try await site.browser(of: "anna@example.org")
            #expect(await anna.open(path).text.contains("Tea time"))
            let mia = try await site.browser(of: "Mia")
            #expect(!(await mia.open(path).text.contains("Tea time")))
        }
    }

    @Test func `A position is chosen by presses on the map, each closer, without scripts`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let found = await browser.submit(
                "/places/new", "name=Kitchen&find=60.17%2C24.94&do=find")
            #expect(found.status == .ok && found.input("name") == "Kitchen")
            #expect(found.input("center") == "60.17,24.94")
            #expect(found.input("radius") == "1200")
            let press = "name=Kitchen&center=60.17%2C24.94&radius=1200&spot.x=280&spot.y=98"
            let chosen = await browser.submit("/places/new", press)
            #expect(chosen.input("radius") == "350")
            let position = try #require(chosen.input("position"))
            // The right edge is 1,200 m to the east of the centre.
            #expect(position.hasPrefix("60.17, 24.961"))
            // A key on the button sends the corner, which is no press.
            let key = await browser.submit(
                "/places/new", press.replacing("spot.x=280&spot.y=98", with: "spot.x=0&spot.y=0"))
            #expect(key.input("position") == "")
            let saved = await browser.submit(
                "/places/new", "name=Kitchen&position=60.17%2C+24.961&do=save")
            #expect(saved.status == .seeOther)
            let place = try #require(try await site.planner.savedPlaces().first)
            #expect(place.latitude == 60.17 && place.longitude == 24.961)
        }
    }

    @Test func `The map of a place without a position searches for its address`() async throws {
        try await TestSite.with { site in
            let place = try await site.planner.addPlace("Kitchen", near: nil, address: "Katu 1")
            let browser = try await site.browser()
            let page = await browser.open("/places/\(place.id)").text
            #expect(page.contains("https://www.openstreetmap.org/search?query=Katu%201\""))
        }
    }

    @Test func `A place of one's own is changed, and faults keep what was typed`() async throws {
        try await TestSite.with { site in
            let place = try await site.planner.addPlace(
                "Kitchen", near: "60.17,24.94", address: "Katu 1")
            _ = try await site.planner.addPlace("Yard", near: nil, address: "")
            let browser = try await site.browser()
            let path = "/places/\(place.id)/edit"
            let form = await browser.open(path)
            #expect(form.input("position") == "60.17, 24.94" && form.input("name") == "Kitchen")
            let wrong = await browser.submit(
                path, "name=Kitchen&address=Katu+2&position=north&do=save")
            #expect(wrong.status == .badRequest && wrong.text.contains("position-fault"))
            #expect(wrong.input("address") == "Katu 2")
            let taken = await browser.submit(path, "name=Yard&position=&do=save")
            #expect(taken.status == .badRequest && taken.text.contains("name-fault"))
            let saved = await browser.submit(
                path, "name=Big+kitchen&address=Katu+2&position=&do=save")
            #expect(saved.status == .seeOther)
            let now = try await site.planner.savedPlaces().first { $0.id == place.id }
            #expect(now?.name == "Big kitchen" && now?.address == "Katu 2")
            #expect(now?.latitude == nil)
        }
    }

    @Test func `The search has pages, distances, and leaves out what is not open`() async throws {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let search = "/places?city=Helsinki&interest=coffee"
            func names(_ page: String) -> [String] {
                page.matches(of: #/<bdi>([^<]+)<\/bdi><\/a> <span class="small">/#).map {
                    String($0.1)
                }
            }
            let first = await browser.open(search).text
            #expect(names(first).count == 12)
            #expect(first.contains("&amp;p=2\"") || first.contains("&p=2\""))
            let second = await browser.open(search + "&p=2").text
            #expect(!names(second).isEmpty)
            let near = await browser.open(
                "/places?interest=coffee&near=60.1672%2C24.9354&within=w5"
            ).text
            #expect(!names(near).isEmpty)
            let far = await browser.open("/places?interest=coffee&near=60.17%2C24.9&within=w5")
            #expect(far.status == .ok)
            let open = await browser.open(search + "&open=2026-12-07T12:00").text
            #expect(open.contains("open then") && !open.contains("closed then"))
            #expect(open.contains("hours are not known"))
        }
    }

    @Test func `A part of the map limits the search, together with the other filters`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let search = "/places?city=Helsinki&interest=coffee"
            let whole = await browser.open(search).text
            #expect(whole.contains("<a href=\"#place-1\" tabindex=\"-1\"><circle"))
            #expect(whole.contains("<li id=\"place-1\">") && whole.contains(">North</a>"))
            #expect(!whole.contains("Everything found"))
            let part = "&here=60.1672%2C24.9354%2C300"
            let near = await browser.open(search + part).text
            let section = try #require(MapSection("60.1672,24.9354,300"))
            let pins = near.matches(of: #/<circle class="pin" cx="(-?\d+)" cy="(-?\d+)"/#)
            #expect(!pins.isEmpty && pins.count < 13)
            for pin in pins {
                let (right, down) = (Int(pin.1) ?? 999, Int(pin.2) ?? 999)
                #expect(abs(right) <= section.radius && abs(down) <= 210)
            }
            #expect(near.contains("value=\"60.1672,24.9354,300\" checked"))
            #expect(near.contains("Everything found"))
            let open = await browser.open(search + part + "&open=2026-12-07T12:00").text
            #expect(open.contains("open then") && !open.contains("closed then"))
            let sea = await browser.open(search + "&here=59.9%2C24.9%2C300").text
            #expect(sea.contains("class=\"fault\"") && sea.contains("<svg class=\"map\""))
            #expect(sea.contains("Everything found"))
        }
    }

    @Test func `A part of a map is read, moved by half, and zoomed within limits`() throws {
        let section = try #require(MapSection("60.17,24.94,1000"))
        #expect(section.text == "60.17,24.94,1000" && section.reachMeters == 1221)
        let north = section.moved(down: -1)
        #expect(north.latitude > section.latitude && north.longitude == section.longitude)
        #expect(section.contains(latitude: north.latitude, longitude: north.longitude))
        #expect(!section.contains(latitude: north.latitude + 0.001, longitude: 24.94))
        #expect(section.moved(right: 1).longitude > section.longitude)
        #expect(section.zoomed(isCloser: true).radius == 500)
        #expect(section.zoomed(isCloser: false).radius == 2000)
        #expect(MapSection("60.17,24.94,1")?.radius == MapSection.radii.lowerBound)
        #expect(MapSection("60.17,24.94,99999")?.radius == MapSection.radii.upperBound)
        for text in ["", "60.17,24.94", "60.17,24.94,x", "99,24.94,300", "60.17,24.94,300,1"] {
            #expect(MapSection(text) == nil, "\(text)")
        }
    }

    @Test func `If Foursquare does not answer, the page says so and shows the catalogue`()
        async throws
    {
        let fake = try FakeFoursquare([.refusal(401, "Invalid request token.")])
        defer { fake.stop() }
        try await TestSite.with(
            settings: [.sinks: "stdout", .foursquareURL: fake.url],
            environment: ["FOURSQUARE_SERVICE_KEY": FakeFoursquare.key]
        ) { site in
            let page = try await site.browser().open("/places?city=Helsinki&interest=coffee")
            #expect(page.status == .ok)
            #expect(page.text.contains("Foursquare does not answer at the moment."))
            #expect(page.text.contains("/places/osm-node-"))
        }
    }

    @Test func `A meeting is planned at a place of the catalogue, unless other words are typed`()
        async throws
    {
        try await TestSite.with { site in
            let browser = try await site.browser()
            let form = await browser.open("/new?place=osm%3Anode%2F1007416273")
            #expect(form.input("place") == "osm:node/1007416273")
            let words = try #require(form.input("placeText"))
            #expect(words.hasPrefix("Théhuone, Eerikinkatu 10"))
            let rest = "&date=2026-12-05&time=18:00&duration=1h&do=create"
            let filled =
                "&place=osm%3Anode%2F1007416273&filled=\(Link.segment(words))"
            for (number, text) in [words, "My kitchen"].enumerated() {
                let answer = await browser.submit(
                    "/new", "title=T\(number)&placeText=\(Link.segment(text))\(filled)\(rest)")
                #expect(answer.status == .seeOther)
                let id = String(answer.field("Location").dropFirst(3).prefix { $0 != "?" })
                let page = await browser.open("/m/\(id)").text
                #expect(page.contains("<svg class=\"map\"") == (number == 0))
            }
        }
    }

    @Test func `The picture of the map is an image without the style of the page`() async throws {
        try await TestSite.with { site in
            let image = try await site.browser().open(
                "/places/map.svg?at=60.17,24.94&radius=350&pin=60.17,24.94")
            #expect(image.status == .ok && image.mediaType == "image/svg+xml")
            #expect(image.text.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\""))
            #expect(!image.text.contains("class=\"") && !image.text.contains("data-map"))
        }
    }
}
