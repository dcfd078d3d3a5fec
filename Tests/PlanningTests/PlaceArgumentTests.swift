import Agenda
import Planning
import Settings
import TestKit
import Testing

@Suite struct PlaceArgumentTests {
    @Test func `The line of a place is changed by itself, and told`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await planner.addPlace("Home", near: "60.17,24.94", address: "Street 1")
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.place = "Home"
            let before = try #require(try await planner.create(request).meeting.place)
            let outcome = try await planner.edit("Lunch") {
                $0.placeText = "Home, by the back door"
            }
            let after = try #require(outcome.meeting.place)
            #expect(after.text == "Home, by the back door")
            #expect(after.id == before.id)
            #expect(after.latitude == before.latitude)
            #expect(outcome.meeting.revision == 2)
        }
    }

    @Test func `A meeting without a place has no line to change`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            let refused = await refusal {
                _ = try await planner.edit("Lunch") { $0.placeText = "The back door" }
            }
            #expect(refused?.code == "no_place")
            #expect(refused?.category == .invalid)
            #expect(refused?.message == "Lunch has no place yet. Name it with --place, too.")
            let removed = await refusal {
                _ = try await planner.edit("Lunch") {
                    $0.place = ""
                    $0.placeText = "The back door"
                }
            }
            #expect(removed?.code == "usage")
        }
    }

    @Test(
        arguments: [
            ("Home", "Helsinki", nil, nil, "--place names the place: leave out --city."),
            ("Home", nil, "lunch", nil, "--place names the place: leave out --for."),
            (
                "Home", "Helsinki", "lunch", nil,
                "--place names the place: leave out --city and --for."
            ),
            (
                nil, "Helsinki", nil, nil,
                "--city needs --for: what kind of place is it to be, such as --for lunch?"
            ),
            (
                nil, nil, nil, "The back door",
                "--place-text needs a place: give --place, or --city and --for."
            ),
            (
                "", nil, nil, "The back door",
                "--place-text needs a place: give --place, or --city and --for."
            ),
        ] as [(String?, String?, String?, String?, String)])
    func `What would be ignored is refused, by name`(
        _ place: String?, _ city: String?, _ interest: String?, _ line: String?,
        _ sentence: String
    ) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.place = place
            request.city = city
            request.interest = interest
            request.placeText = line
            let refused = await refusal { try await planner.create(request) }
            #expect(refused?.code == "usage")
            #expect(refused?.category.exitStatus == 2)
            #expect(refused?.message == sentence)
        }
    }

    @Test func `The configured area stands in for a city`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.interest = "museum"
            request.placeText = "The museum"
            #expect(try await planner.create(request).meeting.place?.text == "The museum")
        }
    }
}
