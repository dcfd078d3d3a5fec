import TestKit
import Testing

@testable import Ledger

@Suite struct DeliveryKeyTests {
    private func key(
        meeting: String = "m", occurrence: String = "", person: String = "p",
        kind: NotificationKind = .invitation, mark: NotificationMark = "1",
        channel: String = "stdout",
        address: String = ""
    ) -> DeliveryKey {
        DeliveryKey(
            notification: NotificationKey(
                meeting: meeting, occurrence: occurrence, person: person, kind: kind, mark: mark),
            channel: channel, address: address)
    }

    @Test func `A name has 26 characters that are not confused with each other`() {
        let name = key().name
        #expect(name.utf8.count == 26)
        #expect(name.utf8.allSatisfy(Base32.Alphabet.people.digits.contains))
        #expect(Set(Base32.Alphabet.people.digits).isDisjoint(with: Array("l1o0".utf8)))
        #expect(Set(Base32.Alphabet.people.digits).count == 32)
    }

    @Test func `The name of a key never changes`() {
        // It is stored in every ledger and by every receiver: another value breaks both.
        #expect(key().name == "wkubpysvav5rkmtif4qvay4szs")
    }

    @Test func `Each part of a key changes its name`() {
        let names = [
            key(), key(meeting: "n"), key(occurrence: "o"), key(person: "q"), key(kind: .change),
            key(mark: "2"), key(channel: "mail"), key(address: "a@b"),
        ].map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func `Keys whose joined parts are equal have different names`() {
        let keys = [
            key(meeting: "ab", person: "c"), key(meeting: "a", person: "bc"),
            key(meeting: "ab", occurrence: "", person: "c"),
            key(meeting: "a", occurrence: "b", person: "c"),
            key(meeting: "1:a", person: ""), key(meeting: "", person: "1:a"),
            key(meeting: "a1:b"), key(meeting: "a", occurrence: "b"),
            key(mark: "1\u{0}"), key(mark: "1"), key(mark: "é"), key(mark: "e\u{301}"),
            key(channel: "stdout0:"), key(channel: "stdout", address: "0:"),
        ]
        // The third key equals the first, written in full.
        #expect(Set(keys.map(\.name)).count == keys.count - 1)
    }

    @Test func `Random ids differ and are valid`() {
        var random = SeededRandom(seed: 7)
        let ids = (0..<1000).map { _ in Identifier<Int>.random(using: &random) }
        #expect(Set(ids).count == 1000)
        #expect(ids.allSatisfy { $0.text.utf8.count == 16 })
    }
}
