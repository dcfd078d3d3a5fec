import Agenda
import Planning
import Settings
import TestKit
import Testing

/// Places of the catalogue that are named by their names and addresses.
@Suite(.timeLimit(.minutes(5))) struct CatalogueNameTests {
    private static let engel = (latitude: 60.1693, longitude: 24.9526)

    private func isNearEngel(_ latitude: Double?, _ longitude: Double?) -> Bool {
        guard let latitude, let longitude else { return false }
        return abs(latitude - Self.engel.latitude) < 0.003
            && abs(longitude - Self.engel.longitude) < 0.006
    }

    @Test(arguments: ["Café Engel", "cafe engel", "Aleksanterinkatu 26", "60.1693,24.9526"])
    func `A search begins at a place, an address or a position`(near: String) async throws {
        try await withHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            var request = PlaceRequest()
            (request.near, request.interest) = (near, "coffee")
            let found = try await planner.searchPlaces(request)
            let first = try #require(found.results.first)
            #expect(isNearEngel(first.latitude, first.longitude), "\(near): \(first)")
        }
    }

    @Test(arguments: ["Nowhere", "Aleksanterinkatu 2600", "Aleksanterinkatu", "%", "\"", ""])
    func `What the catalogue does not know is refused as the centre of a search`(
        near: String
    ) async throws {
        try await withHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            var request = PlaceRequest()
            (request.near, request.interest) = (near, "coffee")
            let wanted = request
            let code = await refusal { _ = try await planner.searchPlaces(wanted) }?.code
            #expect(["no_position", "usage"].contains(code), "\(code ?? "")")
        }
    }

    @Test(arguments: [
        (nil, "Aleksanterinkatu 26", true), (nil, "Aleksanterinkatu 26, 2nd floor", true),
        (nil, "Aleksanterinkatu 2", false), (nil, "The blue door", false),
        ("Café Engel", "In the yard", true), ("60.1693,24.9526", "", true),
    ])
    func `A place of one's own gets the position of its address`(
        near: String?, address: String, isKnown: Bool
    ) async throws {
        try await withHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            let place = try await planner.addPlace("Mine", near: near, address: address)
            #expect(isNearEngel(place.latitude, place.longitude) == isKnown, "\(place)")
        }
    }

    @Test(arguments: [
        ("Aleksanterinkatu 26, Helsinki", true), ("Aleksanterinkatu 26, 00170 Helsinki", true),
        ("Aleksanterinkatu 26, Helsinki, Finland", true), ("Aleksanterinkatu 26", false),
        ("Aleksanterinkatu 26, 2nd floor", false), ("Aleksanterinkatu 26, 10115 Berlin", false),
    ])
    func `An address is looked up around the city that it names`(
        address: String, isKnown: Bool
    ) async throws {
        try await withHome { world in
            let planner = try await world.planner(settings: [.area: "Berlin"])
            let place = try await planner.addPlace("Mine", near: nil, address: address)
            #expect(isNearEngel(place.latitude, place.longitude) == isKnown, "\(place)")
        }
    }

    @Test func `A place that is written as a text is pointed out if the catalogue has it`()
        async throws
    {
        try await withHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            for (text, isKnown) in [("Café Engel", true), ("Anna's kitchen", false)] {
                var request = MeetingRequest.lunch()
                request.place = text
                let made = try await planner.createMeeting(request, saving: false)
                #expect(made.meeting.place?.text == text)
                let words = made.remarks.map(\.text).joined()
                #expect(words.contains("The catalogue has Cafe Engel") == isKnown, "\(words)")
            }
        }
    }
}
