import Agenda
import Planning
import Wording

/// What an import of an address book left out, or read with doubts: one line for each kind, with
/// the number of places and the first line of the file.
struct ImportNotes: Sendable {
    /// The most lines of a list.
    private static let linesMax = 50

    private let skipped: [Kind]
    private let warnings: [Kind]
    private let unused: [ImportReport.Unused]

    /// A reason, with the number of its places and the first line.
    private struct Kind {
        let reason: Remark
        let line: Int?
        var count = 1
    }

    /// The notes about an import; `nil` if everything was used.
    init?(_ report: ImportReport) {
        skipped = Self.kinds(report.skipped)
        warnings = Self.kinds(report.warnings)
        unused = report.unused
        guard !skipped.isEmpty || !warnings.isEmpty || !unused.isEmpty else { return nil }
    }

    private static func kinds(_ parts: [ImportReport.Skipped]) -> [Kind] {
        var places: [String: Int] = [:]
        var kinds: [Kind] = []
        for part in parts {
            if let place = places[part.reason] {
                kinds[place].count += 1
            } else {
                places[part.reason] = kinds.count
                kinds.append(Kind(reason: part.remark, line: part.line))
            }
        }
        return kinds
    }

    /// The variables of a page with notes.
    static let flags = ["hasNotes", "hasSkipped", "hasWarnings", "hasUnused"]
    /// The lists of a page with notes.
    static let lists = [
        "skipped": ["skip"], "warnings": ["warning"], "unused": ["leftOut"],
    ]

    /// The variables of a page.
    func values(_ words: PageWords) -> TemplateValues {
        [
            "hasNotes": true, "hasSkipped": .flag(!skipped.isEmpty),
            "hasWarnings": .flag(!warnings.isEmpty), "hasUnused": .flag(!unused.isEmpty),
            "skipped": list(skipped.map { line($0, words) }, "skip", words),
            "warnings": list(warnings.map { line($0, words) }, "warning", words),
            "unused": list(unused.map { line($0, words) }, "leftOut", words),
        ]
    }

    private func list(
        _ lines: [String], _ name: String, _ words: PageWords
    ) -> TemplateValue {
        let more = lines.count - Self.linesMax
        let shown =
            lines.prefix(Self.linesMax)
            + (more > 0 ? [words(more, "and 1 more", "and %n% more")] : [])
        return .list(shown.map { [name: .text($0)] })
    }

    private func line(_ kind: Kind, _ words: PageWords) -> String {
        let reason = words(kind.reason)
        guard let line = kind.line else { return reason }
        let values = ["line": "\(line)", "reason": reason, "n": "\(kind.count)"]
        return kind.count == 1
            ? words("Line %line%: %reason%", values)
            : words("%n% times, first in line %line%: %reason%", values)
    }

    private func line(_ unused: ImportReport.Unused, _ words: PageWords) -> String {
        let name =
            unused.isColumn
            ? words("Column “%name%”", ["name": unused.name])
            : words("Property %name%", ["name": unused.name])
        let values = ["what": name, "line": "\(unused.line)", "n": "\(unused.count)"]
        return unused.count == 1
            ? words("%what%: 1 value, in line %line%", values)
            : words("%what%: %n% values, the first in line %line%", values)
    }
}
