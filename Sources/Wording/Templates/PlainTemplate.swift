/// A template of texts that are no notices: the parts of a request.
public struct PlainTemplate: Sendable {
    private let template: TemplateSet

    /// Reads a template that may use these words.
    ///
    /// - Throws: ``TemplateFault``, under `name` in place of a file.
    public init(_ text: String, named name: String, words: Set<String>) throws(TemplateFault) {
        template = TemplateSet([
            "": try TemplateLibrary.template(text, name, words: words, partials: [])
        ])
    }

    /// The text with these words put in, as they are.
    public func text(_ words: [String: String]) -> String { template.filled("", words) ?? "" }
}
