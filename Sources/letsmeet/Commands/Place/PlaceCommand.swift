import ArgumentParser
import Planning
import Wording

struct PlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place", abstract: "Find places to meet, and keep your own.",
        discussion: "EXAMPLE: letsmeet place search --city Helsinki --for museum",
        subcommands: [
            PlaceSearch.self, PlaceShow.self, PlaceImportCommand.self, PlaceFetch.self,
            PlaceAdd.self, PlaceRemove.self, PlaceCities.self, PlaceInterests.self,
            PlaceSave.self, PlaceSaved.self,
        ])
}

struct PlaceSearch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search places by city and interest, or by name.",
        discussion: """
            Foursquare answers where a key is set, and the catalogue where none is.

            EXAMPLE: letsmeet place search --city Helsinki --for lunch --radius 1000
            """)

    @Option(help: "The city; the one of your settings without it.") var city: String?
    @Option(help: ArgumentHelp("A position, or a saved place.", valueName: "lat,lon|place"))
    var near: String?
    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("What you want: see letsmeet place interests.", valueName: "interest"))
    var interest: String?
    @Option(help: "Words of the name, or how they begin.") var name: String?
    @Option(help: ArgumentHelp("How far around, in metres.", valueName: "m")) var radius: Int?
    @Option(help: "How many places.") var limit: Int?
    @Option(help: "catalogue or foursquare: no other source answers.") var source: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard city == nil || near == nil else {
            throw ValidationError("Take one of --city and --near.")
        }
        guard interest != nil || name != nil else {
            throw ValidationError("What is looked for? Give --for INTEREST, or --name WORDS.")
        }
        guard (1...100_000).contains(radius ?? 1) else {
            throw ValidationError("--radius is from 1 to 100000 metres.")
        }
        guard (1...500).contains(limit ?? 1) else {
            throw ValidationError("--limit is from 1 to 500.")
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
        try common.answer(view) { Self.text(view, isFull: isFull) }
        if !common.json { view.warnings.forEach { Terminal.say($0) } }
    }

    private static func text(_ view: PlaceSearchView, isFull: Bool) -> String {
        var table = Table()
        for place in view.results {
            table.add(
                place.distanceM.map { "\($0) m" } ?? "", place.name, place.address,
                place.kind, place.id)
        }
        let head = view.city.map { "\(Style.bold($0.label))\n" } ?? ""
        let city = view.city.map { " in \($0.label)" } ?? ""
        let sought = view.interest.asked.isEmpty ? "place of that name" : view.interest.asked
        let none = "No \(sought) was found\(city). Try a larger --radius."
        let advice = isFull ? "try --limit" : "the source did not let it be read"
        let more = view.truncated ? "There is more: \(advice).\n" : ""
        let found = table.isEmpty ? none : head + table.text
        return "\(found)\n\(more)\(Style.faint(view.attribution))"
    }
}

struct PlaceShow: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a place.",
        discussion: "EXAMPLE: letsmeet place show osm:node/5887336141")

    @Argument(help: "The id that a search printed.") var id: String
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
        commandName: "import", abstract: "Bring the places of a file into the catalogue.",
        discussion: """
            Reads FSQ OS Places as lines of JSON, GeoJSON, and sequences of GeoJSON features as \
            osmium exports them.

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

/// What an import of places did, in lines.
enum PlaceImportText {
    static func of(_ report: PlaceImportView) -> String {
        var lines = ["\(report.imported) imported, \(report.updated) updated."]
        if report.leftOut > 0 {
            lines.append("\(report.leftOut) left out: without a name, closed, or repeated.")
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
        commandName: "fetch", abstract: "Bring OpenStreetMap's places of a city in.",
        discussion: """
            Asks an Overpass server once. The public ones are shared: ask rarely.

            EXAMPLE: letsmeet place fetch --city Tampere --radius 3000
            """)

    @Option(help: "The city.") var city: String
    @Option(help: ArgumentHelp("How far around its centre, in metres.", valueName: "m"))
    var radius: Int?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let report = try await common.planner().fetchPlaces(city: city, radiusMeters: radius)
        try common.confirm(report) { PlaceImportText.of(report) }
    }
}

struct PlaceCities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cities", abstract: "List the cities that a name may mean.",
        discussion: "EXAMPLE: letsmeet place cities springfield")

    @Argument(help: "A name, with a region or country if you like.") var query: String
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let cities: [CityView]
        let attribution: String
    }

    func run() async throws {
        let planner = try await common.planner()
        let answer = Answer(
            cities: try planner.cities(query), attribution: Planner.cityAttribution)
        try common.answer(answer) {
            var table = Table()
            for city in answer.cities {
                table.add(String(city.id), city.label, "\(city.population) people", city.tz)
            }
            guard !table.isEmpty else { return "No city is called \(query)." }
            return "\(table.text)\n\(Style.faint(answer.attribution))"
        }
    }
}

struct PlaceInterests: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "interests", abstract: "List what can be looked for.",
        discussion: "EXAMPLE: letsmeet place interests")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let interests: [InterestView]
    }

    func run() async throws {
        let interests = try await common.planner().interestNames()
        try common.answer(Answer(interests: interests)) {
            var table = Table()
            for interest in interests {
                table.add(interest.name, interest.categories.joined(separator: ", "))
            }
            return table.text
        }
    }
}
