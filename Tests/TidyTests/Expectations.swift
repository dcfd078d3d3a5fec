import Testing

/// Fails with one line for each finding, as `path:line: message`.
func expectNone(
    _ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation
) {
    guard !findings.isEmpty else { return }
    let list = findings.map(\.description).joined(separator: "\n")
    Issue.record("\(findings.count) found\n\(list)", sourceLocation: sourceLocation)
}

/// A made-up file for testing the checks themselves.
func snippet(_ text: String, path: String = "Sources/Agenda/Snippet.swift") -> Source {
    Source(path: path, text: text)
}
