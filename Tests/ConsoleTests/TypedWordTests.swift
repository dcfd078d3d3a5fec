import ArgumentParser
import Ledger
import Planning
import Testing

@testable import letsmeet

struct TypedWordTests {
    private static func typed<Word: TypedWord & Equatable>(_ type: Word.Type) -> Bool {
        let spellings = [{ $0 }, { $0.uppercased() }] as [(String) -> String]
        return type.allCases.allSatisfy { word in
            spellings.allSatisfy { Word(argument: $0(word.rawValue)) == word }
        }
    }

    @Test func `Words are typed in any case`() {
        #expect(Self.typed(RsvpCommand.Word.self))
        #expect(Self.typed(MessageCommand.Audience.self))
        #expect(Self.typed(ExportFormat.self))
        #expect(Self.typed(DeliveryState.self))
        #expect(RsvpCommand.Word(argument: "yess") == nil)
    }

    @Test func `A command reads them so`() throws {
        let rsvp = try RsvpCommand.parse(["next", "Yes"])
        #expect(rsvp.answer == .yes)
        #expect(try MessageCommand.parse(["next", "Hello", "--to", "GOING"]).to == .going)
    }
}
