import Agenda
import Foundation
import FoundationEssentials
import Planning
import Secrets
import Settings
import Storage
import Testing
import TestKit

@Suite(.timeLimit(.minutes(5))) struct PasswordTests {
    private static let password = "Drei Äpfel und ein Stuhl"

    private func with(_ body: (Planner, TestWorld) async throws -> Void) async throws {
        try await withTemporaryHome { world in
            let planner = try await world.planner(settings: [
                .ownerAddress: "olga@example.org", .sinks: "stdout",
            ])
            let ticket = try await planner.openTicket(for: planner.owner)
            _ = try await planner.enter(by: ticket.text, device: "First")
            try await body(planner, world)
        }
    }

    private func enter(
        _ planner: Planner, _ password: String, at address: String = "Olga@example.org"
    ) async throws -> String {
        try await planner.enter(byPassword: password, at: address, device: "Test").person.name
    }

    @Test func `A password signs in at the address that was proven, until it is removed`()
        async throws
    {
        try await with { planner, world in
            await #expect(throws: Refusal.self) { try await enter(planner, Self.password) }
            try await planner.setPassword(Self.password, keeping: nil)
            #expect(try await planner.hasPassword())
            #expect(try await enter(planner, Self.password) == planner.owner.name)
            // The same letters, composed in another way.
            let other = Self.password.decomposedStringWithCanonicalMapping
            #expect(try await enter(planner, other) == planner.owner.name)
            for (password, address) in [
                (Self.password + " ", "olga@example.org"), ("", "olga@example.org"),
                (Self.password, "ben@example.org"), (Self.password, ""),
            ] {
                let refused = await refusal {
                    _ = try await enter(planner, password, at: address)
                }
                #expect(refused?.code == "password_wrong")
            }
            let bytes = try String(
                contentsOfFile: world.home.database + "-wal", encoding: .isoLatin1)
            #expect(!bytes.contains("Stuhl") && bytes.contains("scrypt$14$8$5$"))
            try await planner.setPassword(nil, keeping: nil)
            await #expect(throws: Refusal.self) { try await enter(planner, Self.password) }
        }
    }

    @Test func `A damaged hash in the database lets nobody in`() async throws {
        try await with { planner, _ in
            for damaged in ["", "scrypt$14$8$5$AA$AA"] {
                try await planner.store.setPassword(damaged, of: planner.owner.id)
                await #expect(throws: Refusal.self) { try await enter(planner, "") }
            }
        }
    }

    @Test func `A new password ends the other sessions`() async throws {
        try await with { planner, _ in
            let ticket = try await planner.openTicket(for: planner.owner)
            let (session, _) = try await planner.enter(by: ticket.text, device: "Second")
            let own = try #require(try await planner.signedIn(by: session)).session.id
            #expect(try await planner.sessions().count == 2)
            try await planner.setPassword(Self.password, keeping: own)
            #expect(try await planner.sessions().map(\.id) == [own])
        }
    }

    @Test(arguments: [
        ("1234567", "password_short"), ("password1", "password_common"),
        ("PASSWORD1", "password_common"), (String(repeating: "ab", count: 101), "password_long"),
    ])
    func `A password that is too short, too long or common is refused`(
        _ password: String, _ code: String
    ) async throws {
        try await with { planner, _ in
            let refused = await refusal {
                try await planner.setPassword(password, keeping: nil)
            }
            #expect(refused?.code == code)
            let isSet = try await planner.hasPassword()
            #expect(!isSet)
        }
    }

    @Test func `A stored hash of another form matches nothing`() {
        for text in ["", "scrypt", "scrypt$14$8$5$AA$AA", "scrypt$99$8$5$AA$AA", "md5$1$1$1$AA$AA"]
        {
            #expect(PasswordHash(text) == nil)
        }
        let hash = PasswordHash(of: "a", salt: [1, 2, 3])
        #expect(PasswordHash(hash.text) == hash && hash.matches("a") && !hash.matches("b"))
    }
}
