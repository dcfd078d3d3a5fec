import Agenda
import Ledger

/// For which channels a text is written.
public enum TextForm: String, CaseIterable, Sendable {
    /// Where there is room: mail, standard output, programs.
    case text
    /// Where people read between other messages: short.
    case chat

    /// What is told in it: what is about no meeting was put into words when it was planned.
    var kinds: [NotificationKind] {
        NotificationKind.allCases.filter { self == .text || $0.isAboutMeeting }
    }

    /// What the templates of several kinds share.
    var partials: [String] { self == .text ? ["facts", "buttons", "stop"] : ["facts"] }

    fileprivate var names: [String] { kinds.map(\.rawValue) + partials }
}

/// The templates of texts of one form in one language.
struct WordsTemplates: Sendable {
    /// Which of them.
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

    /// Their files, from the folder of templates on.
    static let files = Kind.all.flatMap { kind in kind.form.names.map { file($0, kind) } }

    private let library: TemplateSet
    /// The templates in which the reader is named.
    private let readerNames: Set<String>
    private let partials: [String]
    /// What was wrong with templates that stand aside.
    let faults: [TemplateFault]

    /// Reads the templates.
    ///
    /// - Throws: ``TemplateFault`` when a shipped template is missing or broken.
    init(_ set: Kind, shipped: String, own: String) throws(TemplateFault) {
        var templates: [String: Template] = [:]
        var readerNames: Set<String> = []
        var faults: [TemplateFault] = []
        let partials = set.form.partials
        func read(_ name: String, _ file: String) throws(TemplateFault) {
            let text = try TemplateFile.text(of: file)
            let words =
                NotificationKind(rawValue: name).map { TemplateForm($0, set.language).wordNames }
                ?? NotificationFacts.wordNames
            // One part in another might bring itself, for ever.
            templates[name] = try TemplateLibrary.template(
                text, file, words: words,
                partials: partials.contains(name) ? [] : partials)
            readerNames.remove(name)
            if TemplateFile.mayName("reader", text) { readerNames.insert(name) }
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
            guard let fault = Self.fault(of: kind, in: templates, set.language) else { continue }
            let file = Self.file(kind.rawValue, set)
            let ownFile = "\(own)/\(file)"
            let isOwn = TemplateFile.exists(ownFile)
            let found = TemplateFault(file: isOwn ? ownFile : "\(shipped)/\(file)", reason: fault)
            if isOwn {
                faults.append(found)
                try read(kind.rawValue, "\(shipped)/\(file)")
                continue
            }
            // A part of one's own may leave nothing of what is shipped.
            let parts = partials.filter { TemplateFile.exists("\(own)/\(Self.file($0, set))") }
            for part in parts {
                let partFile = Self.file(part, set)
                faults.append(
                    TemplateFault(
                        file: "\(own)/\(partFile)",
                        reason: "with it nothing is left of \(kind.rawValue)."))
                try read(part, "\(shipped)/\(partFile)")
            }
            guard !parts.isEmpty, Self.fault(of: kind, in: templates, set.language) == nil else {
                throw found
            }
        }
        library = TemplateSet(templates)
        self.readerNames = readerNames
        self.partials = partials
        self.faults = faults
    }

    /// Why what a template makes of a sample, full or bare, cannot be sent; `nil` when it can.
    private static func fault(
        of kind: NotificationKind, in templates: [String: Template], _ language: Language
    ) -> String? {
        let library = TemplateSet(templates)
        for words in TemplateForm(kind, language).samples {
            let notification = NotificationText(
                rendered: library.filled(kind.rawValue, words) ?? "")
            if notification.subject.isBlank { return "its first line, the subject, is empty." }
            if notification.text.isBlank { return "below the subject it says nothing." }
            if kind == .digest, words["hasNotes"] as? Bool == true,
                !notification.text.contains(DigestFacts.sampleMessage)
            {
                return "it leaves out {{#notes}}: what waited for it would be lost."
            }
        }
        return nil
    }

    /// Whether what people are told of this kind may differ by the reader's name.
    func namesReader(_ kind: NotificationKind) -> Bool {
        !readerNames.isDisjoint(with: partials + [kind.rawValue])
    }

    /// What a template makes of words.
    func rendered(_ name: String, _ words: [String: Any]) -> NotificationText {
        NotificationText(rendered: library.filled(name, words) ?? "")
    }

    /// What stands below a text where no more of its kind is asked for.
    func stop(_ link: String) -> String {
        library.filled("stop", ["stopLink": link]) ?? ""
    }
}
