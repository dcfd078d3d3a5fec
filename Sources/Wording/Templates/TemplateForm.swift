import Ledger
import Timekeeping

/// The variables of a kind of notification, and the samples with which its template is checked.
struct TemplateForm {
    /// The names of all variables that the template can use.
    let wordNames: Set<String>
    /// Sample values: with all details, and with as few as possible.
    let samples: [TemplateValues]

    init(_ kind: NotificationKind, _ language: Language) {
        switch kind {
        case .digest:
            wordNames = DigestFacts.wordNames
            samples = [false, true].map { DigestFacts.sample(isBare: $0).words(in: language) }
        case .alarm:
            wordNames = AlarmFacts.wordNames
            samples = [AlarmFacts.sample.words(in: language)]
        case .signIn:
            wordNames = SignInFacts.wordNames
            samples = [SignInFacts.sample.words]
        case .follow:
            wordNames = FollowFacts.wordNames
            samples = FollowFacts.samples.map(\.words)
        case .invitation, .change, .cancellation, .reminder, .nudge, .message, .answer,
            .proposal, .refusal, .join, .leave, .request, .promotion, .admission, .decision, .link:
            let zones = ZonePair(reader: .utc, meeting: .utc, language: language)
            wordNames = NotificationFacts.wordNames
            samples = [false, true].map {
                NotificationFacts.sample(kind, isBare: $0).words(in: zones)
            }
        }
    }
}

/// A template for texts other than notifications: the parts of an HTTP request.
public struct PlainTemplate: Sendable {
    private let template: TemplateSet

    /// Reads a template that can use the given variables.
    ///
    /// - Throws: ``TemplateFault``, with `name` as its file.
    public init(_ text: String, named name: String, words: Set<String>) throws(TemplateFault) {
        template = TemplateSet([
            "": try TemplateLibrary.template(text, name, words: words, partials: [])
        ])
    }

    /// Renders the template with the given values, without escaping.
    public func text(_ words: [String: String]) -> String {
        template.filled("", words.mapValues { .text($0) }) ?? ""
    }
}
