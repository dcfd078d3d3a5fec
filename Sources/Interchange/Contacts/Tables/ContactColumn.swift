/// The meaning of a column in a contacts file, derived from its header.
struct ContactColumn: Equatable {
    enum Kind: Hashable {
        case formattedName, given, additional, family, prefix, suffix, nickname
        /// "Name" in a language in which it may be the whole name, or the part of it that has no
        /// column of its own.
        case bareName
        /// The whole name with the family name first, as in "Name, Vorname".
        case familyFirstName
        /// The parts of the birthday in Thunderbird.
        case birthYear, birthMonth, birthDay
        case organization, department, jobTitle, birthday, anniversary, note, timeZone
        /// A prefix if there is also a column for the job title, as in Outlook; otherwise the job
        /// title.
        case title
        /// The job title if no other column has it.
        case profession
        /// Google's labels, separated by ` ::: `.
        case labels
        /// Outlook's categories, separated by semicolons.
        case categories
        case email, phone, url, event
        /// A phone number or a mail address under a header that is only a place: "Privat".
        case way
        /// The type of the value in the same slot.
        case type
        case poBox, extended, street, locality, region, postcode, country, formattedAddress
        /// The number of a house, and what belongs to it.
        case houseNumber, houseAddition
        /// A postcode and a town in one column.
        case postcodeAndTown
    }

    /// A kind of data that may appear several times in a row, in numbered slots.
    enum Family: Hashable {
        case emails, phones, addresses, urls, events
    }

    var kind: Kind
    /// `nil` for data that a contact has only once.
    var family: Family?
    /// The slot; columns of the same family and slot belong together.
    var slot = ""
    /// The type, if the header itself names it.
    var type: String?

    /// Parses a header; `nil` if it is unknown.
    init?(header: String) {
        guard header.utf8.count <= Self.octetsMax else { return nil }
        let name = Self.plain(header)
        if let kind = ContactColumn.singleKinds[name] {
            self.init(kind)
        } else if let type = ContactColumn.phoneTypes[name] {
            self.init(.phone, .phones, slot: name, type: type.isEmpty ? nil : type)
        } else if let column = ContactColumn(numbered: name) ?? ContactColumn(translated: name)
            ?? ContactColumn(spaced: name) ?? ContactColumn(emailOrURL: name)
        {
            self = column
        } else if let column = ContactColumn(addressPart: name)
            ?? ContactColumn(eastAsian: name)
            ?? (name.contains(" -")
                ? ContactColumn(dashed: HeaderWords(name))
                : ContactColumn(words: HeaderWords(name)))
        {
            self = column
        } else {
            return nil
        }
    }

    init(_ kind: Kind, _ family: Family? = nil, slot: String = "", type: String? = nil) {
        self.kind = kind
        self.family = family
        self.slot = slot
        self.type = type
    }

    /// Parses Google's `email 1 - value`.
    private init?(numbered name: String) {
        guard let dash = name.firstRange(of: " - ") else { return nil }
        let left = name[..<dash.lowerBound].split(separator: " ")
        guard left.count == 2, left[1].allSatisfy(\.isWholeNumber) else { return nil }
        let slot = String(left[1])
        let part = String(name[dash.upperBound...])
        let isType = part == "type" || part == "label"
        switch (left[0], part) {
        case ("email", "value"): self.init(.email, .emails, slot: slot)
        case ("phone", "value"): self.init(.phone, .phones, slot: slot)
        case ("website", "value"): self.init(.url, .urls, slot: slot)
        case ("event", "value"): self.init(.event, .events, slot: slot)
        case ("email", _) where isType: self.init(.type, .emails, slot: slot)
        case ("phone", _) where isType: self.init(.type, .phones, slot: slot)
        case ("event", _) where isType: self.init(.type, .events, slot: slot)
        case ("address", _) where isType: self.init(.type, .addresses, slot: slot)
        case ("address", _):
            guard let kind = ContactColumn.addressKinds[part] else { return nil }
            self.init(kind, .addresses, slot: slot)
        case ("organization", "name"): self.init(.organization)
        case ("organization", "department"): self.init(.department)
        case ("organization", "title"): self.init(.jobTitle)
        default: return nil
        }
    }

