extension String {
    /// The text as one word of a shell command, to be copied: in quotation marks if a shell would
    /// split or interpret it.
    ///
    /// ```swift
    /// "anna".shellWord == "anna"
    /// "Anna Aalto".shellWord == "\"Anna Aalto\""
    /// ```
    public var shellWord: String {
        guard isEmpty || !allSatisfy(\.isPlainInShell) else { return self }
        let escaped = map { $0.isSpecialInQuotes ? "\\\($0)" : String($0) }.joined()
        return "\"\(escaped)\""
    }
}

extension Character {
    /// True if a shell takes the character as it is, without quotation marks. A `/` separates
    /// the parts of paths and of names of time zones.
    fileprivate var isPlainInShell: Bool {
        isLetter || isNumber || "@._:+-/".contains(self)
    }

    /// True if a shell interprets the character between quotation marks.
    fileprivate var isSpecialInQuotes: Bool { "\\\"$`".contains(self) }
}
