/// The uses that are allowed among the folders of Planning: a folder may name the types of these
/// other folders. `Core` holds what all use; `Drafting` is pure and uses nothing else.
enum PlanningFolders {
    static let allowed: [String: Set<String>] = [
        "Accounts": ["Answers", "Core", "Ledger", "Meetings", "People"],
        "AddressBooks": ["Core", "People"],
        "Core": ["AddressBooks", "Meetings", "People", "Places"],
        "Drafting": ["Core", "Seats"],
        "People": ["AddressBooks", "Core", "Meetings"],
        "Places": ["AddressBooks", "Core", "Meetings", "People"],
        "Ledger": ["Core", "Drafting", "People"],
        "Channels": ["Core", "Drafting", "Ledger", "Meetings", "People"],
        "Meetings": ["Core", "Drafting", "Ledger", "People", "Places", "Seats"],
        "Social": ["Channels", "Core", "Drafting", "Ledger", "Meetings", "People", "Seats"],
        "Seats": ["Channels", "Core", "Drafting", "Ledger", "Meetings", "People"],
        "Pecks": ["Core", "Ledger"],
        "Answers": ["Channels", "Core", "Drafting", "Ledger", "Meetings", "People"],
    ]

    /// The uses of a type of another folder that the table does not allow.
    static func forbidden(in sources: [Source]) -> [Finding] {
        let own = sources.filter { $0.folder.hasPrefix("Sources/Planning/") }
        let homes = Dictionary(
            own.flatMap { source in types(in: source).map { ($0, area(of: source)) } },
            uniquingKeysWith: { first, _ in first })
        return own.flatMap { source in
            let area = area(of: source)
            let mine = types(in: source)
            return source.tokens.compactMap { token -> Finding? in
                guard token.isWord, !mine.contains(token.text), let home = homes[token.text],
                    home != area, allowed[area]?.contains(home) != true
                else { return nil }
                return source.finding(
                    line: token.line, "\(area) may not use \(token.text) of \(home)")
            }
        }
    }

    /// `Drafting` decides and waits for nothing.
    static func waits(in source: Source) -> [Finding] {
        guard source.folder == "Sources/Planning/Drafting" else { return [] }
        return source.tokens.filter { ["await", "async"].contains($0.text) }
            .map { source.finding(line: $0.line, "a decision waits for nothing") }
    }

    private static func area(of source: Source) -> String {
        source.folder.split(separator: "/").last.map(String.init) ?? ""
    }

    /// The types that a file declares at its top level, for others to use.
    private static func types(in source: Source) -> Set<String> {
        let keywords: Set = ["struct", "enum", "class", "actor", "protocol", "typealias"]
        let tokens = source.tokens
        return Set(
            tokens.indices.dropLast().filter { index in
                let line = source.lines[tokens[index].line - 1]
                return keywords.contains(tokens[index].text) && !line.hasPrefix(" ")
                    && !line.contains("private ")
            }.map { tokens[$0 + 1].text })
    }
}
