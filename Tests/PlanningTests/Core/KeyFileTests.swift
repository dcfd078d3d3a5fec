import Foundation
import Secrets
import Settings
import TestKit
import Testing

@testable import Planning

@Suite struct KeyFileTests {
    private static func token(_ world: TestWorld) throws -> String {
        try KeyFile.key(of: world.home, world.chance).token(of: ["a"]).text
    }

    @Test func `A key is made once, and only its owner can read it`() async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            let first = try Self.token(world)
            #expect(try Self.token(world) == first)
            let facts = try FileManager.default.attributesOfItem(atPath: world.home.key)
            #expect((facts[.posixPermissions] as? Int) == 0o600)
            let files = try FileManager.default.contentsOfDirectory(atPath: world.home.path)
            #expect(files == ["letsmeet.key"])
        }
    }

    @Test func `Simultaneous callers get the same key`() async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<16 { group.addTask { try Self.token(world) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tokens.count == 1)
        }
    }

    @Test(arguments: ["", "00", "zz", String(repeating: "0", count: 63), "+1"])
    func `A damaged key is refused and not overwritten`(_ text: String) async throws {
        try await withTemporaryHome { world in
            try world.home.make()
            try text.write(toFile: world.home.key, atomically: true, encoding: .utf8)
            let refused = await refusal { _ = try Self.token(world) }
            #expect(refused?.code == "bad_key" && refused?.category == .invalid)
            #expect(try String(contentsOfFile: world.home.key, encoding: .utf8) == text)
        }
    }

    @Test func `A home that cannot be written to is reported`() async throws {
        try await withTemporaryHome { world in
            let refused = await refusal { _ = try Self.token(world) }
            #expect(refused?.code == "bad_key")
            #expect(refused?.message.contains("cannot be written") == true)
        }
    }
}
