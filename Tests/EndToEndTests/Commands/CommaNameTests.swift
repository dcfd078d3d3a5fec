import Foundation
import TestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct CommaNameTests {
    @Test(arguments: [
        "Berg, Ben", "Berg, Ben <ben@example.org>", "\"Berg, Ben\" <ben@example.org>",
    ])
    func `A person is invited by a name with a comma`(who: String) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Berg, Ben", "--email", "ben@example.org")
            _ = try await letsmeet.run("people", "add", "Anna", "--email", "anna@example.org")
            let made = try await letsmeet.run(
                "meeting", "new", "Games", "--with", "anna", who, "--start", "tomorrow 18:00",
                "--json")
            #expect(made.status == 0, "\(made.output)")
            let meeting = made.json["meeting"] as? [String: Any]
            let guests = meeting?["participants"] as? [[String: Any]] ?? []
            #expect(
                guests.dropFirst().compactMap { $0["name"] as? String } == ["Anna", "Berg, Ben"])
            let circle = try await letsmeet.run("circle", "new", "Chess", who, "anna", "--json")
            #expect(circle.status == 0, "\(circle.output)")
            let gone = try await letsmeet.run("meeting", "uninvite", "games", who, "--json")
            #expect(gone.status == 0, "\(gone.output)")
        }
    }

    @Test(arguments: [
        "\"Berg, Ben\" <ben@example.org>", "Berg, Ben <ben@example.org>",
    ])
    func `The name of a new guest with a comma is given in quotes, or alone`(
        who: String
    ) async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let made = try await letsmeet.run(
                "meeting", "new", "Games", "--with", who, "c@example.org",
                "--start", "tomorrow 18:00", "--json")
            let meeting = try #require(made.json["meeting"] as? [String: Any])
            let guests = meeting["participants"] as? [[String: Any]] ?? []
            #expect(
                guests.dropFirst().compactMap { $0["name"] as? String }
                    == ["Berg, Ben", "c@example.org"])
            let organizer = meeting["organizer"] as? [String: Any]
            #expect(organizer?["address"] is NSNull)
        }
    }
}
