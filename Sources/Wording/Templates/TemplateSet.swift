/// A set of templates that share parts.
struct TemplateSet: Sendable {
    /// The deepest nesting of parts.
    private static let partsDeep = 8
    /// The largest size of a template with all its parts, in octets. Each variable and section
    /// counts a little, too.
    static let octetsMax = 4 << 20
    private static let nodeOctets = 32
    /// The reason why a template that is too large cannot be used.
    static let excess = "with its parts, it is larger than \(octetsMax >> 20) MiB."

    private let templates: [String: [Template.Node]]
    /// The templates that are too large with their parts. They are empty in this set.
    let tooLarge: Set<String>
    private let isHTML: Bool

    /// Creates a set.
    ///
    /// - Parameters:
    ///   - templates: the templates and the parts, by name.
    ///   - isHTML: true to escape texts for HTML.
    init(_ templates: [String: Template], html isHTML: Bool = false) {
        self.isHTML = isHTML
        var sizes: [PartPlace: Int] = [:]
        tooLarge = Set(
            templates.keys.filter {
                Self.size(of: $0, depth: 0, templates, &sizes) > Self.octetsMax
            })
        let small = templates.filter { [tooLarge] in !tooLarge.contains($0.key) }
        self.templates = small.mapValues { Self.linked($0.nodes, templates, depth: 0) }
    }

    /// A template at a depth of nested parts.
    private struct PartPlace: Hashable {
        let name: String
        let depth: Int
    }

    /// The size of a template with its parts, or something larger than ``octetsMax``.
    private static func size(
        of name: String, depth: Int, _ templates: [String: Template],
        _ sizes: inout [PartPlace: Int]
    ) -> Int {
        let place = PartPlace(name: name, depth: depth)
        if let known = sizes[place] { return known }
        let size = size(of: templates[name]?.nodes ?? [], depth: depth, templates, &sizes)
        sizes[place] = size
        return size
    }

    private static func size(
        of nodes: [Template.Node], depth: Int, _ templates: [String: Template],
        _ sizes: inout [PartPlace: Int]
    ) -> Int {
        var size = 0
        for node in nodes where size <= octetsMax {
            size += nodeOctets
            switch node {
            case .text(let text): size += text.utf8.count
            case .variable: break
            case .section(_, let inner, _):
                size += Self.size(of: inner, depth: depth, templates, &sizes)
            case .part(let name, _):
                guard depth < partsDeep else { continue }
                size += Self.size(of: name, depth: depth + 1, templates, &sizes)
            }
        }
        return size
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
            if case .text(let text) = node, case .text(var before) = joined.last {
                // Without the other reference, the text grows in place.
                joined.removeLast()
                before += text
                joined.append(.text(before))
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

    /// The reason why a template is too large for the values of a sample; `nil` if it is not. The
    /// lists of the sample are made as long as those of a large meeting.
    func excess(of name: String, for sample: TemplateValues) -> String? {
        guard !tooLarge.contains(name) else { return Self.excess }
        let values = sample.mapValues { $0.repeated(upTo: Self.listedMany) }
        guard templates[name] != nil, filled(name, values, within: .custom) == nil else {
            return nil
        }
        return "it repeats lists inside lists too often: with \(Self.listedMany) elements in each "
            + "list, it has more than \(RenderingLimits.custom.steps) parts or "
            + "\(RenderingLimits.custom.octets >> 20) MiB."
    }

    /// The number of elements of the lists of a large meeting.
    private static let listedMany = 300

    /// The first list of a template whose section contains the section of the same list, which
    /// would repeat all elements for each of them; `nil` if there is none.
    func listInItself(in name: String, _ names: TemplateNames) -> String? {
        Self.listInItself(in: templates[name] ?? [], names, around: [])
    }

    private static func listInItself(
        in nodes: [Template.Node], _ names: TemplateNames, around lists: Set<String>
    ) -> String? {
        for case .section(let name, let inner, let isInverted) in nodes {
            let isList = !isInverted && names.isList(name)
            if isList, lists.contains(name) { return name }
            let around = isList ? lists.union([name]) : lists
            if let found = listInItself(in: inner, names, around: around) { return found }
        }
        return nil
    }

    /// Renders a template.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - values: the values of its variables.
    ///   - limits: the limits of the result.
    /// - Returns: the result; `nil` if there is no template of that name, or if the result exceeds
    ///   a limit.
    func filled(
        _ name: String, _ values: TemplateValues, within limits: RenderingLimits = .none
    ) -> String? {
        guard let nodes = templates[name] else { return nil }
        var result = Rendering(within: limits)
        var scopes = [values]
        render(nodes, &scopes, into: &result)
        return result.isOver ? nil : result.text
    }

    private func render(
        _ nodes: [Template.Node], _ scopes: inout [TemplateValues], into result: inout Rendering
    ) {
        for node in nodes where !result.isOver {
            result.step()
            switch node {
            case .text(let own): result.add(own)
            case .variable(let name, let isEscaped):
                show(Self.value(name, scopes), isEscaped: isEscaped, into: &result)
            case .section(let name, let inner, let isInverted):
                show(Self.value(name, scopes), inner, isInverted, &scopes, into: &result)
            case .part: break
            }
        }
    }

    private func show(
        _ value: TemplateValue?, isEscaped: Bool, into result: inout Rendering
    ) {
        switch value {
        case .text(let own):
            result.add(isHTML ? isEscaped ? HTMLText.escaped(own) : own : IsolatedText.of(own))
        case .html(let own): result.add(own)
        case .flag, .list, nil: break
        }
    }

    private func show(
        _ value: TemplateValue?, _ inner: [Template.Node], _ isInverted: Bool,
        _ scopes: inout [TemplateValues], into result: inout Rendering
    ) {
        switch value {
        case .list(let elements) where !isInverted:
            for element in elements where !result.isOver {
                // An empty section takes a step for each element, too.
                result.step()
                scopes.append(element)
                render(inner, &scopes, into: &result)
                scopes.removeLast()
            }
        case .flag(false), nil: if isInverted { render(inner, &scopes, into: &result) }
        case .list(let elements):
            if elements.isEmpty { render(inner, &scopes, into: &result) }
        case .text, .html, .flag(true):
            if !isInverted { render(inner, &scopes, into: &result) }
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
