import Interchange
import Testing

/// Tables of programs in further languages, and tables that clubs write by hand.
struct ExportsOfProgramsTests {
    private func read(_ lines: String...) throws -> CardReading {
        try ContactCSVReader.read(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    /// The facts of the first row: names, addresses, numbers and places.
    private func facts(_ header: String, _ row: String) throws -> [String] {
        let reading = try read(header, row)
        #expect(reading.unused.map(\.name) == [])
        #expect(reading.skipped == [])
        let card = try #require(reading.cards.first)
        return [card.formattedName] + card.emails.map { "\($0.address) \($0.type ?? "-")" }
            + card.phones.map { "\($0.number) \($0.type ?? "-")" }
            + card.addresses.map { address in
                [
                    address.type ?? "-", address.street, address.postcode, address.locality,
                    address.region, address.country,
                ].joined(separator: "|")
            } + [card.organization, card.birthday ?? ""].filter { !$0.isEmpty }
    }

    @Test(arguments: [
        "Nome,Cognome,Via (uff.),Città (uff.),CAP (uff.),Via (ab.),Città (ab.),CAP (ab.),"
            + "Telefono (uff.),Telefono (ab.),Cellulare,Indirizzo posta elettronica",
        "Voornaam,Achternaam,Werkadres: straat,Werkadres: plaats,Werkadres: postcode,"
            + "Huisadres: straat,Huisadres: plaats,Huisadres: postcode,Telefoon op werk,"
            + "Telefoon thuis,Mobiel,E-mailadres",
        "Primeiro Nome,Sobrenome,Rua do Endereço Comercial,Cidade do Endereço Comercial,"
            + "CEP do Endereço Comercial,Rua Residencial,Cidade Residencial,CEP Residencial,"
            + "Telefone Comercial,Telefone Residencial,Celular,Endereço de Email",
        "Imię,Nazwisko,Adres służbowy - ulica,Adres służbowy - miejscowość,"
            + "Adres służbowy - kod pocztowy,Adres domowy - ulica,Adres domowy - miejscowość,"
            + "Adres domowy - kod pocztowy,Telefon służbowy,Telefon domowy,Telefon komórkowy,"
            + "Adres e-mail",
        "Jméno,Příjmení,Ulice (práce),Město (práce),PSČ (práce),Ulice (domů),Město (domů),"
            + "PSČ (domů),Telefon (práce),Telefon (domů),Mobil,E-mailová adresa",
        "Fornavn,Efternavn,Adresse (arbejde),By (arbejde),Postnummer (arbejde),Adresse (privat),"
            + "By (privat),Postnummer (privat),Telefon (arbejde),Telefon (privat),Mobiltelefon,"
            + "E-mailadresse",
        "Fornavn,Etternavn,Gate (arbeid),Poststed (arbeid),Postnummer (arbeid),Gate (hjemme),"
            + "Poststed (hjemme),Postnummer (hjemme),\"Telefon, arbeid\",\"Telefon, hjem\","
            + "Mobiltelefon,E-postadresse",
        "Имя,Фамилия,Улица (раб. адрес),Город (раб. адрес),Индекс (раб. адрес),"
            + "Улица (дом. адрес),Город (дом. адрес),Индекс (дом. адрес),Рабочий телефон,"
            + "Домашний телефон,Мобильный телефон,Адрес эл. почты",
        "Vorname,Nachname,Straße geschäftlich,Ort geschäftlich,Postleitzahl geschäftlich,"
            + "Straße privat,Ort privat,Postleitzahl privat,Telefon geschäftlich,"
            + "Telefon (privat),Handy,E-Mail-Adresse",
    ])
    func `Home and work are told apart in the exports of Outlook`(header: String) throws {
        #expect(
            try facts(header, "Ann,Lee,W 1,Ulm,89073,H 2,Bonn,53111,+1,+2,+3,a@x.org") == [
                "Ann Lee", "a@x.org -", "+1 work", "+2 home", "+3 cell", "work|W 1|89073|Ulm||",
                "home|H 2|53111|Bonn||",
            ])
    }

    @Test func `Tables in Japanese are read`() throws {
        #expect(
            try facts(
                "姓,名,会社名,郵便番号 (会社),番地 (会社),自宅の電話,会社の電話,携帯電話,電子メール アドレス,誕生日",
                "田中,一郎,ACME,100-0001,千代田1,+1,+2,+3,t@x.org,1980/12/31") == [
                    "田中 一郎", "t@x.org -", "+1 home", "+2 work", "+3 cell",
                    "work|千代田1|100-0001|||", "ACME", "1980-12-31",
                ])
        #expect(
            try facts("氏名,メールアドレス,電話番号,住所", "田中 一郎,t@x.org,+1,東京都千代田区1")
                == ["田中 一郎", "t@x.org -", "+1 -", "-|東京都千代田区1||||"])
    }

    @Test(arguments: [
        (
            "Cognome e Nome;Indirizzo;N. civico;CAP;Comune;Prov.;E-mail",
            "Rossi Mario;Via Roma;1;20121;Milano;MI;m@x.org",
            ["Mario Rossi", "m@x.org -", "-|Via Roma 1|20121|Milano|MI|"]
        ),
        (
            "Naam;Straat;Huisnummer;Toevoeging;Postcode;Plaats;E-mail",
            "Jan Dijk;Kerkstraat;12;A;1234 AB;Utrecht;j@x.org",
            ["Jan Dijk", "j@x.org -", "-|Kerkstraat 12 A|1234 AB|Utrecht||"]
        ),
        (
            "Name, Vorname;Straße;Hausnr.;PLZ/Ort;E-Mail;geb. am",
            "Meier, Anna;Weg;1;53111 Bonn;a@x.org;31.12.1980",
            ["Anna Meier", "a@x.org -", "-|Weg 1|53111|Bonn||", "1980-12-31"]
        ),
        (
            "Indirizzo 1 - Via;Indirizzo 1 - Città;CAP;Provincia;Nome;Email",
            "Via Roma 1;Milano;20121;MI;Mario;m@x.org",
            ["Mario", "m@x.org -", "-|Via Roma 1|20121|Milano|MI|"]
        ),
        (
            "firstName;lastName;emailAddress;address_line_1;address_city;address_zip;DOB",
            "Ann;Lee;a@x.org;1 Main;Town;99;1980-12-31",
            ["Ann Lee", "a@x.org -", "-|1 Main|99|Town||", "1980-12-31"]
        ),
        (
            "Name.First;Name.Last;Email 1 Value;Email 1 Type;Phone 1;Phone 1 Type",
            "Ann;Lee;a@x.org;Work;+1;Privat", ["Ann Lee", "a@x.org work", "+1 home"]
        ),
    ])
    func `The parts of an address are put together, however the columns divide them`(
        header: String, row: String, expected: [String]
    ) throws {
        #expect(try facts(header, row) == expected)
    }

    @Test(arguments: [
        ("Privat", "home"), ("Geschäftlich", "work"), ("Lavoro", "work"), ("Domicile", "home"),
        ("Celular", "cell"), ("Fax (privat)", "home fax"), ("Praca", "work"), ("Boat", "Boat"),
        ("Büro Köln", "Büro Köln"),
    ])
    func `The type of a number is read in other languages`(word: String, type: String) throws {
        let reading = try read("Name,Phone 1 - Type,Phone 1 - Value", "Ann,\(word),+1")
        #expect(reading.cards.first?.phones.map(\.type) == [type])
    }

    @Test func `A header that is only a place has what its values are`() throws {
        let reading = try read(
            "Name;Privat;Büro", "Ann;030 12345;a@x.org", "Ben;31.12.1980;030 54321",
            "Cid;Room 123456;")
        #expect(
            reading.cards.map { $0.phones.map(\.number) } == [["030 12345"], ["030 54321"], []])
        #expect(reading.cards.first?.emails.map(\.type) == ["work"])
        #expect(reading.unused.map(\.name) == ["Privat"])
        #expect(reading.unused.map(\.count) == [2])
    }

    @Test(arguments: [
        "Members 2024\nName;E-Mail\nAnn;a@x.org\n",
        "Members, as of May\n\nName;E-Mail\nAnn;a@x.org\n",
        "\"sep=;\"\nName;E-Mail\nAnn;a@x.org\n", "\u{FEFF}sep=;\r\nName;E-Mail\r\nAnn;a@x.org\r\n",
        "Name|E-Mail\nAnn|a@x.org\n", "Name;E-Mail\nAnn;a@x.org\nName;E-Mail\n",
    ])
    func `A line above the header has other separators or none`(text: String) throws {
        let reading = try ContactCSVReader.read(Array(text.utf8))
        #expect(reading.cards.map(\.formattedName) == ["Ann"])
        #expect(reading.cards.flatMap(\.emails).map(\.address) == ["a@x.org"])
    }
}
