import Agenda
import Places
import Planning
import Settings
import Timekeeping
import Wording

/// The search for places.
struct PlacesPage: PageModel {
    static let template = "places"
    static let names = TemplateNames(
        ["city", "interest", "fault", "attribution", "nothing"] + Pager.names + MapBox.names,
        lists: [
            "places": ["placeId", "placeName", "placeLine", "distance", "number"],
            "saved": ["savedName", "savedWho", "savedLine"],
        ].merging(MapBox.lists) { $1 })

    let city: String
    let interest: String
    let saved: [SavedPlaceView]
    var search: PlaceSearchView?
    var map: MapBox?
    var fault: String?
    /// The page of the list of saved places, from 1.
    var savedPage = 1
    /// The saved places on a page.
    private static let savedRows = 100

    var section: Section? { .places }

    func title(_ words: PageWords) -> String { words("Places") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "city": .text(city), "interest": .text(interest),
            "places": .list(PlaceLine.values(search?.results ?? [])),
            "saved": .list(
                saved.dropFirst((savedPage - 1) * Self.savedRows).prefix(Self.savedRows).map {
                    place in
                    [
                        "savedName": .text(place.name),
                        "savedWho": .text(Link.segment(place.name)),
                        "savedLine": .text(place.address),
                    ]
                }),
        ]
        values.merge(pager.values) { $1 }
        values[text: "fault"] = fault
        values[text: "attribution"] = search?.attribution
        values[text: "nothing"] =
            search?.results.isEmpty == true ? words("No places were found.") : nil
        values.merge(map?.values(words) ?? [:]) { $1 }
        // The map shows all places; other scales would cut some off.
        values["mapScales"] = .list([])
        return values
    }

    private var pager: Pager {
        let search =
            interest.isEmpty
            ? "" : "city=\(Link.segment(city))&interest=\(Link.segment(interest))&"
        return Pager(savedPage, hasNext: saved.count > savedPage * Self.savedRows) {
            "places?\(search)page=\($0)#saved"
        }
    }
}

/// A found place as lists show it.
struct PlaceLine: Sendable {
    /// The time for which somebody needs a place.
    struct Time: Sendable {
        let start: WallTime
        let minutes: Int

        /// Tells whether a place is open all that time; `nil` if its hours are not known.
        fileprivate func state(of place: PlaceView) -> OpeningHours.State? {
            place.hours.flatMap { OpeningHours($0) }?.state(
                on: start.date.weekday, minute: start.time.hour * 60 + start.time.minute,
                length: minutes)
        }
    }

    private let place: PlaceView

    init(_ place: PlaceView) { self.place = place }

    /// The variables that say if a place is open at a time.
    static func opening(of place: PlaceView, at time: Time?, _ words: PageWords) -> TemplateValues {
        guard let state = time?.state(of: place) else { return [:] }
        let text =
            switch state {
            case .open: words("open then")
            case .closesEarlier: words("closes before the end")
            case .closed: words("closed then")
            }
        return ["opening": .text(text), "isClosed": .flag(state != .open)]
    }

    /// The lines of places, numbered like the pins on the map beside them.
    static func values(_ places: [PlaceView]) -> [TemplateValues] {
        places.enumerated().map { place, view in
            PlaceLine(view).values.merging(["number": .text("\(place + 1)")]) { $1 }
        }
    }

    /// The pins of places, numbered like their lines.
    static func pins(_ places: [PlaceView]) -> [MapDrawing.Pin] {
        places.enumerated().compactMap { place, view in
            guard let latitude = view.latitude, let longitude = view.longitude else { return nil }
            return MapDrawing.Pin(
                mark: "\(place + 1)", name: view.name, latitude: latitude, longitude: longitude)
        }
    }

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
        page.savedPage = max(1, request.query.count("page"))
        guard !interest.isEmpty else { return show(page, in: frame(request, visitor)) }
        do {
            let search = try await planner.searchPlaces(city: city, interest: interest)
            page.search = search
            page.map = try await MapBox(
                of: PlaceLine.pins(search.results), in: world.maps, planner.store,
                Frame(visitor: visitor).words(world))
        } catch {
            page.fault = try sentence(error, visitor)
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
