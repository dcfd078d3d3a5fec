import Foundation

/// A column header as words, to recognize it in German, French, Spanish, Italian, Portuguese,
/// Dutch, Polish, Swedish, Danish, Norwegian and Finnish.
///
/// Programs name the same column in many ways ("Telefon privat", "Tel. privat", "Téléphone
/// (domicile)"), so the words count, and not their order.
struct HeaderWords {
    private let words: [String]
    /// The digits of the header.
    let number: String

    init(_ header: String) {
        let folded = header.lowercased().replacing("ß", with: "ss")
            .decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { !(0x300...0x36F).contains($0.value) }
        let parts = String(String.UnicodeScalarView(folded))
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
        words = parts.map { $0.filter { !$0.isNumber } }.filter { !$0.isEmpty }
        number = header.filter(\.isWholeNumber)
    }

    /// The words, separated by spaces.
    var text: String { words.joined(separator: " ") }

    /// True if one of the words is in a list, or begins with an entry that ends with `*`.
    func has(_ list: String) -> Bool {
        list.split(separator: " ").contains { entry in
            entry.last == "*"
                ? words.contains { $0.hasPrefix(entry.dropLast()) }
                : words.contains { $0 == entry }
        }
    }
}

extension ContactColumn {
    /// Recognizes a header by its words; `nil` if it is unknown.
    init?(words: HeaderWords) {
        guard !words.has(HeaderWords.others) else { return nil }
        // The name or the type of a mail address is not data about the person.
        let found: ContactColumn? =
            words.has(HeaderWords.mail)
            ? ContactColumn(mailIn: words)
            : ContactColumn(phoneIn: words) ?? ContactColumn(birthIn: words)
                ?? ContactColumn(nameIn: words) ?? ContactColumn(addressIn: words)
        guard let column = found else { return nil }
        self = column
    }

    private init?(mailIn words: HeaderWords) {
        let attributes =
            "typ type tipo format display angezeigter afficher mostrar name nom nombre nome "
            + "visualizzato exibicao weergavenaam wyswietlana visningsnamn soort"
        guard !words.has(attributes), words.areOfOwnMail else { return nil }
        let slot = "\(words.text) \(words.number)"
        self.init(.email, .emails, slot: slot, type: words.place)
    }

    private init?(phoneIn words: HeaderWords) {
        guard
            words.text == "particular"
                || words.has(
                    "telefon* telephon* phone tel mobil* handy* rufnummer* portable movil celular "
                        + "fax* telefax* telecopie pager* buscapersonas localizador haupttelefon "
                        + "autotelefon natel gsm cellulare telemovel telefoon* komorkowy "
                        + "puhelin* kotipuhelin* tyopuhelin* matkapuhelin* mobiele hemtelefon* "
                        + "arbetstelefon* privattelefon* arbejdstelefon*")
        else { return nil }
        self.init(
            .phone, .phones, slot: "\(words.text) \(words.number)", type: words.phoneType)
    }

    private init?(birthIn words: HeaderWords) {
        let kind: Kind? =
            if words.has("geburtsjahr fodselsar")
                || words.has("birth naissance nacimiento")
                    && words.has("year annee ano")
            {
                .birthYear
            } else if words.has("geburtsmonat")
                || words.has("birth naissance nacimiento")
                    && words.has("month mois mes")
            {
                .birthMonth
            } else if words.has("birth naissance nacimiento"), words.has("day jour dia") {
                .birthDay
            } else if words.has(
                "jahrestag hochzeitstag mariage boda rocznica jubileum arsdag bryllupsdag "
                    + "vuosipaiva anniversario")
                || words.has("aniversario") && !words.has("data")
            {
                .anniversary
            } else if words.has(
                "geburtstag geburtsdatum naissance nacimiento anniversaire cumpleanos compleanno "
                    + "nascita nascimento geboortedatum verjaardag urodzenia urodziny fodelsedag "
                    + "fodelsedatum fodselsdag fodselsdato syntymapaiva")
            {
                .birthday
            } else {
                nil
            }
        guard let kind else { return nil }
        self.init(kind)
    }