    /// Parses `email 1 value`, as programs write that leave out Google's dash.
    private init?(spaced name: String) {
        let words = name.split(separator: " ", maxSplits: 2)
        guard words.count == 3, words[1].allSatisfy(\.isWholeNumber) else { return nil }
        self.init(numbered: "\(words[0]) \(words[1]) - \(words[2])")
    }

    /// Parses `adres służbowy - ulica`. Google's headers, which have a dash before other parts, are
    /// known by their exact names.
    private init?(dashed words: HeaderWords) {
        guard words.number.isEmpty, let column = ContactColumn(words: words),
            column.family == .addresses
        else { return nil }
        self = column
    }

    /// Parses `email`, `email 2`, `email 2 address`, `website`.
    private init?(emailOrURL name: String) {
        let letters = name.filter { !$0.isWholeNumber }
            .split(separator: " ").joined(separator: " ")
        let number = name.filter(\.isWholeNumber)
        switch letters {
        case "email", "email address", "mail", "mail address", "primary email",
            "internet address":
            self.init(.email, .emails, slot: "plain \(number)")
        case "secondary email", "alternate email", "mozilla second email":
            self.init(.email, .emails, slot: name)
        case "web page", "website", "url", "homepage", "personal web page", "business web page",
            "personal website", "business website":
            self.init(.url, .urls, slot: name)
        default: return nil
        }
    }

    /// Parses Outlook's `home city`, or `city` alone.
    private init?(addressPart name: String) {
        let words = name.split(separator: " ", maxSplits: 1)
        // Salesforce puts this word before the parts of the only address.
        let part = name.hasPrefix("mailing ") ? String(name.dropFirst("mailing ".count)) : name
        if words.count == 2, let type = ContactColumn.addressTypes[String(words[0])],
            let kind = ContactColumn.addressKinds[String(words[1])]
        {
            self.init(kind, .addresses, slot: String(words[0]), type: type)
        } else if let kind = ContactColumn.addressKinds[part]
            ?? ContactColumn.addressKinds[part.replacing("address ", with: "")]
        {
            self.init(kind, .addresses, slot: ContactColumn.plainSlot)
        } else {
            return nil
        }
    }
}

extension ContactColumn {
    /// The slot of the address whose headers do not say whether it is at home or at work.
    static let plainSlot = "plain"

    /// Headers that can name a person, for the error message about a file without them.
    static let understoodHeaders = [
        "Name", "First Name", "Last Name", "Given Name", "Family Name", "Nickname",
        "Organization Name", "Company", "E-mail 1 - Value", "E-mail Address", "Email",
        "Phone 1 - Value", "Mobile Phone", "Home Phone", "Business Phone", "Phone",
    ]

    /// True if a value in this column can name a person.
    var names: Bool {
        switch kind {
        case .formattedName, .bareName, .familyFirstName, .given, .family, .nickname, .organization,
            .email, .phone:
            true
        case .additional, .prefix, .suffix, .department, .jobTitle, .birthday, .anniversary, .note,
            .timeZone, .title, .profession, .labels, .categories, .url, .event, .type, .poBox,
            .extended, .street, .locality, .region, .postcode, .country, .formattedAddress,
            .birthYear, .birthMonth, .birthDay, .way, .houseNumber, .houseAddition,
            .postcodeAndTown:
            false
        }
    }

    /// The header in lower case, in one spelling.
    static func plain(_ header: String) -> String {
        // Some programs add "[Required]".
        let own = header.firstIndex(of: "[").map { header[..<$0] } ?? header[...]
        let text = own.allSatisfy { !$0.isLetter } ? header[...] : own
        return KeptText.line(undotted(separated(text)).lowercased()).replacing("_", with: " ")
            .replacing("e-mail", with: "email").replacing("e-post", with: "email")
    }

    /// A header with spaces in place of dots between words, as in "Name.First".
    private static func undotted(_ header: String) -> String {
        let parts = header.split(separator: ".", omittingEmptySubsequences: false)
        let areWords = parts.allSatisfy { $0.count > 2 && $0.allSatisfy(\.isLetter) }
        return parts.count > 1 && areWords ? parts.joined(separator: " ") : header
    }

