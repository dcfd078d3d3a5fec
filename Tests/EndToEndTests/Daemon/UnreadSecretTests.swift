import Foundation
import TestKit
import Testing

/// A secret whose file cannot be read stops only the commands that need it.
@Suite(.timeLimit(.minutes(5))) struct UnreadSecretTests {
    private static let secret = ["FOURSQUARE_SERVICE_KEY_FILE": "/nope/key"]

    @Test func `Commands that need no key work`() async throws {
        try await withFolderOnDisk { folder in
            let home = folder + "/home"
            let letsmeet = Program("letsmeet", home: home, settings: Self.secret)
            #expect(try await letsmeet.run("people", "list").status == 0)
            let once = try await Program("letsmeetd", home: home, settings: Self.secret).run("once")
            #expect(once.status == 0)
            let found = try await letsmeet.run(
                "place", "search", "--city", "Helsinki", "--for", "museum", "--json")
            #expect(found.status == 0)
            #expect(found.json["source"] as? String == "catalogue")
            let warning = try #require((found.json["warnings"] as? [String])?.first)
            #expect(warning.hasPrefix("Foursquare was not searched: /nope/key"), "\(warning)")
            #expect(warning.hasSuffix("The catalogue was searched instead."), "\(warning)")
        }
    }

    @Test func `Commands that need the key report the problem`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home", settings: Self.secret)
            let asked = try await letsmeet.run(
                "place", "search", "--city", "Helsinki", "--for", "museum", "--source",
                "foursquare")
            #expect(asked.status == 3)
            #expect(asked.errors.contains("/nope/key"))
            let checked = try await letsmeet.run("config", "check")
            #expect(checked.status == 2)
            #expect(checked.output.contains("/nope/key: foursquare.key: "))
            let shown = try await letsmeet.run("config", "show")
            #expect(shown.status == 0)
            #expect(shown.errors.contains("/nope/key"))
            let doctor = try await letsmeet.run("doctor")
            #expect(doctor.status == 1)
            #expect(doctor.output.contains("/nope/key"))
            let elsewhere = try await letsmeet.run(
                "place", "search", "--city", "Tampere", "--for", "museum")
            #expect(elsewhere.status == 1)
            #expect(elsewhere.errors.contains("Foursquare was not searched: /nope/key"))
        }
    }
}
