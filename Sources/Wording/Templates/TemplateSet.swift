/// A set of templates that share parts.
struct TemplateSet: Sendable {
    /// The deepest nesting of parts.
    private static let partsDeep = 8

    private let templates: [String: [Template.Node]]
    private let isHTML: Bool

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - templates: the templates and the parts, by name.
    ///   - isHTML: true to escape texts for HTML.
    init(_ templates: [String: Template], html isHTML: Bool = false) {
        self.isHTML = isHTML
        self.templates = templates.mapValues {
            Self.linked($0.nodes, templates, depth: 0)
        }
    }

    /// The nodes with parts replaced by their nodes, and with neighbouring texts joined.
    private static func linked(
        _ nodes: [Template.Node], _ templates: [String: Template], depth: Int
    ) -> [Template.Node] {
        nodes.flatMap { node -> [Template.Node] in
            switch node {
            case .text, .variable: [node]
            case .section(let name, let inner, let isInverted):
                [.section(name, linked(inner, templates, depth: depth), isInverted: isInverted)]
            case .part(let name, let indentation):
                depth < partsDeep
                    ? linked(
                        part(name, indentation, templates), templates, depth: depth + 1) : []
            }
        }.reduce(into: []) { joined, node in
            if case .text(let text) = node, case .text(let before) = joined.last {
                joined[joined.count - 1] = .text(before + text)
            } else {
                joined.append(node)
            }
        }
    }

    private static func part(
        _ name: String, _ indentation: String, _ templates: [String: Template]
    ) -> [Template.Node] {
        guard let part = templates[name] else { return [] }
        return indentation.isEmpty ? part.nodes : part.indented(by: indentation).nodes
    }

    /// The first variable of a template, or of its parts, that is not among these names; `nil` if
    /// there is none.
    func unknownName(in name: String, _ names: TemplateNames) -> String? {
        Self.unknownName(in: templates[name] ?? [], names)
    }

    private static func unknownName(
        in nodes: [Template.Node], _ names: TemplateNames
    ) -> String? {
        for node in nodes {
            switch node {
            case .text, .part: continue
            case .variable(let name, _): if !names.contains(name) { return name }
            case .section(let name, let inner, _):
                guard names.contains(name) else { return name }
                if let unknown = unknownName(in: inner, names.inside(name)) { return unknown }
            }
        }
        return nil
    }

    /// Renders a template with the given values; `nil` if there is no template of that name.
    func filled(_ name: String, _ values: TemplateValues) -> String? {
        guard let nodes = templates[name] else { return nil }
        var text = ""
        var scopes = [values]
        render(nodes, &scopes, into: &text)
        return text
    }

    private func render(
        _ nodes: [Template.Node], _ scopes: inout [TemplateValues], into text: inout String
    ) {
        for node in nodes {
            switch node {
            case .text(let own): text += own
            case .variable(let name, let isEscaped):
                show(Self.value(name, scopes), isEscaped: isEscaped, into: &text)
            case .section(let name, let inner, let isInverted):
                show(Self.value(name, scopes), inner, isInverted, &scopes, into: &text)
            case .part: break
            }
        }
    }

    private func show(_ value: TemplateValue?, isEscaped: Bool, into text: inout String) {
        switch value {
        case .text(let own):
            text += isHTML ? isEscaped ? HTMLText.escaped(own) : own : IsolatedText.of(own)
        case .html(let own): text += own
        case .flag, .list, nil: break
        }
    }

    private func show(
        _ value: TemplateValue?, _ inner: [Template.Node], _ isInverted: Bool,
        _ scopes: inout [TemplateValues], into text: inout String
    ) {
        switch value {
        case .list(let elements) where !isInverted:
            for element in elements {
                scopes.append(element)
                render(inner, &scopes, into: &text)
                scopes.removeLast()
            }
        case .flag(false), nil: if isInverted { render(inner, &scopes, into: &text) }
        case .list(let elements):
            if elements.isEmpty { render(inner, &scopes, into: &text) }
        case .text, .html, .flag(true):
            if !isInverted { render(inner, &scopes, into: &text) }
        }
    }

    /// The value of a variable, from the innermost list outwards.
    private static func value(_ name: String, _ scopes: [TemplateValues]) -> TemplateValue? {
        for scope in scopes.reversed() {
            if let value = scope[name] { return value }
        }
        return nil
    }
}
