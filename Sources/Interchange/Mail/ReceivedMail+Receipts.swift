/// Receipts of mails that were read.
extension ReceivedMail {
    /// True for a receipt of a mail that was read, displayed or deleted (RFC 8098), also in words.
    public var isReceipt: Bool {
        disposition != nil ? !isRejected : isReceiptInWords
    }

    /// The machine-readable part of a receipt.
    var disposition: ReceivedMail.Part? {
        parts.first { $0.type == "message/disposition-notification" }
    }

    /// True for a receipt as Outlook writes it where programs may send no other: "Read: Lunch".
    private var isReceiptInWords: Bool {
        let subject = (self["Subject"] ?? "").prefix(Self.receiptSubjectMax).lowercased()
        let head = subject.split(separator: ":").first.map { $0.split { !$0.isLetter } } ?? []
        guard subject.contains(":"),
            Self.receiptSubjects.contains(head.joined(separator: " "))
        else { return false }
        let words = readableText.prefix(Self.receiptTextMax).lowercased()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return Self.receiptWords.contains { words.contains($0) }
    }

    /// The longest subject that is read, in characters.
    private static let receiptSubjectMax = 1000
    /// The part of a text that is read, in characters.
    private static let receiptTextMax = 5000

    /// The words before the colon in the subjects of receipts.
    private static let receiptSubjects: Set = [
        "read", "not read", "return receipt", "read receipt", "gelesen", "ungelesen",
        "nicht gelesen", "lesebestätigung", "lu", "non lu", "accusé de réception", "leído",
        "no leído", "letto", "non letto", "conferma di lettura", "gelezen", "niet gelezen", "lida",
        "lido", "não lida", "läst", "oläst", "læst", "lest", "luettu", "przeczytano", "прочтено",
        "прочитано",
    ]
    /// The words in their texts.
    private static let receiptWords = [
        "was read", "was deleted without being read", "was displayed", "has been read",
        "is a return receipt", "wurde am", "wurde gelesen", "wurde ungelesen gelöscht",
        "angezeigt", "a été lu", "a été affiché", "a été supprimé sans", "se leyó", "fue leído",
        "ha sido leído", "è stato letto", "è stato visualizzato", "gelezen op", "is gelezen",
        "foi lida", "foi lido", "lästes", "har lästs", "blev læst", "ble lest", "on luettu",
        "luettiin", "przeczytano", "была прочитана", "было прочитано", "прочтено",
    ]
}
