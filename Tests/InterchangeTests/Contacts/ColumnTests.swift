import Testing

@testable import Interchange

struct ContactColumnTests {
    @Test(
        arguments: [
            ("Name", .bareName, nil, "", nil), (" FIRST_NAME ", .given, nil, "", nil),
            ("GivenName", .given, nil, "", nil), ("First Name [Required]", .given, nil, "", nil),
            ("DisplayName", .formattedName, nil, "", nil),
            ("E-mail 12 - Value", .email, .emails, "12", nil),
            ("E-mail 1 - Label", .type, .emails, "1", nil),
            ("Phone 1 - Type", .type, .phones, "1", nil),
            ("Address 2 - PO Box", .poBox, .addresses, "2", nil),
            ("Organization 1 - Title", .jobTitle, nil, "", nil),
            ("E-mail 2 Address", .email, .emails, "plain 2", nil),
            ("email", .email, .emails, "plain ", nil),
            ("Secondary Email", .email, .emails, "secondary email", nil),
            ("Home Phone 2", .phone, .phones, "home phone 2", "home"),
            ("Business Address PO Box", .poBox, .addresses, "business", "work"),
            ("Other City", .locality, .addresses, "other", "other"),
            ("City", .locality, .addresses, "plain", nil),
            ("Personal Web Page", .url, .urls, "personal web page", nil),
        ] as [(String, ContactColumn.Kind, ContactColumn.Family?, String, String?)])
    func `Known headers are recognized`(
        header: String, kind: ContactColumn.Kind, family: ContactColumn.Family?, slot: String,
        type: String?
    ) throws {
        let column = try #require(ContactColumn(header: header))
        #expect(column.kind == kind)
        #expect(column.family == family)
        #expect(column.slot == slot)
        #expect(column.type == type)
    }

    @Test(
        arguments: [
            "", "foo", "E-mail Type", "E-mail 2 Display Name", "E-mail x - Value",
            "Phone 1 - Color",
            "Relation 1 - Value", "Custom Field 1 - Value", "Phonetic First Name", "Photo",
            "E-mail 1 -", " - ", "Home", "Organization 1 - Symbol",
        ])
    func `Other headers are ignored`(header: String) {
        #expect(ContactColumn(header: header) == nil)
    }

    @Test(
        arguments: [
            (["Name", "Title"], nil, 1), (["Title", "Name", "Job Title"], 0, 2),
            (["Title", "Name", "Job Title", "Prefix"], 3, 2),
        ] as [([String], Int?, Int?)])
    func `A title is a prefix if there is also a job title`(
        headers: [String], prefix: Int?, jobTitle: Int?
    ) throws {
        let layout = try #require(ContactLayout(headers: headers))
        #expect(layout.columns[.prefix]?.first == prefix)
        #expect(layout.columns[.jobTitle]?.first == jobTitle)
    }
}

struct ColumnValuesTests {
    @Test(
        arguments: [
            ("", .none), ("0/0/00", .none), ("0.0.00", .none), ("00.00.00", .none),
            ("0/0/0000 00:00", .none), ("0000-00-00", .none), ("--", .unreadable),
            ("1990-04-12", .day("1990-04-12")), ("--04-12", .day("--04-12")),
            ("4/13/1990", .day("1990-04-13")),
            ("13/4/1990", .day("1990-04-13")), ("4/4/1990", .day("1990-04-04")),
            ("4/5/1990", .ambiguous), ("4/13/1990 12:00:00 AM", .day("1990-04-13")),
            ("12.4.1990", .day("1990-04-12")), ("4/13/1604", .day("--04-13")),
            ("13/13/1990", .unreadable), ("4/13/90", .day("1990-04-13")),
            ("2/30/1990", .unreadable),
            ("a/b/c", .unreadable), ("1/2", .ambiguous), ("//", .unreadable), (" ", .unreadable),
            ("99999/1/1", .unreadable), ("9999-12-31", .day("--12-31", without: .year)),
            ("4/13/9999", .day("--04-13", without: .year)),
            ("1990-04-12 25:00", .day("1990-04-12", without: .time)),
            ("1990-04-12 10:15 AM", .day("1990-04-12")),
        ] as [(String, ColumnDate)])
    func `Dates are read only if they are unambiguous`(text: String, date: ColumnDate) {
        #expect(ColumnDate(text) == date)
    }

    @Test(arguments: [
        ("13/5/1990", "1990-05-04"), ("5/13/1990", "1990-04-05"), ("", nil), ("13/13/1990", nil),
    ])
    func `One date in a table tells the order of the others`(
        _ other: String, _ read: String?
    ) throws {
        let table = "Name,Birthday\nAnn,4/5/1990\nBen,\(other)\n"
        let reading = try ContactCSVReader.read(Array(table.utf8))
        #expect(reading.cards.first?.birthday == read)
        let both = "Name,Birthday\nAnn,4/5/1990\nBen,13/5/1990\nCid,5/13/1990\n"
        #expect(try ContactCSVReader.read(Array(both.utf8)).cards.first?.birthday == nil)
    }

    @Test(arguments: [
        ("home", "Home"), ("cell", "Mobile"), ("fax home", "Home Fax"), ("Boat", "Boat"), ("", ""),
    ])
    func `Types are written as words in columns`(type: String, name: String) {
        #expect(ColumnType.name(of: type.isEmpty ? nil : type) == name)
    }

    @Test(
        arguments: [("HOME", "home"), ("Mobile", "cell"), ("Boat", "Boat"), ("", nil)]
            as [(String, String?)])
    func `Words in columns are read as types`(name: String, type: String?) {
        #expect(ColumnType.type(of: name) == type)
    }

    @Test(arguments: [
        ("* Home", "Home", true), ("*", "", true), ("Home", "Home", false), ("*x", "*x", false),
    ])
    func `Google's asterisk marks a value`(marked: String, text: String, isMarked: Bool) {
        #expect(GoogleMark(marked).text == text)
        #expect(GoogleMark(marked).isMarked == isMarked)
    }
}
