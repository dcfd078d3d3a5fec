import ArgumentParser
import Planning
import Settings
import TextUI
import Timekeeping
import Wording

struct TemplateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "Preview and check message templates.",
        discussion: """
            To replace a built-in template, put a file with the same folder and name into \
            templates/ in the home folder.

            EXAMPLE: letsmeet template render text/reminder
            """,
        subcommands: [TemplateList.self, TemplateRender.self, TemplateCheck.self])
}

extension CommonOptions {
    /// The templates as the daemon of the home reads them. The files belong to the owner.
    ///
    /// - Throws: ``Refusal`` with `not_allowed` if somebody else acts.
    fileprivate func templateCatalog() async throws -> TemplateCatalog {
        try await checkIsOwner(to: "see the templates")
        let surroundings = try surroundings()
        return try TemplateCatalog(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates,
            zones: surroundings.zones)
    }
}

/// The output form of a fault in a template.
private struct TemplateProblem: Encodable {
    let file: String
    @Null var line: Int?
    let message: String

    init(_ fault: TemplateFault) {
        file = fault.file
        line = fault.line
        message = fault.reason
    }
}

struct TemplateList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List templates and show which are yours.",
        discussion: "EXAMPLE: letsmeet template list")

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        struct Line: Encodable {
            let name: String
            let file: String
            let origin: String
            @Null var problem: TemplateProblem?
        }
        let templates: [Line]
        let unused: [String]
    }

    /// A line with the files that match no template; `nil` if there are none.
    static func unused(_ catalog: TemplateCatalog) -> String? {
        guard !catalog.unused.isEmpty else { return nil }
        return "Files that match no template: " + catalog.unused.joined(separator: ", ")
    }

    func run() async throws {
        let catalog = try await common.templateCatalog()
        let lines = catalog.items.map { item in
            Answer.Line(
                name: item.name, file: item.file, origin: item.isOwn ? "home" : "shipped",
                problem: item.fault.map(TemplateProblem.init))
        }
        try common.list(Answer(templates: lines, unused: catalog.unused)) {
            var table = Table(["Template", "State"], uncut: [0])
            for item in catalog.items {
                table.add(
                    item.name, item.fault != nil ? "broken" : item.isOwn ? "yours" : "built-in")
            }
            return table.text(with: Self.unused(catalog))
        }
    }
}

struct TemplateRender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Preview a template with a sample meeting.",
        discussion: """
            A broken template of yours is ignored, as it is when messages are sent. To see its \
            errors, run letsmeet template check.

            EXAMPLE: letsmeet template render html/invitation > invitation.html
            """)

    @Argument(help: "The folder and name, such as text/reminder.") var name: String
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let name: String
        let text: String
    }

    func run() async throws {
        let catalog = try await common.templateCatalog()
        let zones = try common.surroundings().zones
        let zone = try common.tz.map { try zones.zone($0) }
        guard let item = catalog.items.first(where: { $0.name == name }) else {
            throw Refusal(
                .refused, code: "unknown_template",
                "There is no template \"\(name)\". To list templates: letsmeet template list")
        }
        guard let text = catalog.rendered(name, in: zone) else {
            throw Refusal(
                .refused, code: "partial_template",
                "\(name) is only a part of other templates. Render one of those.")
        }
        if let fault = item.fault { Terminal.say("\(fault) The built-in template is used.") }
        guard !common.json else { return try common.answer(Answer(name: name, text: text)) { "" } }
        // A page may be meant for a browser, so it is written unchanged.
        Terminal.pass(text + "\n")
    }
}

struct TemplateCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check your templates.",
        discussion: """
            The command exits with status 2 if a template is broken. Until you fix it, the \
            built-in one is used.

            EXAMPLE: letsmeet template check
            """)

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let ok: Bool
        let problems: [TemplateProblem]
        let unused: [String]
    }

    func run() async throws {
        let catalog = try await common.templateCatalog()
        let faults = catalog.items.compactMap(\.fault)
        let answer = Answer(
            ok: faults.isEmpty, problems: faults.map(TemplateProblem.init), unused: catalog.unused)
        try common.answer(answer) {
            let lines =
                faults.map(\.description)
                + [TemplateList.unused(catalog)].compactMap(\.self)
            return lines.isEmpty ? "The templates have no errors." : lines.joined(separator: "\n")
        }
        if !faults.isEmpty { throw ExitCode(2) }
    }
}
