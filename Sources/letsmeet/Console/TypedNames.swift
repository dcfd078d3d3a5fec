import Planning

extension Planner {
    /// Whom texts name that may each name several, with commas between them: a text that is as a
    /// whole the name of one person is not divided.
    ///
    /// - Parameters:
    ///   - texts: what was typed.
    ///   - argument: where it was typed, for the refusal.
    /// - Returns: a WHO each; none where nothing was typed.
    /// - Throws: ``Refusal`` with `usage` for texts that name nothing.
    func names(_ texts: [String], for argument: String) async throws -> [String] {
        let names = try await names(texts)
        guard texts.isEmpty || !names.isEmpty else { throw Refusal.empty(argument) }
        return names
    }

    /// The same of texts that may name nothing.
    func names(_ texts: [String]) async throws -> [String] {
        var names: [String] = []
        for text in texts {
            names += try await isOneName(text) ? [text] : [text].splitAtCommas
        }
        return names
    }
}
