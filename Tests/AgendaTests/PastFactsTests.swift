import Testing

@testable import Agenda

/// The facts that earlier revisions told, as far as the history that was read shows them.
@Suite struct PastFactsTests {
    private static func entry(
        _ revision: Int, _ whole: String, on date: String = "", _ facts: String? = nil
    ) -> PastFacts.Entry {
        PastFacts.Entry(
            revision: revision, date: date, whole: whole, facts: facts ?? whole,
            isAnnounced: false, tellsTexts: false)
    }

    private static let history = [
        entry(1, "a"), entry(2, "a", on: "x", "moved"), entry(3, "b"), entry(4, "a"),
    ]

    @Test func `A revision told the facts that it had throughout`() {
        let facts = PastFacts([Self.entry(1, "a"), Self.entry(2, "b"), Self.entry(2, "a")])
        #expect(facts.whole(at: 1) == "a")
        #expect(facts.whole(at: 2) == nil)
        #expect(facts.whole(at: 3) == nil)
    }

    @Test func `The whole always had the facts that it had before its first change`() {
        let facts = PastFacts(Self.history)
        #expect(facts.wereAlways("a", until: 2))
        #expect(!facts.wereAlways("a", until: 3))
        #expect(!facts.wereAlways("a", until: 4))
        #expect(!facts.wereAlways("b", until: 2))
        #expect(!PastFacts().wereAlways("a", until: 1))
    }

    @Test func `A date is unchanged since a revision after its last act`() {
        let facts = PastFacts(Self.history)
        #expect(!facts.areUnchanged(on: "x", since: 2))
        #expect(facts.areUnchanged(on: "x", since: 3))
        #expect(facts.areUnchanged(on: "y", since: 1))
        let renamed = facts.adding(Self.entry(5, "c", ""))
        #expect(!renamed.areUnchanged(on: "y", since: 5))
        #expect(renamed.areUnchanged(on: "y", since: 6))
        #expect(renamed.changesDates(after: 4))
        #expect(!renamed.changesDates(after: 5))
    }

    @Test func `A part of the history does not show what was always so`() {
        for isWhole in [true, false] {
            let facts = PastFacts(Self.history, isWhole: isWhole)
            #expect(facts.whole(at: 4) == "a")
            #expect(facts.wereAlways("a", until: 1) == isWhole)
            let told = facts.facts(of: "x", at: 1, regular: "a")
            #expect(told == (isWhole ? "a" : nil))
            let moved = facts.facts(of: "x", at: 2, regular: "a")
            #expect(moved == (isWhole ? "moved" : nil))
        }
    }
}
