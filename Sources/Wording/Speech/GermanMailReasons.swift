/// The reasons why a mail was not taken, in German.
enum GermanMailReasons {
    /// The reason in German; the English one if it is not known.
    static func reason(_ english: String) -> String {
        let known = words.first { english.hasPrefix($0.key) }?.value ?? english
        return english.hasSuffix(passedOn) ? "\(known), sondern gibt die Einladung weiter" : known
    }

    /// The end of a reason, after which the German one has another end, too.
    private static let passedOn = "but passes the invitation on to somebody else"

    /// The reasons by the beginning of the English ones. Some end with a time, which the list of
    /// the owner shows.
    private static let words = [
        "it has no author, or more than one": "sie hat keinen oder mehr als einen Absender",
        "it contains several answers to the same meeting":
            "sie enthält mehrere Antworten zu demselben Treffen",
        "its calendar object is not a valid reply": "ihr Kalendereintrag ist keine gültige Antwort",
        "it is an invitation, and not an answer": "sie ist eine Einladung und keine Antwort",
        "its calendar object is for information only":
            "ihr Kalendereintrag dient nur zur Information und ist keine Antwort",
        "it cancels a meeting": "sie sagt ein Treffen ab und ist keine Antwort",
        "it adds a date to a meeting":
            "sie fügt einem Treffen einen Termin hinzu und ist keine Antwort",
        "it asks for the invitation again":
            "sie bittet um eine neue Einladung und ist keine Antwort",
        "it refuses a proposed time":
            "sie lehnt eine vorgeschlagene Zeit ab und ist keine Antwort",
        "it answers neither yes nor maybe nor no":
            "sie antwortet weder mit Ja noch mit Vielleicht noch mit Nein",
        "it says neither yes nor maybe nor no":
            "im Betreff steht weder Ja noch Vielleicht noch Nein",
        "it has no calendar object, and its subject does not contain":
            "sie hat keinen Kalendereintrag, und im Betreff fehlt die Kennung des Treffens",
        "it does not say which time is proposed": "sie nennt die vorgeschlagene Zeit nicht",
        "it does not refer to a known meeting": "sie nennt kein bekanntes Treffen",
        "it does not say when it was written": "sie sagt nicht, wann sie geschrieben wurde",
        "one of its answers cannot be read": "eine ihrer Antworten ist nicht lesbar",
        "it has more than 20 answers, and only the first ones were taken":
            "sie enthält mehr als 20 Antworten, und nur die ersten wurden gezählt",
        "it replies to an answer or forwards one":
            "sie antwortet auf eine Antwort oder leitet eine weiter",
        "it is not an answer to a meeting": "sie ist keine Antwort zu einem Treffen",
        "a program sent it automatically": "ein Programm hat sie automatisch gesendet",
        "it refers to a date that the meeting does not have":
            "sie nennt einen Termin, den das Treffen nicht hat",
        "it refers to a date that now belongs to another meeting":
            "sie nennt einen Termin, der jetzt zu einem anderen Treffen gehört",
        "it answers an invitation from before the meeting was moved":
            "sie antwortet auf eine Einladung, nach der das Treffen verschoben wurde",
        "the mail is larger than 10 MiB":
            "sie ist größer als 10 MiB, und nur ihr Anfang wurde gelesen",
        "it is dated in the future": "ihr Datum liegt in der Zukunft",
        "a later answer": "eine spätere Antwort ist schon eingetragen",
        "a later invitation": "danach wurde noch einmal eingeladen",
        "the attendee who answers is not in the meeting":
            "die Person, die antwortet, ist nicht eingeladen",
        "it comes from an address that the attendee who answers does not have":
            "sie kommt nicht von einer Adresse der Person, die antwortet",
        "nobody in the meeting has the address from which it comes":
            "niemand im Treffen hat die Adresse, von der sie kommt",
        "it was not sent to a reply address of a participant":
            "sie ging nicht an die Antwortadresse eines Gasts",
        "several participants have this address": "mehrere Gäste haben diese Adresse",
        "the organizer cannot answer their own meeting by mail":
            "wer einlädt, kann nicht per Mail antworten",
        "the attendee does not own this reply address":
            "die Antwortadresse gehört jemand anderem",
        "the proposed time": "die vorgeschlagene Zeit ist nicht möglich",
        "the meeting cannot be moved to the proposed time":
            "die vorgeschlagene Zeit ist nicht möglich",
    ]
}
