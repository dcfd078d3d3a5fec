public import Agenda
import Settings
public import Wording

extension PlannerSurroundings {
    /// The language of those of whom none is known.
    public var standardLanguage: Language {
        configuration[.language].flatMap(Language.init(tag:)) ?? .english
    }

    /// The language in which somebody is told things.
    public func language(of person: Person) -> Language {
        person.language.flatMap(Language.init(tag:)) ?? standardLanguage
    }

    /// The templates of the home.
    ///
    /// - Throws: ``TemplateFault`` when a shipped template is missing or broken.
    public func templateLibrary() throws(TemplateFault) -> TemplateLibrary {
        try TemplateLibrary(
            shipped: shipped.templates, own: home.templates, zones: zones,
            standard: standardLanguage)
    }
}
