import Agenda
import Planning
import Settings
import Wording

/// The search for places.
struct PlacesPage: PageModel {
    static let template = "places"
    static let names = TemplateNames(
        ["city", "interest", "fault", "attribution", "nothing"],
        lists: [
            "places": ["placeId", "placeName", "placeLine", "distance"],
            "saved": ["savedName", "savedWho", "savedLine"],
        ])

    let city: String
    let interest: String
    let saved: [SavedPlaceView]
    var search: PlaceSearchView?
    var fault: String?

    var section: Section? { .places }

    func title(_ words: PageWords) -> String { words("Places") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "city": .text(city), "interest": .text(interest),
            "places": .list((search?.results ?? []).map { PlaceLine($0).values }),
            "saved": .list(
                saved.map { place in
                    [
                        "savedName": .text(place.name),
                        "savedWho": .text(Link.segment(place.name)),
                        "savedLine": .text(place.address),
                    ]
                }),
        ]
        values[text: "fault"] = fault
        values[text: "attribution"] = search?.attribution
        values[text: "nothing"] =
            search?.results.isEmpty == true ? words("No places were found.") : nil
        return values
    }
}

/// A found place as lists show it.
struct PlaceLine: Sendable {
    private let place: PlaceView

    init(_ place: PlaceView) { self.place = place }

    var values: TemplateValues {
        [
            "placeId": .text(place.id), "placeName": .text(place.name),
            "placeLine": .text(
                [place.kind, place.address].filter { !$0.isEmpty }.joined(separator: " · ")),
            "distance": .text(place.distanceM.map(Self.distance) ?? ""),
        ]
    }

    /// A distance, as in "350 m" or "2.4 km".
    private static func distance(_ metres: Int) -> String {
        metres < 1000 ? "\(metres) m" : "\(metres / 1000).\(metres % 1000 / 100) km"
    }
}

extension Site {
    /// Searching for places.
    var placesRoutes: [Route] { [route(.get, "/places", places)] }

    private func places(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let city = request.query["city"]
        let interest = request.query["interest"]
        var page = PlacesPage(
            city: request.query.has("city")
                ? city : planner.surroundings.configuration[.area] ?? "",
            interest: interest, saved: try await planner.savedPlaces())
        guard !interest.isEmpty else { return show(page, in: frame(request, visitor)) }
        do {
            page.search = try await planner.searchPlaces(city: city, interest: interest)
        } catch {
            page.fault = try FieldFault(error).text
        }
        return show(page, in: frame(request, visitor))
    }
}

extension Planner {
    /// The places of an interest in a city; in the home area if the city is empty.
    func searchPlaces(
        city: String, near: String = "", interest: String
    ) async throws -> PlaceSearchView {
        var request = PlaceRequest()
        request.near = near.isEmpty ? nil : near
        request.city = city.isEmpty || !near.isEmpty ? nil : city
        request.interest = interest
        request.limit = 12
        return try await searchPlaces(request)
    }
}
