/// The names of months in the languages whose headers are read, whole or shortened.
enum MonthNames {
    /// The month that a word names; `nil` for other words.
    static func month(_ word: String) -> Int? {
        let folded = HeaderWords(word).text
        guard folded.count >= lettersMin else { return nil }
        if let month = exact[folded] { return month }
        let months = Set(names.filter { $0.name.hasPrefix(folded) }.map(\.month))
        return months.count == 1 ? months.first : nil
    }

    /// True for a word in a date that says nothing of its own: a day of the week, "de".
    static func isOther(_ word: String) -> Bool { others.contains(HeaderWords(word).text) }

    /// The fewest letters of a shortened name.
    private static let lettersMin = 3

    /// Short forms that begin two months in some language, but mean one.
    private static let exact = [
        "mar": 3, "may": 5, "mai": 5, "jun": 6, "jul": 7, "mars": 3, "lis": 11, "cerven": 6,
        "mrt": 3,
        "desember": 12, "des": 12,
    ]

    private static let names: [(name: String, month: Int)] = lists.flatMap { list in
        list.split(separator: " ").enumerated().map { (String($1), $0 + 1) }
    }

    private static let lists = [
        "january february march april may june july august september october november december",
        "januar februar marz april mai juni juli august september oktober november dezember",
        "janner feber maerz april mai juni juli august sept oktober november dezember",
        "janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre "
            + "dicembre",
        "januari februari maart april mei juni juli augustus september oktober november december",
        "janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro",
        "stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika "
            + "listopada grudnia",
        "styczen luty marzec kwiecien maj czerwiec lipiec sierpien wrzesien pazdziernik listopad "
            + "grudzien",
        "ledna unora brezna dubna kvetna cervna cervence srpna zari rijna listopadu prosince",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "januar februar marts april maj juni juli august september oktober november december",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesakuuta heinakuuta elokuuta "
            + "syyskuuta lokakuuta marraskuuta joulukuuta",
        "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
    ]

    private static let others: Set = [
        "de", "del", "of", "the", "den", "am", "pm", "r", "г", "year", "monday", "tuesday",
        "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "wed", "thu", "fri",
        "sat", "sun", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag",
        "sonntag", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
        "lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo", "le", "il",
    ]
}
