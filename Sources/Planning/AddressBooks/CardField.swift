import Interchange
import Storage

/// A field of a contact with one value, which can be changed here and by a file.
struct CardField {
    /// The name of the field in a sentence.
    let word: String
    /// The value, or the paragraphs of a note; empty if there is none.
    let values: (ContactCard) -> Set<String>
    /// Gives a card the value of another.
    let copy: (_ other: ContactCard, _ card: inout ContactCard) -> Void

    /// The fields that can be changed by hand.
    static var all: [CardField] {
        [
            CardField(word: "name", values: { $0.hasOwnName ? [$0.formattedName] : [] }) {
                for name in ContactCard.names { $1[keyPath: name] = $0[keyPath: name] }
            },
            CardField(word: "note", values: \.paragraphs) { $1.note = $0.note },
            CardField(word: "birthday", values: { Set([$0.birthday].compactMap(\.self)) }) {
                $1.birthday = $0.birthday
            },
            CardField(word: "time zone", values: { Set([$0.timeZone].compactMap(\.self)) }) {
                $1.timeZone = $0.timeZone
            },
            CardField(word: "language", values: { Set([$0.language].compactMap(\.self)) }) {
                $1.language = $0.language
            },
        ]
    }

    /// True if a contact has a value here that no card of a file said.
    func isOwn(in contact: ContactCard, besides cards: [ContactCard]) -> Bool {
        !values(contact).isSubset(of: cards.flatMap(values))
    }

    /// True if a card has a value that its earlier versions did not have.
    func isNew(in card: ContactCard, since former: [ContactCard]) -> Bool {
        let new = values(card)
        return !new.isEmpty && !former.contains { values($0) == new }
    }
}

extension ContactCard {
    /// The paragraphs of the note.
    var paragraphs: Set<String> { Set(paragraphList) }

    /// The paragraphs of the note, in their order.
    var paragraphList: [String] { note.split(separator: "\n\n").map(String.init) }
}
