import Mustache

/// The words that a template may use, as the library finds them the quickest: by types of their
/// own it need not try what else a value may be.
struct TemplateWords: MustacheParent {
    /// A text. Asked for words of its own, in a section that it opens, it has none.
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
    /// What a template makes of these words; `nil` where there is no template of that name.
    func filled(_ name: String, _ words: [String: Any]) -> String? {
        render(TemplateWords(words), withTemplate: name)
    }
}
