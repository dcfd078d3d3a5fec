import ArgumentParser
import Planning
import Programs
import Settings
import Timekeeping
import Wording

/// The options that every command takes, but for the zone: where a person is described, `--tz` is
/// that person's.
struct SiteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The home folder.", valueName: "dir"), completion: .directory)
    var home: String?

    @Option(help: ArgumentHelp("Take this as the time now.", valueName: "instant"))
    var now: String?

    @Option(name: .customLong("as"), help: ArgumentHelp("Who acts.", valueName: "person"))
    var actingAs: String?

    @Flag(help: "Print one JSON object, for other programs to read.")
    var json = false

    /// What the process finds around it, with these options.
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

    /// Prints an answer: the value for programs, the text for people.
    func answer(_ value: some Encodable, text: () throws -> String) throws {
        Terminal.answer(try json ? JSONText.of(value) : text())
    }

    /// Prints the answer to a change that is made already.
    func confirm(_ value: some Encodable, text: () throws -> String) throws {
        Terminal.answer(try json ? JSONText.of(value) : text(), afterSaving: true)
    }
}

/// The options that most commands take.
struct CommonOptions: ParsableArguments {
    /// Those of them that may stand before the command.
    static let leading = LeadingOptions(
        flags: ["--json"], valued: ["--home", "--now", "--as"])

    @Option(
        help: ArgumentHelp("The zone in which times are read and printed.", valueName: "zone"))
    var tz: String?

    @OptionGroup var site: SiteOptions

    var home: String? { site.home }
    var now: String? { site.now }
    var json: Bool { site.json }

    /// What the process finds around it, with these options.
    func surroundings() throws -> PlannerSurroundings {
        try site.surroundings(zone: tz)
    }

    /// Opens the planner.
    func planner() async throws -> Planner {
        try await site.planner(zone: tz)
    }

    /// Prints an answer: the value for programs, the text for people.
    func answer(_ value: some Encodable, text: () throws -> String) throws {
        try site.answer(value, text: text)
    }

    /// Prints the answer to a change that is made already.
    func confirm(_ value: some Encodable, text: () throws -> String) throws {
        try site.confirm(value, text: text)
    }
}

/// The options of commands that reach other people.
struct ConsentOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do it without asking.")
    var yes = false

    @Flag(help: "Show what would happen, and save nothing.")
    var dryRun = false
}

extension Array where Element == String {
    /// Texts of which at least one names something, where any are given at all: an empty one would
    /// be left out unseen, and mean everybody.
    ///
    /// - Throws: ``Refusal`` with `usage`.
    func names(for argument: String) throws(Refusal) -> [String] {
        let names = splitAtCommas
        guard isEmpty || !names.isEmpty else { throw Refusal.empty(argument) }
        return names
    }

    /// An option may be repeated, take several values, and commas; one between double quotes
    /// divides nothing.
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
    /// A quote that nothing closes is a character like others.
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
    /// Refuses an argument that was given and names nothing.
    static func empty(_ argument: String) -> Refusal {
        Refusal(.invalid, code: "usage", "\(argument) is empty.")
    }
}
