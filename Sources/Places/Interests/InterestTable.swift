/// Parses `interests.tsv`. The head of that file describes its format.
struct InterestTable {
    private(set) var categories: [Category] = []
    private(set) var interests: [Interest] = []
    /// The categories of each tag of OpenStreetMap such as `amenity=cafe`, as indices of
    /// ``categories``.
    private(set) var indicesByTag: [String: [Int]] = [:]

    /// Parses the table.
    ///
    /// - Throws: ``InterestError/malformed(line:reason:)``.
    init(parsing text: String) throws(InterestError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated() where !line.isEmpty && !line.hasPrefix("#")
        {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
                .map(String.init)
            switch (fields[0], fields.count) {
            case ("category", 6):
                try addCategory(fields, line: index + 1)
            case ("set", 3):
                try addSet(fields, line: index + 1)
            default:
                throw .malformed(line: index + 1, reason: "neither a category nor a set")
            }
        }
    }

    private mutating func addCategory(_ fields: [String], line: Int) throws(InterestError) {
        let id = fields[1]
        guard Interests.isID(id) else {
            throw .malformed(
                line: line, reason: "the id \"\(id)\" is not 24 lowercase hexadecimal digits")
        }
        guard let v3 = Int(fields[2]), !categories.contains(where: { $0.id == id || $0.v3 == v3 })
        else {
            throw .malformed(
                line: line,
                reason: "\(id) or its number \"\(fields[2])\" is a duplicate, or not a number")
        }
        let category = Category(id: id, label: fields[3], v3: v3)
        for tag in fields[5].split(separator: "|") {
            indicesByTag[String(tag), default: []].append(categories.count)
        }
        categories.append(category)
        try addInterest(words: fields[4], categories: [category], line: line)
    }

    private mutating func addSet(_ fields: [String], line: Int) throws(InterestError) {
        var members: [Category] = []
        for id in fields[2].split(separator: ",") {
            guard let category = categories.first(where: { $0.id == id }) else {
                throw .malformed(line: line, reason: "\(id) is not a category on a line above")
            }
            members.append(category)
        }
        guard !members.isEmpty else { throw .malformed(line: line, reason: "the set is empty") }
        try addInterest(words: fields[1], categories: members, line: line)
    }

    private mutating func addInterest(
        words: String, categories: [Category], line: Int
    ) throws(InterestError) {
        let words = words.split(separator: "|").map(String.init)
        guard let name = words.first else {
            throw .malformed(line: line, reason: "it has no words")
        }
        interests.append(
            Interest(name: name, synonyms: Array(words.dropFirst()), categories: categories))
    }
}
