import Testing

@testable import Wording

/// Tests of the reasons of states of deliveries, in German.
struct LedgerReasonTests {
    @Test(arguments: [
        ("the delivery method changed", "der Versandweg hat sich geändert"),
        ("the start and the place changed", "geändert: Beginn, Ort"),
        (
            "the title, the start and the note changed for the date Sun 20 December 2026",
            "geändert: Titel, Beginn, Notiz (nur an einem Termin)"
        ),
        ("a guest answered: declined", "ein Gast hat geantwortet: Nein"),
        (
            "held back until 20:30: quiet hours 18:00-20:30 (Europe/Berlin)",
            "zurückgehalten bis 20:30: Ruhezeit 18:00-20:30 (Europe/Berlin)"
        ),
        ("dropped by Olga Going", "verworfen von Olga Going"),
        ("the rules of Europe/Berlin changed", "the rules of Europe/Berlin changed"),
        ("something new", "something new"),
    ])
    func `A reason is found as a whole, by its facts or by its beginning`(
        _ english: String, _ german: String
    ) {
        #expect(Language.german.ledgerReason(english) == german)
        #expect(Language.english.ledgerReason(english) == english)
    }
}
