/// Recognizes the headers of a file from left to right, because some say only together with those
/// before them which data they name: in "Adresse privée, Ville", the town is part of the home
/// address.
struct HeaderSequence {
    private let isYahoo: Bool
    /// True if a header names a mobile phone by a single word.
    private let hasShortPhones: Bool
    /// The address column just before, if a header says whether it is at home or at work.
    private var placed: ContactColumn?
    /// The parts of each address so far, by its slot.
    private var parts: [String: Set<ContactColumn.Kind>] = [:]
    /// The words of the first column for the region of each address, by its slot.
    private var regions: [String: HeaderWords] = [:]
    private var isInBirthday = false

    /// Creates a sequence for all headers of a file.
    init(_ headers: [String]) {
        isYahoo = Set(headers.map(ContactColumn.plain)).isSuperset(of: ["first", "last"])
        hasShortPhones = headers.contains { HeaderWords(ContactColumn.plain($0)).isMobilePhone }
    }

    /// The meaning of the next header; `nil` if it is unknown.
    mutating func next(_ header: String) -> ContactColumn? {
        let words = HeaderWords(header)
        let found: ContactColumn? =
            ContactColumn(header: header) ?? (isYahoo ? ContactColumn(yahoo: header) : nil)
            ?? ContactColumn(wayAt: words, isPhone: hasShortPhones)
            ?? (isInBirthday ? ContactColumn(birthPart: words) : nil)
        isInBirthday = found.map { Self.birthParts.contains($0.kind) } ?? false
        guard let column = found, column.family == .addresses else {
            placed = nil
            return found
        }
        return place(column, words)
    }

    /// Puts an address column that names no place into the address before it, unless that already
    /// has such a part.
    private mutating func place(_ column: ContactColumn, _ words: HeaderWords) -> ContactColumn {
        var found = column
        found.kind = kind(of: found, words)
        if let placed, column.slot == ContactColumn.plainSlot {
            var joined = column
            joined.slot = placed.slot
            joined.type = placed.type
            joined.kind = kind(of: joined, words)
            let isTaken = parts[joined.slot]?.contains(joined.kind) ?? false
            if !isTaken { found = joined }
        }
        placed = found.type == nil && found.slot == ContactColumn.plainSlot ? nil : found
        parts[found.slot, default: []].insert(found.kind)
        if found.kind == .region, regions[found.slot] == nil { regions[found.slot] = words }
        return found
    }

    /// The kind of an address column. Thunderbird's French export has the state in "Pays/État", and
    /// after it the country in "Région"; the other way round, "Pays/État" is the country.
    private func kind(of column: ContactColumn, _ words: HeaderWords) -> ContactColumn.Kind {
        guard column.kind == .region, let other = regions[column.slot] else { return column.kind }
        return [words, other].contains { $0.has("pays") && $0.has("etat") } ? .country : .region
    }

    private static let birthParts: Set<ContactColumn.Kind> = [.birthYear, .birthMonth, .birthDay]
}

extension ContactColumn {
    /// The column of a phone number whose header is only a place, as in "Privat;Arbeit;Mobil".
    /// Where no header is a mobile phone, the values show what the column has.
    fileprivate init?(wayAt words: HeaderWords, isPhone: Bool) {
        guard words.isSingle, let place = words.place, place != "other" else { return nil }
        self.init(
            isPhone ? .phone : .way, .phones, slot: "\(words.text) \(words.number)", type: place)
    }

    /// A part of the birthday whose header says so only beside "Année de naissance".
    fileprivate init?(birthPart words: HeaderWords) {
        switch words.text {
        case "mois", "mes", "monat", "month": self.init(.birthMonth)
        case "jour", "dia", "tag", "day": self.init(.birthDay)
        default: return nil
        }
    }
}
