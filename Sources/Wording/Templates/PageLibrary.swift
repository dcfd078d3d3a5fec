import Agenda
import Foundation
import Ledger

/// The templates of the HTML versions that mails have beside their text.
struct PageLibrary: Sendable {
    private static let folder = "html"
    private static let partials = ["head", "foot", "facts", "buttons", "quote", "note"]
    /// The template for notifications without an HTML template of their own: it shows their text.
    static let words = "words"
    private static let kinds = NotificationKind.allCases.filter(\.isAboutMeeting)

    /// The paths of the templates, relative to the templates folder.
    static func files(_ language: Language) -> [String] {
        (partials + [words] + kinds.map(\.rawValue)).map { file($0, language) }
    }

    private let library: FallbackTemplates
    /// The kinds of notification that have an HTML template of their own.
    private let kinds: Set<NotificationKind>
    /// True if any template may contain the reader's name.
    let namesReader: Bool
    /// The errors in custom templates that are ignored; the built-in ones are used instead.
    let faults: [TemplateFault]

    /// Reads the templates.
    ///
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
    init(_ language: Language, shipped: String, own: String) throws(TemplateFault) {
        let own = Folder(path: own, language: language)
        let shipped = Folder(path: shipped, language: language)
        let kinds = Self.kinds.filter { kind in
            TemplateFile.exists(own.file(kind.rawValue))
                || !TemplateFile.exists(
                    "\(own.path)/\(language.folder)text/\(kind.rawValue).mustache")
        }
        var templates: [String: Template] = [:]
        var namesReader = false
        for name in Self.partials + [Self.words] + Self.kinds.map(\.rawValue) {
            templates[name] = try Self.template(name, in: shipped, &namesReader)
        }
        for kind in Self.kinds {
            if let fault = Self.fault(of: kind, in: templates, folder: shipped) { throw fault }
        }
        let names =
            Self.partials + templates.keys.filter { !Self.partials.contains($0) }.sorted()
        let isCustom = names.contains { TemplateFile.exists(own.file($0)) }
        let builtIn = isCustom ? templates : nil
        var faults: [TemplateFault] = []
        // Parts come first, because the other templates are checked with them.
        for name in names where TemplateFile.exists(own.file(name)) {
            do throws(TemplateFault) {
                templates = try Self.replacing(name, in: templates, from: own, &namesReader)
            } catch {
                faults.append(error)
            }
        }
        library = FallbackTemplates(templates, builtIn: builtIn, html: true)
        self.kinds = Set(kinds)
        self.namesReader = namesReader
        self.faults = faults
    }

    /// Renders a notification about a meeting as HTML.
    func page(
        of notification: NotificationText, _ kind: NotificationKind, _ words: TemplateValues
    ) -> String {
        guard kinds.contains(kind) else { return page(of: notification) }
        let all = words.merging(["subject": .text(notification.subject)]) { $1 }
        return library.filled(kind.rawValue, all) ?? page(of: notification)
    }

    /// Renders the text of a notification as HTML, with the link to unsubscribe from its kind.
    func page(of notification: NotificationText, stop: String? = nil) -> String {
        var words: TemplateValues = [
            "subject": .text(notification.subject), "text": .text(notification.text),
        ]
        words[text: "stopLink"] = stop
        return library.filled(Self.words, words)
            ?? "<pre>\(HTMLText.escaped(notification.whole))</pre>"
    }

    // MARK: Reading

    /// A folder of templates in one language.
    private struct Folder {
        let path: String
        let language: Language

        func file(_ name: String) -> String { "\(path)/\(PageLibrary.file(name, language))" }
    }

    private static func file(_ name: String, _ language: Language) -> String {
        "\(language.folder)\(folder)/\(name).mustache"
    }

    private static func template(
        _ name: String, in folder: Folder, _ namesReader: inout Bool
    ) throws(TemplateFault) -> Template {
        let path = folder.file(name)
        let text = try TemplateFile.text(of: path)
        if TemplateFile.mayName("reader", text) { namesReader = true }
        return try TemplateLibrary.template(
            text, path,
            words: NotificationFacts.wordNames.union(["subject", "text"]),
            partials: partials.contains(name) ? [] : partials)
    }

    /// The templates after a custom template replaces the built-in one of its name.
    private static func replacing(
        _ name: String, in templates: [String: Template], from folder: Folder,
        _ namesReader: inout Bool
    ) throws(TemplateFault) -> [String: Template] {
        var tried = templates
        tried[name] = try template(name, in: folder, &namesReader)
        for kind in kinds where name == kind.rawValue || partials.contains(name) {
            if let fault = fault(of: kind, in: tried, folder: folder, blaming: name) { throw fault }
        }
        return tried
    }

    /// The reason why the HTML for sample content cannot be sent; `nil` if it can.
    private static func fault(
        of kind: NotificationKind, in templates: [String: Template], folder: Folder,
        blaming name: String? = nil
    ) -> TemplateFault? {
        guard let words = TemplateForm(kind, folder.language).samples.first else { return nil }
        let library = TemplateSet(templates, html: true)
        if name != nil, let excess = library.excess(of: kind.rawValue, for: words) {
            return TemplateFault(file: folder.file(name ?? kind.rawValue), reason: excess)
        }
        let page = library.filled(kind.rawValue, words) ?? ""
        let needed = ["title", "message"].filter { word in
            (words[word]?.text).map { !page.contains(HTMLText.escaped($0)) } ?? false
        }
        guard let missing = needed.first else { return nil }
        return TemplateFault(
            file: folder.file(name ?? kind.rawValue),
            reason: "the page \(kind.rawValue) must contain {{\(missing)}}.")
    }
}
