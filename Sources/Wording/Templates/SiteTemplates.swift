import Foundation

/// The templates of the pages for people who sign in, in all languages.
///
/// A page has one template for all languages. Its phrases are translated when it is read.
public struct SiteTemplates: Sendable {
    /// The folder of the templates.
    static let folder = "web"
    private static let ending = ".mustache"

    private let sets: [Language: FallbackTemplates]
    private let phrases: [Language: Phrases]
    private let refusals: [Language: Phrases]
    /// The errors in custom templates that are ignored; the built-in ones are used instead.
    public let faults: [TemplateFault]

    /// Reads the templates. A custom template in the home folder replaces the built-in one; a
    /// broken custom template is ignored.
    ///
    /// - Parameters:
    ///   - shipped: the folder of the built-in templates.
    ///   - own: the folder of the custom templates; it does not have to exist.
    ///   - pages: the names of the pages, each with the variables that it may use.
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
    public init(
        shipped: String, own: String, pages: [String: TemplateNames]
    ) throws(TemplateFault) {
        var sets: [Language: FallbackTemplates] = [:]
        var phrases: [Language: Phrases] = [:]
        var refusals: [Language: Phrases] = [:]
        var faults: [TemplateFault] = []
        let texts = try Self.texts(shipped: shipped, own: own, pages: pages.keys.sorted())
        for language in Language.allCases {
            let own = try Phrases(language, folder: "\(shipped)/\(Self.folder)")
            phrases[language] = own
            refusals[language] = try Phrases(
                language, folder: "\(shipped)/\(Self.folder)", .refusals)
            let read = try Self.set(texts, own, pages)
            sets[language] = read.set
            faults += read.faults
        }
        self.sets = sets
        self.phrases = phrases
        self.refusals = refusals
        self.faults = faults.reduce(into: []) { known, fault in
            if !known.contains(fault) { known.append(fault) }
        }
    }

    /// Renders a page.
    public func page(_ name: String, _ values: TemplateValues, in language: Language) -> String {
        sets[language]?.filled(name, values) ?? ""
    }

    /// A phrase in a language, with `%name%` replaced by values.
    public func say(
        _ phrase: String, _ values: [String: String] = [:], in language: Language
    ) -> String {
        phrases[language]?.text(phrase, values) ?? phrase
    }

    /// The sentence for a code of a refusal; `nil` in English, and where it is not translated.
    public func refusal(_ code: String, in language: Language) -> String? {
        language == .english ? nil : refusals[language]?.translation(of: code)
    }

    // MARK: Reading

    private struct Text {
        let file: String
        let text: String
    }

    /// A template or part: the built-in text, and the custom one if there is one.
    private struct Texts {
        let name: String
        let shipped: Text
        let own: Text?
    }

    private static func texts(
        shipped: String, own: String, pages: [String]
    ) throws(TemplateFault) -> [Texts] {
        let names = Set(pages).union(files(in: "\(shipped)/\(folder)"))
        var texts: [Texts] = []
        for name in names.sorted() {
            let file = "\(folder)/\(name)\(ending)"
            let ownFile = "\(own)/\(file)"
            let builtIn = try TemplateFile.text(of: "\(shipped)/\(file)")
            let custom =
                TemplateFile.exists(ownFile) ? try? TemplateFile.text(of: ownFile) : nil
            texts.append(
                Texts(
                    name: name, shipped: Text(file: "\(shipped)/\(file)", text: builtIn),
                    own: custom.map { Text(file: ownFile, text: $0) }))
        }
        return texts
    }

    private static func files(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
    }

    private static func set(
        _ texts: [Texts], _ phrases: Phrases, _ pages: [String: TemplateNames]
    ) throws(TemplateFault) -> (set: FallbackTemplates, faults: [TemplateFault]) {
        var templates: [String: Template] = [:]
        let parts = texts.map(\.name)
        for text in texts {
            templates[text.name] = try template(text.shipped, parts, phrases, pages[text.name])
        }
        // Linking all templates takes long, so it is done once.
        let shipped = TemplateSet(templates, html: true)
        for text in texts {
            if let fault = fault(of: text.name, in: shipped, pages, text.shipped.file) {
                throw fault
            }
        }
        let builtIn = texts.contains { $0.own != nil } ? templates : nil
        var faults: [TemplateFault] = []
        for text in texts {
            guard let own = text.own else { continue }
            do throws(TemplateFault) {
                var tried = templates
                tried[text.name] = try template(own, parts, phrases, pages[text.name])
                let set = TemplateSet(tried, html: true)
                if let fault = fault(of: text.name, in: set, pages, own.file) { throw fault }
                templates = tried
            } catch {
                faults.append(error)
            }
        }
        return (FallbackTemplates(templates, builtIn: builtIn, html: true), faults)
    }

