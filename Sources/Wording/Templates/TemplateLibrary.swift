public import Agenda
import Foundation
public import Ledger
public import Timekeeping

/// An error in a template.
public struct TemplateFault: Error, Equatable, CustomStringConvertible {
    /// The path of the template.
    public let file: String
    /// The line, counted from 1; `nil` if the error concerns the whole file.
    public var line: Int?
    /// The reason: what is wrong and how to fix it.
    public let reason: String

    /// The file, line and reason in one line.
    public var description: String {
        "\(file)\(line.map { ", line \($0)" } ?? ""): \(reason)"
    }
}

/// The templates of one installation: the built-in ones, and custom ones that replace them.
///
/// The first line of a rendered template is the subject; the rest is the text. A custom template
/// in the home folder replaces the built-in one of the same name. A broken custom template is
/// reported and ignored, so that no notification is lost to a typing error. Each language has its
/// own templates.
public struct TemplateLibrary: Sendable {
    /// The largest template, in bytes.
    public static let bytesMax = 1 << 20

    /// The paths of the templates, relative to the templates folder.
    static let files = WordsTemplates.files + Language.allCases.flatMap(PageLibrary.files)

    private let words: [WordsTemplates.Kind: WordsTemplates]
    private let pages: [Language: PageLibrary]
    private let zones: ZoneDirectory
    /// The language of people without a known language.
    private let standard: Language
    /// The errors in custom templates that are ignored; the built-in ones are used instead.
    public let faults: [TemplateFault]

    /// Reads the templates.
    ///
    /// - Parameters:
    ///   - shipped: the folder of the built-in templates.
    ///   - own: the folder of the custom templates; it does not have to exist.
    ///   - zones: the time zone rules.
    ///   - standard: the language of people without a known language.
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
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

    /// The language of a person's notifications.
    public func language(of person: Person) -> Language {
        person.language.flatMap(Language.init(tag:)) ?? standard
    }

    /// Parses a template that can use the given variables and parts.
    static func template(
        _ text: String, _ file: String, words: Set<String>, partials: [String]
    ) throws(TemplateFault) -> Template {
        do throws(Template.Fault) {
            return try Template(
                text,
                Template.Vocabulary(names: TemplateNames(everywhere: words), parts: partials))
        } catch {
            throw TemplateFault(file: file, line: error.line, reason: error.reason)
        }
    }

    /// True if the text of this kind of notification may contain the reader's name.
    public func namesReader(_ kind: NotificationKind) -> Bool {
        pages.values.contains { $0.namesReader } || words.values.contains { $0.namesReader(kind) }
    }

    /// Renders a notification in its reader's language and time zone. The result is never empty.
    public func notification(_ facts: NotificationFacts, as form: TextForm = .text)
        -> NotificationText
    {
        let zones = zones(of: facts)
        let notification = rendered(
            facts.kind.rawValue, facts.words(in: zones), as: form, in: zones.language)
        // An empty notification would count as delivered.
        return NotificationText(
            subject: notification.subject.isBlank ? facts.meeting.title : notification.subject,
            text: notification.text.isBlank ? zones.when(facts.meeting.time) : notification.text)
    }

    /// Renders a notification as HTML, for mail programs that show it: from the HTML template of
    /// its kind, or from its text if there is a custom text template but no custom HTML template.
    public func page(of notification: NotificationText, _ facts: NotificationFacts) -> String {
        let zones = zones(of: facts)
        return pages[zones.language]?.page(of: notification, facts.kind, facts.words(in: zones))
            ?? ""
    }

    /// Renders a notification that is not about a meeting as HTML.
    ///
    /// - Parameters:
    ///   - notification: the text of the notification.
    ///   - stop: the URL to unsubscribe from notifications of this kind.
    ///   - reader: the person who gets the notification.
    /// - Returns: a complete HTML document.
    public func page(of notification: NotificationText, stop: String?, for reader: Person) -> String
    {
        pages[language(of: reader)]?.page(of: notification, stop: stop) ?? ""
    }

    /// A notification that was rendered earlier, followed by the link to unsubscribe from its kind.
    public func notification(rendered: String, stop: String?, for reader: Person)
        -> NotificationText
    {
        guard let stop else { return NotificationText(rendered: rendered) }
        let kind = WordsTemplates.Kind(form: .text, language: language(of: reader))
        return NotificationText(rendered: "\(rendered)\n\(words[kind]?.stop(stop) ?? stop)")
    }

    /// Renders a digest.
    public func notification(_ facts: DigestFacts, for reader: Person) -> NotificationText {
        let language = language(of: reader)
        return filled(
            rendered("digest", facts.words(in: language), in: language), else: "Coming up")
    }

    /// Renders the alarm about a failed job.
    public func notification(_ facts: AlarmFacts, for reader: Person) -> NotificationText {
        let language = language(of: reader)
        return filled(
            rendered("alarm", facts.words(in: language), in: language),
            else: "\(facts.job) failed")
    }

    /// Renders the mail with a link that signs in.
    public func notification(_ facts: SignInFacts, for reader: Person) -> NotificationText {
        filled(
            rendered("sign_in", facts.words, in: language(of: reader)), else: SignInFacts.linkMark)
    }

    /// Renders the news about followers.
    public func notification(_ facts: FollowFacts, for reader: Person) -> NotificationText {
        filled(rendered("follow", facts.words, in: language(of: reader)), else: facts.name)
    }

    private func rendered(
        _ name: String, _ words: TemplateValues, as form: TextForm = .text, in language: Language
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

    /// The time zone with an id; `nil` if it is unknown, so that the notification is still sent.
    private func zone(_ id: String) -> Zone? {
        do {
            return try zones.zone(id)
        } catch {
            return nil
        }
    }
}

extension NotificationText {
    /// The subject and the text below it, in the form that ``init(rendered:)`` splits.
    public var whole: String { "\(subject)\n\(text)" }

    /// Splits rendered text: the first line is the subject.
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
