import Planning
import TestKit
import Testing

@testable import letsmeet

struct PersonTextTests {
    @Test func `Types stand beside their values, and a town without a postcode is not indented`()
        async throws
    {
        try await withTemporaryHome { world in
            let planner = try await world.planner()
            _ = try await world.importFile(
                """
                BEGIN:VCARD
                VERSION:4.0
                FN:Anna Aalto
                EMAIL;TYPE=work:anna@example.org
                ADR:;;;Helsinki;;;Finland
                ADR:;;Long Street 123456789;Helsinki;;00100;Finland
                END:VCARD

                """)
            let anna = try await planner.contact(try await planner.person(named: "Anna"))
            let lines = PersonText.of(anna).split(separator: "\n").map(String.init)
            #expect(lines.contains("Mail     anna@example.org (work)"), "\(lines)")
            #expect(lines.contains("Address  Helsinki, Finland"), "\(lines)")
            #expect(
                lines.contains("Address  Long Street 123456789, 00100 Helsinki, Finland"),
                "\(lines)")
        }
    }
}
