import Interchange
import Testing

/// Columns whose meaning depends on others, and columns for the same data.
struct ContactCSVColumnsTests {
    private func read(_ lines: String...) throws -> CardReading {
        try ContactCSVReader.read(Array(lines.map { $0 + "\r\n" }.joined().utf8))
    }

    /// The addresses of a card: type, street, postcode, town, region and country.
    private func addresses(_ card: ContactCard) -> [String] {
        card.addresses.map { address in
            [
                address.type ?? "-", address.street.replacing("\n", with: "/"), address.postcode,
                address.locality, address.region, address.country,
            ].joined(separator: "|")
        }
    }

    @Test(arguments: [
        "E-Mail: Angezeigter Name", "E-mail 2 Display Name",
        "Nom complet de l'adresse de messagerie", "Nom complet de l’adresse de messagerie 3",
        "Nombre para mostrar del correo electrónico",
        "Nombre para mostrar del correo electrónico 2",
    ])
    func `The displayed name of a mail address is not the name of the person`(
        header: String
    ) throws {
        let reading = try read(
            "First Name,Last Name,Email,\(header)", "René,Dupont,r@x.example,RD (r@x.example)")
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "René Dupont")
        #expect(card.emails.map(\.address) == ["r@x.example"])
        #expect(card.addresses == [])
        #expect(reading.unused.map(\.name) == [header])
    }

    @Test func `Of two titles, the first is a prefix and the second the job title`() throws {
        let reading = try read(
            "Titre,Prénom,Nom,Titre,Profession", "M.,René,Dupont,Directeur,Ingénieur",
            "M.,Yves,Petit,,Ingénieur")
        #expect(reading.cards.map(\.prefix) == ["M.", "M."])
        #expect(reading.cards.map(\.title) == ["Directeur", "Ingénieur"])
        #expect(reading.unused.map(\.name) == ["Profession"])
        #expect(reading.unused.map(\.count) == [1])
    }

    @Test(arguments: [
        ("Titre,Prénom,Nom,Titre professionnel", "M.,René,Dupont,Chef", "M.", "Chef"),
        ("Titel,Vorname,Nachname,Beruf", "Dr.,Anna,Meier,Ärztin", "Dr.", "Ärztin"),
        ("Vorname,Nachname,Titel der Organisation", "Anna,Meier,Chefin", "", "Chefin"),
        ("Nombre,Apellidos,Profesión", "Inés,Peña,Jefa", "", "Jefa"),
        ("Title,First Name,Last Name", "Dr.,Anna,Meier", "Dr.", ""),
        ("First Name,Last Name,Suffix,Title", "Anna,Meier,,Dr.", "Dr.", ""),
        ("First Name,Last Name,Title", "Anna,Meier,Clerk", "", "Clerk"),
        ("Anrede,Titel,Vorname,Nachname,Beruf", "Frau,,Anna,Meier,Ärztin", "Frau", "Ärztin"),
    ])
    func `A prefix and a job title are told apart`(
        header: String, row: String, prefix: String, title: String
    ) throws {
        let reading = try read(header, row)
        #expect(reading.cards.map(\.prefix) == [prefix])
        #expect(reading.cards.map(\.title) == [title])
        #expect(reading.cards.map(\.organization) == [""])
        #expect(reading.unused == [])
    }

    @Test func `A title between a suffix and a company is a job title`() throws {
        let reading = try read(
            "First,Last,Suffix,Title,Company", "Anna,Schmidt,,Vice President,ACME")
        #expect(reading.cards.map(\.formattedName) == ["Anna Schmidt"])
        #expect(reading.cards.map(\.title) == ["Vice President"])
        #expect(reading.cards.map(\.organization) == ["ACME"])
    }

    @Test func `Of two columns for the same data, the other value is reported`() throws {
        let reading = try read(
            "Vorname;Nachname;Beruf;Position;Firma;Organisation;Notizen;Bemerkung",
            "Anna;Meier;Ingenieurin;Chefin;ACME;Verein;n1;n2",
            "Ben;Berg;Koch;;ACME;ACME;n1;n1", "Cleo;Holm;;Chefin;;Verein;;n2")
        #expect(reading.cards.map(\.title) == ["Chefin", "Koch", "Chefin"])
        #expect(reading.cards.map(\.organization) == ["ACME", "ACME", "Verein"])
        #expect(reading.cards.map(\.note) == ["n1\nn2", "n1", "n2"])
        #expect(reading.unused.map(\.name) == ["Beruf", "Organisation"])
        #expect(reading.unused.map(\.count) == [1, 1])
        #expect(reading.unused.map(\.line) == [2, 2])
    }

    @Test func `A name that differs from the displayed name is reported`() throws {
        let reading = try read(
            "Name,Display Name,Email", "Anna,Anna Meier,a@x.example", "Ben,Ben,b@x.example")
        #expect(reading.cards.map(\.formattedName) == ["Anna Meier", "Ben"])
        #expect(reading.unused.map(\.name) == ["Name"])
        #expect(reading.unused.map(\.count) == [1])
    }

    @Test func `Columns with the same header have a phone number each`() throws {
        let reading = try read("Name,Phone,Phone", "Anna,+1,+2")
        #expect(reading.cards.map { $0.phones.map(\.number) } == [["+1", "+2"]])
    }

    @Test func `Thunderbird's French export keeps home and work apart`() throws {
        let reading = try read(
            "Prénom,Nom de famille,Nom à afficher,Surnom,Première adresse électronique,"
                + "Adresse privée,Adresse privée 2,Ville,Pays/État,Code postal,Région,"
                + "Adresse professionnelle,Adresse professionnelle 2,Ville,Pays/État,Code postal,"
                + "Région,Profession,Service,Société,Année de naissance,Mois,Jour,Notes",
            "René,Dupont,René D.,Néné,r@x.example,1 rue X,bat B,Paris,IDF,75001,France,2 rue Y,,"
                + "Lyon,Rhône,69001,France,Chef,RH,ACME,1980,5,17,bla")
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "René D.")
        #expect(
            addresses(card) == [
                "home|1 rue X/bat B|75001|Paris|IDF|France",
                "work|2 rue Y|69001|Lyon|Rhône|France",
            ])
        #expect(card.birthday == "1980-05-17")
        #expect([card.title, card.organization, card.note] == ["Chef", "ACME", "bla"])
        #expect(reading.unused == [])
    }

    @Test func `Thunderbird's Spanish export has one address at home`() throws {
        let reading = try read(
            "Nombre,Apellidos,Nombre mostrado,Dirección personal,Dirección personal 2,"
                + "Ciudad donde vive,Provincia,Código postal,País de residencia,"
                + "Dirección de trabajo,Ciudad (Trabajo),Código postal (Trabajo),"
                + "Año de nacimiento,Mes de nacimiento,Día de nacimiento",
            "José,García,Pepe García,Calle 1,piso 2,Madrid,Madrid,28001,España,Calle 9,Bilbao,"
                + "48001,1980,5,17")
        let card = try #require(reading.cards.first)
        #expect(card.formattedName == "Pepe García")
        #expect([card.given, card.family] == ["José", "García"])
        #expect(
            addresses(card) == [
                "home|Calle 1/piso 2|28001|Madrid|Madrid|España", "work|Calle 9|48001|Bilbao||",
            ])
        #expect(card.birthday == "1980-05-17")
        #expect(reading.unused == [])
    }

    @Test(arguments: [
        ("Name,Home Address,City,Work Address,City", ["home|a||b||", "work|c||d||"]),
        ("Name,Home Address,Home City,City,Country", ["home|a||b||", "-|||c||d"]),
        ("Name,Home Address,Phone,City,Country", ["home|a||||", "-|||c||d"]),
        ("Name,Home Address,City,Address,City", ["home|a||b||", "-|c||d||"]),
        ("Name,Adresse,Ville,Région,Pays/État", ["-|a||b|c|d"]),
        ("Name,Adresse,Ville,Pays/État,Code postal", ["-|a|d|b|c|"]),
    ])
    func `Parts without a place belong to the address just before them`(
        header: String, expected: [String]
    ) throws {
        let reading = try read(header, "Anna,a,b,c,d")
        let card = try #require(reading.cards.first)
        #expect(addresses(card) == expected)
    }

    @Test func `Unused columns are listed in the order of the header`() throws {
        let names = (1...20).map { "Column \($0)" }
        let blanks = String(repeating: ",", count: names.count - 1)
        let values = names.map { _ in "x" }.joined(separator: ",")
        let reading = try read(
            "Name," + names.joined(separator: ","), "Anna,\(blanks)x", "Ben,\(values)")
        #expect(reading.unused.map(\.name) == names)
        #expect(reading.unused.map(\.count) == Array(repeating: 1, count: 19) + [2])
    }

    @Test(arguments: ["0.0.00", "0/0/00", "00.00.00", "0000-00-00", "00/00/0000"])
    func `A date of zeros is no date`(text: String) throws {
        let reading = try read("Name,Birthday,Anniversary", "Anna,\(text),\(text)")
        #expect(reading.cards.map(\.birthday) == [nil])
        #expect(reading.cards.map(\.anniversary) == [nil])
        #expect(reading.warnings == [])
    }

    @Test(arguments: [("0,0,0", nil), ("0,5,17", "--05-17")] as [(String, String?)])
    func `Zeros in the parts of a birthday are left out`(parts: String, birthday: String?) throws {
        let reading = try read("Name,Birth Year,Birth Month,Birth Day", "Anna,\(parts)")
        #expect(reading.cards.map(\.birthday) == [birthday])
        #expect(reading.warnings == [])
    }
}
