extension Array where Element: Equatable {
    /// The elements, each once.
    func uniqued() -> [Element] {
        reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
