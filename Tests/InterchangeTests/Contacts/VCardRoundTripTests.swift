import Interchange
import Testing

struct VCardRoundTripTests {
    @Test(arguments: [VCardWriter.Version.v3, .v4], [1, 2, 3, 4] as [UInt64])
    func `Written contacts are read back unchanged`(version: VCardWriter.Version, seed: UInt64) {
        print("vCard round trip \(version), seed \(seed)")
        var samples = SampleCards(seed: seed)
        let cards = (0..<400).map { _ in samples.card() }
        let reading = VCardReader.read(Array(VCardWriter.write(cards, version: version).utf8))
        #expect(reading.skipped == [])
        #expect(reading.cards.count == cards.count)
        for (read, written) in zip(reading.cards, cards) {
            #expect(differences(read, written) == [])
        }
    }

    @Test(arguments: [VCardWriter.Version.v3, .v4])
    func `Other names of a person are read back and do not become nicknames`(
        version: VCardWriter.Version
    ) {
        var card = ContactCard(formattedName: "Anna Berg")
        card.also = ["Holm, Anni", "A; B"]
        let reading = VCardReader.read(Array(VCardWriter.write([card], version: version).utf8))
        #expect(reading.cards.map(\.also) == [card.also])
        #expect(reading.cards.map(\.nicknames) == [[]])
    }

    @Test(arguments: [5, 6] as [UInt64])
    func `Lines have at most 75 octets and break between characters`(seed: UInt64) {
        print("vCard folding, seed \(seed)")
        var samples = SampleCards(seed: seed)
        let cards = (0..<200).map { _ in samples.card() }
        for version in [VCardWriter.Version.v3, .v4] {
            let text = VCardWriter.write(cards, version: version)
            let bytes = Array(text.utf8)
            #expect(bytes.suffix(2) == [0x0D, 0x0A])
            for line in bytes.dropLast(2).split(separator: 0x0A, omittingEmptySubsequences: false) {
                let content = line.last == 0x0D ? line.dropLast() : line
                #expect(content.count <= 75)
                #expect(!content.contains(0x0D))
                #expect(String(validating: content, as: UTF8.self) != nil)
            }
        }
    }
}