    private init?(nameIn words: HeaderWords) {
        let found = Self.words.first { words.has($0.words) && ($0.also.map(words.has) ?? true) }
        if let found {
            self.init(found.kind)
        } else if words.has(
            "webseite website homepage internetseite web url webbplats www kotisivu* verkkosivu* "
                + "hjemmeside")
        {
            self.init(.url, .urls, slot: "\(words.text) \(words.number)")
        } else if ["nom", "nombre", "nome", "naam", "navn", "namn", "nimi"].contains(words.text) {
            self.init(.bareName)
        } else {
            return nil
        }
    }

    /// The words of a column, of which one must occur, and of those of `also` another.
    private static let words: [(kind: Kind, words: String, also: String?)] = [
        (
            .department,
            "abteilung service departamento departement reparto afdeling avdelning avdeling "
                + "dzial osasto", nil
        ),
        (
            .jobTitle, "titel titre titulo",
            "organisation organizacion entreprise empresa professionnel profesional"
        ),
        (.labels, "libelles etiquetas", nil),
        (
            .organization,
            "firma unternehmen arbeitgeber societe entreprise empresa compania organisation "
                + "organisme organizacion societa azienda ditta organizacao bedrijf organisatie "
                + "foretag virksomhed yritys organizzazione", nil
        ),
        (
            .jobTitle,
            "position funktion berufsbezeichnung arbeitstitel fonction puesto cargo posizione "
                + "qualifica functie stanowisko befattning stilling tehtavanimike", nil
        ),
        (.profession, "beruf profession profesion ocupacion", nil),
        (
            .additional, "weitere zweiter deuxieme segundo secondo drugie andra",
            "vorname vornamen prenom nombre nome imie fornamn"
        ),
        (.additional, "tussenvoegsel mellannamn mellemnavn mellomnavn", nil),
        (
            .given,
            "vorname rufname prenom voornaam imie fornamn fornavn etunimi", nil
        ),
        (.family, "cognome sobrenome apelido", nil),
        (.given, "primeiro proprio", "nome"),
        (.given, "nombre", "pila"),
        (
            .formattedName,
            "anzeigename mostrar mostrado weergavenaam visningsnamn vistnavn nayttonimi", nil
        ),
        (
            .formattedName, "name nom nombre nome naam",
            "vollstandiger formatierter complet completo afficher volledige visualizzato exibicao"
        ),
        (.formattedName, "name", "full your ihr dein"),
        (
            .family,
            "nachname familienname zuname famille apellido apellidos achternaam familienaam "
                + "nazwisko efternamn efternavn etternavn sukunimi", nil
        ),
        (
            .nickname,
            "spitzname kurzname surnom pseudo pseudonyme apodo soprannome alcunha bijnaam "
                + "pseudonim smeknamn kaldenavn kallenavn lempinimi", nil
        ),
        (.prefix, "anrede civilite tratamiento namensprafix prefixe prefijo", nil),
        (.suffix, "suffixe sufijo namenssuffix", nil),
        (.title, "titel titre titulo", nil),
        (
            .note,
            "notiz* bemerkung* anmerkung* kommentar* notas remarque* commentaire* comentario* "
                + "note notities opmerking* notatki uwagi anteckning* noter notater "
                + "muistiinpano* huomautu*", nil
        ),
        (
            .categories,
            "kategorie* kategori categorie* categoria* gruppe* groupe* grupo* luokka luokat ryhma*",
            nil
        ),
    ]

