/// The layout of source files: the size of folders, and the names of files.
enum Layout {
    /// The most Swift files in one folder.
    static let folderFilesMax = 25
    /// The least lines of a file. Shorter code belongs in the file of the type that it serves.
    static let fileLinesMin = 25

    /// The folders with more files than the limit. Migrations are exempt, because their number only
    /// grows.
    static func crowdedFolders(_ sources: [Source]) -> [Finding] {
        Dictionary(grouping: sources, by: \.folder).filter {
            $1.count > folderFilesMax && !$0.hasSuffix("/Migrations")
        }.map { folder, files in
            Finding(
                path: folder, line: 1, message: "\(files.count) files, \(folderFilesMax) allowed")
        }.sorted { $0.path < $1.path }
    }

    /// A file that is not named after a type in it, or `Type+Aspect` after a type that it extends.
    static func misnamed(_ source: Source) -> [Finding] {
        guard !isMigration(source) else { return [] }
        let stem = source.fileName.dropLast(".swift".count)
        let parts = stem.split(separator: "+", maxSplits: 1)
        let names = parts.count > 1 ? declared(in: source, with: ["extension"]) : []
        let types = declared(
            in: source,
            with: ["struct", "enum", "class", "actor", "protocol", "typealias"])
        guard let type = parts.first.map(String.init), !types.union(names).contains(type) else {
            return []
        }
        return [source.finding(line: 1, "the file has no type of its name, \(type)")]
    }

    /// A file below the limit of lines.
    static func short(_ source: Source) -> [Finding] {
        let count = source.lines.last?.isEmpty == true ? source.lines.count - 1 : source.lines.count
        guard count < fileLinesMin, !isMigration(source) else { return [] }
        return [source.finding(line: count, "\(count) lines, at least \(fileLinesMin) expected")]
    }

    private static func isMigration(_ source: Source) -> Bool {
        source.folder.hasSuffix("/Migrations") && source.fileName != "Migrations.swift"
    }

    /// The names behind these keywords. Of `Unicode.Scalar` and `[Participant]`, the last name
    /// counts.
    private static func declared(in source: Source, with keywords: Set<String>) -> Set<String> {
        let tokens = source.tokens
        return Set(
            tokens.indices.filter { keywords.contains(tokens[$0].text) }.compactMap { index in
                let name = tokens[(index + 1)...].prefix {
                    $0.text != "where" && ($0.isWord || [".", "["].contains($0.text))
                }
                return name.last { $0.isWord }?.text
            } + arrayExtension(in: source))
    }

    /// `Array`, where a file extends `[Element]`.
    private static func arrayExtension(in source: Source) -> [String] {
        let tokens = source.tokens
        return tokens.indices.dropLast().contains {
            tokens[$0].text == "extension" && tokens[$0 + 1].text == "["
        } ? ["Array"] : []
    }
}

extension Source {
    /// The folder of the file, relative to the repository's root.
    var folder: String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }
}
