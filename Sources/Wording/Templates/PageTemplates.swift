import Foundation

/// The templates of the guest pages in one language.
struct PageTemplates: Sendable {
    private static let partials = ["head", "foot"]

    /// The paths of the templates, relative to the templates folder.
    static func files(_ language: Language) -> [String] {
        (partials + forms.keys).map { "\(language.folder)page/\($0).mustache" }
    }

    private let library: FallbackTemplates
    /// The errors in custom templates that are ignored; the built-in ones are used instead.
    let faults: [TemplateFault]

    /// Reads the templates. A custom template in the home folder replaces the built-in one; a
    /// broken custom template is ignored.
    ///
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
    init(_ language: Language, shipped: String, own: String) throws(TemplateFault) {
        let shipped = "\(shipped)/\(language.folder)page"
        let own = "\(own)/\(language.folder)page"
        var templates: [String: Template] = [:]
        for name in Self.partials + Array(Self.forms.keys) {
            templates[name] = try Self.template(name, in: shipped)
        }
        for name in Self.forms.keys {
            if let fault = Self.fault(of: name, in: templates, file: Self.file(name, shipped)) {
                throw fault
            }
        }
        let names = Self.partials + Self.forms.keys.sorted()
        let isCustom = names.contains { Self.exists(Self.file($0, own)) }
        let builtIn = isCustom ? templates : nil
        var faults: [TemplateFault] = []
        // Parts come first, because the other templates are checked with them.
        for name in names where Self.exists(Self.file(name, own)) {
            do throws(TemplateFault) {
                templates = try Self.replacing(name, in: templates, from: own)
            } catch {
                faults.append(error)
            }
        }
        library = FallbackTemplates(templates, builtIn: builtIn, html: true)
        self.faults = faults
    }

    /// Renders a template with the given variables as an HTML page.
    func rendered(_ name: String, _ words: TemplateValues) -> String {
        library.filled(name, words) ?? ""
    }

    // MARK: Reading

    /// The variables of each page, sample values with which its template is checked, and the texts
    /// that the page must contain then.
    private static var forms:
        [String: (names: Set<String>, sample: TemplateValues, needed: [String])]
    {
        [
            "guest": (
                GuestPageFacts.wordNames, GuestPageFacts.sample.words, ["<form", "sample"]
            ),
            "lost": (LostPageFacts.wordNames, LostPageFacts().words, ["<form", "address"]),
            "shared": (
                SharedPageFacts.wordNames, SharedPageFacts.sample.words, ["sample/meeting.ics"]
            ),
            "stop": (
                StopPageFacts.wordNames,
                StopPageFacts(token: "sample", isReminders: true, isOn: true).words,
                ["<form", "sample"]
            ),
        ]
    }

    private static func file(_ name: String, _ folder: String) -> String {
        "\(folder)/\(name).mustache"
    }

    private static func exists(_ path: String) -> Bool {
        TemplateFile.exists(path)
    }

    private static func template(
        _ name: String, in folder: String
    ) throws(TemplateFault) -> Template {
        let path = file(name, folder)
        return try TemplateLibrary.template(
            try TemplateFile.text(of: path), path,
            words: forms[name]?.names ?? ["heading", "root", "problem"],
            partials: partials.contains(name) ? [] : partials)
    }

    private static func replacing(
        _ name: String, in templates: [String: Template], from folder: String
    ) throws(TemplateFault) -> [String: Template] {
        var tried = templates
        tried[name] = try template(name, in: folder)
        for page in forms.keys.sorted() where name == page || partials.contains(name) {
            if let fault = fault(of: page, in: tried, file: file(name, folder)) { throw fault }
        }
        return tried
    }

    /// The reason why a page cannot be used; `nil` if it can.
    private static func fault(
        of name: String, in templates: [String: Template], file: String
    ) -> TemplateFault? {
        let (words, needed) = forms[name].map { ($0.sample, $0.needed) } ?? ([:], [])
        let library = TemplateSet(templates, html: true)
        if let excess = library.excess(of: name, for: words) {
            return TemplateFault(file: file, reason: excess)
        }
        let page = library.filled(name, words) ?? ""
        guard needed.allSatisfy(page.contains) else {
            let what =
                needed.contains("<form")
                ? "has no form, or its form is incomplete" : "does not link to the calendar file"
            return TemplateFault(file: file, reason: "the page \(name) \(what).")
        }
        return nil
    }
}