    private static func template(
        _ text: Text, _ parts: [String], _ phrases: Phrases, _ names: TemplateNames?
    ) throws(TemplateFault) -> Template {
        // A part is checked with each page that contains it.
        let vocabulary = Template.Vocabulary(
            names: names ?? .anything, parts: parts, translate: { phrases.translation(of: $0) })
        do throws(Template.Fault) {
            return try Template(text.text, vocabulary)
        } catch {
            throw TemplateFault(file: text.file, line: error.line, reason: error.reason)
        }
    }

    /// The error in the first page that cannot be used, which may come from a part.
    private static func fault(
        of name: String, in set: TemplateSet, _ pages: [String: TemplateNames], _ file: String
    ) -> TemplateFault? {
        if let page = set.tooLarge.sorted().first {
            return TemplateFault(
                file: file,
                reason: "the template \(page) cannot be used: \(TemplateSet.excess)")
        }
        let concerned = pages.keys.sorted().filter { pages[name] == nil || $0 == name }
        for page in concerned {
            guard let names = pages[page] else { continue }
            if let unknown = set.unknownName(in: page, names) {
                return TemplateFault(
                    file: file, reason: "the page \(page) has no variable {{\(unknown)}}.")
            }
            guard let list = set.listInItself(in: page, names) else { continue }
            return TemplateFault(
                file: file,
                reason:
                    "in the page \(page), {{#\(list)}} stands inside {{#\(list)}}, which repeats "
                    + "the list for each of its elements. Remove the inner one.")
        }
        return nil
    }
}

/// The translations of phrases into a language.
struct Phrases: Sendable {
    private let isEnglish: Bool
    private let texts: [String: String]

    /// A file of translations, by the ending of its name.
    enum Kind: String {
        /// Phrases of the pages.
        case phrases
        /// Sentences for the codes of refusals.
        case refusals
    }

    /// Reads the phrases of a language, one in a line: `English = Deutsch`. English needs none.
    ///
    /// - Throws: ``TemplateFault`` if the file is missing or has a line of another form.
    init(
        _ language: Language, folder: String, _ kind: Kind = .phrases
    ) throws(TemplateFault) {
        isEnglish = language == .english
        guard !isEnglish else {
            texts = [:]
            return
        }
        let file = "\(folder)/\(language.rawValue).\(kind)"
        var texts: [String: String] = [:]
        let lines = try TemplateFile.text(of: file).split(
            separator: "\n", omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
            guard let range = line.firstRange(of: " = ") else {
                throw TemplateFault(
                    file: file, line: place + 1,
                    reason: "write the English phrase, an equals sign and its translation.")
            }
            texts[String(line[..<range.lowerBound])] = String(line[range.upperBound...])
        }
        self.texts = texts
    }

    /// The translation of a phrase; `nil` if there is none.
    func translation(of phrase: String) -> String? { isEnglish ? phrase : texts[phrase] }

    /// A phrase in this language, with `%name%` replaced by values, which keep their direction.
    func text(_ phrase: String, _ values: [String: String]) -> String {
        let text = translation(of: phrase) ?? phrase
        guard !values.isEmpty else { return text }
        var result = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "%") {
            let name = rest[rest.index(after: start)...].prefix { $0 != "%" }
            guard name.endIndex < rest.endIndex, let value = values[String(name)] else {
                result += rest[...start]
                rest = rest[rest.index(after: start)...]
                continue
            }
            result += rest[..<start] + IsolatedText.of(value)
            rest = rest[rest.index(after: name.endIndex)...]
        }
        return result + rest
    }
}
