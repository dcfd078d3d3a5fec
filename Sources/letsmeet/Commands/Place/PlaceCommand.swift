import ArgumentParser
import Planning
import TextUI
import Wording

struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Find and save places to meet.",
        discussion: "EXAMPLE: letsmeet place search --city Helsinki --for museum",
        subcommands: [
            PlaceSearch.self, PlaceShow.self, PlaceImportCommand.self, PlaceFetch.self,
            PlaceAdd.self, PlaceRemove.self, PlaceCities.self, PlaceInterests.self,
            PlaceSave.self, PlaceSaved.self,
        ])
}

struct PlaceSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search for places by city and interest, or by name.",
        discussion: """
            The search asks Foursquare if a key is set, and your own catalogue otherwise.

            EXAMPLE: letsmeet place search --city Helsinki --for lunch --radius 1000
            """)

    @Option(help: "The city (default: the one in your settings).") var city: String?
    @Option(
        help: ArgumentHelp(
            "A position, a saved place, or a place or an address in the catalogue.",
            valueName: "lat,lon|place"))
    var near: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp(
            "The kind of place, such as lunch. To list all: letsmeet place interests",
            valueName: "interest"))
    var interest: String?
    @Option(help: "Words of the name, or their beginnings.") var name: String?
    @Option(help: ArgumentHelp("The radius, in metres.", valueName: "m")) var radius: Int?
    @Option(help: "The most places to show.") var limit: Int?
    @Option(help: "The only source to use: catalogue or foursquare.") var source: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard city == nil || near == nil else {
            throw ValidationError("Use --city or --near, not both.")
        }
        guard interest != nil || name != nil else {
            throw ValidationError("Give --for INTEREST or --name WORDS.")
        }
        guard (1...100_000).contains(radius ?? 1) else {
            throw ValidationError("--radius must be from 1 to 100000 metres.")
        }
        guard (1...500).contains(limit ?? 1) else {
            throw ValidationError("--limit must be from 1 to 500.")
        }
    }

    func run() async throws {
        var request = PlaceRequest()
        request.city = city
        request.near = near
        request.interest = interest ?? ""
        request.name = name
        request.radiusMeters = radius
        request.limit = limit
        request.source = source?.lowercased()
        let view = try await common.planner().searchPlaces(request)
        let isFull = view.results.count >= limit ?? PlaceRequest.limitDefault
        try common.list(view) { Self.text(view, isFull: isFull) }
        if !common.json { view.warnings.forEach { Terminal.say($0) } }
    }

    private static func text(_ view: PlaceSearchView, isFull: Bool) -> String {
        var table = Table(["Distance", "Name", "Address", "Kind", "Id"], uncut: [0, 4])
        for place in view.results {
            table.add(
                place.distanceM.map { "\($0) m" } ?? "", place.name, place.address,
                place.kind, place.id)
        }
        let head = view.city.map { "\(Style.bold($0.label))\n" } ?? ""
        let city = view.city.map { " in \($0.label)" } ?? ""
        let sought = view.interest.asked.isEmpty ? "place of that name" : view.interest.asked
        let none = "No \(sought) was found\(city). Try a larger --radius."
        let advice = isFull ? "use a larger --limit" : "the source does not return them"
        let more = view.truncated ? "There are more places: \(advice).\n" : ""
        let found = table.isEmpty ? none : head + table.text
        return "\(found)\n\(more)\(Style.faint(view.attribution))"
    }
}

struct PlaceShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a place.",
        discussion: "EXAMPLE: letsmeet place show osm:node/5887336141")

    @Argument(
        help: "The id from a search, or the name of a saved place.", completion: Offers.places)
    var id: String
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let place: PlaceView
        let attribution: String
    }

    func run() async throws {
        let (place, attribution) = try await common.planner().showPlace(id)
        try common.answer(Answer(place: place, attribution: attribution)) {
            let rest = [
                place.address, place.kind, place.hours ?? "", place.url ?? "", attribution,
            ]
            return ([Style.bold(place.name)] + rest.filter { !$0.isEmpty })
                .joined(separator: "\n")
        }
    }
}

struct PlaceImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import places from a file into the catalogue.",
        discussion: """
            The file can be FSQ OS Places as lines of JSON, GeoJSON, or a sequence of GeoJSON \
            features, as osmium exports them.

            EXAMPLE: letsmeet place import helsinki.geojsonseq
            """)

    @Argument(help: "The file.", completion: .file()) var file: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().importPlaces(file) { done in
            Terminal.progress("\(done) places")
        }
        Terminal.progress("")
        try common.confirm(report) { PlaceImportText.of(report) }
    }
}

/// The result of an import of places as text.
enum PlaceImportText {
    static func of(_ report: PlaceImportView) -> String {
        var lines = ["\(report.imported) imported, \(report.updated) updated."]
        if report.leftOut > 0 {
            lines.append("\(report.leftOut) left out: no name, closed, or duplicate.")
        }
        if report.ways > 0 {
            lines.append("The map has \(report.ways) streets, buildings and areas.")
        }
        lines += report.skipped.prefix(20).map { part in
            "  \(part.file)\(part.line.map { ":\($0)" } ?? ""): \(part.reason)"
        }
        return (lines + report.warnings + [report.attribution]).filter { !$0.isEmpty }
            .joined(separator: "\n")
    }
}

struct PlaceFetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch the places and the map of a city from OpenStreetMap.",
        discussion: """
            The command asks an Overpass server twice: for places, and for the map around the \
            centre and around the venues of your meetings and saved places. The public servers \
            are shared, so ask rarely.

            EXAMPLE: letsmeet place fetch Tampere --radius 3000
            """)

    @Argument(help: ArgumentHelp("The city.", valueName: "city")) var name: String?
    @Option(help: "The same, as an option.") var city: String?
    @Option(help: ArgumentHelp("The radius around its centre, in metres.", valueName: "m"))
    var radius: Int?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard (name == nil) != (city == nil) else {
            throw ValidationError("Name one city: letsmeet place fetch Tampere.")
        }
    }

    func run() async throws {
        let report = try await common.planner().fetchPlaces(
            city: name ?? city ?? "", radiusMeters: radius)
        try common.confirm(report) { PlaceImportText.of(report) }
    }
}

struct PlaceCities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cities", abstract: "List cities with a given name.",
        discussion: "EXAMPLE: letsmeet place cities springfield")

    @Argument(help: "The name, optionally with a region or country.") var query: String
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let cities: [CityView]
        let attribution: String
    }

    func run() async throws {
        let planner = try await common.planner()
        let answer = Answer(
            cities: try planner.cities(query), attribution: Planner.cityAttribution)
        try common.list(answer) {
            var table = Table(["Id", "City", "Size", "Time zone"], uncut: [0])
            for city in answer.cities {
                table.add(String(city.id), city.label, "\(city.population) people", city.tz)
            }
            guard !table.isEmpty else { return "No city is called \"\(query)\"." }
            return "\(table.text)\n\(Style.faint(answer.attribution))"
        }
    }
}

struct PlaceInterests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interests", abstract: "List the interests that you can search for.",
        discussion: "EXAMPLE: letsmeet place interests")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let interests: [InterestView]
    }

    func run() async throws {
        let interests = try await common.planner().interestNames()
        try common.list(Answer(interests: interests)) {
            var table = Table(["Interest", "Kinds of places"], uncut: [0])
            for interest in interests {
                table.add(interest.name, interest.categories.joined(separator: ", "))
            }
            return table.text
        }
    }
}
