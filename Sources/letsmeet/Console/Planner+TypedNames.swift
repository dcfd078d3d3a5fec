import Planning

extension Planner {
    /// The names in texts that may each contain several, separated by commas. A text that is the
    /// name of one person as a whole is not split.
    ///
    /// - Parameters:
    ///   - texts: the typed texts.
    ///   - argument: the name of the argument, for the refusal.
    /// - Returns: one name per element; empty if no text was given.
    /// - Throws: ``Refusal`` with `usage` if texts were given but contain no name.
    func names(_ texts: [String], for argument: String) async throws -> [String] {
        let names = try await names(texts)
        guard texts.isEmpty || !names.isEmpty else { throw Refusal.empty(argument) }
        return names
    }

    /// The names in texts, which may also contain none.
    func names(_ texts: [String]) async throws -> [String] {
        var names: [String] = []
        for text in texts {
            names += try await isOneName(text) ? [text] : [text].splitAtCommas
        }
        return names
    }
}
