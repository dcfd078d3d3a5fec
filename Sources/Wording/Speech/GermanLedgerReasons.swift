import Foundation

/// The reasons of states of deliveries, which the ledger keeps in English, in German.
enum GermanLedgerReasons {
    /// The reason in German; the English one if it is not known.
    static func reason(_ english: String) -> String {
        if let date = english.range(of: " for the date ") {
            let whole = String(english[..<date.lowerBound])
            let known = reason(whole)
            return known == whole ? english : known + " (nur an einem Termin)"
        }
        return words[english] ?? changed(english) ?? put(together: english)
    }

    /// A reason that ends with a name, a time or an answer.
    private static func put(together english: String) -> String {
        for (start, german) in named where english.hasPrefix(start) {
            return german + english.dropFirst(start.count)
        }
        for (start, german) in beginnings where english.hasPrefix(start) {
            let rest = String(english.dropFirst(start.count))
            return german + parts.reduce(rest) { $0.replacing($1.english, with: $1.german) }
        }
        return english
    }

    private static let words = [
        "the meeting changed": "das Treffen hat sich geändert",
        "the meeting takes place after all": "das Treffen findet doch statt",
        "the series is over": "die Serie ist zu Ende",
        "the delivery method changed": "der Versandweg hat sich geändert",
        "the inbox changed": "der Eingang hat sich geändert",
        "the reminder policy changed": "die Einstellungen der Erinnerungen haben sich geändert",
        "the settings were read again": "die Einstellungen wurden neu gelesen",
        "the owner's settings changed": "die Einstellungen des Betreibers haben sich geändert",
        "the contact changed": "der Kontakt hat sich geändert",
        "the address changed": "die Adresse hat sich geändert",
        "the time zone changed": "die Zeitzone hat sich geändert",
        "the circle was deleted": "der Kreis wurde gelöscht",
        "the account was deleted": "das Konto wurde gelöscht",
        "the proposal was refused": "der Vorschlag wurde abgelehnt",
        "the clock was set back": "die Uhr wurde zurückgestellt",
        "it expired while the clock was ahead": "sie verfiel, während die Uhr vorging",
        "a channel was added": "ein Kanal kam hinzu",
        "an import of contacts was taken back":
            "ein Import von Kontakten wurde rückgängig gemacht",
        "a merge of two people was taken back":
            "eine Zusammenführung zweier Personen wurde rückgängig gemacht",
        "two people turned out to be one": "zwei Kontakte wurden zusammengeführt",
        "no longer invited": "nicht mehr eingeladen", "invited again": "wieder eingeladen",
        "somebody joined or left": "jemand kam hinzu oder ist nicht mehr dabei",
        "waits for others who join or leave": "wartet auf weitere Zu- und Absagen",
        "the organizer decided": "über die Anfrage wurde entschieden",
        "the organizer confirmed it": "das Treffen wurde bestätigt",
        "enough people joined": "es haben genug Personen zugesagt",
        "snoozed again": "wieder verschoben", "taken up again": "wieder aufgenommen",
        "erased": "gelöscht",
        "its address was suppressed": "die Adresse wurde gesperrt",
        "its address is no longer suppressed": "die Adresse ist nicht mehr gesperrt",
        "its address is in use after all": "die Adresse ist doch in Gebrauch",
    ]

    /// The beginnings of reasons that end with a name.
    private static let named: [(english: String, german: String)] = [
        ("included in the digest ", "in der Übersicht enthalten: "),
        ("dropped by ", "verworfen von "),
    ]

    /// The beginnings of reasons that end with ``parts``.
    private static let beginnings: [(english: String, german: String)] = [
        ("held back until ", "zurückgehalten bis "),
        ("not held back by ", "nicht zurückgehalten trotz "),
        ("a guest answered: ", "ein Gast hat geantwortet: "),
    ]

    private static let parts: [(english: String, german: String)] = [
        ("quiet hours", "Ruhezeit"), ("send windows", "Sendezeiten"),
        ("send window", "Sendezeit"),
        (": it would come too late", ": sie käme zu spät"),
        (
            ": it is about a meeting in the next 12 hours",
            ": das Treffen ist in den nächsten 12 Stunden"
        ),
        (
            " messages about this meeting in an hour",
            " Nachrichten zu diesem Treffen in einer Stunde"
        ),
        ("going", "Ja"), ("maybe", "Vielleicht"), ("declined", "Nein"),
    ]

    /// The facts that an edit changed, as in "the start and the place changed".
    private static func changed(_ english: String) -> String? {
        guard let end = english.range(of: " changed", options: .backwards) else { return nil }
        let named = english[..<end.lowerBound].replacing(" and ", with: ", ").split(separator: ", ")
        let known = named.compactMap { facts[String($0)] }
        guard known.count == named.count, english[end.upperBound...].isEmpty else { return nil }
        return "geändert: " + known.joined(separator: ", ")
    }

    private static let facts = [
        "the title": "Titel", "the start": "Beginn", "the length": "Dauer", "the place": "Ort",
        "the repetition": "Wiederholung", "the reminders": "Erinnerungen",
        "the time to answer by": "Antwortfrist", "the note": "Notiz", "the link": "Link",
    ]
}
