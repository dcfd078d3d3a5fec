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
                        + "arbetstelefon* privattelefon* arbejdstelefon* cell cel mobiel iphone "
                        + "whatsapp тел телефон* мобильн* моб сот* факс* tlf tfn puh komorka "
                        + "arbeitstelefon* diensttelefon* burotelefon* festnetz* heimtelefon* "
                        + "geschaftstelefon*")
                || ["contact no", "contact number", "kontakt nr"].contains(words.text)
        else { return nil }
        // The type of a number, which only Google's headers mark with a dash.
        guard !words.has("type typ tipo label libelle") else { return nil }
        self.init(
            .phone, .phones, slot: "\(words.text) \(words.number)", type: words.phoneType)
    }

    private init?(birthIn words: HeaderWords) {
        guard !words.has("lieu lugar luogo local place ort miejsce misto място место") else {
            return nil
        }
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
                || words.has("aniversario") && !words.isOfPortugal
            {
                .anniversary
            } else if words.has(
                "geburtstag geburtsdatum naissance nacimiento anniversaire cumpleanos compleanno "
                    + "nascita nascimento geboortedatum verjaardag urodzenia urodziny fodelsedag "
                    + "fodelsedatum fodselsdag fodselsdato syntymapaiva dob gebdatum aniversario "
                    + "narozeni narozenin* narodeni narodenin* рождения syntymaaika fodselsdato")
                || HeaderWords.birthTexts.contains(words.text)
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
        if let isFamilyFirst = words.isFamilyFirst {
            self.init(isFamilyFirst ? .familyFirstName : .formattedName)
        } else if let found {
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
                + "dzial osasto oddeleni oddelenie отдел", nil
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
                + "foretag virksomhed yritys organizzazione spolecnost spolocnost организация "
                + "компания фирма", nil
        ),
        (
            .jobTitle,
            "position funktion berufsbezeichnung arbeitstitel fonction puesto cargo posizione "
                + "qualifica functie stanowisko befattning stilling tehtavanimike pozice funkce "
                + "должность", nil
        ),
        (.profession, "beruf profession profesion ocupacion", nil),
        (
            .additional, "weitere zweiter deuxieme segundo secondo drugie andra",
            "vorname vornamen prenom nombre nome imie fornamn"
        ),
        (.additional, "tussenvoegsel mellannamn mellemnavn mellomnavn отчество", nil),
        (.formattedName, "first given", "last family surname"),
        (
            .given,
            "vorname rufname prenom voornaam imie fornamn fornavn etunimi krestni jmeno meno имя",
            nil
        ),
        (.family, "cognome sobrenome apelido", nil),
        (.given, "first given", "name"),
        (.family, "last family", "name"),
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
        (
            .formattedName, "name",
            "full your ihr dein participant attendee guest member contact student customer client "
                + "teilnehmer mitglied kontakt"
        ),
        (.formattedName, "nominativo фио", nil),
        (
            .family,
            "nachname familienname zuname famille apellido apellidos achternaam familienaam "
                + "nazwisko efternamn efternavn etternavn sukunimi prijmeni priezvisko фамилия", nil
        ),
        (
            .nickname,
            "spitzname kurzname surnom pseudo pseudonyme apodo soprannome alcunha bijnaam "
                + "pseudonim smeknamn kaldenavn kallenavn lempinimi prezdivka prezyvka псевдоним",
            nil
        ),
        (.prefix, "anrede civilite tratamiento namensprafix prefixe prefijo", nil),
        (.suffix, "suffixe sufijo namenssuffix", nil),
        (.title, "titel titre titulo", nil),
        (
            .note,
            "notiz* bemerkung* anmerkung* kommentar* notas remarque* commentaire* comentario* "
                + "note notities opmerking* notatki uwagi anteckning* noter notater "
                + "muistiinpano* huomautu* poznamk* заметки примечани* комментари*", nil
        ),
        (
            .categories,
            "kategorie* kategori categorie* categoria* gruppe* groupe* grupo* luokka luokat ryhma* "
                + "skupin* групп* категори*",
            nil
        ),
    ]

    private init?(addressIn words: HeaderWords) {
        guard let kind = Self.kind(ofAddressPart: words) else { return nil }
        let slot = words.place ?? ContactColumn.plainSlot
        self.init(kind, .addresses, slot: slot, type: words.place)
    }

    /// The part of an address that a header names.
    private static func kind(ofAddressPart words: HeaderWords) -> Kind? {
        let isPostcode =
            words.has(HeaderWords.postcodes)
            || words.has("post postal pocztowy postale почтовыи")
                && words.has("code codigo kod codice индекс")
        let isTown = words.has(HeaderWords.towns) || words.isTownBesidePlace
        if isPostcode, isTown { return .postcodeAndTown }
        if isPostcode { return .postcode }
        if words.isHouseNumber { return .houseNumber }
        let found = HeaderWords.addressParts.first { words.has($0.words) }?.kind
        return found ?? (isTown ? .locality : isStreet(words) ? .street : nil)
    }

    private static func isStreet(_ words: HeaderWords) -> Bool {
        words.has(HeaderWords.streets) || words.isStreetBesidePlace || words.text == "domicilio"
    }
}
