import Agenda
import Ledger

/// The form of a text, which depends on its channel.
public enum TextForm: String, CaseIterable, Sendable {
    /// The long form, for mail, standard output and programs.
    case text
    /// The short form, for chats.
    case chat

    /// The kinds of notification that have a template in this form. Kinds that are not about a
    /// meeting have only the long form, in which they are rendered when they are planned.
    var kinds: [NotificationKind] {
        NotificationKind.allCases.filter { self == .text || $0.isAboutMeeting }
    }

    /// The names of the parts that templates share.
    var partials: [String] { self == .text ? ["facts", "buttons", "stop"] : ["facts"] }

    fileprivate var names: [String] { kinds.map(\.rawValue) + partials }
}

/// The templates of texts of one form in one language.
struct WordsTemplates: Sendable {
    /// The form and language of a set of templates.
    struct Kind: Hashable {
        let form: TextForm
        let language: Language

        static let all = TextForm.allCases.flatMap { form in
            Language.allCases.map { Kind(form: form, language: $0) }
        }
    }

    private static func file(_ name: String, _ kind: Kind) -> String {
        "\(kind.language.folder)\(kind.form.rawValue)/\(name).mustache"
    }

    /// The paths of the templates, relative to the templates folder.
    static let files = Kind.all.flatMap { kind in kind.form.names.map { file($0, kind) } }

    private let library: FallbackTemplates
    /// The names of the templates that may contain the reader's name.
    private let readerNames: Set<String>
    private let partials: [String]
    /// The errors in custom templates that are ignored; the built-in ones are used instead.
    let faults: [TemplateFault]

    /// Reads the templates.
    ///
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
    init(_ set: Kind, shipped: String, own: String) throws(TemplateFault) {
        var templates: [String: Template] = [:]
        var readerNames: Set<String> = []
        var faults: [TemplateFault] = []
        let partials = set.form.partials
        func read(_ name: String, _ file: String) throws(TemplateFault) {
            let text = try TemplateFile.text(of: file)
            templates[name] = try Self.template(name, text, file, set)
            readerNames.remove(name)
            if TemplateFile.mayName("reader", text) { readerNames.insert(name) }
        }
        let isCustom = set.form.names.contains {
            TemplateFile.exists("\(own)/\(Self.file($0, set))")
        }
        for name in set.form.names {
            let file = Self.file(name, set)
            let ownFile = "\(own)/\(file)"
            if TemplateFile.exists(ownFile) {
                do throws(TemplateFault) {
                    try read(name, ownFile)
                    continue
                } catch {
                    faults.append(error)
                }
            }
            try read(name, "\(shipped)/\(file)")
        }
        for kind in set.form.kinds {
            guard let fault = Self.fault(of: kind, in: templates, set.language, isCustom)
            else { continue }
            let file = Self.file(kind.rawValue, set)
            let ownFile = "\(own)/\(file)"
            let isOwn = TemplateFile.exists(ownFile)
            let found = TemplateFault(file: isOwn ? ownFile : "\(shipped)/\(file)", reason: fault)
            if isOwn {
                faults.append(found)
                try read(kind.rawValue, "\(shipped)/\(file)")
                continue
            }
            // A custom part may leave the built-in template empty.
            let parts = partials.filter { TemplateFile.exists("\(own)/\(Self.file($0, set))") }
            for part in parts {
                let partFile = Self.file(part, set)
                faults.append(
                    TemplateFault(
                        file: "\(own)/\(partFile)",
                        reason: "with this part, \(kind.rawValue) has no text."))
                try read(part, "\(shipped)/\(partFile)")
            }
            guard !parts.isEmpty, Self.fault(of: kind, in: templates, set.language, false) == nil
            else { throw found }
        }
        library = FallbackTemplates(
            templates, builtIn: isCustom ? try Self.builtIn(set, in: shipped) : nil)
        self.readerNames = readerNames
        self.partials = partials
        self.faults = faults
    }

    private static func template(
        _ name: String, _ text: String, _ file: String, _ set: Kind
    ) throws(TemplateFault) -> Template {
        let words =
            NotificationKind(rawValue: name).map { TemplateForm($0, set.language).wordNames }
            ?? NotificationFacts.wordNames
        let partials = set.form.partials
        // Parts cannot contain parts, so no part can include itself without end.
        return try TemplateLibrary.template(
            text, file, words: words, partials: partials.contains(name) ? [] : partials)
    }

    /// The built-in templates, by name.
    private static func builtIn(
        _ set: Kind, in folder: String
    ) throws(TemplateFault) -> [String: Template] {
        var templates: [String: Template] = [:]
        for name in set.form.names {
            let file = "\(folder)/\(Self.file(name, set))"
            templates[name] = try template(name, try TemplateFile.text(of: file), file, set)
        }
        return templates
    }

    /// The reason why the output for sample content, full or bare, cannot be sent; `nil` if it can.
    private static func fault(
        of kind: NotificationKind, in templates: [String: Template], _ language: Language,
        _ isCustom: Bool
    ) -> String? {
        let library = TemplateSet(templates)
        for words in TemplateForm(kind, language).samples {
            if isCustom, let excess = library.excess(of: kind.rawValue, for: words) {
                return excess
            }
            let notification = NotificationText(
                rendered: library.filled(kind.rawValue, words) ?? "")
            if notification.subject.isBlank { return "the first line, the subject, is empty." }
            if notification.text.isBlank { return "the text below the subject is empty." }
            if kind == .digest, words["hasNotes"] == .flag(true),
                !notification.text.contains(DigestFacts.sampleMessage)
            {
                return "{{#notes}} is missing, so messages that were held back would be lost."
            }
        }
        return nil
    }

    /// True if the text of this kind of notification may contain the reader's name.
    func namesReader(_ kind: NotificationKind) -> Bool {
        !readerNames.isDisjoint(with: partials + [kind.rawValue])
    }

    /// Renders a template with the given values.
    func rendered(_ name: String, _ words: TemplateValues) -> NotificationText {
        NotificationText(rendered: library.filled(name, words) ?? "")
    }

    /// Renders the link to unsubscribe, which follows a notification's text.
    func stop(_ link: String) -> String {
        library.filled("stop", ["stopLink": .text(link)]) ?? ""
    }
}
