extension ContactColumn {
    /// Parses Google's `email 1 - value` in other languages: `telefon 1 – wert`,
    /// `adresse e-mail 1 - libellé`. The words before the dash name the data, and those behind it
    /// the part of them.
    init?(translated name: String) {
        guard let dash = name.firstMatch(of: /\s[–-]\s/) else { return nil }
        let left = HeaderWords(String(name[..<dash.range.lowerBound]))
        let part = HeaderWords(String(name[dash.range.upperBound...]))
        guard !left.number.isEmpty, part.number.isEmpty else { return nil }
        let isEvent = left.has("ereignis evenement evento")
        let family = isEvent ? .events : ContactColumn(words: left)?.family
        guard let family, let kind = Self.kind(of: part, in: family) else { return nil }
        self.init(kind, family, slot: left.number)
    }

    private static func kind(of part: HeaderWords, in family: Family) -> Kind? {
        if part.has(
            "label libelle etiqueta bezeichnung typ type tipo etichetta etykieta etikett stitek тип"
        ) {
            return family == .urls ? nil : .type
        }
        switch family {
        case .addresses:
            if part.has("formatiert* formate* formatte*") { return .formattedAddress }
            let column = ContactColumn(words: part)
            return column?.family == .addresses ? column?.kind : nil
        case .emails: return part.isValue ? .email : nil
        case .phones: return part.isValue ? .phone : nil
        case .urls: return part.isValue ? .url : nil
        case .events: return part.isValue ? .event : nil
        }
    }
}

extension HeaderWords {
    fileprivate var isValue: Bool {
        has("wert value valeur valor valore waarde wartosc hodnota varde verdi arvo значение")
    }
}
