extension String {
    /// The text as it stands in a command that somebody may copy into a shell: between quotation
    /// marks where a shell would take it for something else than one word.
    public var shellWord: String {
        let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "@._:+-".contains($0) }
        guard !isPlain else { return self }
        let escaped = map { "\\\"$`".contains($0) ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}
