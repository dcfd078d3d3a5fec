import Ledger
import Timekeeping

/// What a template may say, and what it is tried with.
struct TemplateForm {
    /// Every word that it may use.
    let wordNames: Set<String>
    /// Words of which everything is said, or hardly anything.
    let samples: [[String: Any]]

    init(_ kind: NotificationKind, _ language: Language) {
        switch kind {
        case .digest:
            wordNames = DigestFacts.wordNames
            samples = [false, true].map { DigestFacts.sample(isBare: $0).words(in: language) }
        case .alarm:
            wordNames = AlarmFacts.wordNames
            samples = [AlarmFacts.sample.words(in: language)]
        case .invitation, .change, .cancellation, .reminder, .nudge, .message, .answer,
            .proposal, .refusal, .link:
            let zones = ZonePair(reader: .utc, meeting: .utc, language: language)
            wordNames = NotificationFacts.wordNames
            samples = [false, true].map {
                NotificationFacts.sample(kind, isBare: $0).words(in: zones)
            }
        }
    }
}
