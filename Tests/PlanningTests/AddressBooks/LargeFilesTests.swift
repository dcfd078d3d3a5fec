import Agenda
import FoundationEssentials
import Settings
import TestKit
import Testing

@testable import Planning

/// Imports of several large files, of which one at a time is in memory.
@Suite struct LargeFilesTests {
    private static func card(_ name: String, _ lines: String..., octets: Int = 0) -> String {
        let picture = String(repeating: "QUJD", count: octets / 4)
        let all = ["FN:\(name)", "EMAIL:\(name)@example.org"] + lines
        return
            (["BEGIN:VCARD", "VERSION:3.0"] + all
            + ["PHOTO;ENCODING=b;TYPE=JPEG:\(picture)", "END:VCARD", ""])
            .joined(separator: "\r\n")
    }

    private func paths(_ files: [String], in home: TestWorld) throws -> [String] {
        try home.home.make()
        return try files.enumerated().map { place, text in
            let path = home.home.path + "/\(place).vcf"
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            return path
        }
    }

    @Test func `Files that are read twice are imported and reported once`() async throws {
        try await withHome { home in
            let group =
                ["BEGIN:VCARD", "VERSION:4.0", "KIND:group", "FN:Chess"]
                + [
                    "MEMBER:mailto:Anna@example.org", "MEMBER:mailto:Cid@example.org", "END:VCARD",
                    "",
                ]
            let files = [
                Self.card("Anna", "UID:x1", octets: 5 << 20),
                Self.card("Ben", "UID:x1", "BDAY:soon", octets: 5 << 20)
                    + group.joined(separator: "\r\n"),
                Self.card("Cid", "UID:x3"),
            ]
            let paths = try paths(files, in: home)
            let planner = try await home.planner()
            var steps: [[Int]] = []
            let report = try await planner.importPeople(paths, selection: ImportSelection()) {
                steps.append([$0, $1])
            }
            #expect(report.counts == [3, 0, 0] && report.read == 4)
            let others = report.warnings.filter { !$0.reason.contains("picture") }
            #expect(others.map(\.file) == [paths[1], paths[1]])
            #expect(report.warnings.count == others.count + 2)
            #expect(report.circles.map(\.people) == [2])
            #expect(steps == [[3, 3]])
            let book = try await home.addressBook()
            #expect(book.map { $0.prefix(3) } == ["Ann", "Ben", "Cid"])
            let again = try await planner.importPeople(paths, selection: ImportSelection())
            #expect(again.counts == [0, 0, 3])
        }
    }

    @Test func `Small files are kept, and a large one is read again unless it is a stream`() {
        var survey = ImportSurvey()
        let half = ImportSurvey.keptOctetsMax / 2
        for (place, octets) in [half, half + 1, half, nil].enumerated() {
            survey.take([], [], ofFile: place, octets: octets)
        }
        let kept = (0..<4).map { survey.takeCards(ofFile: $0) != nil }
        #expect(kept == [true, false, true, true])
    }

    @Test func `Rows without a UID in several files may disagree`() async throws {
        try await withHome { home in
            let files = ["tea", "milk"].map { Self.card("Anna", "NOTE:\($0)", octets: 5 << 20) }
            let paths = try paths(files, in: home)
            let planner = try await home.planner()
            _ = try await planner.importPeople(paths, selection: ImportSelection())
            let again = try await planner.importPeople(paths, selection: ImportSelection())
            #expect(again.counts == [0, 0, 2])
        }
    }
}
