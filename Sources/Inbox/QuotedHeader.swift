/// The header of a quoted mail, as Outlook writes it in every language: "Von: …", "Gesendet: …",
/// "An: …".
enum QuotedHeader {
    private static let linesMin = 3
    private static let linesMax = 6
    /// The part of a line that is read, in characters. A list of recipients may be long.
    private static let lineCharactersMax = 200

    /// True if lines begin with such a header.
    static func begins(_ lines: ArraySlice<Substring>) -> Bool {
        let labels = lines.prefix(linesMax).prefix(while: isLabelled).map {
            $0.prefix(lineCharactersMax)
        }
        guard labels.count >= linesMin, labels.contains(where: \.hasYear) else { return false }
        let names = labels.map(name)
        // Some programs write the time before the sender.
        let isFrom = names.prefix(2).contains { senders.contains($0) }
        let isNamed = names.count { others.contains($0) } >= 2
        let isWhole = labels.count > linesMin && labels.contains(where: \.hasTimeOfDay)
        return isFrom && (isNamed || isWhole || labels.contains(where: \.hasAddress))
            || labels.first.map(\.hasAddress) == true || isWhole && isNamed
    }

    /// True for a line that begins with a word or two and a colon.
    private static func isLabelled(_ line: Substring) -> Bool {
        let label = line.prefix(labelCharactersMax + 1).prefix { !isColon($0) }
        return label.endIndex < line.endIndex && label.count <= labelCharactersMax
            && label.contains(where: \.isLetter)
            // French has a space of its own before a colon.
            && label.allSatisfy { $0.isLetter || $0.isWhitespace || "*’'.-".contains($0) }
    }

    private static func isColon(_ character: Character) -> Bool { ":：".contains(character) }

    private static let labelCharactersMax = 27

    private static func name(_ line: Substring) -> String {
        String(line.prefix { !isColon($0) }.lowercased().filter { $0.isLetter })
    }

    /// "From" in several languages.
    private static let senders: Set = [
        "from", "von", "de", "da", "van", "od", "från", "fra", "lähettäjä", "от", "від", "发件人",
        "寄件者", "差出人", "보낸사람", "feladó", "kimden", "gönderen", "από", "מאת", "saatja",
        "expeditor", "odosielateľ", "odesílatel", "pošiljatelj",
    ]
    /// "Sent", "Date" and "Subject" in several languages.
    private static let others: Set = [
        "sent", "date", "subject", "gesendet", "datum", "betreff", "envoyé", "envoyéle", "objet",
        "enviado", "enviadoel", "fecha", "asunto", "inviato", "data", "oggetto", "verzonden",
        "onderwerp", "enviada", "assunto", "skickat", "ämne", "sendt", "dato", "emne",
        "lähetetty", "päivämäärä", "aihe", "wysłano", "temat", "отправлено", "дата", "тема",
        "elküldve", "dátum", "tárgy", "tarih", "gönderildi", "konu", "στάλθηκε", "ημερομηνία",
        "θέμα", "נשלח", "נושא", "תאריך", "trimis", "subiect", "saadetud", "teema", "发送时间",
        "日期", "主题", "送信日時", "件名", "odesláno", "předmět",
    ]
}
