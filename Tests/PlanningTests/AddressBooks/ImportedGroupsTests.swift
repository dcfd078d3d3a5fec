import Agenda
import Planning
import TestKit
import Testing

/// Later imports of group cards, whose circles were changed here since.
@Suite struct ImportedGroupsTests {
    private static let people = ["Anna", "Ben", "Cid"].map { name in
        SampleCard(name: name, emails: ["\(name)@example.org"], uid: name).text
    }.joined()

    private func group(_ name: String, _ members: [String], uid: String?) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "KIND:group", "FN:\(name)"]
            + [uid.map { "UID:\($0)" }].compactMap(\.self)
            + members.map { "MEMBER:urn:uuid:\($0)" } + ["END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    private func members(_ planner: Planner, of circle: String) async throws -> [String] {
        try await planner.circle(circle).1.map(\.name)
    }

    @Test(arguments: [nil, "g1"] as [String?])
    func `A circle that was renamed here stays the one of its group card`(
        _ uid: String?
    ) async throws {
        try await withHome { home in
            let file = Self.people + group("Chess", ["Anna", "Ben"], uid: uid)
            try await home.importFile(file)
            let planner = try await home.planner()
            let chess = try await planner.circle(named: "Chess")
            let ben = try await planner.person(named: "Ben")
            _ = try await planner.removeMembers([ben.id], from: chess)
            _ = try await planner.renameCircle(chess, to: "Sunday")
            let again = try await home.importFile(file)
            #expect(again.circles.isEmpty && again.warnings.isEmpty)
            let later = try await home.importFile(
                Self.people + group("Chess", ["Anna", "Ben", "Cid"], uid: uid))
            #expect(later.circles.map(\.name) == ["Sunday"] && later.circles.map(\.added) == [1])
            let names = try await planner.circles().map(\.name)
            let members = try await members(planner, of: "Sunday")
            #expect(names == ["Sunday"] && members == ["Anna", "Cid"])
        }
    }

    @Test func `A circle that was deleted here is not made again, which is told once`()
        async throws
    {
        try await withHome { home in
            let file = Self.people + group("Chess", ["Anna"], uid: "g1")
            try await home.importFile(file)
            let planner = try await home.planner()
            _ = try await planner.deleteCircle("Chess")
            let again = try await home.importFile(file)
            #expect(again.circles.isEmpty && again.warnings.isEmpty)
            let changed = Self.people + group("Chess", ["Anna", "Ben"], uid: "g1")
            let told = try await home.importFile(changed).warnings.map(\.reason)
            #expect(
                told == [
                    "the circle of the group \"Chess\" was deleted here, so the import does not "
                        + "make it again. If you make a circle with this name, the next import "
                        + "brings the people of the group into it."
                ])
            let last = try await home.importFile(changed)
            let circles = try await planner.circles()
            #expect(last.warnings.isEmpty && circles.isEmpty)
        }
    }

    @Test func `A circle that was made by hand takes the place of a deleted one`() async throws {
        try await withHome { home in
            let file = Self.people + group("Chess", ["Anna"], uid: "g1")
            try await home.importFile(file)
            let planner = try await home.planner()
            _ = try await planner.deleteCircle("Chess")
            try await home.importFile(file)
            _ = try await planner.addCircle("chess", members: ["Cid"])
            let report = try await home.importFile(file)
            #expect(report.circles.map(\.added) == [1] && report.warnings.isEmpty)
            let later = try await home.importFile(
                Self.people + group("Chess", ["Anna", "Ben"], uid: "g1"))
            #expect(later.circles.map(\.added) == [1] && later.warnings.isEmpty)
            let members = try await members(planner, of: "chess")
            #expect(members == ["Anna", "Ben", "Cid"])
        }
    }

    @Test func `A group that was renamed in the file renames its circle`() async throws {
        try await withHome { home in
            try await home.importFile(
                Self.people + group("Chess", ["Anna"], uid: "g1")
                    + group("Go", ["Anna"], uid: "g2"))
            let planner = try await home.planner()
            _ = try await planner.renameCircle(try await planner.circle(named: "Go"), to: "Baduk")
            let report = try await home.importFile(
                Self.people + group("Schach", ["Anna", "Ben"], uid: "urn:uuid:g1")
                    + group("Weiqi", ["Anna"], uid: "G2"))
            #expect(
                report.warnings.map(\.reason) == [
                    "the circle \"Chess\" is now called \"Schach\", as its group in the file"
                ])
            let names = try await planner.circles().map(\.name)
            let members = try await members(planner, of: "Schach")
            #expect(names == ["Baduk", "Schach"] && members == ["Anna", "Ben"])
        }
    }

    @Test func `A group renames no circle that was made by hand`() async throws {
        try await withHome { home in
            try await home.importFile(Self.people)
            let planner = try await home.planner()
            _ = try await planner.addCircle("Chess", members: ["Ben"])
            try await home.importFile(Self.people + group("Chess", ["Anna"], uid: "g1"))
            let report = try await home.importFile(
                Self.people + group("Schach", ["Anna", "Cid"], uid: "g1"))
            #expect(report.circles.map(\.name) == ["Chess"] && report.warnings.isEmpty)
            let names = try await planner.circles().map(\.name)
            let members = try await members(planner, of: "Chess")
            #expect(names == ["Chess"] && members == ["Anna", "Ben", "Cid"])
        }
    }

    @Test func `A group renames no circle that another group has, too`() async throws {
        try await withHome { home in
            try await home.importFile(Self.people + group("Chess", ["Anna"], uid: "g1"))
            try await home.importFile(Self.people + group("Chess", ["Ben"], uid: nil))
            let report = try await home.importFile(
                Self.people + group("Schach", ["Anna", "Cid"], uid: "g1"))
            #expect(report.circles.map(\.name) == ["Chess"] && report.warnings.isEmpty)
            let planner = try await home.planner()
            let names = try await planner.circles().map(\.name)
            let members = try await members(planner, of: "Chess")
            #expect(names == ["Chess"] && members == ["Anna", "Ben", "Cid"])
        }
    }

    @Test func `People whose cards come later come into the circle of their group`() async throws {
        try await withHome { home in
            let file = group("Chess", ["Anna"], uid: "g1")
            let first = try await home.importFile(file)
            #expect(first.circles.map(\.people) == [0] && first.warnings.count == 1)
            let second = try await home.importFile(Self.people + file)
            #expect(second.circles.map(\.added) == [1] && second.warnings.isEmpty)
        }
    }

    @Test func `Groups with one UID and other names make circles of their own`() async throws {
        try await withHome { home in
            let file =
                Self.people + group("Chess", ["Anna"], uid: "1") + group("Go", ["Ben"], uid: "1")
            try await home.importFile(file)
            let again = try await home.importFile(file)
            #expect(again.circles.isEmpty)
            let names = try await home.planner().circles().map(\.name)
            #expect(names == ["Chess", "Go"])
        }
    }

    @Test func `A deleted circle is not made again if another group has the UID of its group`()
        async throws
    {
        try await withHome { home in
            let chess = group("Chess", ["Anna"], uid: "1")
            let go = group("Go", ["Ben"], uid: "1")
            try await home.importFile(Self.people + chess)
            let planner = try await home.planner()
            _ = try await planner.deleteCircle("Chess")
            for groups in [chess + go, go + chess, go, chess] {
                try await home.importFile(Self.people + groups)
                let names = try await planner.circles().map(\.name)
                #expect(names == ["Go"])
            }
        }
    }
}
