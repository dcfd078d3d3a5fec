/// The words of mail systems about mails that arrived, and about those that did not.
enum DeliveryWords {
    /// True if a report says that a mail was delivered or passed on, and nothing of a failure or a
    /// delay.
    ///
    /// - Parameter report: the text of the report.
    /// - Returns: true if nothing failed.
    static func sayDelivered(_ report: String) -> Bool {
        let words = report.lowercased().replacing("’", with: "'")
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let hasFailed =
            report.contains(/\b[45]\.[0-9]{1,3}\.[0-9]{1,3}\b/)
            || report.contains(/(?:^|[^0-9.])[45][0-9]{2}[ -][45]\.[0-9]/)
            || report.contains(/(?:^|\n)[^0-9A-Za-z\n]{0,5}[45][0-9]{2}[ :-]/)
            || failures.contains { words.contains($0) }
        return !hasFailed && successes.contains { words.contains($0) }
    }

    /// The words of reports about mails that arrived, or were passed on.
    private static let successes = [
        "successfully delivered", "successfully relayed", "delivered successfully",
        "delivery has been successful", "delivery was successful", "delivery successful",
        "has been delivered to the following recipient", "was delivered to the following",
        "was successfully sent", "delivery to the following recipients was successful",
        "delivery to these recipients or groups is complete", "was delivered to:",
        "delivery via local", "no further notification", "relayed to the following recipient",
        "erfolgreich zugestellt", "wurde an die folgenden empfänger zugestellt",
        "zustellung an diese empfänger oder gruppen ist abgeschlossen",
        "a été remis aux destinataires suivants", "remis avec succès",
        "la remise à ces destinataires ou groupes est terminée",
        "se ha entregado a los siguientes", "entregado correctamente",
        "è stato recapitato ai seguenti", "consegnato correttamente", "consegnato con successo",
        "is bezorgd bij de volgende", "met succes bezorgd", "foi entregue aos seguintes",
        "entregue com êxito", "entregue com sucesso", "har levererats till följande",
        "доставлено следующим получателям",
    ]

    /// The words of reports about mails that cannot arrive.
    static let failures = [
        "not be delivered", "n't be delivered", "cannot be delivered", "not delivered",
        "not been delivered", "unable to deliver", "n't able to deliver", "not able to deliver",
        "undeliver", "delivery failed", "delivery failure", "delivery has failed",
        "recipients failed", "permanent error", "permanent failure", "fatal error",
        "fatal delivery error", "unrecoverable error", "could not receive this message",
        "has been rejected", "was rejected", "nicht zugestellt", "unzustellbar", "nicht erreicht",
        "pas pu être remis", "pas pu être délivré", "pas été remis", "pas été délivré",
        "non remis", "non distribu", "non è stato consegnato", "non è stata consegnata",
        "non può essere consegnat", "mancata consegna", "impossibile consegnare",
        "mancato recapito", "no se pudo entregar", "no pudo ser entregado",
        "no se ha podido entregar", "no ha sido entregado", "no entregado",
        "não pôde ser entregue", "não foi entregue", "niet worden bezorgd", "niet bezorgd",
        "niet afgeleverd", "onbestelbaar", "inte levereras", "ikke leveres", "voitu toimittaa",
        "niedostarcz", "nie mogła zostać dostarczona", "nie została dostarczona",
        "не доставлен", "недоставлен", "не может быть доставлен", "nedoručiteln",
        "nelze doručit", "kézbesíthetetlen", "nem kézbesíthető", "teslim edilemedi",
        "nu a putut fi livrat", "配信できません", "届けることができません",
        "宛先が見つかりません", "配信不能", "退信", "被退回", "无法送达",
    ]
}
