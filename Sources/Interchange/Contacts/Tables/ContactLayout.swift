/// The positions of the columns in a contacts file.
struct ContactLayout {
    /// Columns that belong together, such as a phone number and its type.
    struct Slot {
        let key: String
        let headerType: String?
        var columns: [ContactColumn.Kind: [Int]] = [:]
    }

    private(set) var columnCount = 0
    /// The headers of all columns, shortened for messages.
    private(set) var headers: [String] = []
    /// The positions of the columns that are not read.
    private(set) var unused: [Int] = []
    /// The positions of the data that a contact has only once. Of several columns for the same
    /// data, the first one that is not blank is used.
    private(set) var columns: [ContactColumn.Kind: [Int]] = [:]
    private(set) var slots: [ContactColumn.Family: [Slot]] = [:]
    /// The order of the numbers in dates with slashes, if the rows tell it.
    var dateOrder: ColumnDate.Order?

    /// Reads the headers; `nil` if no column can name a person.
    init?(headers: [String]) {
        columnCount = headers.count
        let read = headers.prefix(ContactLimits.columnsMax)
        self.headers = read.map(KeptText.shown)
        var sequence = HeaderSequence(headers)
        let understood = read.map { sequence.next($0) }
        guard understood.contains(where: { $0?.names ?? false }) else { return nil }
        for (index, column) in understood.enumerated() {
            guard let column else {
                unused.append(index)
                continue
            }
            if let family = column.family {
                place(column, of: family, at: index)
            } else {
                columns[column.kind, default: []].append(index)
            }
        }
        if columns[.birthMonth] != nil, columns[.birthDay] == nil {
            columns[.birthDay] = columns.removeValue(forKey: .birthday)
        }
        placeTitles()
        joinTypes()
    }

    /// Moves the type of a value, as in "Phone 1 Type", to the slot with the same number, if that
    /// is written in another way, as in "Phone 1".
    private mutating func joinTypes() {
        for family in [ContactColumn.Family.emails, .phones] {
            guard var slots = slots[family] else { continue }
            for (place, slot) in slots.enumerated() {
                guard let types = slot.columns[.type], slot.columns.count == 1,
                    let other = slots.firstIndex(where: {
                        $0.key.hasSuffix(" \(slot.key)") && $0.columns[.type] == nil
                    })
                else { continue }
                slots[other].columns[.type] = types
                slots[place].columns = [:]
            }
            self.slots[family] = slots
        }
    }

    /// Makes each column "Title" a prefix or a job title. The first is a prefix if there is also a
    /// job title, which may be a second "Title", as in Outlook's French export, or if it stands
    /// right before the given name, as in Outlook, or beside a suffix where nobody has an
    /// organization.
    private mutating func placeTitles() {
        var titles = columns.removeValue(forKey: .title) ?? []
        let professions = columns.removeValue(forKey: .profession) ?? []
        let isPair = titles.count > 1
        let hasJobTitle = columns[.jobTitle] != nil || !professions.isEmpty || isPair
        let isBesideName = titles.first.map { title in
            columns[.suffix] != nil && columns[.organization] == nil
                || columns[.given]?.contains(title + 1) == true
        }
        if hasJobTitle || isBesideName == true, columns[.prefix] == nil, !titles.isEmpty {
            columns[.prefix] = [titles.removeFirst()]
        }
        var jobTitles = columns[.jobTitle] ?? []
        jobTitles += isPair ? titles + professions : professions + titles
        if !jobTitles.isEmpty { columns[.jobTitle] = jobTitles }
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
