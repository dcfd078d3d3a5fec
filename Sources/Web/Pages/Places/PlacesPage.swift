import Agenda
import Ledger
import Places
import Planning
import Settings
import Storage
import Timekeeping
import Wording

/// The search for places, and the saved ones.
struct PlacesPage: PageModel {
    static let template = "places"
    static let names = TemplateNames(
        [
            "city", "interest", "near", "open", "fault", "attribution", "nothing", "fallback",
            "fetchId", "fetchCity", "unknownHours", "isFiltered", "nextFound", "previousFound",
            "hasFoundPages", "here", "isHere",
        ] + Pager.names + MapBox.names,
        lists: [
            "withins": ["value", "text", "isChosen"], "warnings": ["warning"],
            "places": [
                "placeId", "placePath", "placeName", "placeLine", "distance", "number", "opening",
                "isClosed",
            ],
            "mapMoves": ["mapPath", "mapWay"],
            "saved": ["savedPath", "savedName", "savedWho", "savedLine"],
        ].merging(MapBox.lists) { $1 })

    let filter: PlacesFilter
    let saved: [SavedPlaceView]
    var found: PlacesFound?
    var map: MapBox?
    var fault: String?
    /// The city whose places the reader may fetch, because the catalogue has none; `nil` for none.
    var fetchable: CityView?
    /// True if the reader may know why another source did not answer.
    var isOwner = false
    /// The page of the list of saved places, from 1.
    var savedPage = 1
    /// The saved places on a page.
    private static let savedRows = 100

    var section: Section? { .places }
    var topics: [String] { [ChangeTopic.places] }

    func title(_ words: PageWords) -> String { words("Places") }

    func values(_ words: PageWords) -> TemplateValues {
        var values: TemplateValues = [
            "city": .text(filter.city), "interest": .text(filter.interest),
            "near": .text(filter.near), "open": .text(filter.open),
            "withins": .list(filter.choices(words)),
            "isFiltered": .flag(!(filter.near + filter.within + filter.open).isEmpty),
            "saved": .list(savedValues),
        ]
        values.merge(pager.values) { $1 }
        values[text: "fault"] = fault
        values[text: "fetchId"] = fetchable.map { "\($0.id)" }
        values[text: "fetchCity"] = fetchable?.label
        values.merge(found.map { self.values(of: $0, words) } ?? [:]) { $1 }
        values.merge(map?.values(words) ?? [:]) { $1 }
        // The map shows all places; other scales would cut some off.
        values["mapScales"] = .list([])
        values[text: "here"] = filter.here?.text ?? map?.section.text
        values["isHere"] = .flag(filter.here != nil)
        values["mapMoves"] = .list(moves(words))
        return values
    }

    private func values(of found: PlacesFound, _ words: PageWords) -> TemplateValues {
        let lines = zip(found.places, PlaceLine.values(found.places)).map { place, values in
            values.merging(PlaceLine.opening(of: place, at: filter.openTime, words)) { $1 }
        }
        var values: TemplateValues = [
            "places": .list(lines),
            "warnings": .list(
                (isOwner ? found.search.warnings : []).map { ["warning": .text($0)] }),
        ]
        values[text: "attribution"] = words.attribution(found.search.attribution)
        values[text: "nothing"] = found.places.isEmpty ? words("No places were found.") : nil
        values[text: "fallback"] =
            found.isFallback
            ? words(
                "Foursquare does not answer at the moment. These places come from the catalogue "
                    + "of this installation.") : nil
        values[text: "unknownHours"] =
            found.unknownHours == 0
            ? nil
            : words(
                found.unknownHours, "1 place is left out, because its hours are not known.",
                "%n% places are left out, because their hours are not known.")
        let pager = Pager(filter.page, hasNext: found.hasNext) { filter.path(page: $0) }
        values["hasFoundPages"] = .flag(pager.previous != nil || pager.next != nil)
        values[text: "previousFound"] = pager.previous
        values[text: "nextFound"] = pager.next
        return values
    }

    /// The links to the parts of the map around the shown one.
    private func moves(_ words: PageWords) -> [TemplateValues] {
        guard let shown = map?.section else { return [] }
        let ways: [(String, MapSection?)] = [
            (words("North"), shown.moved(down: -1)), (words("West"), shown.moved(right: -1)),
            (words("East"), shown.moved(right: 1)), (words("South"), shown.moved(down: 1)),
            (words("Closer"), shown.zoomed(isCloser: true)),
            (words("Wider"), shown.zoomed(isCloser: false)),
        ]
        let whole: [(String, MapSection?)] =
            filter.here == nil ? [] : [(words("Everything found"), nil)]
        return (ways + whole).map { name, section in
            ["mapPath": .text(filter.path(in: section)), "mapWay": .text(name)]
        }
    }

