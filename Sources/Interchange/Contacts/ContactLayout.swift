/// The positions of the columns in a contacts file.
struct ContactLayout {
    /// Columns that belong together, such as a phone number and its type.
    struct Slot {
        let key: String
        let headerType: String?
        var columns: [ContactColumn.Kind: [Int]] = [:]
    }

    private(set) var columnCount = 0
    /// The headers of the columns that are not read, by their positions.
    private(set) var unused: [Int: String] = [:]
    private(set) var columns: [ContactColumn.Kind: Int] = [:]
    private(set) var slots: [ContactColumn.Family: [Slot]] = [:]

    /// Reads the headers; `nil` if no column can name a person.
    init?(headers: [String]) {
        columnCount = headers.count
        let isYahoo = Set(headers.map(ContactColumn.plain)).isSuperset(of: ["first", "last"])
        let understood = headers.prefix(ContactLimits.columnsMax).map { header in
            ContactColumn(header: header) ?? (isYahoo ? ContactColumn(yahoo: header) : nil)
        }
        guard understood.contains(where: { $0?.names ?? false }) else { return nil }
        for (index, column) in understood.enumerated() {
            guard let column else {
                unused[index] = KeptText.line(headers[index])
                continue
            }
            guard let family = column.family else {
                if columns[column.kind] == nil { columns[column.kind] = index }
                continue
            }
            place(column, of: family, at: index)
        }
        if columns[.birthMonth] != nil, columns[.birthDay] == nil {
            columns[.birthDay] = columns.removeValue(forKey: .birthday)
        }
        if let title = columns.removeValue(forKey: .title) {
            let isPrefix = columns[.jobTitle] != nil && columns[.prefix] == nil
            let kind = isPrefix ? ContactColumn.Kind.prefix : .jobTitle
            if columns[kind] == nil { columns[kind] = title }
        }
    }

    private mutating func place(
        _ column: ContactColumn, of family: ContactColumn.Family, at index: Int
    ) {
        var slots = slots[family] ?? []
        let known = slots.firstIndex { $0.key == column.slot }
        let place = known ?? slots.count
        if known == nil {
            slots.append(Slot(key: column.slot, headerType: column.type))
        }
        slots[place].columns[column.kind, default: []].append(index)
        self.slots[family] = slots
    }
}
