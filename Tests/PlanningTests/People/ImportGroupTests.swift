import Agenda
import Planning
import TestKit
import Testing
import Wording

@Suite struct ImportGroupTests {
    private static func group(_ name: String, members: [String]) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "KIND:group", "FN:\(name)"]
            + members.map { "MEMBER:urn:uuid:\($0)" } + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    @Test func `An import reports its circles and the group members that it could not find`()
        async throws
    {
        try await withHome { home in
            let anna = SampleCard(name: "Anna Berg", emails: ["a@example.org"], uid: "1").text
            let planner = try await home.planner()
            _ = try await planner.addCircle("go", members: [PersonID]())
            let report = try await home.importFile(
                anna + Self.group("Chess", members: ["1", "8", "9"])
                    + Self.group("Go", members: ["1"]) + Self.group("Anna", members: []))
            #expect(report.circles.map(\.name) == ["Chess", "go", "Anna"])
            #expect(report.circles.map(\.isNew) == [true, false, true])
            #expect(report.circles.map(\.people) == [1, 1, 0])
            #expect(report.warnings.map(\.line) == [7, 21])
            #expect(
                report.warnings.map(\.reason) == [
                    "2 members of the group \"Chess\" could not be found among the imported cards: "
                        + "urn:uuid:8, urn:uuid:9.",
                    "From now on, \"Anna\" means this circle. person:Anna means Anna Berg.",
                ])
            let json = try JSONText.of(report)
            #expect(json.contains(#""circles":[{"is_new":true,"name":"Chess","people":1}"#))
        }
    }

    @Test func `A group finds people of an earlier import by their UIDs`() async throws {
        try await withHome { home in
            let uid = "4FBE8971-0BC3-424C-9C26-36C3E1EFF6B1"
            let anna = SampleCard(name: "Anna Berg", emails: ["a@example.org"], uid: uid)
            let ben = SampleCard(name: "Ben Sky", emails: ["b@example.org"], uid: "b7")
            try await home.importCards([anna, ben])
            let report = try await home.importFile(
                Self.group("Chess", members: [uid.lowercased(), "b7"]))
            #expect(report.circles.map(\.people) == [2] && report.warnings.isEmpty)
        }
    }
}
