/// The German words of recurrence rules. Weekdays and months have their own tables, because times
/// use them too.
enum GermanPhrase {
    /// The English words for a German one; the word itself if it is not in the table.
    static func english(_ word: String) -> [String] { words[word] ?? [word] }

    /// A rule names no time of day, so "am" is never that of "9 am".
    private static let words: [String: [String]] = [
        // How often.
        "jeden": ["every"], "jede": ["every"], "jedes": ["every"], "alle": ["every"],
        "täglich": ["daily"], "wöchentlich": ["weekly"], "monatlich": ["monthly"],
        "jährlich": ["yearly"], "stündlich": ["hourly"], "werktags": ["weekdays"],
        "tag": ["day"], "tage": ["days"], "woche": ["week"], "wochen": ["weeks"],
        "monat": ["month"], "monate": ["months"], "monats": ["month"],
        "jahr": ["year"], "jahre": ["years"], "jahres": ["year"],
        "stunde": ["hour"], "stunden": ["hours"], "wochenende": ["weekend"],
        // Which days.
        "am": ["on"], "im": ["of", "the"], "des": ["of", "the"], "und": ["and"], "oder": ["or"],
        "außer": ["except"], "ausser": ["except"], "erste": ["first"], "ersten": ["first"],
        "zweite": ["second"], "zweiten": ["second"], "dritte": ["third"], "dritten": ["third"],
        "vierte": ["fourth"], "vierten": ["fourth"], "fünfte": ["fifth"], "fünften": ["fifth"],
        "letzte": ["last"], "letzten": ["last"],
        // Until when.
        "bis": ["until"], "ende": ["end", "of"], "mal": ["times"], "zwei": ["two"],
        "drei": ["three"], "vier": ["four"], "fünf": ["five"], "sechs": ["six"],
        "sieben": ["seven"], "acht": ["eight"], "neun": ["nine"], "zehn": ["ten"],
    ]
}
