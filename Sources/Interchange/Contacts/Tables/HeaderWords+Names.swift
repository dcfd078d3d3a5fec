/// Words of headers that mean something together only.
extension HeaderWords {
    /// Headers of a birthday in short.
    static let birthTexts: Set = ["geb", "geb am", "geb datum", "geb tag", "geboren", "geboren am"]

    /// True for the Portuguese word for a birthday. In Spanish, it has no mark, and means an
    /// anniversary.
    var isOfPortugal: Bool { header.contains("anivers\u{E1}rio") || has("data") }

    /// For a column with the whole name of people, true if the family name is first: "Name,
    /// Vorname". `nil` for other columns.
    var isFamilyFirst: Bool? {
        let (family, given) = (first(of: Self.familyNames), first(of: Self.givenNames))
        guard let family, let given, family != given else { return nil }
        return family < given
    }

    private static let familyNames =
        "name nachname familienname zuname nom cognome apellido apellidos sobrenome achternaam "
        + "nazwisko efternamn efternavn etternavn sukunimi prijmeni фамилия surname"
    private static let givenNames =
        "vorname vornamen vor prenom prenoms nome nombre nombres voornaam imie fornamn fornavn "
        + "etunimi jmeno имя forename"

    /// The places of a town, a postcode and a street in headers.
    static let postcodes =
        "plz postleitzahl cp cap cep postcode postnummer postnr postinumero psc индекс "
        + "zip postalcode"
    static let towns =
        "ort wohnort stadt ville localite ciudad poblacion localidad citta cidade plaats "
        + "woonplaats miasto miejscowosc postort kaupunki postitoimipaikka paikkakunta poststed "
        + "comune mesto obec город city town"
    static let streets =
        "strasse str rue calle adresse anschrift direccion via indirizzo rua morada endereco "
        + "straat adres ulica ulice gata gatuadress gade gateadresse katuosoite osoite kotiosoite "
        + "tyoosoite lahiosoite adresa adress улица адрес hemadress"

    /// The other parts of an address, the first ones before the others.
    static let addressParts: [(kind: ContactColumn.Kind, words: String)] = [
        (.poBox, "postfach apartado boite postbus casilla"),
        (
            .houseNumber,
            "hausnummer hausnr hnr huisnummer huisnr civico husnummer husnr popisne"
        ),
        (.houseAddition, "toevoeging toev huisnummertoevoeging hausnummernzusatz"),
        (.extended, "adresszusatz complement complemento"),
        (
            .region,
            "dep departement bundesland kanton provincia prov estado etat provincie wojewodztwo "
                + "fylke maakunta область"
        ),
        (.country, "land pays pais staat paese nazione kraj maa stat zeme krajina страна"),
        (.region, "region регион regione regio"),
    ]

    /// True for the number of a house in two words, of which one alone means something else.
    var isHouseNumber: Bool { has("nr numer cislo номер number") && has("domu дома house") }

    /// True for a word of Danish for a town or of Norwegian for a street that means something else
    /// in English, if the header names only a place beside it.
    var isTownBesidePlace: Bool { isWord("by", besidePlaceIn: 2) }
    var isStreetBesidePlace: Bool { isWord("gate", besidePlaceIn: 2) }

    private func isWord(_ word: String, besidePlaceIn count: Int) -> Bool {
        has(word) && (isSingle || place != nil && text.split(separator: " ").count == count)
    }
}
