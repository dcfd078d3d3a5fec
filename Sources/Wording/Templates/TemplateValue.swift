/// The values of a template's variables, by name.
public typealias TemplateValues = [String: TemplateValue]

/// The value of a variable in a template. A section shows its content if its variable has a value,
/// once for each element of a list; `false` and an empty list count as no value.
public enum TemplateValue: Equatable, Sendable {
    /// A text, which is escaped in HTML.
    case text(String)
    /// HTML, which is inserted unchanged.
    case html(String)
    /// A condition of sections. As a variable it shows nothing.
    case flag(Bool)
    /// The values of each element, which are looked up before those outside the list.
    case list([TemplateValues])

    /// A text, or no value.
    public static func optional(_ text: String?) -> TemplateValue {
        text.map { .text($0) } ?? .flag(false)
    }

    /// A list whose elements are repeated until it has this number of them; any other value
    /// unchanged. An empty list gets elements without values.
    func repeated(upTo count: Int) -> TemplateValue {
        guard case .list(var elements) = self else { return self }
        if elements.isEmpty { elements = [[:]] }
        return .list((0..<max(count, elements.count)).map { elements[$0 % elements.count] })
    }

    /// The text of a text.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }
}

extension [String: TemplateValue] {
    /// Sets a variable to a text, or removes it.
    public subscript(text name: String) -> String? {
        get { self[name]?.text }
        set { self[name] = newValue.map { .text($0) } }
    }
}

extension TemplateValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
    /// A text.
    public init(stringLiteral text: String) { self = .text(text) }

    /// A condition.
    public init(booleanLiteral flag: Bool) { self = .flag(flag) }
}

/// The names of a template's variables: those outside lists, and for each list those of its
/// elements.
public struct TemplateNames: Equatable, Sendable {
    private var names: [String: TemplateNames]
    /// The names that are known in every list.
    private var everywhere: Set<String> = []
    private var isAnything = false

    /// Any name.
    static let anything: TemplateNames = {
        var names = TemplateNames(everywhere: [])
        names.isAnything = true
        return names
    }()

    /// The names of sample values.
    public init(of sample: TemplateValues) {
        names = sample.mapValues { value in
            guard case .list(let elements) = value else { return TemplateNames(everywhere: []) }
            return elements.map { TemplateNames(of: $0) }.reduce(TemplateNames(everywhere: [])) {
                $0.union($1)
            }
        }
    }

    /// Names outside lists, and the names in each list.
    public init(_ names: [String], lists: [String: [String]] = [:]) {
        self.names = Dictionary(
            (names + lists.keys).map { name in
                (name, TemplateNames(everywhere: Set(lists[name] ?? [])))
            }, uniquingKeysWith: { $1 })
    }

    /// Names that are known in every list, too.
    init(everywhere: Set<String>) {
        names = [:]
        self.everywhere = everywhere
    }

    /// All names of both.
    public func union(_ other: TemplateNames) -> TemplateNames {
        var all = self
        all.names.merge(other.names) { $0.union($1) }
        all.everywhere.formUnion(other.everywhere)
        return all
    }

    /// True if a variable of this name is known here.
    func contains(_ name: String) -> Bool {
        isAnything || everywhere.contains(name) || names[name] != nil
    }

    /// True if the variable is known to be a list.
    func isList(_ name: String) -> Bool {
        names[name].map { !$0.names.isEmpty || !$0.everywhere.isEmpty } ?? false
    }

    /// The names in the section of a variable: those of its elements, and those outside.
    func inside(_ name: String) -> TemplateNames { names[name].map(union) ?? self }

    /// All names, sorted.
    var sorted: [String] { Set(names.keys).union(everywhere).sorted() }
}
