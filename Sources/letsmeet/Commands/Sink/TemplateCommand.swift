import ArgumentParser
import Planning
import Settings
import Timekeeping
import Wording

struct TemplateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "template", abstract: "See by which words people are told things.",
        discussion: """
            A template of the same folder and name in templates/ in the home folder stands in for \
            a shipped one.

            EXAMPLE: letsmeet template render text/reminder
            """,
        subcommands: [TemplateList.self, TemplateRender.self, TemplateCheck.self])
}

extension CommonOptions {
    /// The templates as the daemon of the home would read them.
    fileprivate func templateCatalog() throws -> TemplateCatalog {
        let surroundings = try surroundings()
        return try TemplateCatalog(
            shipped: surroundings.shipped.templates, own: surroundings.home.templates,
            zones: surroundings.zones)
    }
}

/// What is wrong with a template, as programs read it.
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
        commandName: "list", abstract: "List the templates, and which of them are your own.",
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

    /// Names the files that stand for no template; `nil` where there are none.
    static func unused(_ catalog: TemplateCatalog) -> String? {
        guard !catalog.unused.isEmpty else { return nil }
        return "No templates: " + catalog.unused.joined(separator: ", ")
    }

    func run() async throws {
        let catalog = try common.templateCatalog()
        let lines = catalog.items.map { item in
            Answer.Line(
                name: item.name, file: item.file, origin: item.isOwn ? "home" : "shipped",
                problem: item.fault.map(TemplateProblem.init))
        }
        try common.answer(Answer(templates: lines, unused: catalog.unused)) {
            var table = Table()
            for item in catalog.items {
                table.add(
                    item.name, item.fault != nil ? "broken" : item.isOwn ? "yours" : "shipped")
            }
            return table.text(with: Self.unused(catalog))
        }
    }
}

struct TemplateRender: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Show what a template makes of a made-up meeting.",
        discussion: """
            A template of your own that is broken is passed over, as it would be in earnest: \
            template check says what is wrong with it.

            EXAMPLE: letsmeet template render html/invitation > invitation.html
            """)

    @Argument(help: "The folder and the name, such as text/reminder.") var name: String
    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let name: String
        let text: String
    }

    func run() async throws {
        let catalog = try common.templateCatalog()
        let zones = try common.surroundings().zones
        let zone = try common.tz.map { try zones.zone($0) }
        guard let item = catalog.items.first(where: { $0.name == name }) else {
            throw Refusal(
                .refused, code: "unknown_template",
                "There is no template \(name). See: letsmeet template list")
        }
        guard let text = catalog.rendered(name, in: zone) else {
            throw Refusal(
                .refused, code: "partial_template",
                "\(name) is a part of other templates. Render one of those.")
        }
        if let fault = item.fault { Terminal.say("\(fault) The shipped one stands in.") }
        guard !common.json else { return try common.answer(Answer(name: name, text: text)) { "" } }
        // A page may be for a browser.
        Terminal.pass(text + "\n")
    }
}

struct TemplateCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Say what is wrong with the templates of the home.",
        discussion: """
            Ends with status 2 where one is broken. Until it is mended the shipped one stands in.

            EXAMPLE: letsmeet template check
            """)

    @OptionGroup var common: CommonOptions

    private struct Answer: Encodable {
        let ok: Bool
        let problems: [TemplateProblem]
        let unused: [String]
    }

    func run() async throws {
        let catalog = try common.templateCatalog()
        let faults = catalog.items.compactMap(\.fault)
        let answer = Answer(
            ok: faults.isEmpty, problems: faults.map(TemplateProblem.init), unused: catalog.unused)
        try common.answer(answer) {
            let lines =
                faults.map(\.description)
                + [TemplateList.unused(catalog)].compactMap(\.self)
            return lines.isEmpty ? "The templates are sound." : lines.joined(separator: "\n")
        }
        if !faults.isEmpty { throw ExitCode(2) }
    }
}
