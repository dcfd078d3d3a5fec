import Agenda
import Planning
import Settings
import TestKit
import Testing

@Suite struct PlaceArgumentTests {
    @Test func `Changing only the words of a place raises the revision and keeps the place`()
        async throws
    {
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

    @Test func `The words of a place cannot be changed if the meeting has no place`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.create(.lunch(with: "anna@example.org"))
            let refused = await refusal {
                _ = try await planner.edit("Lunch") { $0.placeText = "The back door" }
            }
            #expect(refused?.code == "no_place")
            #expect(refused?.category == .invalid)
            #expect(
                refused?.message == "Lunch has no place yet, so its text cannot be changed.")
            #expect(refused?.advice == [.give([.place])])
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
            ("Home", "Helsinki", nil, nil, .leaveOut([.city])),
            ("Home", nil, "lunch", nil, .leaveOut([.interest])),
            ("Home", "Helsinki", "lunch", nil, .leaveOut([.city, .interest])),
            (nil, "Helsinki", nil, nil, .give([.interest])),
            (nil, nil, nil, "The back door", .give([.place, .interest])),
            ("", nil, nil, "The back door", .give([.place, .interest])),
        ] as [(String?, String?, String?, String?, Advice)])
    func `A part of a request that would be ignored is refused by name`(
        _ place: String?, _ city: String?, _ interest: String?, _ line: String?,
        _ advice: Advice
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
            #expect(refused?.advice == [advice])
        }
    }

    @Test func `The configured area is used if no city is given`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            var request = MeetingRequest.lunch(with: "anna@example.org")
            request.interest = "museum"
            request.placeText = "The museum"
            #expect(try await planner.create(request).meeting.place?.text == "The museum")
        }
    }
}
