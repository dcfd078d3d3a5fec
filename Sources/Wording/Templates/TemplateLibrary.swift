public import Agenda
import Foundation
public import Ledger
import Mustache
public import Timekeeping

/// What is wrong with a template.
public struct TemplateFault: Error, Equatable, CustomStringConvertible {
    /// The file.
    public let file: String
    /// The line, counted from 1; `nil` where the whole file is meant.
    public var line: Int?
    /// What is wrong.
    public let reason: String

    /// File, line and reason in a sentence.
    public var description: String {
        "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)"
    }
}

/// The templates of one installation: shipped ones, and those that stand in for them.
///
/// A text's first line is the subject, what follows is the text. A template in the home
/// folder wins over the shipped one of the same name; a broken one loses to it, with a fault
/// that is reported, so that no notification is lost to a typing mistake. Each language has
/// templates of its own.
public struct TemplateLibrary: Sendable {
    /// The largest template, in bytes.
    public static let bytesMax = 1 << 20

    /// The files of the templates, from the folder of templates on.
    static let files = WordsTemplates.files + Language.allCases.flatMap(PageLibrary.files)

    private let words: [WordsTemplates.Kind: WordsTemplates]
    private let pages: [Language: PageLibrary]
    private let zones: ZoneDirectory
    /// For whom nobody knows a language.
    private let standard: Language
    /// What was wrong with templates that stand aside.
    public let faults: [TemplateFault]

    /// Reads the templates.
    ///
    /// - Parameters:
    ///   - shipped: the folder of the shipped templates.
    ///   - own: the folder of those that win over them; it need not exist.
    ///   - zones: the zone rules.
    ///   - standard: the language of those of whom none is known.
    /// - Throws: ``TemplateFault`` when a shipped template is missing or broken.
    public init(
        shipped: String, own: String, zones: ZoneDirectory, standard: Language = .english
    ) throws(TemplateFault) {
        var words: [WordsTemplates.Kind: WordsTemplates] = [:]
        var pages: [Language: PageLibrary] = [:]
        var faults: [TemplateFault] = []
        for kind in WordsTemplates.Kind.all {
            let read = try WordsTemplates(kind, shipped: shipped, own: own)
            words[kind] = read
            faults += read.faults
        }
        for language in Language.allCases {
            let read = try PageLibrary(language, shipped: shipped, own: own)
            pages[language] = read
            faults += read.faults
        }
        self.words = words
        self.pages = pages
        self.zones = zones
        self.standard = standard
        self.faults = faults
    }

    /// The language in which somebody is told things.
    public func language(of person: Person) -> Language {
        person.language.flatMap(Language.init(tag:)) ?? standard
    }

    /// Reads a template that may use these words and partials.
    static func template(
        _ text: String, _ file: String, words: Set<String>, partials: [String]
    ) throws(TemplateFault) -> Template {
        if let fault = TemplateScan.fault(in: text, words: words, partials: partials) {
            throw TemplateFault(file: file, line: fault.line, reason: fault.reason)
        }
        do {
            return try Template(text)
        } catch {
            let fault = error as? MustacheTemplate.ParserError
            throw TemplateFault(
                file: file, line: fault?.context.lineNumber,
                reason: MustacheWords.of(fault?.error ?? error))
        }
    }

    /// Whether what people are told of this kind may differ by the reader's name.
    public func namesReader(_ kind: NotificationKind) -> Bool {
        pages.values.contains { $0.namesReader } || words.values.contains { $0.namesReader(kind) }
    }

    /// Puts a notification into words, in its reader's language and zone; never into none.
    public func notification(_ facts: NotificationFacts, as form: TextForm = .text)
        -> NotificationText
    {
        let zones = zones(of: facts)
        let notification = rendered(
            facts.kind.rawValue, facts.words(in: zones), as: form, in: zones.language)
        // An empty notice would count as delivered.
        return NotificationText(
            subject: notification.subject.isBlank ? facts.meeting.title : notification.subject,
            text: notification.text.isBlank ? zones.when(facts.meeting.time) : notification.text)
    }

    /// The same as a page of HTML, for readers that show one: from a template of its own, or where
    /// somebody wrote the text anew and no page, from their words.
    public func page(of notification: NotificationText, _ facts: NotificationFacts) -> String {
        let zones = zones(of: facts)
        return pages[zones.language]?.page(of: notification, facts.kind, facts.words(in: zones))
            ?? ""
    }

    /// A page for what is about no meeting.
    ///
    /// - Parameters:
    ///   - notification: the notification in words.
    ///   - stop: where no more of this kind is asked for.
    ///   - reader: who reads it.
    /// - Returns: a whole document.
    public func page(of notification: NotificationText, stop: String?, for reader: Person) -> String
    {
        pages[language(of: reader)]?.page(of: notification, stop: stop) ?? ""
    }

    /// What was put into words before, and below it where no more of its kind is asked for.
    public func notification(rendered: String, stop: String?, for reader: Person)
        -> NotificationText
    {
        guard let stop else { return NotificationText(rendered: rendered) }
        let kind = WordsTemplates.Kind(form: .text, language: language(of: reader))
        return NotificationText(rendered: "\(rendered)\n\(words[kind]?.stop(stop) ?? stop)")
    }

    /// Puts a digest into words.
    public func notification(_ facts: DigestFacts, for reader: Person) -> NotificationText {
        let language = language(of: reader)
        return filled(
            rendered("digest", facts.words(in: language), in: language), else: "What comes")
    }

    /// Puts into words that a job failed.
    public func notification(_ facts: AlarmFacts, for reader: Person) -> NotificationText {
        let language = language(of: reader)
        return filled(
            rendered("alarm", facts.words(in: language), in: language),
            else: "\(facts.job) failed")
    }

    private func rendered(
        _ name: String, _ words: [String: Any], as form: TextForm = .text, in language: Language
    ) -> NotificationText {
        self.words[WordsTemplates.Kind(form: form, language: language)]?.rendered(name, words)
            ?? NotificationText(subject: "", text: "")
    }

    private func filled(_ notification: NotificationText, else subject: String) -> NotificationText
    {
        NotificationText(
            subject: notification.subject.isBlank ? subject : notification.subject,
            text: notification.text.isBlank ? subject : notification.text)
    }

    private func zones(of facts: NotificationFacts) -> ZonePair {
        let meeting = zone(facts.meeting.time.zone) ?? .utc
        return ZonePair(
            reader: facts.reader.zone.flatMap(zone) ?? meeting, meeting: meeting,
            language: language(of: facts.reader))
    }

    /// A zone that is no longer known is no reason to lose a notification.
    private func zone(_ id: String) -> Zone? {
        do {
            return try zones.zone(id)
        } catch {
            return nil
        }
    }
}

extension NotificationText {
    /// The subject and below it the text, as ``init(rendered:)`` takes it apart.
    public var whole: String { "\(subject)\n\(text)" }

    /// Takes the first line for the subject.
    public init(rendered: String) {
        let lines = rendered.utf8.split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        self.init(
            subject: lines.first.map { Substring($0) }.map(String.init) ?? "",
            text: Substring(lines.dropFirst().first ?? "".utf8[...]).withoutNewlinesAround)
    }
}

extension Substring {
    fileprivate var withoutNewlinesAround: String {
        let rest = unicodeScalars.drop(while: \.isNewline)
        let end = rest.lastIndex { !$0.isNewline }.map(rest.index(after:))
        return String(rest[..<(end ?? rest.startIndex)])
    }
}

extension Unicode.Scalar {
    fileprivate var isNewline: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}

extension String {
    var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
