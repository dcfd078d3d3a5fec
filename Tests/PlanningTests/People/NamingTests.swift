import Agenda
import Ledger
import Planning
import Settings
import TestKit
import Testing

@Suite struct NamingTests {
    @Test func `A contact with the owner's name and address is a separate person`() async throws {
        try await withTemporaryHome { world in
            let settings: [SettingName: String] = [
                .ownerName: "Kim Own", .ownerAddress: "home@example.org",
            ]
            let other = try await world.planner().add("Kim Own", "home@example.org")
            let planner = try await world.planner(settings: settings)
            for name in ["Kim Own", "home@example.org", "Kim Own <HOME@example.org>"] {
                let refused = await refusal { try await planner.create(.lunch(with: name)) }
                #expect(refused?.code == "ambiguous_person")
                #expect(refused?.candidates.count == 2)
            }
            let outcome = try await planner.create(.lunch(with: other.id))
            #expect(outcome.meeting.participants.map(\.id) == [planner.owner.id.text, other.id])
        }
    }

    @Test func `A part of the owner's name finds other people, and the whole name finds the owner`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.ownerName: "Kim"])
            let other = try await planner.add("Kimberly Kim")
            let outcome = try await planner.create(.lunch(with: "Kimb"))
            #expect(outcome.meeting.participants.last?.id == other.id)
            let alone = try await planner.create(.lunch(with: "Kim"))
            #expect(alone.meeting.participants.map(\.id) == [planner.owner.id.text])
        }
    }

    @Test func `A title means the planned meeting rather than a cancelled one`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            let old = try await planner.create(.lunch(with: "anna@example.org")).meeting.id
            _ = try await planner.cancelMeeting("Lunch", saving: true)
            #expect(try await planner.meeting("Lunch").id == old)
            let new = try await planner.create(.lunch(with: "anna@example.org")).meeting.id
            #expect(try await planner.meeting("Lunch").id == new)
            #expect(try await planner.meeting("Lun").id == new)
        }
    }

    @Test func `A new name with a shared address means a new person`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            try await planner.add("Peter Family", "fam@example.org")
            try await planner.add("Mary Family", "fam@example.org")
            let made = try await planner.create(.lunch(with: "Carla <fam@example.org>"))
            #expect(made.meeting.participants.map(\.name) == ["Olga Owner", "Carla"])
            let known = try await planner.create(
                .lunch(with: "Family, Mary <fam@example.org>", start: "2026-12-06T12:00"))
            #expect(known.meeting.participants.map(\.name) == ["Olga Owner", "Mary Family"])
        }
    }

    @Test func `Inviting the organizer gives a remark that they take part anyway`() async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(environment: ["LETSMEET_SINKS": "stdout"])
            try await planner.add("Anna Aalto")
            let sentence: Remark = "You are the organizer and take part without an invitation."
            let made = try await planner.create(.lunch(with: "Anna", "Olga Owner"))
            #expect(made.remarks == [sentence])
            let asked = try await planner.invite(["Olga Owner"], to: "Lunch", saving: true)
            #expect(asked.remarks == [sentence, "Nothing changes."])
            var request = MeetingRequest.lunch(with: "ben@example.org")
            request.title = "Dinner"
            _ = try await world.planner(actingAs: "Anna").create(request)
            let joined = try await planner.invite(
                ["Anna", "Olga Owner"], to: "Dinner", saving: true)
            #expect(
                joined.remarks
                    == [
                        "Anna Aalto is the organizer and takes part without an invitation.",
                        "You are busy from 12:00 to 13:00.",
                    ])
            #expect(joined.meeting.participants.map(\.name).contains("Olga Owner"))
        }
    }
}
