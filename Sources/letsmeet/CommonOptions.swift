import ArgumentParser
import Planning
import Programs
import Settings
import Timekeeping
import Wording

/// The options of every command. The time zone is not among them, because in commands that describe
/// a person, `--tz` is the zone of that person.
struct SiteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The home folder.", valueName: "dir"), completion: .directory)
    var home: String?

    @Option(help: ArgumentHelp("Use this as the current time.", valueName: "instant"))
    var now: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("Act as this person.", valueName: "person"))
    var actingAs: String?

    @Flag(help: "Print one JSON object for other programs.")
    var json = false

    @Flag(
        name: .customLong("no-pager"),
        help: ArgumentHelp("Print long lists without a pager.", visibility: .hidden))
    var isUnpaged = false

    /// The environment of the process, with these options applied.
    func surroundings(zone: String? = nil) throws -> PlannerSurroundings {
        var surroundings = try PlannerSurroundings.read(
            homeOption: home, machine: .real, now: try now.map { try Moment.parse($0) },
            zoneOption: zone, actingAs: actingAs)
        surroundings.showAwaited = { service in
            Terminal.progress(service.map { "Waiting for \($0) …" } ?? "")
        }
        return surroundings
    }

    /// Opens the planner.
    func planner(zone: String? = nil) async throws -> Planner {
        try await Planner(try surroundings(zone: zone))
    }

    /// Prints an answer: with `--json` the value, otherwise the text.
    func answer(_ value: some Encodable, text: () throws -> String) throws {
        Terminal.answer(try json ? jsonText(value) : text())
    }

    /// Prints a list: with `--json` the value, otherwise the text, on a terminal page by page.
    func list(_ value: some Encodable, text: () throws -> String) throws {
        guard !json else { return Terminal.answer(try jsonText(value)) }
        Terminal.list(try text(), isPaged: !isUnpaged)
    }

    /// Prints the answer to a change that has already been saved.
    func confirm(_ value: some Encodable, text: () throws -> String) throws {
        Terminal.answer(try json ? jsonText(value) : text(), afterSaving: true)
    }

    private func jsonText(_ value: some Encodable) throws -> String {
        try JSONText.of(value, advice: AdviceText.renderer)
    }
}

/// The options of most commands.
struct CommonOptions: ParsableArguments {
    /// The options that may also stand before the command.
    static let leading = LeadingOptions(
        flags: ["--json", "--no-pager"], valued: ["--home", "--now", "--as"])

    @Option(
        help: ArgumentHelp(
            "The time zone for reading and printing times.", valueName: "zone"))
    var tz: String?

    @OptionGroup var site: SiteOptions

    var home: String? { site.home }
    var now: String? { site.now }
    var json: Bool { site.json }

    /// The environment of the process, with these options applied.
    func surroundings() throws -> PlannerSurroundings {
        try site.surroundings(zone: tz)
    }

    /// Opens the planner.
    func planner() async throws -> Planner {
        try await site.planner(zone: tz)
    }

    /// Checks that the owner acts. Without `--as`, nothing has to be opened.
    ///
    /// - Parameter deed: the action, as in "merge people".
    /// - Throws: ``Refusal`` with `not_allowed`.
    func checkIsOwner(to deed: String) async throws {
        guard site.actingAs != nil else { return }
        try await Planner.checkIsOwner(to: deed, in: try surroundings())
    }

    /// Prints an answer: with `--json` the value, otherwise the text.
    func answer(_ value: some Encodable, text: () throws -> String) throws {
        try site.answer(value, text: text)
    }

    /// Prints a list: with `--json` the value, otherwise the text, on a terminal page by page.
    func list(_ value: some Encodable, text: () throws -> String) throws {
        try site.list(value, text: text)
    }

    /// Prints the answer to a change that has already been saved.
    func confirm(_ value: some Encodable, text: () throws -> String) throws {
        try site.confirm(value, text: text)
    }
}

/// People who are named by an option, for commands that also take them as arguments.
struct WhoOption: ParsableArguments {
    @Option(
        name: [.customLong("who"), .customLong("with")], parsing: .upToNextOption,
        help: ArgumentHelp("The same, as an option.", valueName: "who"),
        completion: Offers.people)
    var named: [String] = []

    /// Checks that anybody is named.
    ///
    /// - Parameter others: the people named as arguments.
    /// - Throws: `ValidationError`.
    func checkAnybody(besides others: [String]) throws {
        guard named.isEmpty, others.isEmpty else { return }
        throw ValidationError("Name the people, as in: anna ben, or --who anna,ben.")
    }
}

/// The options of commands that notify other people.
struct ConsentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Show what would happen without saving anything.")
    var dryRun = false
}

extension Array where Element == String {
    /// The names in the values of an argument. If values are given but contain no name, they are
    /// refused: without names the argument would silently mean everybody.
    ///
    /// - Throws: ``Refusal`` with `usage` for values without a name.
    func names(for argument: String) throws(Refusal) -> [String] {
        let names = splitAtCommas
        guard isEmpty || !names.isEmpty else { throw Refusal.empty(argument) }
        return names
    }

    /// The values, split at commas and trimmed, without empty ones. A comma inside double quotes
    /// does not split.
    var splitAtCommas: [String] {
        flatMap(\.partsBetweenCommas)
            .map { $0.trimmingPrefix(while: \.isWhitespace) }
            .map { text in
                var text = text
                while text.last?.isWhitespace == true { text = text.dropLast() }
                return String(text)
            }
            .filter { !$0.isEmpty }
    }
}

extension String {
    /// The parts between commas outside double quotes. An unclosed quote is an ordinary character.
    fileprivate var partsBetweenCommas: [Substring] {
        var isQuoted = false
        let isClosed = count(where: { $0 == "\"" }).isMultiple(of: 2)
        return split { character in
            if character == "\"", isClosed { isQuoted.toggle() }
            return character == "," && !isQuoted
        }
    }
}

extension Refusal {
    /// The refusal of an argument that is given but empty.
    static func empty(_ argument: String) -> Refusal {
        Refusal(.invalid, code: "usage", "\(argument) is empty.")
    }
}
