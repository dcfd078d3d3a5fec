import Agenda
import Planning
import Settings
import TestKit
import Testing
import TextUI

@testable import letsmeet

/// The choice of a place whose name was typed.
@Suite(.timeLimit(.minutes(5))) struct PlaceLineTests {
    private static func choose(
        _ text: String, _ answer: ScriptedQuestioner.Answer
    ) async throws -> (place: String, offers: [Choice]) {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            let places = try await planner.cataloguedChoices(for: text)
            let person = ScriptedQuestioner([("Place", answer)])
            var questioner: any Questioner = person
            let place = try await PlaceLine.choose(&questioner, for: text, among: places)
            #expect(person.surprises == [])
            return (place, person.questions.flatMap(\.offers))
        }
    }

    @Test func `A name that the catalogue has is offered with its address`() async throws {
        let chosen = try await Self.choose("Café Engel", .offer(1))
        #expect(chosen.offers.first?.label.hasPrefix("Cafe Engel · Aleksanterinkatu 26") == true)
        #expect(chosen.place == "osm:node/307465178")
    }

    @Test func `Without a choice, the words stay`() async throws {
        let kept = try await Self.choose("Café Engel", .enter)
        #expect(kept.place == "Café Engel")
        let several = try await Self.choose("Hesburger", .write("At Anna's"))
        #expect(several.offers.count > 1 && several.place == "At Anna's")
    }

    @Test(arguments: ["", "osm:node/307465178", "Anna's kitchen", "Engel's yard"])
    func `An id, a saved place and an unknown name bring no choice`(text: String) async throws {
        try await withHome { world in
            let planner = try await world.planner(settings: [.area: "Helsinki"])
            _ = try await planner.addPlace("Engel's yard", near: nil, address: "")
            #expect(try await planner.cataloguedChoices(for: text).isEmpty)
        }
    }
}
