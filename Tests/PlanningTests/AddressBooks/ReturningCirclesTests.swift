import Agenda
import Planning
import TestKit
import Testing

/// Imports of cards whose categories became circles that were changed here since.
@Suite struct ReturningCirclesTests {
    private func card(_ name: String, _ categories: String, _ more: String = "") -> String {
        SampleCard(name: name, emails: ["\(name)@example.org"], uid: name).text.replacing(
            "END:VCARD", with: "CATEGORIES:\(categories)\r\n\(more)END:VCARD")
    }

    @Test(arguments: ["", "TEL:12345\r\n"])
    func `A circle that was renamed or deleted does not come back with its cards`(
        _ change: String
    ) async throws {
        try await withHome { home in
            try await home.importFile(card("Anna", "Choir") + card("Ben", "Choir,Go"))
            let planner = try await home.planner()
            let choir = try await planner.circle(named: "Choir")
            let ben = try await planner.person(named: "Ben")
            _ = try await planner.removeMembers([ben.id], from: choir)
            _ = try await planner.renameCircle(choir, to: "Singers")
            _ = try await planner.deleteCircle("Go")
            let report = try await home.importFile(
                card("Anna", "Choir", change) + card("Ben", "Choir,Go", change))
            #expect(report.updated == (change.isEmpty ? 0 : 2))
            #expect(report.circles.isEmpty && report.warnings.isEmpty)
            let circles = try await planner.circles()
            #expect(circles.map(\.name) == ["Singers"] && circles.map(\.count) == [1])
        }
    }

    @Test func `A category that a card gains puts its person into the circle`() async throws {
        try await withHome { home in
            try await home.importFile(card("Anna", "Choir") + card("Ben", "Go"))
            let report = try await home.importFile(card("Anna", "Choir") + card("Ben", "Go,Choir"))
            #expect(report.circles.map(\.name) == ["Choir"])
            #expect(report.circles.map(\.added) == [1] && report.circles.map(\.people) == [2])
        }
    }

    @Test func `The categories of an older card make no circles`() async throws {
        try await withHome { home in
            try await home.importFile(card("Anna", "Choir", "REV:20260101T000000Z\r\n"))
            let report = try await home.importFile(
                card("Anna", "Choir,Go", "REV:20240101T000000Z\r\n"))
            #expect(report.circles.isEmpty)
            let names = try await home.planner().circles().map(\.name)
            #expect(names == ["Choir"])
        }
    }
}
