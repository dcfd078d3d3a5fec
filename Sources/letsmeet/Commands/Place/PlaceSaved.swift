import ArgumentParser
import Planning
import TextUI
import Wording

/// The answer that shows a saved place.
struct SavedPlaceAnswer: Encodable {
    let place: SavedPlaceView
}

struct PlaceAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Save a place of your own.",
        discussion: "EXAMPLE: letsmeet place add Office --address \"Fabianinkatu 30, 2nd floor\"")

    @Argument(help: "The name of the place.") var name: String
    @Option(
        help: ArgumentHelp(
            "Its position, or a place or an address that the catalogue knows.",
            valueName: "lat,lon|place"))
    var near: String?
    @Option(help: "Its address, or how to find it.") var address: String?
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let place = try await common.planner().addPlace(name, near: near, address: address ?? "")
        try common.confirm(SavedPlaceAnswer(place: place)) {
            guard address != nil || near != nil else { return "\(place.name) is saved." }
            return place.latitude == nil
                ? "\(place.name) is saved without a position, because the catalogue does not know "
                    + "its address. To give one: letsmeet place remove \(place.name.shellWord), "
                    + "and save it again with --near."
                : "\(place.name) is saved with its position."
        }
    }
}

struct PlaceSave: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save", abstract: "Save a place that a search found.",
        discussion: """
            For places from Foursquare, only the id may be stored. Give them a name of your own.

            EXAMPLE: letsmeet place save osm:node/5887336141 --name "The museum"
            """)

    @Argument(help: "The id from a search.") var id: String
    @Option(help: "Your name for the place.") var name: String?
    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let place: SavedPlaceView
        let new: Bool
    }

    func run() async throws {
        let (place, isNew) = try await common.planner().savePlace(id, name: name)
        try common.confirm(Answer(place: place, new: isNew)) {
            guard !isNew else { return "\(place.name) is saved." }
            let advice =
                name.map { $0 != place.name } ?? false
                ? " To rename it, save it again after: letsmeet place remove "
                    + place.name.shellWord : ""
            return "The place is already saved as \(place.name).\(advice)"
        }
    }
}

struct PlaceSaved: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "saved", abstract: "List saved places.",
        discussion: "EXAMPLE: letsmeet place saved")

    @OptionGroup var common: CommonOptions

    struct Answer: Encodable {
        let places: [SavedPlaceView]
    }

    func run() async throws {
        let places = try await common.planner().savedPlaces()
        try common.list(Answer(places: places)) {
            var table = Table(["Id", "Name", "Address"])
            for place in places {
                table.add(String(place.id.prefix(6)), place.name, place.address)
            }
            return table.isEmpty ? "No saved places." : table.text
        }
    }
}

struct PlaceRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a saved place.",
        discussion: """
            Meetings at this place do not change.

            EXAMPLE: letsmeet place remove office
            """)

    @Argument(help: "The place: its name, part of it, or its id.", completion: Offers.places)
    var name: String
    @OptionGroup var common: CommonOptions

    func run() async throws {
        let place = try await common.planner().removePlace(name)
        try common.confirm(SavedPlaceAnswer(place: place)) { "Removed \(place.name)." }
    }
}
