import ArgumentParser
import Ledger
import Planning
import Testing
import Timekeeping

@testable import letsmeet

struct TypedWordTests {
    private static func typed<Word: TypedWord & Equatable>(_ type: Word.Type) -> Bool {
        let spellings = [{ $0 }, { $0.uppercased() }] as [(String) -> String]
        return type.allCases.allSatisfy { word in
            spellings.allSatisfy { Word(argument: $0(word.rawValue)) == word }
        }
    }

    @Test(arguments: [
        (["1d 2h"], [86_400, 7200]), (["1d, 2h"], [86_400, 7200]), (["1d", "2h"], [86_400, 7200]),
        (["1d2h"], [93_600]), (["1 hour 30 minutes"], [5400]), (["none"], []),
    ])
    func `Reminder times apart from each other are several, others are one`(
        typed: [String], seconds: [Int]
    ) throws {
        let spans = try #require(try ReminderOption.read(typed))
        #expect(spans.map { $0.days * 86_400 + $0.seconds } == seconds)
    }

    @Test func `Words are accepted in upper and lower case`() {
        #expect(Self.typed(RsvpCommand.Word.self))
        #expect(Self.typed(MessageCommand.Audience.self))
        #expect(Self.typed(ExportFormat.self))
        #expect(Self.typed(DeliveryState.self))
        #expect(RsvpCommand.Word(argument: "yess") == nil)
    }

    @Test(arguments: [
        ("ja", RsvpCommand.Word.yes), ("nein", .no), ("vielleicht", .maybe),
        ("y", RsvpCommand.Word.yes), ("going", .yes), ("N", .no), ("declined", .no),
    ])
    func `An answer is accepted as its first letter, or as it is shown`(
        typed: String, word: RsvpCommand.Word
    ) {
        #expect(RsvpCommand.Word(argument: typed) == word)
    }

    @Test(arguments: [
        ("anna, ben", ["anna", "ben"]), (" , ", []), ("a,,b", ["a", "b"]),
        (#""Berg, Ben" <b@e.org>, anna"#, [#""Berg, Ben" <b@e.org>"#, "anna"]),
        (#"5" pizza, ben"#, [#"5" pizza"#, "ben"]),
    ])
    func `Commas outside quotes separate values`(typed: String, parts: [String]) {
        #expect([typed].splitAtCommas == parts)
    }

    @Test func `Commands accept words in any case`() async throws {
        let rsvp = try await RsvpCommand.asyncParse(["next", "Yes"])
        #expect(rsvp.answer == .yes)
        let message = try await MessageCommand.asyncParse(["next", "Hello", "--to", "GOING"])
        #expect(message.to == .going)
    }
}
