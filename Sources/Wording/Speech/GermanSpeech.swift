import Agenda
import Timekeeping

/// The German texts. A native speaker has not reviewed them yet.
struct GermanSpeech: Speech {
    static let months = [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
        "Oktober", "November", "Dezember",
    ]
    private static let weekdays = [
        "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
    ]

    /// The name of a weekday, as in "Dienstag".
    static func name(_ weekday: Weekday) -> String { weekdays[weekday.rawValue - 1] }

    /// A date without its weekday, as in "1. Dezember 2026".
    static func day(_ date: CivilDate) -> String {
        "\(date.day). \(months[date.month - 1]) \(date.year)"
    }

    func date(_ date: CivilDate) -> String {
        "\(Self.name(date.weekday).prefix(2)), \(Self.day(date))"
    }

    func repetition(_ rule: RecurrenceRule) -> String { GermanRepetition(rule).words }

    func distance(_ distance: Distance) -> String {
        switch distance {
        case .now: "jetzt"
        case .seconds(let count): "in \(count) \(count == 1 ? "Sekunde" : "Sekunden")"
        case .minutes(let count): "in \(count) \(count == 1 ? "Minute" : "Minuten")"
        case .hours(let count): "in \(count) \(count == 1 ? "Stunde" : "Stunden")"
        case .days(let count): "in \(count) \(count == 1 ? "Tag" : "Tagen")"
        case .today: "heute"
        case .tomorrow: "morgen"
        }
    }

    func word(_ answer: Answer, of count: Int) -> String {
        switch answer {
        case .invited: "ohne Antwort"
        case .going: "dabei"
        case .maybe: "vielleicht"
        case .declined: "abgesagt"
        case .waiting: "auf der Warteliste"
        }
    }

    func sentence(_ answer: Answer) -> String {
        switch answer {
        case .invited: "hat noch nicht geantwortet"
        case .going: "kommt"
        case .maybe: "kommt vielleicht"
        case .declined: "kommt nicht"
        case .waiting: "steht auf der Warteliste"
        }
    }

    func birthday(of name: String) -> String { "Geburtstag: \(name)" }

    var outdated: String { "noch nicht für die neue Zeit" }

    func asksAgain(_ answer: Answer, for start: String) -> String {
        "Ihre Antwort für \(start) war „\(label(answer))“. "
            + "Bitte antworten Sie noch einmal für die neue Zeit."
    }

    func line(_ name: String, _ answer: Answer, plus: Int) -> String {
        let others = "\(plus) \(plus == 1 ? "Person" : "Personen")"
        return "\(name) \(sentence(answer))\(plus > 0 ? " und bringt \(others) mit." : ".")"
    }

    func line(_ name: String, _ notice: SeatNotice.Kind, plus: Int) -> String {
        let others = "\(plus) \(plus == 1 ? "Person" : "Personen")"
        let rest = plus > 0 ? " und bringt \(others) mit." : "."
        return switch notice {
        case .joined, .promoted, .admitted: "\(name) ist dabei\(rest)"
        case .queued: "\(name) steht auf der Warteliste\(rest)"
        case .left: "\(name) ist nicht mehr dabei."
        case .requested: "\(name) möchte teilnehmen\(rest)"
        case .refused: "\(name) wurde nicht angenommen."
        }
    }

    func list(_ names: [String], rest: Int) -> String {
        names.joined(separator: ", ") + (rest > 0 ? " und \(rest) weitere" : "")
    }

    var andMore: String { "und weitere" }

    var allDay: String { "ganztägig" }

    func span(_ span: TimeSpan) -> String {
        words(for: span, ["Tag", "Stunde", "Minute", "Sekunde"]) { count, noun in
            "\(count) \(noun)\(count == 1 ? "" : noun == "Tag" ? "e" : "n")"
        }
    }

    func period(_ start: String, _ end: String) -> String { "von \(start) bis \(end)" }

    func period(ofDay day: String) -> String { "am \(day)" }

    func writes(_ name: String) -> String { "Nachricht von \(name):" }

    func proposes(_ name: String, _ when: String) -> String {
        "\(name) schlägt eine andere Zeit vor: \(when)"
    }

    func refused(_ when: String, by organizer: String) -> String {
        "\(organizer) bleibt bei der geplanten Zeit. Ihr Vorschlag war: \(when)"
    }

    var labels: (yes: String, maybe: String, no: String) { ("Ja", "Vielleicht", "Nein") }

    var changes: ChangeWords {
        ChangeWords(
            title: "Titel", when: "Wann", repeats: "Wiederholung", place: "Wo",
            unsaid: "nicht angegeben", usually: "sonst", never: "keine", off: "fällt aus",
            withoutReader: "Sie sind nicht eingeladen")
    }

    func shortMoment(_ moment: Moment, in zone: Zone) -> String {
        let wall = zone.wallTime(at: moment)
        return "\(date(wall.date)), \(wall.time.shortText) \(zone.abbreviation(at: moment))"
    }

    func problem(_ code: String) -> String? {
        [
            "bad_answer": "Bitte antworten Sie mit Ja, Vielleicht oder Nein.",
            "too_many_guests": "Sie können 0 bis 50 Personen mitbringen.",
            "date_gone":
                "Der Termin dieses Links findet nicht mehr statt. Diese Seite zeigt die Reihe.",
            "too_often":
                "Das waren zu viele Antworten in kurzer Zeit. Bitte warten Sie eine Minute.",
            "not_a_participant": "Sie sind zu diesem Treffen nicht eingeladen.",
            "meeting_cancelled": "Dieses Treffen wurde abgesagt.",
            "time_changed":
                "Die Zeit hat sich geändert, seit Sie diese Seite geöffnet haben. Bitte antworten "
                + "Sie noch einmal für die neue Zeit.",
            "meeting_over": "Dieses Treffen ist vorbei.",
            "long_note": "Ihre Nachricht ist zu lang. Bitte kürzen Sie sie.",
            "bad_note": "Ihre Nachricht enthält unzulässige Zeichen. Bitte geben Sie sie neu ein.",
            "bad_address": "Bitte geben Sie Ihre Mailadresse an, etwa anna@example.org.",
            "not_saved": "Ihre Antwort wurde nicht gespeichert.",
            "too_large":
                "Ihre Nachricht ist zu lang. Bitte kürzen Sie sie und antworten Sie noch einmal.",
            "method_not_allowed": "Das geht auf dieser Seite nicht. Es wurde nichts geändert.",
            "disk_full":
                "Es wurde nichts gespeichert, weil der Platz nicht reicht. Bitte versuchen Sie es "
                + "später noch einmal.",
            "busy":
                "Es wurde nichts gespeichert, weil gerade zu viel los ist. Bitte versuchen Sie es "
                + "gleich noch einmal.",
            "too_slow":
                "Es wurde nichts gespeichert, weil es zu lange gedauert hat. Bitte versuchen Sie "
                + "es gleich noch einmal.",
            "internal":
                "Die Seite konnte nicht erstellt werden. Öffnen Sie Ihren Link noch einmal, um zu "
                + "sehen, was gespeichert ist.",
        ][code] ?? "Das hat nicht geklappt. Bitte prüfen Sie Ihre Angaben."
    }

    func mailReason(_ english: String) -> String { GermanMailReasons.reason(english) }

    func ledgerReason(_ english: String) -> String { GermanLedgerReasons.reason(english) }

    var headings: Headings {
        Headings(
            meetings: "Ihre Treffen", reminders: "Erinnerungen", digests: "Übersichten",
            birthdays: "Geburtstage")
    }
}
