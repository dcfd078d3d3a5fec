import Agenda
import Planning
import TestKit
import Testing
import Wording

@Suite struct CircleTests {
    private func circle(_ body: (Planner) async throws -> Void) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna")
            _ = try await planner.add("Ben")
            _ = try await planner.addCircle("c1", members: ["anna"])
            try await body(planner)
        }
    }

    @Test func `A second circle of the same name is refused, and the first one is shown`()
        async throws
    {
        try await circle { planner in
            let refused = await refusal {
                _ = try await planner.addCircle("C1", members: [PersonID]())
            }
            #expect(refused?.code == "known_circle")
            #expect(refused?.message == "There is already a circle called \"c1\".")
            #expect(refused?.candidates.map(\.label) == ["c1 (circle, 1 person)  (circle:c1)"])
        }
    }

    @Test func `A renamed circle keeps its people, and cannot take the name of another`()
        async throws
    {
        try await circle { planner in
            _ = try await planner.addCircle("c2", members: ["ben"])
            let first = try await planner.circle(named: "c1")
            let renamed = try await planner.renameCircle(first, to: "Chess club")
            #expect(renamed.0.name == "Chess club")
            #expect(renamed.1.map(\.name) == ["Anna"])
            #expect(try await planner.renameCircle(first, to: "CHESS club").0.id == renamed.0.id)
            let refused = await refusal { _ = try await planner.renameCircle(first, to: "C2") }
            #expect(refused?.code == "known_circle")
            #expect(try await planner.circles().map(\.name) == ["c2", "CHESS club"])
            let bad = await refusalCode { _ = try await planner.renameCircle(first, to: "a@b") }
            #expect(bad == "bad_name")
        }
    }

    @Test func `A mistyped name of a circle is answered with the near one`() async throws {
        try await circle { planner in
            _ = try await planner.addCircle("choir", members: ["ben"])
            let refused = await refusal { _ = try await planner.circle(named: "chior") }
            #expect(
                refused?.message
                    == "There is no circle called \"chior\". Did you mean one of these?")
            #expect(
                refused?.candidates.map(\.label) == ["choir (circle, 1 person)  (circle:choir)"])
            let other = await refusal { _ = try await planner.circle(named: "nothing like it") }
            #expect(other?.candidates.count == 2)
        }
    }

    @Test(
        arguments: [
            ("aalto", ["Anna Aalto"]), ("E.ORG", ["Anna Aalto", "Ben Berg"]),
            ("0401", ["Ben Berg"]),
            ("chess", ["Ben Berg"]), ("12", []), ("nobody", []),
        ] as [(String, [String])])
    func `Contacts are found by a part of the name, address, phone number or circle`(
        _ text: String, _ names: [String]
    ) async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna Aalto", "anna@e.org")
            var ben = ContactEdit()
            ben.name = "Ben Berg"
            ben.emails = ["ben@e.org"]
            ben.phones = ["+358 (0)40-123"]
            _ = try await planner.addPerson(ben)
            _ = try await planner.add("Cai", "cai@example.net")
            _ = try await planner.addCircle("Chess club", members: ["ben"])
            #expect(try await planner.people(matching: text).map(\.name) == names)
        }
    }

    @Test func `A name shared by a circle and a person is refused until a prefix decides`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            let tennis = try await planner.add("Tennis", "tennis@example.org")
            _ = try await planner.add("Ben")
            _ = try await planner.addCircle("Tennis", members: ["ben"])
            let refused = try #require(
                await refusal { _ = try await planner.meet("Match", with: "tennis") })
            #expect(refused.code == "ambiguous_person")
            #expect(
                refused.message
                    == "\"tennis\" is both a circle and a person. "
                    + "Write circle:Tennis or person:tennis.")
            #expect(
                refused.candidates.map(\.label) == [
                    "Tennis (circle, 1 person)  (circle:Tennis)",
                    "Tennis · tennis@example.org  (\(tennis.id))",
                ])
            let json = try JSONText.of(refused.answer)
            #expect(json.contains("\"kind\":\"circle\""))
            #expect(json.contains("\"who\":\"circle:Tennis\""))
            #expect(json.contains("\"kind\":\"person\""))
            #expect(json.contains("\"who\":\"\(tennis.id)\""))
            for (who, name) in [
                ("circle:tennis", "Ben"), ("Circle: Tennis", "Ben"), ("person:Tennis", "Tennis"),
                ("person:tennis@example.org", "Tennis"), (tennis.id, "Tennis"),
            ] {
                let id = try await planner.meet("Match", with: who)
                let guests = try await planner.meeting(id).participants
                #expect(guests.map(\.name) == ["Olga Owner", name])
                _ = try await planner.answer(
                    id, .going, who: who, plus: nil, note: nil, saving: true)
            }
            #expect(try await planner.circle("circle:Tennis").0.name == "Tennis")
            let guest = try await planner.guest("circle:Tennis")
            #expect(try await planner.guest(guest.who) == guest)
            #expect(try await home.planner(actingAs: "person:tennis").actor.name == "Tennis")
        }
    }

    @Test func `A contact whose name begins with "Circle:" is still found`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Circle: Friends")
            #expect(try await planner.contact("circle: friends").name == "Circle: Friends")
        }
    }

    @Test func `A circle with the name of a person, or a part of it, gives a remark`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            _ = try await planner.add("Anna Korhonen")
            _ = try await planner.add("Zoé Virtanen")
            for (name, remark) in [
                (
                    "Anna",
                    "From now on, \"Anna\" means this circle. person:Anna means Anna Korhonen."
                ),
                (
                    "ZOE virtanen",
                    "\"ZOE virtanen\" is now the name of a circle and of a person. "
                        + "Write \"circle:ZOE virtanen\" or \"person:ZOE virtanen\"."
                ),
                ("Chess", nil),
            ] {
                _ = try await planner.addCircle(name, members: ["person:korhonen"])
                #expect(try await planner.remark(onCircleNamed: name) == remark)
            }
            let games = try await planner.meet("Games", with: "anna")
            #expect(try await planner.meeting(games).participants.count == 2)
            let code = await refusalCode { _ = try await planner.meet("Go", with: "zoe virtanen") }
            #expect(code == "ambiguous_person")
            let one = await refusal { _ = try await planner.contact("Anna") }
            #expect(one?.code == "is_circle")
            #expect(one?.message.contains("person:Anna") == true)
            #expect(try await planner.contact("person:Anna").name == "Anna Korhonen")
        }
    }

    @Test func `Nobody is removed from a circle if one of the people is not in it`() async throws {
        try await circle { planner in
            let refused = await refusal {
                _ = try await planner.removeMembers(["anna", "ben"], from: "C1")
            }
            #expect(refused?.code == "not_in_circle")
            #expect(
                refused?.message == "Ben is not in the circle \"c1\". Nobody was removed.")
            #expect(refused?.category == .refused)
            let before = try await planner.circle("c1").1
            #expect(before.map(\.name) == ["Anna"])
            let after = try await planner.removeMembers(["anna"], from: "c1").1
            #expect(after.isEmpty)
        }
    }
}
