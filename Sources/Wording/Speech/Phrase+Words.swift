public import Agenda
import Timekeeping

extension Phrase {
    /// The sentence in a language.
    ///
    /// - Parameters:
    ///   - language: the language of the values.
    ///   - translation: the pattern in that language.
    /// - Returns: the sentence.
    public func words(in language: Language, _ translation: (String) -> String) -> String {
        var words = ""
        for (index, part) in translation(pattern).split(
            separator: "%", omittingEmptySubsequences: false
        ).enumerated() {
            let value = index.isMultiple(of: 2) ? nil : values[String(part)]
            words += value?.words(in: language, translation) ?? String(part)
        }
        return words
    }
}

extension Phrase.Value {
    fileprivate func words(in language: Language, _ translation: (String) -> String) -> String {
        switch self {
        case .text(let text): text
        case .names(let names, let rest): language.speech.list(names, rest: rest)
        case .dates(let dates, let isCut):
            list(dates.map(language.speech.date), isCut: isCut, language)
        case .period(let period, let zone): TimeWords.period(period, in: zone, language)
        case .moment(let moment, let zone): language.speech.shortMoment(moment, in: zone)
        case .time(let time, let zone):
            TimeWords.range(
                from: time.lowerBound, to: time.upperBound, in: zone, at: zone, language)
        case .span(let span): TimeWords.span(span, in: language)
        case .answer(let answer): language.speech.word(answer, of: 1)
        case .phrases(let phrases, let isCut):
            list(phrases.map { $0.words(in: language, translation) }, isCut: isCut, language)
        }
    }

    private func list(_ parts: [String], isCut: Bool, _ language: Language) -> String {
        (parts + (isCut ? [language.speech.andMore] : [])).joined(separator: ", ")
    }
}

extension Remark {
    /// A remark that interfaces can say in other languages.
    public init(_ phrase: Phrase, advice: Advice...) {
        self.init(phrase.words(in: .english) { $0 }, advice: advice, phrase: phrase)
    }
}
