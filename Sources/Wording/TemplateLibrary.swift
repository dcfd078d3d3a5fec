import Agenda
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
/// that is reported, so that no notification is lost to a typing mistake.
public struct TemplateLibrary: Sendable {
    /// The largest template, in bytes.
    public static let bytesMax = 1 << 20

    /// What the templates of several kinds share.
    private static let partials = ["facts", "buttons", "stop"]

    /// The files of the templates, from the folder of templates on.
    static let files = (NotificationKind.allCases.map(\.rawValue) + partials).map {
        "text/\($0).mustache"
    }

    private let library: MustacheLibrary
    private let pages: PageLibrary
    private let zones: ZoneDirectory
    /// The templates in which the reader is named.
    private let readerNames: Set<String>
    /// What was wrong with templates that stand aside.
    public let faults: [TemplateFault]

    /// Reads the templates.
    ///
    /// - Parameters:
    ///   - shipped: the folder of the shipped templates.
    ///   - own: the folder of those that win over them; it need not exist.
    ///   - zones: the zone rules.
    /// - Throws: ``TemplateFault`` when a shipped template is missing or broken.
    public init(shipped: String, own: String, zones: ZoneDirectory) throws(TemplateFault) {
        var templates: [String: MustacheTemplate] = [:]
        var readerNames: Set<String> = []
        var faults: [TemplateFault] = []
        func read(_ name: String, _ file: String) throws(TemplateFault) {
            let text = try TemplateFile.text(of: file)
            let words =
                NotificationKind(rawValue: name).map { TemplateForm($0).wordNames }
                ?? NoticeFacts.wordNames
            // One part in another might bring itself, for ever.
            templates[name] = try Self.template(
                text, file, words: words,
                partials: Self.partials.contains(name) ? [] : Self.partials)
            readerNames.remove(name)
            if TemplateFile.mayName("reader", text) { readerNames.insert(name) }
        }
        for name in NotificationKind.allCases.map(\.rawValue) + Self.partials {
            let file = "text/\(name).mustache"
            let ownFile = "\(own)/\(file)"
            if TemplateFile.exists(ownFile) {
                do throws(TemplateFault) {
                    try read(name, ownFile)
                    continue
                } catch {
                    faults.append(error)
                }
            }
            try read(name, "\(shipped)/\(file)")
        }
        for kind in NotificationKind.allCases {
            guard let fault = Self.fault(of: kind, in: templates) else { continue }
            let file = "text/\(kind.rawValue).mustache"
            let ownFile = "\(own)/\(file)"
            let isOwn = TemplateFile.exists(ownFile)
            let found = TemplateFault(file: isOwn ? ownFile : "\(shipped)/\(file)", reason: fault)
            guard isOwn else { throw found }
            faults.append(found)
            try read(kind.rawValue, "\(shipped)/\(file)")
        }
        library = MustacheLibrary(templates: templates)
        pages = try PageLibrary(shipped: shipped, own: own)
        self.readerNames = readerNames
        self.zones = zones
        self.faults = faults + pages.faults
    }

    /// Why what a template makes of a sample, full or bare, cannot be sent; `nil` when it can.
    private static func fault(
        of kind: NotificationKind, in templates: [String: MustacheTemplate]
    ) -> String? {
        let library = MustacheLibrary(templates: templates)
        for words in TemplateForm(kind).samples {
            let notice = Notice(
                rendered: library.render(words, withTemplate: kind.rawValue) ?? "")
            if notice.subject.isBlank { return "its first line, the subject, is empty." }
            if notice.text.isBlank { return "below the subject it says nothing." }
            if kind == .digest, words["hasNotes"] as? Bool == true,
                !notice.text.contains(DigestFacts.sampleMessage)
            {
                return "it leaves out {{#notes}}: what waited for it would be lost."
            }
        }
        return nil
    }

