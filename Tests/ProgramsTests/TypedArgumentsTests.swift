import Planning
import Testing

@testable import Programs

struct TypedArgumentsTests {
    @Test(arguments: [
        ("rsvp next yes --plus -1", "rsvp next yes --plus=-1"),
        ("--near -33.9,151.2 --limit -5", "--near=-33.9,151.2 --limit=-5"),
        ("--radius -.5 --yes", "--radius=-.5 --yes"), ("--plus=1 -1", "--plus=1 -1"),
        ("show -5", "show -5"), ("--note -x", "--note -x"), ("--with anna -5", "--with anna -5"),
        ("--limit -1 -- --plus -1", "--limit=-1 -- --plus -1"), ("--plus -", "--plus -"),
        ("-y -1", "-y -1"), ("-1", "-1"), ("-- -1", "-- -1"), ("", ""),
    ])
    func `A negative number becomes the preceding option's value`(typed: String, read: String) {
        let arguments = typed.split(separator: " ").map(String.init)
        #expect(
            TypedArguments.joiningNegativeNumbers(arguments).joined(separator: " ") == read)
    }

    @Test func `A text that begins with a negative number is moved behind the options`() {
        let line = "-1 * * * *"
        #expect(
            TypedArguments.joiningNegativeNumbers(["cron", "next", line, "--tz", "UTC"])
                == ["cron", "next", "--tz", "UTC", "--", line])
        #expect(
            TypedArguments.joiningNegativeNumbers(["message", line, "--", "-x"])
                == ["message", "--", line, "-x"])
        #expect(
            TypedArguments.joiningNegativeNumbers(["--note", line]) == ["--note=\(line)"])
    }

    @Test(arguments: [
        ("policy set -1h", false), ("show -5", false), ("--who=anna -1h", false),
        ("--plus=-1 -y", true), ("show -- -1h", true), ("", true),
    ])
    func `A negative number that no option takes is refused`(typed: String, isTaken: Bool) {
        let arguments = typed.split(separator: " ").map(String.init)
        let isRefused = (try? TypedArguments.checkOptions(arguments)) == nil
        #expect(isRefused == !isTaken)
    }

    @Test(arguments: [
        ("letsmeet\0", []), ("letsmeet\0people\0list\0", ["people", "list"]),
        ("letsmeet\0--title\0\0Zoë\0", ["--title", "", "Zoë"]), ("", []),
    ])
    func `Arguments are read from the memory of a process`(bytes: String, arguments: [String]) {
        #expect(TypedArguments.inMemory(bytes.utf8) == arguments.map { Array($0.utf8) })
    }

    @Test func `An argument that is not UTF-8 is refused with its position`() throws {
        let good = ["people", "add", "Zoë 漢字 \u{FFFD}"]
        #expect(try TypedArguments.texts(good.map { Array($0.utf8) }) == good)
        for bytes in [[0x41, 0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] as [[UInt8]] {
            let refused = #expect(throws: Refusal.self) {
                try TypedArguments.texts([Array("add".utf8), bytes])
            }
            #expect(refused?.category == .invalid)
            #expect(refused?.message.hasPrefix("Argument 2, ") == true)
        }
    }

    private static let choices: [(arguments: [String], replaced: [String]?)] = [
        (["invite", "next", "ann"], ["invite", "next", "id1"]),
        (["--who", "ann"], ["--who", "id1"]), (["--who=ann"], ["--who=id1"]),
        (["ben, ann,carla"], ["ben,id1,carla"]), (["--with=ben,ann"], ["--with=ben,id1"]),
        (["message", "ann and ben", "ann"], ["message", "ann and ben", "id1"]),
        (["--note", "Hi, ann", "--who", "ann"], ["--note", "Hi, ann", "--who", "id1"]),
        (["rsvp", "ann", "--who", "ann"], nil), (["ann,ann"], nil), (["--note=ann"], nil),
        (["Ann"], nil), (["anna", "--ann"], nil), (["person:ann"], nil), ([], nil),
    ]

    @Test(arguments: choices)
    func `A text that means several things is replaced by the chosen one`(
        arguments: [String], replaced: [String]?
    ) {
        #expect(TypedArguments.replacing("ann", by: "id1", in: arguments) == replaced)
    }

    @Test func `A choice with a comma stays one part of a list`() {
        #expect(
            TypedArguments.replacing("ann", by: "circle:A, B", in: ["ben,ann"])
                == ["ben,\"circle:A, B\""])
        #expect(
            TypedArguments.replacing("ann", by: "circle:A, B", in: ["ann"]) == ["circle:A, B"])
    }
}