    private init?(addressIn words: HeaderWords) {
        let kind: Kind? =
            if words.has("plz postleitzahl cp cap postcode postnummer postinumero")
                || words.has("post postal pocztowy postale") && words.has("code codigo kod codice")
            {
                .postcode
            } else if words.has("postfach apartado boite") {
                .poBox
            } else if words.has(
                "dep departement bundesland kanton provincia estado etat provincie wojewodztwo")
            {
                .region
            } else if words.has("land pays pais staat paese kraj maa") {
                .country
            } else if words.has("region") {
                .region
            } else if words.has(
                "ort wohnort stadt ville localite ciudad poblacion localidad citta cidade plaats "
                    + "woonplaats miasto miejscowosc postort kaupunki "
                    + "postitoimipaikka paikkakunta poststed")
            {
                .locality
            } else if words.has(
                "strasse rue calle adresse anschrift direccion via indirizzo rua morada endereco "
                    + "straat adres ulica gata gatuadress gade katuosoite osoite "
                    + "kotiosoite tyoosoite lahiosoite")
                || words.text == "domicilio"
            {
                .street
            } else {
                nil
            }
        guard let kind else { return nil }
        let slot = words.place ?? ContactColumn.plainSlot
        self.init(kind, .addresses, slot: slot, type: words.place)
    }
}

extension ContactColumn {
    /// The column of a phone number whose header is only a place, as in "Privat;Arbeit;Mobil".
    init?(phoneAt words: HeaderWords) {
        guard words.isSingle, let place = words.place, place != "other" else { return nil }
        self.init(.phone, .phones, slot: "\(words.text) \(words.number)", type: place)
    }
}

extension HeaderWords {
    /// True if there is one word only.
    fileprivate var isSingle: Bool { words.count == 1 }

    /// True for a single word that names a mobile phone, such as "Handy".
    var isMobilePhone: Bool { isSingle && phoneType == "cell" }

    /// Words of columns about other people, or about devices that letsmeet cannot use.
    fileprivate static let others =
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
    fileprivate static let mail =
        "email* mail mails mel smtp internetaddress mailadresse* mailaddress* "
        + "courriel* messagerie correo electronique electronica elettronica eletronico "
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
        + "of the a e id electronic* premier* deuxieme*"

    /// The most words of a header that are looked at.
    private static let wordsMax = 12

    /// True if no word says that a mail address is somebody else's, or that it is something else.
    fileprivate var areOfOwnMail: Bool {
        words.count <= Self.wordsMax
            && words.allSatisfy { word in
                let one = HeaderWords(word)
                return one.has(Self.mail) || one.has(Self.ofOwnMail) || one.place != nil
            }
    }

    /// The place that the words name.
    fileprivate var place: String? {
        if has(
            "privat* prive privee domicile domicilio particular casa personal personnel home "
                + "abitazione residencial thuis huis dom domowy hem hjemme hjem koti "
                + "kotipuhelin* kotiosoite hemtelefon* privattelefon*")
        {
            return "home"
        }
        if has(
            "geschaftlich* gesch dienstlich* dienstl beruflich* arbeit buro bureau "
                + "professionnel* trabajo laboral oficina work business office ufficio lavoro "
                + "trabalho comercial zakelijk werk praca sluzbowy arbete jobb arbejde tyo "
                + "tyopuhelin* tyoosoite "
                + "arbetstelefon* arbejdstelefon*")
        {
            return "work"
        }
        return has(
            "weiterer weitere weiteres sonstige* andere* autre otro otra other altro altra outro "
                + "outra overig* inny inne annan ovrig* andet muu")
            ? "other" : nil
    }

    fileprivate var phoneType: String? {
        if has("fax* telefax* telecopie") {
            return place.map { $0 == "other" ? "fax" : "\($0) fax" } ?? "fax"
        }
        if has(
            "mobil* handy* portable movil celular natel gsm cellulare telemovel komorkowy "
                + "matkapuhelin* mobiele")
        {
            return "cell"
        }
        if has("pager* buscapersonas localizador") { return "pager" }
        if has("autotelefon voiture automovil") { return "car" }
        if has("haupttelefon hauptnummer principal firma societe centralita") { return "main" }
        return place
    }
}
