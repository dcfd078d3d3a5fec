import Agenda
import Ledger
import NIOHTTP1
import Planning
import Wording

/// The parts of an address book that an import left out, or read with doubts: one line for each
/// kind, with the first place, the next ones, and the number of the others.
struct ImportNotes: Sendable {
    /// The most lines of a list.
    private static let linesMax = 50

    private let skipped: [ImportReport.Kind]
    private let warnings: [ImportReport.Kind]
    private let unused: [ImportReport.Unused]

    /// The notes about an import.
    init(_ report: ImportReport) {
        skipped = report.skipped.kinds
        warnings = report.warnings.kinds
        unused = report.unused
    }

    /// The parts that were skipped, and why.
    func skipped(_ words: PageWords) -> [String] {
        list(skipped.map { line($0, words) }, words)
    }

    /// The parts that were perhaps not read as meant.
    func warnings(_ words: PageWords) -> [String] {
        list(warnings.map { line($0, words) }, words)
    }

    /// The data that was not used.
    func unused(_ words: PageWords) -> [String] { list(unused.map { line($0, words) }, words) }

    private func list(_ lines: [String], _ words: PageWords) -> [String] {
        let more = lines.count - Self.linesMax
        return lines.prefix(Self.linesMax)
            + (more > 0 ? [words(more, "and 1 more", "and %n% more")] : [])
    }

    private func line(_ kind: ImportReport.Kind, _ words: PageWords) -> String {
        let reason = words(kind.first.remark(saying: { words.refusal($0.code) }))
        let first =
            kind.first.line.map { line in
                words("Line %line%: %reason%", ["line": "\(line)", "reason": reason])
            } ?? reason
        guard let others = others(of: kind, words) else { return first }
        let isOpen = first.last.map { !".!?".contains($0) } == true
        return "\(first)\(isOpen ? "." : "") \(others)"
    }

    /// The next places of a kind, with the people there; `nil` if there are none.
    private func others(of kind: ImportReport.Kind, _ words: PageWords) -> String? {
        guard kind.count > 1 else { return nil }
        let shown = kind.examples.compactMap { place(of: $0, words) }
        let more = kind.count - 1 - shown.count
        guard !shown.isEmpty else {
            return kind.areSame
                ? words(more, "The same in 1 other place.", "The same in %n% other places.")
                : words(more, "Similar in 1 other place.", "Similar in %n% other places.")
        }
        let list = shown.joined(separator: ", ")
        let places =
            more > 0 ? words("%names% and %n% more", ["names": list, "n": "\(more)"]) : list
        return kind.areSame
            ? words("The same: %places%.", ["places": places])
            : words("Similar: %places%.", ["places": places])
    }

    private func place(of part: ImportReport.Skipped, _ words: PageWords) -> String? {
        let line = part.line.map { "\($0)" }
        guard !part.name.isEmpty else { return line.map { words("line %line%", ["line": $0]) } }
        return line.map { words("%name% (line %line%)", ["name": part.name, "line": $0]) }
            ?? part.name
    }

    private func line(_ unused: ImportReport.Unused, _ words: PageWords) -> String {
        let name =
            unused.phrase.map(words.say)
            ?? (unused.kindCount > 0
                ? words(unused.kindCount, "1 more kind of data", "%n% more kinds of data")
                : unused.isColumn
                    ? words("Column “%name%”", ["name": unused.name])
                    : words("Property %name%", ["name": unused.name]))
        let values = ["what": name, "line": "\(unused.line)", "n": "\(unused.count)"]
        return unused.count == 1
            ? words("%what%: 1 value, in line %line%", values)
            : words("%what%: %n% values, the first in line %line%", values)
    }
}

/// Reading address books.
extension Site {
    var importRoutes: [Route] {
        var reading = route(.post, "/people/import", importPeople)
        reading.admission = { try await refusalToSend($0) }
        // The address of the result, if it is opened again.
        return [reading, route(.get, "/people/import") { _, _ in redirect(to: .people()) }]
    }

    private func importPeople(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        guard let file = request.files.first(where: { $0.field == "file" }),
            let id = try await startImport(of: file, visitor)
        else { return redirect(to: .people(saved: "nofile")) }
        return redirect(to: .task(id.text))
    }
}
