/// The pages that guests open, in each language, and their style.
public struct GuestPages: Sendable {
    /// The files of the pages, from the folder of templates on.
    static let files = Language.allCases.flatMap(PageTemplates.files) + [styleFile]
    private static let styleFile = "page/style.css"

    private let templates: [Language: PageTemplates]
    /// The style that the pages share (CSS).
    public let style: String
    /// What was wrong with templates that stand aside.
    public let faults: [TemplateFault]

    /// Reads the templates; one in the home folder wins over the shipped one, and a broken one
    /// loses to it.
    ///
    /// - Throws: ``TemplateFault`` when a shipped template is missing or broken.
    public init(shipped: String, own: String) throws(TemplateFault) {
        var templates: [Language: PageTemplates] = [:]
        var faults: [TemplateFault] = []
        for language in Language.allCases {
            let read = try PageTemplates(language, shipped: shipped, own: own)
            templates[language] = read
            faults += read.faults
        }
        var style = try TemplateFile.text(of: "\(shipped)/\(Self.styleFile)")
        let ownStyle = "\(own)/\(Self.styleFile)"
        if TemplateFile.exists(ownStyle) {
            do throws(TemplateFault) {
                style = try TemplateFile.text(of: ownStyle)
            } catch {
                faults.append(error)
            }
        }
        self.templates = templates
        self.style = style
        self.faults = faults
    }

    /// The page of a guest.
    public func page(_ facts: GuestPageFacts) -> String {
        rendered("guest", facts.words, in: facts.language)
    }

    /// The page for who came by no link.
    public func page(_ facts: LostPageFacts) -> String {
        rendered("lost", facts.words, in: facts.language)
    }

    /// The page on which something is stopped.
    public func page(_ facts: StopPageFacts) -> String {
        rendered("stop", facts.words, in: facts.language)
    }

    private func rendered(
        _ name: String, _ words: [String: Any], in language: Language
    ) -> String {
        templates[language]?.rendered(name, words) ?? ""
    }
}
