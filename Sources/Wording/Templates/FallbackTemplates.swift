/// Templates of which custom ones replace built-in ones. A custom template whose result would be
/// too large is not used: the built-in one is rendered instead.
struct FallbackTemplates: Sendable {
    private let set: TemplateSet
    /// The built-in templates; `nil` if there are no custom ones.
    private let builtIn: TemplateSet?

    /// Creates the templates.
    ///
    /// - Parameters:
    ///   - templates: the templates in use, by name.
    ///   - builtIn: the built-in ones, by name; `nil` if they are those in use.
    ///   - isHTML: true to escape texts for HTML.
    init(_ templates: [String: Template], builtIn: [String: Template]?, html isHTML: Bool = false) {
        set = TemplateSet(templates, html: isHTML)
        self.builtIn = builtIn.map { TemplateSet($0, html: isHTML) }
    }

    /// Renders a template with the given values; `nil` if there is no template of that name.
    func filled(_ name: String, _ values: TemplateValues) -> String? {
        guard let builtIn else { return set.filled(name, values) }
        return set.filled(name, values, within: .custom) ?? builtIn.filled(name, values)
    }
}

/// The limits of the result of one template.
struct RenderingLimits {
    /// The most texts, variables and sections that are rendered, each as often as it is shown.
    let steps: Int
    /// The largest result in octets.
    let octets: Int

    /// No limits, for built-in templates.
    static let none = RenderingLimits(steps: .max, octets: .max)
    /// The limits of custom templates. The largest page of the built-in ones needs a tenth of them.
    static let custom = RenderingLimits(steps: 2_000_000, octets: 16 << 20)
}

/// A result that grows while a template is rendered, up to its limits.
struct Rendering {
    private(set) var text = ""
    /// True if a limit is exceeded; nothing is added then.
    private(set) var isOver = false
    private let limits: RenderingLimits
    private var steps = 0

    init(within limits: RenderingLimits) {
        self.limits = limits
    }

    /// Counts a step.
    mutating func step() {
        steps += 1
        if steps > limits.steps { isOver = true }
    }

    /// Adds a text.
    mutating func add(_ more: String) {
        guard !isOver else { return }
        isOver = text.utf8.count + more.utf8.count > limits.octets
        if !isOver { text += more }
    }
}
