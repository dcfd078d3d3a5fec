import Agenda
import Interchange
import Timekeeping
import Wording

/// Counts the values of cards in one file that letsmeet cannot use: unknown time zones, and
/// languages without texts. The cards keep them for an export.
struct UnusableValues {
    private struct Kind {
        let name: String
        let what: String
        let phrase: Phrase
        let isUnusable: (ContactCard) -> Bool
        var count = 0
        var line = 0
    }

    private var kinds: [Kind]

    init(zones: ZoneDirectory) {
        kinds = [
            Kind(
                name: "TZ", what: "the property TZ with an unknown time zone",
                phrase: Phrase("Property TZ with an unknown time zone")
            ) { card in card.timeZone.map { zones.zoneIfKnown($0) == nil } ?? false },
            Kind(
                name: "LANG", what: "the property LANG with a language without texts",
                phrase: Phrase("Property LANG with a language without texts")
            ) { card in card.language.map { Language(tag: $0) == nil } ?? false },
        ]
    }

    mutating func count(_ card: ContactCard) {
        for place in kinds.indices where kinds[place].isUnusable(card) {
            if kinds[place].count == 0 { kinds[place].line = card.line }
            kinds[place].count += 1
        }
    }

    /// The kinds of values that a file has, for its report.
    func unused(in file: String) -> [ImportReport.Unused] {
        kinds.filter { $0.count > 0 }.map {
            ImportReport.Unused(
                file: file, property: $0.name, what: $0.what, phrase: $0.phrase, count: $0.count,
                line: $0.line)
        }
    }
}
