/// The guest pages in each language, and their style sheet.
public struct GuestPages: Sendable {
    /// The paths of the page templates, relative to the templates folder.
    static let files = Language.allCases.flatMap(PageTemplates.files)
    private static let styleFile = "web/style.css"

    private let templates: [Language: PageTemplates]
    /// The style sheet that the pages share (CSS).
    public let style: String
    /// The errors in custom templates that are ignored; the built-in ones are used instead.
    public let faults: [TemplateFault]

    /// Reads the templates. A custom template in the home folder replaces the built-in one; a
    /// broken custom template is ignored.
    ///
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
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

    /// Renders the guest page of a meeting.
    public func page(_ facts: GuestPageFacts) -> String {
        rendered("guest", facts.words, in: facts.language)
    }

    /// Renders the page for visitors without a valid link.
    public func page(_ facts: LostPageFacts) -> String {
        rendered("lost", facts.words, in: facts.language)
    }

    /// Renders the page to unsubscribe from reminders or digests.
    public func page(_ facts: StopPageFacts) -> String {
        rendered("stop", facts.words, in: facts.language)
    }

    /// Renders the page on which anybody with its link sees a meeting.
    public func page(_ facts: SharedPageFacts) -> String {
        rendered("shared", facts.words, in: facts.language)
    }

    private func rendered(
        _ name: String, _ words: TemplateValues, in language: Language
    ) -> String {
        templates[language]?.rendered(name, words) ?? ""
    }
}
