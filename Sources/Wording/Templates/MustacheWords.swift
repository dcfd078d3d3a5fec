import Mustache

/// What the parser of templates complains of, in words for whoever wrote the template.
enum MustacheWords {
    /// What is wrong, and what to do about it.
    static func of(_ error: any Error) -> String {
        guard let error = error as? MustacheTemplate.Error else {
            return "a tag is not closed. Write }} where it ends."
        }
        return switch error {
        case .sectionCloseNameIncorrect, .expectedSectionEnd, .unfinishedName,
            .invalidSetDelimiter:
            "a tag is not well formed. Write it as {{word}}, and close it with }}."
        case .invalidConfigVariableSyntax, .unrecognisedConfigVariable:
            "a tag that begins with % sets what cannot be set here. Leave it out."
        case .transformAppliedToInheritanceSection, .illegalTokenInsideInheritSection,
            .textInsideInheritSection:
            "what stands inside {{<…}} is not well formed. Write {{> facts}} instead."
        }
    }
}
