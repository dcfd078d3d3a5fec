/// The size limits, chosen for readability.
enum Sizes {
    static let columnsMax = 100
    static let fileLinesMax = 400
    static let functionLinesMax = 60

    static func wideLines(in source: Source) -> [Finding] {
        source.lines.enumerated().compactMap { index, line in
            // Only a line with more bytes can have more characters.
            guard line.utf8.count > columnsMax, line.count > columnsMax else { return nil }
            return source.finding(line: index + 1, "\(line.count) columns, \(columnsMax) allowed")
        }
    }

    static func length(of source: Source) -> [Finding] {
        let count = source.lines.last?.isEmpty == true ? source.lines.count - 1 : source.lines.count
        guard count > fileLinesMax else { return [] }
        return [source.finding(line: count, "\(count) lines, \(fileLinesMax) allowed")]
    }

    static func longFunctions(in source: Source) -> [Finding] {
        FunctionLength.all(in: source).filter { $0.lines > functionLinesMax }.map {
            source.finding(
                line: $0.line, "\($0.name) has \($0.lines) lines, \(functionLinesMax) allowed")
        }
    }
}
