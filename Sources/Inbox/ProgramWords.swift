import Foundation

/// The words that programs write around the text of a mail.
enum ProgramWords {
    /// The lines without the warning of a gateway above them, and without the name of the program
    /// below them.
    static func removed(from lines: [Substring]) -> [Substring] {
        var lines = lines
        lines.dropBlanks()
        while let last = lines.last, isOfProgram(last) {
            lines.removeLast()
            lines.dropBlanks()
        }
        dropNotice(of: &lines)
        // A warning stands above other text.
        while let first = lines.firstIndex(where: { !$0.isBlank }), isOfGateway(lines[first]),
            let end = lines[first...].firstIndex(where: \.isBlank)
        {
            lines.removeSubrange(..<end)
        }
        return lines
    }

    // MARK: Names of programs

    /// True for a line such as "Sent from my iPhone" or "Get Outlook for iOS".
    private static func isOfProgram(_ line: Substring) -> Bool {
        let plain = line.lowercased().trimmingCharacters(in: .whitespaces)
        guard plain.utf8.count <= octetsMax else { return false }
        let words = plain.split { !$0.isLetter && $0 != "-" }.map(String.init)
        let isOutlook = words.count <= wordsMax && outlooks.contains { plain.contains($0) }
        return isOutlook || plain.hasSuffix("search, organize, conquer")
            || isSent(plain, words) && devices.contains { plain.contains($0) }
    }

    /// True if a line speaks of sending, as such lines do.
    private static func isSent(_ plain: String, _ words: [String]) -> Bool {
        guard let first = words.first, words.count <= wordsMax else { return false }
        let isGerman = ["von mein", "mit ", "diese nachricht wurde von"].contains {
            plain.hasPrefix($0)
        }
        let isFrom = words.count < 3 || fromWords.contains(words[1])
        return begins.contains(first) && isFrom
            || isGerman && words.contains { $0 == "gesendet" || $0 == "geschickt" }
            || marks.contains { plain.contains($0) }
    }

    /// The longest line that names a program, in octets.
    private static let octetsMax = 200
    /// The most words of such a line.
    private static let wordsMax = 14

    /// The words of the lines with which Outlook for telephones advertises itself.
    private static let outlooks = [
        "get outlook for", "outlook für", "holen sie sich outlook", "obtenir outlook",
        "télécharger outlook", "obtener outlook", "descargar outlook", "scarica outlook",
        "ottieni outlook", "outlook voor", "outlook para", "outlook per ", "outlook pour",
        "skaffa outlook", "hanki outlook", "hent outlook", "få outlook", "pobierz program outlook",
    ]

    /// The first words of lines that name a program: "sent" in several languages.
    private static let begins: Set = [
        "sent", "gesendet", "envoyé", "enviado", "verzonden", "verstuurd", "inviato", "skickat",
        "sendt", "lähetetty", "wysłane", "wysłano", "отправлено", "надіслано", "odesláno",
        "elküldve", "trimis", "provenance",
    ]
    /// "From" and "with" in these languages.
    private static let fromWords: Set = [
        "from", "with", "von", "mit", "depuis", "avec", "de", "desde", "con", "do", "met", "vanaf",
        "da", "från", "med", "fra", "z", "ze", "с", "з", "courrier", "via", "using", "by",
    ]
    /// The words for "sent" of languages that put them elsewhere.
    private static let marks = ["から送信", "发自我的", "發自我的", "傳送自", "gönderildi"]

    /// Devices and programs.
    private static let devices = [
        "iphone", "ipad", "ios", "android", "phone", "handy", "mobil", "telefon", "téléphone",
        "teléfono", "telefono", "telefoon", "puhelin", "puhelime", "tablet", "samsung", "galaxy",
        "huawei", "xiaomi", "oneplus", "pixel", "blackberry", "gerät", "device", "windows",
        "outlook", "thunderbird", "proton", "yahoo", "gmx", "web.de", "k-9", "fairemail",
        "tutanota",
        "tuta", "fastmail", "zoho", "mail ", "gmail", "e-mail", "mailbox", "ноутбук", "телефон",
        "macbook", "mac", "nokia", "motorola", "lg", "sony", "honor", "redmi",
    ]

    // MARK: Notices of servers

    /// Removes the time and place that Exchange writes above the text, with the mark that ends
    /// them.
    private static func dropNotice(of lines: inout [Substring]) {
        let mark = lines.prefix(noticeLinesMax).firstIndex { $0.contains("*~*~*~*~*~*") }
        if let mark { lines.removeSubrange(...mark) }
    }

    private static let noticeLinesMax = 40

    /// True for a line such as "CAUTION: This email originated from outside the organization."
    private static func isOfGateway(_ line: Substring) -> Bool {
        let plain = line.lowercased().drop { !$0.isLetter }
        if rareSenders.contains(where: { plain.contains($0) }) { return true }
        let isAboutMail =
            plain.contains(
                /(this|diese|ce|este|questa|deze) (e-?mail|message|mail|nachricht|courriel|correo)/)
            || plain.contains(/external (e-?mail|sender)|externer absender/)
        return cautions.contains { plain.hasPrefix($0) } && isAboutMail
            && outside.contains { plain.contains($0) }
    }

    private static let cautions = [
        "caution", "warning", "external", "achtung", "vorsicht", "attention", "extern",
        "precaución", "atención", "attenzione", "let op",
    ]
    private static let outside = [
        "outside", "external", "extern", "außerhalb", "unknown", "extérieur", "fuera", "esterno",
        "buiten",
    ]
    /// The words of Microsoft 365 about senders who write seldom.
    private static let rareSenders = [
        "you don't often get email from", "you don’t often get email from",
        "some people who received this message don't often get email from",
        "sie erhalten nicht häufig e-mails von", "sie erhalten nicht oft eine e-mail",
        "vous n’obtenez pas souvent d’e-mail", "no suele recibir correo",
    ]
}
