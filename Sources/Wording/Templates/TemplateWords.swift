import Mustache

/// The variables of a template, in types of their own so that the Mustache library finds the values
/// quickly: it does not have to try which type a value has.
struct TemplateWords: MustacheParent {
    /// A text value. As the context of a section it has no variables.
    private struct Text: MustacheCustomRenderable, MustacheParent, MustacheTransformable {
        let renderText: String
        var isNull: Bool { false }
        func child(named: String) -> Any? { nil }
        func transform(_ name: String) -> Any? { renderText.transform(name) }
    }

    private let words: [String: Any]

    init(_ words: [String: Any]) {
        self.words = words
    }

    func child(named name: String) -> Any? {
        switch words[name] {
        case let text as String: Text(renderText: text)
        case let list as [[String: Any]]: list.map(TemplateWords.init)
        case let value: value
        }
    }
}

extension MustacheLibrary {
    /// Renders a template with the given values; `nil` if there is no template of that name.
    func filled(_ name: String, _ words: [String: Any]) -> String? {
        render(TemplateWords(words), withTemplate: name)
    }
}
