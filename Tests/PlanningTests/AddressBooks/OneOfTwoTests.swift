import Agenda
import Foundation
import Planning
import Settings
import TestKit
import Testing

/// Cards that become one person although they may be of two.
@Suite struct OneOfTwoTests {
    private static let head = "name,email,phone,company,title,street,city\n"

    @Test(arguments: [",,Acme,,,", ",,,Clerk,,", ",,,,Main Street 1,Berlin", ",111,,,,"])
    func `Two rows with one name and other values are told`(_ first: String) async throws {
        try await withHome { home in
            let second = first.replacing("Acme", with: "Beta").replacing("Clerk", with: "Chief")
                .replacing("1", with: "2")
            // Two rows that differ in their phone numbers are two people without an address.
            let address = first.contains("111") ? "ann@e.org" : ""
            let rows = [first, second].map { "Ann Lee,\(address)\($0)\n" }
            let report = try await home.importFile(Self.head + rows.joined(), named: "club.csv")
            #expect(report.counts == [1, 1, 0])
            #expect(
                report.warnings.map(\.reason) == [
                    "Ann Lee is in this file twice, also in line 2, with other values: both became "
                        + "one person"
                ])
        }
    }

    @Test func `Two cards of two files with other values are told`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let paths = ["one.csv", "two.csv"].map { home.home.path + "/" + $0 }
            for (path, company) in zip(paths, ["Acme", "Beta"]) {
                try (Self.head + "Ann Lee,ann@e.org,,\(company),,,\n").write(
                    toFile: path, atomically: true, encoding: .utf8)
            }
            let report = try await planner.importPeople(paths, selection: ImportSelection())
            #expect(
                report.warnings.map(\.reason) == [
                    "Ann Lee is also in \(paths[0]), line 2, with other values: both became one "
                        + "person"
                ])
            let again = try await planner.importPeople(paths, selection: ImportSelection())
            #expect(again.counts == [0, 0, 2] && again.warnings.isEmpty)
        }
    }

    @Test func `A card that only its name joins with a contact of other values is told`()
        async throws
    {
        try await withHome { home in
            try await home.importFile(Self.head + "Ann Lee,,,Acme,,,\n", named: "one.csv")
            let report = try await home.importFile(
                Self.head + "Ann Lee,,111,Beta,,,\n", named: "two.csv")
            #expect(report.counts == [0, 1, 0])
            #expect(
                report.warnings.map(\.reason) == [
                    "Ann Lee has no address, and was taken for the contact of this name, which had "
                        + "other values. If they are two people, give one of them an address or "
                        + "another name"
                ])
            let same = try await home.importFile(
                Self.head + "Ann Lee,,111,Gamma,,,\n", named: "two.csv")
            #expect(same.counts == [0, 1, 0] && same.warnings.isEmpty)
        }
    }

    @Test func `Two versions of a card in two files are not told`() async throws {
        try await withHome { home in
            let planner = try await home.planner()
            let paths = ["new.vcf", "old.vcf"].map { home.home.path + "/" + $0 }
            for (path, note) in zip(paths, ["tea", "chess"]) {
                try SampleCard(name: "Ann Lee", emails: ["a@e.org"], uid: "ann", note: note).text
                    .write(toFile: path, atomically: true, encoding: .utf8)
            }
            let report = try await planner.importPeople(paths, selection: ImportSelection())
            #expect(report.imported == 1 && report.warnings.isEmpty)
        }
    }
}
