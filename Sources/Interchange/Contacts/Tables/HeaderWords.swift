import Foundation

/// A column header as words, to recognize it in German, French, Spanish, Italian, Portuguese,
/// Dutch, Polish, Czech, Slovak, Swedish, Danish, Norwegian, Finnish and Russian.
///
/// Programs name the same column in many ways ("Telefon privat", "Tel. privat", "Téléphone
/// (domicile)"), so the words count, and not their order.
struct HeaderWords {
    private let words: [String]
    /// The digits of the header.
    let number: String
    /// The header in lower case.
    let header: String

    init(_ text: String) {
        header = text.lowercased()
        let folded = header.decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { !(0x300...0x36F).contains($0.value) }
            .flatMap { Self.spellings[$0].map { Array($0.unicodeScalars) } ?? [$0] }
        let parts = String(String.UnicodeScalarView(folded))
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
        words = parts.map { $0.filter { !$0.isNumber } }.filter { !$0.isEmpty }
        number = header.filter(\.isWholeNumber)
    }

    /// Letters that have no form without a mark, as people write them without one.
    private static let spellings: [Unicode.Scalar: String] = [
        "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i", "ð": "d",
    ]

    /// The words, separated by spaces.
    var text: String { words.joined(separator: " ") }

    /// The place of the first word that is in a list; `nil` if there is none.
    func first(of list: String) -> Int? {
        let list = Set(list.split(separator: " ").map(String.init))
        return words.firstIndex(where: list.contains)
    }

    /// True if one of the words is in a list, or begins with an entry that ends with `*`.
    func has(_ list: String) -> Bool {
        list.split(separator: " ").contains { entry in
            entry.last == "*"
                ? words.contains { $0.hasPrefix(entry.dropLast()) }
                : words.contains { $0 == entry }
        }
    }
}

extension HeaderWords {
    /// True if there is one word only.
    var isSingle: Bool { words.count == 1 }

    /// The type that the words name, if they name nothing else: "Privat", "Fax (work)".
    var typeAlone: String? {
        let isType = words.allSatisfy { HeaderWords($0).phoneType != nil }
        return isType && !words.isEmpty ? phoneType : nil
    }

    /// True for a single word that names a mobile phone, such as "Handy".
    var isMobilePhone: Bool { isSingle && phoneType == "cell" }

    /// Words of columns about other people, or about devices that letsmeet cannot use.
    static let others =
        "assistent* assistant* ayudante vorgesetzte* jefe responsable conjoint* conyuge partner* "
        + "owner spouse husband wife manager* supervisor boss reports emergency secretar* parent* "
        + "mother father child* guardian referr* created modified invoice billing "
        + "ehefrau ehemann eltern mutter vater kind sekretar* vorzimmer chef* notfall* inhaber* "
        + "besitzer* bearbeiter* rechnung* epouse epoux mari mere pere urgence proprietaire "
        + "esposa esposo marido madre padre padres emergencia propietario secretaria dueno "
        + "ehepartner kinder enfants hijos phonetic* phonetisch* phonetique fonetico yomi "
        + "horbehinderte malentendants tty tdd telex ruckmeldung rappel devolucion isdn rnis rdsi "
        + "radiotelephone radiotelefono"

    /// Words of columns about a mail address.
    static let mail =
        "email* mail mails mel smtp internetaddress mailadresse* mailaddress* "
        + "courriel* messagerie correo electronique electronica elettronica eletronico эл почта "
        + "почты почте "
        + "eletronica correio epost* sahkoposti*"

    /// Other words in the headers of columns with the person's own mail address.
    private static let ofOwnMail =
        "company corporate firm* firma* gesch* pro perso student* best new work* "
        + "address addresses adresse* direccion direcciones postfach value wert valor valeur "
        + "primary secondary alternate alternative main default preferred first second third "
        + "haupt* primar* sekundar* standard bevorzugt* erste* zweite* dritte* zusatzlich* "
        + "allgemeine* general* "
        + "principal* secondaire* secundari* preferid* alternativ* primer* segund* "
        + "person* contact* kontakt* contacto* customer* client* kunde* guest* gast member* "
        + "mitglied* membre* miembro* participant* teilnehmer* attendee* user* nutzer* benutzer* "
        + "indirizzo indirizzi posta endereco enderecos adres adress adresy adressen osoite di "
        + "subscriber* your my ihre deine su tu votre school schule university universitat uni "
        + "erforderlich required optional pflichtfeld obligatorio obligatoire de del du la le el "
        + "of the a e id electronic* premier* deuxieme* what is adresa адрес электронная "
        + "электроннои "
        + "рабоч* личн* домашн* основн* дополнительн* втор* перв* zaklad* soukrom*"

    /// The most words of a header that are looked at.
    private static let wordsMax = 12

    /// True if no word says that a mail address is somebody else's, or that it is something else.
    var areOfOwnMail: Bool {
        words.count <= Self.wordsMax
            && words.allSatisfy { word in
                let one = HeaderWords(word)
                return one.has(Self.mail) || one.has(Self.ofOwnMail) || one.place != nil
            }
    }

    /// The place that the words name.
    var place: String? {
        if has(
            "privat* prive privee domicile domicilio particular casa personal personnel home "
                + "abitazione residencial thuis huis dom domowy hem hjemme hjem koti "
                + "kotipuhelin* kotiosoite hemtelefon* privattelefon* priv ab zuhaus* hause "
                + "residenciais residenziale abitaz huisadres huistelefoon hemma hemadress* "
                + "hjemme* heimtelefon* hjemmeadress* bostad* bopael domu domovni soukrom* "
                + "domow* prywatn* "
                + "дом домашн* личн*")
        {
            return "home"
        }
        if has(
            "geschaftlich* gesch dienstlich* dienstl beruflich* arbeit buro bureau "
                + "professionnel* trabajo laboral oficina work business office ufficio lavoro "
                + "trabalho comercial zakelijk werk praca sluzbowy arbete jobb arbejde tyo "
                + "tyopuhelin* tyoosoite "
                + "arbetstelefon* arbejdstelefon* uff lavor* comerciais profissional "
                + "profesional zakelijke werkadres werktelefoon prace pracovni sluzebni sluzbow* "
                + "firmow* sluzbov* arbete* arbetsadress* arbejds* arbeid* arbeids* kontor* "
                + "dienst* arbeits* раб рабоч* работа служебн* buro*")
        {
            return "work"
        }
        return has(
            "weiterer weitere weiteres sonstige* andere* autre otro otra other altro altra outro "
                + "outra overig* inny inne annan ovrig* andet muu muut jine ostatni ine "
                + "другои прочии"
        )
            ? "other" : nil
    }

    var phoneType: String? {
        if has("fax* telefax* telecopie факс*") {
            return place.map { $0 == "other" ? "fax" : "\($0) fax" } ?? "fax"
        }
        if has(
            "mobil* handy* portable movil celular natel gsm cellulare telemovel komorkowy "
                + "matkapuhelin* mobiele mobiel mobiltel* mobiln* mobilny komorka kom cell cel "
                + "cellulaire iphone whatsapp сот* моб мобильн* natel* handynr*")
        {
            return "cell"
        }
        if has("pager* buscapersonas localizador") { return "pager" }
        if has("autotelefon voiture automovil") { return "car" }
        if has("haupttelefon hauptnummer principal firma societe centralita") { return "main" }
        return place
    }
}
