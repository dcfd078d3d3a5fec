import Agenda
import Planning
import TestKit
import Testing

/// Cards that are older than the ones imported before.
@Suite struct OlderCardTests {
    private func card(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:4.0", "UID:\(uid)", "FN:Anna Schmidt"] + lines
            + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private let told = [
        "this card of Anna Schmidt is older than the one imported before (REV), so nothing was "
            + "changed"
    ]

    @Test func `An old backup changes no contact that was typed before its first import`()
        async throws
    {
        try await withHome { home in
            let planner = try await home.planner()
            try await planner.add("Anna Schmidt", "old@e.org")
            try await home.importFile(
                card(
                    "u", "EMAIL:old@e.org", "EMAIL:new@e.org", "BDAY:19900506",
                    "REV:20260101T000000Z"))
            let report = try await home.importFile(
                card("u", "EMAIL:old@e.org", "BDAY:19900605", "REV:20240101T000000Z"),
                named: "backup.vcf")
            #expect(report.counts == [0, 0, 1])
            #expect(report.warnings.map(\.reason) == told)
            let anna = try await planner.contact("Anna")
            #expect(anna.emails.map(\.address) == ["old@e.org", "new@e.org"])
            #expect(anna.birthday == "1990-05-06")
        }
    }

    @Test func `Of a contact of two cards, each is compared with its own earlier version`()
        async throws
    {
        try await withHome { home in
            try await home.importFile(
                card("one", "EMAIL:a@e.org", "REV:20260101T000000Z")
                    + card("two", "EMAIL:a@e.org", "EMAIL:b@e.org", "REV:20240101T000000Z"))
            let report = try await home.importFile(
                card("one", "EMAIL:a@e.org", "EMAIL:x@e.org", "REV:20250101T000000Z")
                    + card("two", "EMAIL:b@e.org", "EMAIL:y@e.org", "REV:20250101T000000Z"))
            #expect(report.counts == [0, 1, 1])
            #expect(report.warnings.map(\.reason) == told)
            let book = try await home.addressBook()
            #expect(book == ["Anna Schmidt a@e.org,b@e.org,y@e.org"])
        }
    }
}