    /// Reads a template that may use these words and partials.
    static func template(
        _ text: String, _ file: String, words: Set<String>, partials: [String] = partials
    ) throws(TemplateFault) -> MustacheTemplate {
        if let (word, line) = unknownWord(in: text, words: words, partials: partials) {
            throw TemplateFault(
                file: file, line: line,
                reason: "there is no word {{\(word)}}. Words are: "
                    + words.sorted().joined(separator: ", ") + ".")
        }
        do {
            // Text is not HTML, and into HTML go words that are escaped already.
            let pragma = "{{% CONTENT_TYPE:TEXT}}"
            return try MustacheTemplate(string: pragma + text)
        } catch {
            let fault = error as? MustacheTemplate.ParserError
            throw TemplateFault(
                file: file, line: fault?.context.lineNumber,
                reason: MustacheWords.of(fault?.error ?? error))
        }
    }

    /// The first word between braces that stands for nothing.
    private static func unknownWord(
        in text: String, words: Set<String>, partials: [String]
    ) -> (word: String, line: Int)? {
        let tag = /\{\{\{?\s*(?<mark>[#^\/&>]?)\s*(?:\w+\()*(?<name>\w+)\)*\s*\}\}/
        return text.matches(of: tag).first { match in
            let name = String(match.name)
            return match.mark == ">" ? !partials.contains(name) : !words.contains(name)
        }.map { match in
            (String(match.name), 1 + text[..<match.range.lowerBound].count(where: \.isNewline))
        }
    }

    /// Whether what people are told of this kind may differ by the reader's name.
    public func namesReader(_ kind: NotificationKind) -> Bool {
        pages.namesReader || !readerNames.isDisjoint(with: Self.partials + [kind.rawValue])
    }

    /// Puts a notification into words, in its reader's zone; never into none.
    public func notice(_ facts: NoticeFacts) -> Notice {
        let meeting = zone(facts.meeting.time.zone) ?? .utc
        let pair = ZonePair(reader: facts.reader.zone.flatMap(zone) ?? meeting, meeting: meeting)
        let words = facts.words(in: pair)
        let notice = Notice(
            rendered: library.render(words, withTemplate: facts.kind.rawValue) ?? "")
        // An empty notice would count as delivered.
        return Notice(
            subject: notice.subject.isBlank ? facts.meeting.title : notice.subject,
            text: notice.text.isBlank ? pair.when(facts.meeting.time) : notice.text)
    }

    /// The same as a page of HTML, for readers that show one: from a template of its own, or where
    /// somebody wrote the text anew and no page, from their words.
    ///
    /// - Parameters:
    ///   - notice: the notification in words.
    ///   - facts: what it says; `nil` for what is about no meeting.
    ///   - stop: where no more of this kind is asked for, of what is about no meeting.
    /// - Returns: a whole document.
    public func page(of notice: Notice, _ facts: NoticeFacts?, stop: String? = nil) -> String {
        guard let facts else { return pages.page(of: notice, stop: stop) }
        let meeting = zone(facts.meeting.time.zone) ?? .utc
        let pair = ZonePair(reader: facts.reader.zone.flatMap(zone) ?? meeting, meeting: meeting)
        return pages.page(of: notice, facts.kind, facts.words(in: pair))
    }

    /// What was put into words before, and below it where no more of its kind is asked for.
    public func notice(rendered: String, stop: String?) -> Notice {
        let words = library.render(["stopLink": stop as Any], withTemplate: "stop") ?? ""
        return Notice(rendered: stop == nil ? rendered : "\(rendered)\n\(words)")
    }

    /// Puts a digest into words.
    public func notice(_ facts: DigestFacts) -> Notice {
        rendered(facts.words, .digest, else: "What comes")
    }

    /// Puts into words that a job failed.
    public func notice(_ facts: AlarmFacts) -> Notice {
        rendered(facts.words, .alarm, else: "\(facts.job) failed")
    }

    private func rendered(
        _ words: [String: Any], _ kind: NotificationKind, else subject: String
    ) -> Notice {
        let notice = Notice(rendered: library.render(words, withTemplate: kind.rawValue) ?? "")
        return Notice(
            subject: notice.subject.isBlank ? subject : notice.subject,
            text: notice.text.isBlank ? subject : notice.text)
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

extension Notice {
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
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