    private var savedValues: [TemplateValues] {
        saved.dropFirst((savedPage - 1) * Self.savedRows).prefix(Self.savedRows).map { place in
            [
                "savedPath": .text(PlacePath.of(place.id)), "savedName": .text(place.name),
                "savedWho": .text(Link.segment(place.name)), "savedLine": .text(place.address),
            ]
        }
    }

    private var pager: Pager {
        let search = filter.isSearch ? filter.path(page: filter.page) + "&" : "places?"
        return Pager(savedPage, hasNext: saved.count > savedPage * Self.savedRows) {
            "\(search)page=\($0)#saved"
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
        func state(of place: PlaceView) -> OpeningHours.State? {
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
    ///
    /// - Parameters:
    ///   - places: the places.
    ///   - isLinked: true if a press on a pin leads to the line with the id `place-NUMBER`.
    /// - Returns: the pins of those that have a position.
    static func pins(_ places: [PlaceView], isLinked: Bool = false) -> [MapDrawing.Pin] {
        places.enumerated().compactMap { place, view in
            guard let latitude = view.latitude, let longitude = view.longitude else { return nil }
            return MapDrawing.Pin(
                mark: "\(place + 1)", name: view.name, latitude: latitude, longitude: longitude,
                link: isLinked ? "place-\(place + 1)" : nil)
        }
    }

    var values: TemplateValues {
        [
            "placeId": .text(place.id), "placePath": .text(PlacePath.of(place.id)),
            "placeName": .text(place.name),
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

extension PageWords {
    /// The attribution of places in the language of the page. The names of sources stay as they
    /// are; the remark on the built-in places and the word for cities are translated.
    func attribution(_ text: String) -> String {
        text.replacing(
            "a sample: check before you go", with: self("a sample: check before you go")
        ).replacing("Cities: GeoNames", with: self("Cities: GeoNames"))
    }
}

extension Site {
    /// Searching for places, and the pages of single ones.
    var placesRoutes: [Route] {
        [route(.get, "/places", places), route(.post, "/places/fetch", fetchPlaces)]
            + placeFormRoutes + placeRoutes
    }

    /// The most places of the catalogue among which open ones are looked for.
    private static let cataloguedMax = 500
    /// The most places that one paid request to Foursquare gives.
    private static let boughtMax = 50

    private func places(_ request: PageRequest, _ visitor: Visitor) async throws -> PageAnswer {
        let planner = visitor.planner
        let configuration = planner.surroundings.configuration
        let filter = PlacesFilter(request.query, area: configuration[.area] ?? "")
        var page = PlacesPage(filter: filter, saved: try await planner.savedPlaces())
        page.savedPage = max(1, request.query.count("page"))
        page.isOwner = planner.actsAsOwner
        guard filter.isSearch else { return show(page, in: frame(request, visitor)) }
        do {
            let hasKey = configuration.foursquareKey != nil
            let search = try await planner.searchPlaces(
                filter.request(countMax: hasKey ? Self.boughtMax : Self.cataloguedMax))
            let found = PlacesFound(search, filter, hasKey: hasKey)
            page.found = found
            page.map = try await map(
                PlaceLine.pins(found.places, isLinked: true), filter, visitor)
        } catch {
            page.fault = try sentence(error, visitor)
            if filter.here != nil { page.map = try? await map([], filter, visitor) }
            if planner.actsAsOwner, filter.near.isEmpty, filter.here == nil,
                Refusal(error).code == "not_covered"
            {
                page.fetchable = try? planner.city(called: filter.city)
            }
        }
        return show(page, in: frame(request, visitor))
    }

    private func fetchPlaces(
        _ request: PageRequest, _ visitor: Visitor
    ) async throws -> PageAnswer {
        redirect(to: .task(try await startFetch(ofCity: request.form["city"], visitor).text))
    }
}

extension Site {
    /// The map of the found places, or of the part of the world in which they were looked for.
    private func map(
        _ pins: [MapDrawing.Pin], _ filter: PlacesFilter, _ visitor: Visitor
    ) async throws -> MapBox? {
        let (store, words) = (visitor.planner.store, Frame(visitor: visitor).words(world))
        guard let here = filter.here else {
            return try await MapBox(of: pins, in: world.maps, store, words)
        }
        return try await MapBox(here, pins, in: world.maps, store, words)
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
