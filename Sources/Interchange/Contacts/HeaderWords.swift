import Foundation

/// A column header as words, to recognize it in German, French and Spanish.
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
            "typ type tipo format display angezeigter afficher mostrar name nom nombre"
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
                        + "autotelefon natel gsm")
        else { return nil }
        self.init(
            .phone, .phones, slot: "\(words.text) \(words.number)", type: words.phoneType)
    }

    private init?(birthIn words: HeaderWords) {
        let kind: Kind? =
            if words.has("geburtsjahr")
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
            } else if words.has("jahrestag hochzeitstag mariage aniversario boda") {
                .anniversary
            } else if words.has(
                "geburtstag geburtsdatum naissance nacimiento anniversaire cumpleanos")
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
        } else if words.has("webseite website homepage internetseite web url") {
            self.init(.url, .urls, slot: "\(words.text) \(words.number)")
        } else if ["nom", "nombre"].contains(words.text) {
            self.init(.bareName)
        } else {
            return nil
        }
    }

    /// The words of a column, of which one must occur, and of those of `also` another.
    private static let words: [(kind: Kind, words: String, also: String?)] = [
        (.department, "abteilung service departamento departement", nil),
        (.jobTitle, "titel titre titulo", "organisation organizacion professionnel profesional"),
        (
            .organization,
            "firma unternehmen arbeitgeber societe entreprise empresa compania organisation "
                + "organisme organizacion", nil
        ),
        (.jobTitle, "position funktion berufsbezeichnung arbeitstitel fonction puesto cargo", nil),
        (.profession, "beruf profession profesion ocupacion", nil),
        (.additional, "weitere zweiter deuxieme segundo", "vorname vornamen prenom nombre"),
        (.given, "vorname rufname prenom", nil),
        (.given, "nombre", "pila"),
        (.formattedName, "anzeigename mostrar mostrado", nil),
        (.formattedName, "name nom nombre", "vollstandiger complet completo afficher"),
        (.formattedName, "name", "full your ihr dein"),
        (.family, "nachname familienname zuname famille apellido apellidos", nil),
        (.nickname, "spitzname kurzname surnom apodo", nil),
        (.prefix, "anrede civilite tratamiento namensprafix", nil),
        (.suffix, "suffixe sufijo namenssuffix", nil),
        (.title, "titel titre titulo", nil),
        (
            .note,
            "notiz* bemerkung* anmerkung* kommentar* notas remarque* commentaire* comentario*", nil
        ),
        (.categories, "kategorie* categorie* categoria* gruppe* groupe* grupo*", nil),
    ]

    private init?(addressIn words: HeaderWords) {
        let kind: Kind? =
            if words.has("plz postleitzahl cp") || words.has("postal") && words.has("code codigo") {
                .postcode
            } else if words.has("postfach apartado boite") {
                .poBox
            } else if words.has("dep departement bundesland kanton provincia estado etat") {
                .region
            } else if words.has("land pays pais staat") {
                .country
            } else if words.has("region") {
                .region
            } else if words.has("ort wohnort stadt ville localite ciudad poblacion localidad") {
                .locality
            } else if words.has("strasse rue calle adresse anschrift direccion")
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

extension HeaderWords {
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
        + "courriel* messagerie correo electronique electronica"

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
        if has("privat* prive privee domicile domicilio particular casa personal personnel home") {
            return "home"
        }
        if has(
            "geschaftlich* gesch dienstlich* dienstl arbeit buro bureau professionnel* trabajo "
                + "laboral oficina work business")
        {
            return "work"
        }
        return has("weiterer weitere weiteres sonstige* andere* autre otro otra other")
            ? "other" : nil
    }

    fileprivate var phoneType: String? {
        if has("fax* telefax* telecopie") {
            return place.map { $0 == "other" ? "fax" : "\($0) fax" } ?? "fax"
        }
        if has("mobil* handy* portable movil celular natel gsm") { return "cell" }
        if has("pager* buscapersonas localizador") { return "pager" }
        if has("autotelefon voiture automovil") { return "car" }
        if has("haupttelefon hauptnummer principal firma societe centralita") { return "main" }
        return place
    }
}
