import Foundation
import TestKit
import Testing

/// Hints for commands and names that are not quite right.
@Suite(.timeLimit(.minutes(5))) struct HintTests {
    @Test(arguments: [
        ("cancel", "letsmeet meeting cancel"), ("list", "letsmeet meeting list"),
        ("contacts", "letsmeet people list"), ("send", "letsmeetd once"),
        ("meeting delete", "letsmeet meeting cancel"), ("invite anna", "letsmeet meeting invite"),
        ("import x.vcf", "letsmeet people import, letsmeet place import, letsmeet calendar import"),
        ("metting list", "letsmeet meeting"), ("lst", "letsmeet meeting list"),
        ("next", "letsmeet meeting show next"), ("meeting edti", "letsmeet meeting edit"),
        ("cancle", "letsmeet meeting cancel"), ("person list", "letsmeet people list"),
        ("meeting join x", "letsmeet join"), ("unjoin x", "letsmeet leave"),
        ("person anna", "letsmeet people"), ("people find anna", "letsmeet people list --search"),
    ])
    func `An unknown command is answered with a similar one`(
        _ line: String, _ near: String
    ) async throws {
        let called = try await Program("letsmeet", home: "/none")
            .run(line.split(separator: " ").map(String.init))
        #expect(called.status == 2)
        #expect(
            called.errors.contains("Did you mean: \(near)?\n"), "\(called.errors)")
        #expect(!called.errors.contains("The commands are"))
    }

    @Test func `In a new home the program says how to begin`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            let first = "To start, set up your home: letsmeet setup\n"
            let fresh = try await letsmeet.run()
            #expect(fresh.status == 0 && fresh.output.hasPrefix(first))
            #expect(fresh.output.contains("USAGE: letsmeet"))
            _ = try await letsmeet.run("people", "add", "Anna")
            #expect(try await letsmeet.run().output.hasPrefix("OVERVIEW"))
        }
    }

    @Test func `A command that is similar to no other has no hint`() async throws {
        let called = try await Program("letsmeet", home: "/none").run("nonsense")
        #expect(called.status == 2)
        #expect(
            called.errors.contains("There is no command letsmeet nonsense. The commands are: "),
            "\(called.errors)")
    }

    @Test(arguments: [["people", "add", "Anna", "Virtanen"], ["people", "show", "Anna", "V."]])
    func `A name without quotes is answered with advice about quotes`(
        _ arguments: [String]
    ) async throws {
        let called = try await Program("letsmeet", home: "/none").run(arguments)
        #expect(called.status == 2)
        #expect(called.errors.contains("Put a name of several words in quotes."))
    }

    @Test(arguments: [
        ["meeting", "cancel", "choir", "--on", "16 feb", "--on=23 feb"],
        ["rsvp", "next", "no", "--on", "16 feb", "--on", "23 feb"],
        ["--as", "anna", "meeting", "move", "next", "--on", "8 dec", "18:00", "--on", "9 dec"],
    ])
    func `An option with one value that is given twice is refused`(
        _ arguments: [String]
    ) async throws {
        let called = try await Program("letsmeet", home: "/none").run(arguments)
        #expect(called.status == 2)
        #expect(called.errors.contains("--on is given twice"), "\(called.errors)")
        #expect(called.errors.contains("--help"))
    }

    @Test func `A preview of people who join a circle saves nothing`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            for name in ["Anna", "Ben"] { _ = try await letsmeet.run("people", "add", name) }
            _ = try await letsmeet.run("circle", "new", "Choir", "anna")
            let called = try await letsmeet.run("circle", "add", "choir", "ben", "--dry-run")
            #expect(called.output.contains("To be added to the circle Choir: Ben"))
            #expect(called.errors.contains("Nothing was saved."), "\(called.errors)")
            let shown = try await letsmeet.run("circle", "show", "choir")
            #expect(shown.output.contains("Choir: 1 person"), "\(shown.output)")
        }
    }

    @Test func `Adding to an unknown circle is answered with how to create it`() async throws {
        try await withFolderOnDisk { folder in
            let letsmeet = Program("letsmeet", home: folder + "/home")
            _ = try await letsmeet.run("people", "add", "Anna")
            let called = try await letsmeet.run("circle", "add", "Old friends", "anna")
            #expect(called.status == 1)
            #expect(called.errors.contains("letsmeet circle new \"Old friends\""))
            let shown = try await letsmeet.run("circle", "show", "friends")
            #expect(shown.status == 1 && !shown.errors.isEmpty)
            #expect(!shown.errors.contains("circle new"), "\(shown.errors)")
        }
    }

    @Test func `Help text is wrapped to the width of the terminal`() async throws {
        let help = try await Program("letsmeet", home: "/none", settings: ["COLUMNS": "100"])
            .run("meeting", "new", "--help").output
        let paragraph = help.components(separatedBy: "\n\n").first { $0.contains("A WHO is") } ?? ""
        let lines = paragraph.split(separator: "\n")
        #expect(lines.count > 1)
        #expect(lines.dropLast().allSatisfy { $0.count > 60 }, "\(paragraph)")
    }

    @Test(arguments: [
        (["--who", "greta", "See you soon"], "\"See you soon\", the last word after --who"),
        (["--who", "greta"], "Missing expected argument"),
    ])
    func `A message that was read as a person is named`(
        _ arguments: [String], _ words: String
    ) async throws {
        let called = try await Program("letsmeet", home: "/none")
            .run(["message", "lunch"] + arguments)
        #expect(called.status == 2)
        #expect(called.errors.contains(words), "\(called.errors)")
    }
}
