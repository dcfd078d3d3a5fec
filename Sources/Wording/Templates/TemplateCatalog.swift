import Agenda
import Foundation
import Ledger
public import Timekeeping

/// The templates of an installation, for authors of custom templates.
public struct TemplateCatalog: Sendable {
    /// One template.
    public struct Item: Sendable {
        /// The folder and name of the template, as in `text/reminder`.
        public let name: String
        /// The path of its file: the custom one if there is one, even if it is broken.
        public let file: String
        /// True if there is a custom template of this name.
        public let isOwn: Bool
        /// The error in the custom template; the built-in one is used instead.
        public let fault: TemplateFault?
    }

    /// All templates, sorted by path.
    public let items: [Item]
    /// The paths of custom files that belong to no template, relative to the templates folder.
    public let unused: [String]

    private let library: TemplateLibrary
    private let pages: GuestPages

    /// Reads the templates in the same way as the daemon.
    ///
    /// - Parameters:
    ///   - shipped: the folder of the built-in templates.
    ///   - own: the folder of the custom templates; it does not have to exist.
    ///   - zones: the time zone rules.
    /// - Throws: ``TemplateFault`` if a built-in template is missing or broken.
    public init(shipped: String, own: String, zones: ZoneDirectory) throws(TemplateFault) {
        let library = try TemplateLibrary(shipped: shipped, own: own, zones: zones)
        let pages = try GuestPages(shipped: shipped, own: own)
        let faults = library.faults + pages.faults
        let files =
            (TemplateLibrary.files + GuestPages.files
            + Self.files(in: "\(shipped)/\(SiteTemplates.folder)").map {
                "\(SiteTemplates.folder)/\($0)"
            }).sorted()
        items = files.map { file in
            let isOwn = TemplateFile.exists("\(own)/\(file)")
            let path = "\(isOwn ? own : shipped)/\(file)"
            return Item(
                name: Self.name(of: file), file: path, isOwn: isOwn,
                fault: faults.first { $0.file == path })
        }
        unused = Self.files(in: own).filter { !files.contains($0) }
        self.library = library
        self.pages = pages
    }

    private static let ending = ".mustache"

    private static func name(of file: String) -> String {
        file.hasSuffix(ending) ? String(file.dropLast(ending.count)) : file
    }

    /// The files below a folder, without hidden files such as those of editors.
    private static func files(in folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String }
        return (paths ?? []).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: "\(folder)/\(path)", isDirectory: &isFolder) && !isFolder.boolValue
                && !path.split(separator: "/").contains { $0.hasPrefix(".") }
        }.sorted()
    }

    /// Renders a template with a sample meeting: the subject and the text below it, or a page.
    ///
    /// - Parameters:
    ///   - name: the folder and name of the template.
    ///   - zone: the reader's time zone; if `nil`, the meeting's, which is UTC.
    /// - Returns: the rendered template; `nil` if there is no such template, or if it is a part of
    ///   others.
    public func rendered(_ name: String, in zone: Zone? = nil) -> String? {
        var parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        var language = Language.english
        if parts.count == 3,
            let named = Language.allCases.first(where: { $0.folder == "\(parts[0])/" })
        {
            language = named
            parts.removeFirst()
        }
        guard parts.count == 2 else { return nil }
        let sample = Sample(language: language, zone: zone?.id)
        switch parts[0] {
        case "html": return page(parts[1], sample)
        case "page": return guestPage(parts[1], language)
        case let folder:
            return TextForm(rawValue: folder).flatMap { form in
                form.kinds.first { $0.rawValue == parts[1] }.map {
                    notification($0, sample, as: form).whole
                }
            }
        }
    }

    /// The language and time zone of the sample reader.
    private struct Sample {
        let language: Language
        let zone: String?

        var reader: Person {
            Person(
                id: PersonID(text: "organizer"), name: "Olga", zone: zone,
                language: language.rawValue)
        }

        func facts(_ kind: NotificationKind) -> NotificationFacts {
            .sample(kind, isBare: false, zone: zone, language: language)
        }
    }

    private func notification(_ kind: NotificationKind, _ sample: Sample, as form: TextForm)
        -> NotificationText
    {
        switch kind {
        case .digest: library.notification(DigestFacts.sample(isBare: false), for: sample.reader)
        case .alarm: library.notification(AlarmFacts.sample, for: sample.reader)
        case .signIn: library.notification(SignInFacts.sample, for: sample.reader)
        case .follow: library.notification(FollowFacts.sample, for: sample.reader)
        case .invitation, .change, .cancellation, .reminder, .nudge, .message, .answer, .proposal,
            .refusal, .join, .leave, .request, .promotion, .admission, .decision, .link:
            library.notification(sample.facts(kind), as: form)
        }
    }

    private func page(_ name: String, _ sample: Sample) -> String? {
        if name == PageLibrary.words {
            return library.page(
                of: notification(.digest, sample, as: .text), stop: "https://example.org/u/sample",
                for: sample.reader)
        }
        guard let kind = NotificationKind(rawValue: name), kind.isAboutMeeting else { return nil }
        return library.page(of: notification(kind, sample, as: .text), sample.facts(kind))
    }

    private func guestPage(_ name: String, _ language: Language) -> String? {
        switch name {
        case "guest":
            var facts = GuestPageFacts.sample
            facts.language = language
            return pages.page(facts)
        case "lost":
            var facts = LostPageFacts()
            facts.language = language
            return pages.page(facts)
        case "shared":
            var facts = SharedPageFacts.sample
            facts.language = language
            return pages.page(facts)
        case "stop":
            var facts = StopPageFacts(token: "sample", isReminders: true, isOn: true)
            facts.language = language
            return pages.page(facts)
        default: return nil
        }
    }
}
