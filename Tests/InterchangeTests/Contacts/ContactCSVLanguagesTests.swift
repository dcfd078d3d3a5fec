import Interchange
import TestKit
import Testing

/// Exports of programs in languages other than English, and of programs other than Google's.
struct ContactCSVLanguagesTests {
    /// The facts of the first row.
    private func facts(_ header: String, _ row: String) throws -> [String] {
        let reading = try ContactCSVReader.read(Array("\(header)\r\n\(row)\r\n".utf8))
        let card = try #require(reading.cards.first)
        #expect(reading.skipped == [])
        return [card.given, card.family]
            + card.emails.map { "\($0.address) \($0.type ?? "-")" }
            + card.phones.map { "\($0.number) \($0.type ?? "-")" }
            + card.addresses.map {
                [$0.type ?? "-", $0.street, $0.postcode, $0.locality, $0.region, $0.country]
                    .joined(separator: "|")
            }
            + [card.organization, card.title, card.birthday ?? "", card.note].filter { !$0.isEmpty }
    }

    @Test func `Outlook's German export is read`() throws {
        let header =
            "Anrede,Vorname,Nachname,Firma,Abteilung,Position,Straße geschäftlich,"
            + "Ort geschäftlich,Postleitzahl geschäftlich,Land/Region geschäftlich,Straße privat,"
            + "Bundesland/Kanton privat,Telefon Assistent,Fax geschäftlich,Telefon geschäftlich,"
            + "Telefon privat 2,Mobiltelefon,Haupttelefon,E-Mail-Adresse,E-Mail-Typ,"
            + "E-Mail: Angezeigter Name,E-Mail 2: Adresse,Geburtstag,Notizen"
        let row =
            "Frau,Jörg,Müller,ACME,Einkauf,Leiterin,Weg 1,Bonn,53111,DE,Gasse 2,NRW,+0,+1,+2,+3,"
            + "+4,+5,jm@x.example,SMTP,Jörg,j2@x.example,12.4.1990,Nett"
        #expect(
            try facts(header, row) == [
                "Jörg", "Müller", "jm@x.example -", "j2@x.example -", "+1 work fax", "+2 work",
                "+3 home", "+4 cell", "+5 main", "work|Weg 1|53111|Bonn||DE",
                "home|Gasse 2|||NRW|", "ACME", "Leiterin", "1990-04-12", "Nett",
            ])
    }

    @Test func `Outlook's French export is read`() throws {
        let header =
            "Titre,Prénom,Nom,Société,Fonction,Rue (bureau),Ville (bureau),Dép/Région (bureau),"
            + "Code postal (bureau),Pays/Région (bureau),Téléphone de l'assistant(e),"
            + "Télécopie (bureau),Téléphone (domicile),Tél. mobile,Téléphone (voiture),"
            + "Adresse de messagerie,Type de messagerie,Nom complet de l'adresse de messagerie,"
            + "Adresse de messagerie 2,Anniversaire,Anniversaire de mariage ou fête"
        let row =
            "M.,René,Dupont,ACME,Chef,1 rue,Lyon,69,69001,FR,+0,+1,+2,+3,+4,rd@x.example,SMTP,"
            + "René,r2@x.example,1990-04-12,2010-05-01"
        #expect(
            try facts(header, row) == [
                "René", "Dupont", "rd@x.example -", "r2@x.example -", "+1 work fax", "+2 home",
                "+3 cell", "+4 car", "work|1 rue|69001|Lyon|69|FR", "ACME", "Chef", "1990-04-12",
            ])
    }

    @Test func `Outlook's Spanish export is read`() throws {
        let header =
            "Tratamiento,Nombre,Segundo nombre,Apellidos,Organización,Puesto,Calle del trabajo,"
            + "Ciudad de trabajo,Código postal del trabajo,País o región del trabajo,"
            + "Teléfono del ayudante,Fax del trabajo,Teléfono del trabajo,Particular,Móvil,"
            + "Dirección de correo electrónico,Tipo de correo electrónico,"
            + "Nombre de pantalla de correo electrónico,Cumpleaños,Notas"
        let row =
            "Sra.,Inés,María,Peña,ACME,Jefa,Calle 1,León,24001,ES,+0,+1,+2,+3,+4,i@x.example,"
            + "SMTP,Inés,1990-04-12,Simpática"
        #expect(
            try facts(header, row) == [
                "Inés", "Peña", "i@x.example -", "+1 work fax", "+2 work", "+3 home", "+4 cell",
                "work|Calle 1|24001|León||ES", "ACME", "Jefa", "1990-04-12", "Simpática",
            ])
    }

    @Test(arguments: [
        (
            "First Name,Last Name,Display Name,Nickname,Primary Email,Secondary Email,"
                + "Screen Name,Work Phone,Mobile Number,Home Address,Home City,Home ZipCode,"
                + "Birth Year,Birth Month,Birth Day",
            "Anna,Meier,Anna Meier,,a@x.example,b@x.example,am,+1,+2,Weg 1,Bonn,53111,1980,5,17"
        ),
        (
            "Vorname,Nachname,Anzeigename,Spitzname,Primäre E-Mail-Adresse,"
                + "Sekundäre E-Mail-Adresse,Messenger-Name,Tel. dienstlich,Mobil-Tel.-Nr.,"
                + "Privat: Adresse,Privat: Ort,Privat: PLZ,Geburtsjahr,Geburtsmonat,Geburtstag",
            "Anna,Meier,Anna Meier,,a@x.example,b@x.example,am,+1,+2,Weg 1,Bonn,53111,1980,5,17"
        ),
    ])
    func `Thunderbird's exports are read`(header: String, row: String) throws {
        #expect(
            try facts(header, row) == [
                "Anna", "Meier", "a@x.example -", "b@x.example -", "+1 work", "+2 cell",
                "home|Weg 1|53111|Bonn||", "1980-05-17",
            ])
    }

    @Test func `Yahoo's export is read`() throws {
        let header =
            "First,Middle,Last,Nickname,Email,Category,Messenger ID,Home,Work,Mobile,"
            + "Alternate Email 1,Alternate Email 2,Company,Work City,Work ZIP,Birthday,Comments"
        let row = "Anna,,Meier,,a@x.example,,,+1,+2,+3,b@x.example,c@x.example,ACME,Bonn,5,,Nice"
        #expect(
            try facts(header, row) == [
                "Anna", "Meier", "a@x.example -", "b@x.example -", "c@x.example -", "+1 home",
                "+2 work", "+3 cell", "work||5|Bonn||", "ACME", "Nice",
            ])
    }

    @Test(arguments: [
        "Nome;Cognome;Indirizzo posta elettronica;Telefono abitazione;Cellulare;CAP;Città",
        "Nome;Sobrenome;Endereço de email;Telefone residencial;Telemóvel;Código postal;Cidade",
        "Voornaam;Achternaam;E-mailadres;Telefoon thuis;Mobiele telefoon;Postcode;Plaats",
        "Imię;Nazwisko;Adres e-mail;Telefon domowy;Telefon komórkowy;Kod pocztowy;Miasto",
        "Förnamn;Efternamn;E-postadress;Telefon hem;Mobiltelefon;Postnummer;Postort",
        "Fornavn;Etternavn;E-post;Telefon hjemme;Mobil;Postnummer;Poststed",
        "Etunimi;Sukunimi;Sähköpostiosoite;Puhelin koti;Matkapuhelin;Postinumero;Kaupunki",
    ])
    func `Headers in further languages are read`(_ header: String) throws {
        #expect(
            try facts(header, "Anna;Meier;a@x.example;+1;+2;12345;Oslo") == [
                "Anna", "Meier", "a@x.example -", "+1 home", "+2 cell", "-||12345|Oslo||",
            ])
    }

    @Test func `Outlook's Finnish export is read`() throws {
        let header =
            "Etunimi,Sukunimi,Yritys,Tehtävänimike,Katuosoite (koti),Postitoimipaikka (koti),"
            + "Postinumero (koti),Työpuhelin,Kotipuhelin,Matkapuhelin,Sähköpostiosoite,"
            + "Syntymäpäivä,Luokat,Muistiinpanot"
        let row = "Väinö,Äijälä,Oy,Johtaja,Katu 1,Espoo,02100,+1,+2,+3,v@x.example,17.5.1980,,Hei"
        #expect(
            try facts(header, row) == [
                "Väinö", "Äijälä", "v@x.example -", "+1 work", "+2 home", "+3 cell",
                "home|Katu 1|02100|Espoo||", "Oy", "Johtaja", "1980-05-17", "Hei",
            ])
        let reading = try ContactCSVReader.read(Array("\(header)\n\(row)\n".utf8))
        #expect(reading.unused == [])
    }

    @Test func `Headers of Notes and of Windows Mail are read`() throws {
        #expect(
            try facts(
                "FirstName,LastName,MailAddress,OfficePhoneNumber,CompanyName,Comment",
                "Anna,Meier,a@x.example,+1,ACME,Nice")
                == ["Anna", "Meier", "a@x.example -", "+1 work", "ACME", "Nice"])
        #expect(
            try facts(
                "FirstName,LastName,InternetAddress,OfficeStreetAddress,OfficeCity,OfficeZIP",
                "Anna,Meier,a@x.example,Weg 1,Bonn,5")
                == ["Anna", "Meier", "a@x.example -", "work|Weg 1|5|Bonn||"])
    }

    @Test(arguments: [
        "Vorname,Nachname,E-Mail,Privat,Geschäftlich,Mobil",
        "Prénom,Nom,E-mail,Domicile,Bureau,Mobile",
        "Nombre,Apellidos,Correo electrónico,Casa,Trabajo,Móvil",
        "Name,Email,Home,Work,Mobile",
    ])
    func `A place alone is a phone beside a mobile phone in a single word`(
        _ header: String
    ) throws {
        let isWhole = header.hasPrefix("Name")
        let row = isWhole ? "Anna Meier,a@x.example,+1,+2,+3" : "Anna,Meier,a@x.example,+1,+2,+3"
        let reading = try ContactCSVReader.read(Array("\(header)\n\(row)\n".utf8))
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "Anna Meier" && reading.unused == [])
        #expect(card.phones.map(\.number) == ["+1", "+2", "+3"])
        #expect(card.phones.map(\.type) == ["home", "work", "cell"])
        let other = try ContactCSVReader.read(Array("Name,Arbeit\nAnna,Lehrerin\n".utf8))
        #expect(other.unused.map(\.name) == ["Arbeit"])
    }

    @Test func `Headers of directories and of Zimbra are read`() throws {
        let directory = "cn,givenName,sn,mail,mozillaSecondEmail,homePhone,l,o,birthyear,birthmonth"
        let row = "Anna Meier,Anna,Meier,a@x.example,b@x.example,+1,Bonn,ACME,1980,5"
        #expect(
            try facts("\(directory),birthday", "\(row),17") == [
                "Anna", "Meier", "a@x.example -", "b@x.example -", "+1 home", "-|||Bonn||", "ACME",
                "1980-05-17",
            ])
        #expect(
            try facts(
                "email,firstName,lastName,workEmail1,homePhone2",
                "a@x.example,Anna,Meier,b@x.example,+1")
                == ["Anna", "Meier", "a@x.example -", "b@x.example work", "+1 home"])
    }

    @Test func `The quotation marks around the names of categories are no part of them`() throws {
        let reading = try ContactCSVReader.read(
            Array("Email,TAGS\na@x.example,\"\"\"choir\"\",\"\"board\"\"\"\n".utf8))
        #expect(reading.cards.first?.categories == ["choir", "board"])
    }

    @Test(arguments: [
        ("Name;Vorname;Telefonnummer privat;Mobilnummer", "Meier;Anna;+1;+2"),
        ("Nom;Prénom;Téléphone personnel;Portable", "Meier;Anna;+1;+2"),
        ("Nombre;Apellidos;Teléfono casa;Celular", "Anna;Meier;+1;+2"),
    ])
    func `A column Name beside one part of the name is the other part`(
        header: String, row: String
    ) throws {
        #expect(try facts(header, row) == ["Anna", "Meier", "+1 home", "+2 cell"])
    }

    @Test(arguments: [
        (
            "Vorname,Nachname,E-Mail 1 – Label,E-Mail 1 – Wert,Telefon 1 – Label,"
                + "Telefon 1 – Wert,Adresse 1 – Label,Adresse 1 – Formatiert,"
                + "Adresse 1 – Straße,Adresse 1 – Ort,Adresse 1 – Postleitzahl",
            "Work,a@x.example,Mobile,+1,Home,Weg 1 Ulm,Weg 1,Ulm,89073"
        ),
        (
            "Prénom,Nom,E-mail 1 - Libellé,E-mail 1 - Valeur,Téléphone 1 - Libellé,"
                + "Téléphone 1 - Valeur,Adresse 1 - Libellé,Adresse 1 - Formatée,"
                + "Adresse 1 - Rue,Adresse 1 - Ville,Adresse 1 - Code postal",
            "Work,a@x.example,Mobile,+1,Home,Weg 1 Ulm,Weg 1,Ulm,89073"
        ),
        (
            "Nombre,Apellidos,Correo electrónico 1 - Etiqueta,Correo electrónico 1 - Valor,"
                + "Teléfono 1 - Etiqueta,Teléfono 1 - Valor,Dirección 1 - Etiqueta,"
                + "Dirección 1 - Calle,Dirección 1 - Ciudad,Dirección 1 - Código postal",
            "Work,a@x.example,Mobile,+1,Home,Weg 1,Ulm,89073"
        ),
    ])
    func `Google's headers are read in other languages`(
        _ header: String, _ row: String
    ) throws {
        #expect(
            try facts(header, "Anna,Meier,\(row)") == [
                "Anna", "Meier", "a@x.example work", "+1 cell", "home|Weg 1|89073|Ulm||",
            ])
    }

    @Test func `Columns may be separated by vertical bars`() throws {
        #expect(
            try facts("Vorname|Nachname|E-Mail, privat", "Anna|Meier, B.|a@x.example")
                == ["Anna", "Meier, B.", "a@x.example home"])
    }

    @Test func `Other words for nickname, whole name and post code are read`() throws {
        let reading = try ContactCSVReader.read(
            Array(
                ("Formatierter Name,Pseudonyme,Email,Work Post Code,Telefon (beruflich)\n"
                    + "Anna Meier,An,a@x.example,89073,+1\n").utf8))
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "Anna Meier" && card.nicknames == ["An"])
        #expect(card.addresses.map(\.postcode) == ["89073"])
        #expect(card.phones.map(\.type) == ["work"])
        #expect(reading.unused.isEmpty)
    }

    @Test func `A whole name beside a given name stays whole`() throws {
        let reading = try ContactCSVReader.read(
            Array("Name,First Name,Email\nAnna Meier,Anna,a@x.example\n".utf8))
        #expect(reading.cards.map(\.formattedName) == ["Anna Meier"])
        #expect(reading.cards.map(\.family) == [""])
    }

    @Test(arguments: [
        "a@x.example; b@x.example", "a@x.example ::: b@x.example", "a@x.example,b@x.example",
        "a@x.example b@x.example", "Anna <a@x.example>; \"Meier; B.\" <b@x.example>",
        "Anna Meier <a@x.example>, b@x.example",
    ])
    func `Several addresses in one field are taken apart`(field: String) throws {
        let quoted = field.replacing("\"", with: "\"\"")
        let reading = try ContactCSVReader.read(Array("Name,Email\nAnna,\"\(quoted)\"\n".utf8))
        #expect(
            reading.cards.first?.emails.map(\.address) == ["a@x.example", "b@x.example"])
        #expect(reading.skipped == [])
    }

    @Test func `Several postal addresses in one slot are taken apart`() throws {
        let reading = try ContactCSVReader.read(
            Array(
                ("Name,Address 1 - Type,Address 1 - Street,Address 1 - City\n"
                    + "A B,Home ::: Work,1 St ::: 2 Rd,X ::: Y\n").utf8))
        let addresses = try #require(reading.cards.first).addresses
        #expect(addresses.map(\.street) == ["1 St", "2 Rd"])
        #expect(addresses.map(\.locality) == ["X", "Y"])
        #expect(addresses.map(\.type) == ["home", "work"])
    }

    @Test func `Columns that are not used are counted, with their first line`() throws {
        let reading = try ContactCSVReader.read(
            Array("Name,Shoe size,Email,Blood\nAnna,38,a@x.example,\nBen,43,b@x.example,\n".utf8))
        #expect(reading.unused.map(\.what) == ["the column \"Shoe size\""])
        #expect(reading.unused.map(\.count) == [2])
        #expect(reading.unused.map(\.line) == [2])
    }
}
