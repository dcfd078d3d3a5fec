import Foundation
import Mustache

/// The templates of the pages that guests open, and their style.
public struct GuestPages: Sendable {
    private static let folder = "page"
    private static let partials = ["head", "foot"]

    /// The files of the pages, from the folder of templates on.
    static let files = (partials + forms.keys).map { "\(folder)/\($0).mustache" } + [styleFile]
    private static let styleFile = "\(folder)/style.css"

    private let library: MustacheLibrary
    /// The style that the pages share (CSS).
    public let style: String
    /// What was wrong with templates that stand aside.
    public let faults: [TemplateFault]

    /// Reads the templates; one in the home folder wins over the shipped one, and a broken one
    /// loses to it.
    ///
    /// - Throws: ``TemplateFault`` when a shipped template is missing or broken.
    public init(shipped: String, own: String) throws(TemplateFault) {
        var templates: [String: MustacheTemplate] = [:]
        for name in Self.partials + Array(Self.forms.keys) {
            templates[name] = try Self.template(name, in: shipped)
        }
        for name in Self.forms.keys {
            if let fault = Self.fault(of: name, in: templates, file: Self.file(name, shipped)) {
                throw fault
            }
        }
        var faults: [TemplateFault] = []
        // Parts first: the others are tried with them.
        for name in Self.partials + Self.forms.keys.sorted()
        where Self.exists(Self.file(name, own)) {
            do throws(TemplateFault) {
                templates = try Self.replacing(name, in: templates, from: own)
            } catch {
                faults.append(error)
            }
        }
        var style = try TemplateFile.text(of: "\(shipped)/\(Self.styleFile)")
        let ownStyle = "\(own)/\(Self.styleFile)"
        if Self.exists(ownStyle) {
            do throws(TemplateFault) {
                style = try TemplateFile.text(of: ownStyle)
            } catch {
                faults.append(error)
            }
        }
        self.style = style
        library = MustacheLibrary(templates: templates)
        self.faults = faults
    }

    /// The page of a guest.
    public func page(_ facts: GuestPageFacts) -> String { rendered("guest", facts.words) }

    /// The page for who came by no link.
    public func page(_ facts: LostPageFacts) -> String { rendered("lost", facts.words) }

    /// The page on which something is stopped.
    public func page(_ facts: StopPageFacts) -> String { rendered("stop", facts.words) }

    private func rendered(_ name: String, _ words: [String: Any]) -> String {
        library.render(HTMLText.escaped(words), withTemplate: name) ?? ""
    }

    // MARK: Reading

    /// What each page may say, and what it is tried with.
    private static var forms: [String: (names: Set<String>, sample: [String: Any])] {
        [
            "guest": (GuestPageFacts.wordNames, GuestPageFacts.sample.words),
            "lost": (LostPageFacts.wordNames, LostPageFacts().words),
            "stop": (
                StopPageFacts.wordNames,
                StopPageFacts(token: "sample", isReminders: true, isOn: true).words
            ),
        ]
    }

    private static func file(_ name: String, _ folder: String) -> String {
        "\(folder)/\(self.folder)/\(name).mustache"
    }

    private static func exists(_ path: String) -> Bool {
        TemplateFile.exists(path)
    }

    private static func template(
        _ name: String, in folder: String
    ) throws(TemplateFault) -> MustacheTemplate {
        let path = file(name, folder)
        return try TemplateLibrary.template(
            try TemplateFile.text(of: path), path,
            words: forms[name]?.names ?? ["heading", "root", "problem"],
            partials: partials.contains(name) ? [] : partials)
    }

    private static func replacing(
        _ name: String, in templates: [String: MustacheTemplate], from folder: String
    ) throws(TemplateFault) -> [String: MustacheTemplate] {
        var tried = templates
        tried[name] = try template(name, in: folder)
        for page in forms.keys.sorted() where name == page || partials.contains(name) {
            if let fault = fault(of: page, in: tried, file: file(name, folder)) { throw fault }
        }
        return tried
    }

    /// Why a page cannot be used; `nil` when it can.
    private static func fault(
        of name: String, in templates: [String: MustacheTemplate], file: String
    ) -> TemplateFault? {
        let words = forms[name]?.sample ?? [:]
        let page =
            MustacheLibrary(templates: templates)
            .render(HTMLText.escaped(words), withTemplate: name) ?? ""
        let needed = name == "lost" ? ["address"] : [words["token"] as? String ?? ""]
        guard needed.allSatisfy(page.contains), page.contains("<form") else {
            return TemplateFault(
                file: file, reason: "the page \(name) has no form any more, or one of no use.")
        }
        return nil
    }
}