    /// A header with spaces before the capitals within it, as in "GivenName" and "workEmail2".
    private static func separated(_ header: Substring) -> String {
        let isOneWord = header.allSatisfy { $0.isLetter || $0.isNumber }
        guard header.utf8.count <= octetsMax, isOneWord else {
            return String(header)
        }
        var text = ""
        var length = 0
        for letter in header {
            if letter.isUppercase, length > 1, text.last?.isLowercase == true {
                text += " "
                length = 0
            }
            text.append(letter)
            length += 1
        }
        return text
    }

    /// The longest header that is looked at closely, in octets.
    private static let octetsMax = 200

    /// The column of a phone number in an export of Yahoo, whose headers are single words.
    init?(yahoo header: String) {
        let types = [
            "home": "home", "work": "work", "mobile": "cell", "other": "other", "primary": "main",
            "yahoo phone": "",
        ]
        guard let type = types[Self.plain(header)] else { return nil }
        self.init(.phone, .phones, slot: header, type: type.isEmpty ? nil : type)
    }

    private static let singleKinds: [String: Kind] = [
        "name": .bareName, "full name": .formattedName, "display name": .formattedName,
        "contact name": .formattedName, "first name": .given, "given name": .given,
        "firstname": .given, "forename": .given, "middle name": .additional,
        "additional name": .additional, "last name": .family, "family name": .family,
        "lastname": .family, "surname": .family, "name prefix": .prefix, "prefix": .prefix,
        "name suffix": .suffix, "suffix": .suffix, "nickname": .nickname, "nick name": .nickname,
        "name first": .given, "name last": .family, "name middle": .additional,
        "nick": .nickname,
        "company": .organization, "organization": .organization, "organisation": .organization,
        "organization name": .organization, "company name": .organization,
        "department": .department,
        "organization department": .department, "job title": .jobTitle, "title": .title,
        "organization title": .jobTitle, "position": .jobTitle, "birthday": .birthday,
        "birth date": .birthday, "birthdate": .birthday, "date of birth": .birthday,
        // Directories (RFC 4519) and programs that use their names.
        "cn": .formattedName, "sn": .family, "o": .organization, "ou": .department,
        "org": .organization, "org unit": .department,
        "birthyear": .birthYear, "birthmonth": .birthMonth,
        "birth year": .birthYear, "birth month": .birthMonth, "birth day": .birthDay,
        "fname": .given, "lname": .family, "first": .given, "middle": .additional, "last": .family,
        "comment": .note,
        "comments": .note,
        "anniversary": .anniversary, "notes": .note, "note": .note, "time zone": .timeZone,
        "timezone": .timeZone, "tz": .timeZone, "labels": .labels, "group membership": .labels,
        "categories": .categories, "category": .categories, "groups": .categories,
        "group": .categories, "tags": .categories,
    ]

    /// The phone type for each header; empty if the header names none.
    private static let phoneTypes: [String: String] = [
        "phone": "", "phone number": "", "telephone": "", "tel": "", "primary phone": "main",
        "company main phone": "main", "mobile phone": "cell", "mobile": "cell", "cell": "cell",
        "cell phone": "cell", "mobile number": "cell", "home phone": "home",
        "home phone 2": "home", "business phone": "work", "business phone 2": "work",
        "work phone": "work", "other phone": "other", "car phone": "car", "pager": "pager",
        "pager number": "pager", "home fax": "home fax", "business fax": "work fax",
        "work fax": "work fax", "other fax": "fax", "fax": "fax", "fax number": "fax",
    ]

    private static let addressTypes = [
        "home": "home", "business": "work", "work": "work", "office": "work", "other": "other",
    ]

    private static let addressKinds: [String: Kind] = [
        "l": .locality, "st": .region, "street address": .street,
        "street": .street, "street 2": .street, "street 3": .street, "address": .street,
        "address 2": .street, "line 1": .street, "line 2": .street, "line": .street,
        "city": .locality, "town": .locality, "state": .region,
        "region": .region, "province": .region, "state/province": .region,
        "zip/postal code": .postcode, "postal code": .postcode, "postcode": .postcode,
        "zip": .postcode, "zip code": .postcode, "zipcode": .postcode, "country": .country,
        "country/region": .country, "po box": .poBox, "address po box": .poBox,
        "extended address": .extended, "formatted": .formattedAddress,
    ]
}
