import Places
import Planning
import Settings
import Timekeeping
import Wording

/// The search on the page of places, as its address keeps it.
struct PlacesFilter: Sendable {
    /// The places on a page.
    static let rows = 12
    /// The metres that a person walks in a minute, as the crow flies.
    static let walkMeters = 65
    /// The distances to choose from: metres, or minutes of walking after a `w`.
    static let distances = ["w5", "w10", "w20", "1000", "2000", "5000", "10000", "30000"]

    var city = ""
    var interest = ""
    /// A position, an address or a saved place, which replaces the city.
    var near = ""
    /// One of ``distances``; empty for the usual one.
    var within = ""
    /// The time at which a place must be open, as a form sends it; empty for any.
    var open = ""
    /// The part of the map in which places must be; `nil` for the city or the other filters.
    var here: MapSection?
    /// The page, from 1.
    var page = 1

    init(_ query: FormFields, area: String) {
        city = query.has("city") ? query["city"] : area
        interest = query["interest"]
        near = query["near"][...].trimmingSpaces
        within = Self.distances.contains(query["within"]) ? query["within"] : ""
        open = query["open"]
        here = MapSection(query["here"])
        page = max(1, query.count("p"))
    }

    /// True if something is searched.
    var isSearch: Bool { !interest.isEmpty }

    /// The time at which a place must be open; `nil` for any.
    var openTime: PlaceLine.Time? {
        (try? WallTime.parse(open)).map { PlaceLine.Time(start: $0, minutes: 1) }
    }

    /// True if not all places that the source gives are shown.
    var isSifted: Bool { here != nil || openTime != nil }

    private var radiusMeters: Int? {
        within.hasPrefix("w")
            ? Int(within.dropFirst()).map { $0 * Self.walkMeters } : Int(within)
    }

    /// The request for places.
    ///
    /// - Parameter countMax: the most places that the source gives at once.
    /// - Returns: the request.
    func request(countMax: Int) -> PlaceRequest {
        var request = PlaceRequest()
        request.interest = interest
        // Which places are open, and which are in the corners of the map, is found out here.
        request.limit = isSifted ? countMax : min(page * Self.rows + 1, countMax)
        if let here {
            (request.near, request.radiusMeters) = (here.position, here.reachMeters)
            return request
        }
        request.near = near.isEmpty ? nil : near
        request.city = city.isEmpty || !near.isEmpty ? nil : city
        request.radiusMeters = radiusMeters
        return request
    }

    /// The address of the search in another part of the map; `nil` for all parts.
    func path(in section: MapSection?) -> String {
        var filter = self
        filter.here = section
        return filter.path(page: 1)
    }

    /// The address of a page of the search, without the slash at its beginning.
    func path(page: Int) -> String {
        let fields = [
            ("city", city), ("interest", interest), ("near", near), ("within", within),
            ("open", open), ("here", here?.text ?? ""),
        ].filter { !$0.1.isEmpty || $0.0 == "city" }
        return "places?" + fields.map { "\($0.0)=\(Link.segment($0.1))" }.joined(separator: "&")
            + "&p=\(page)"
    }

    /// The choices for the distance.
    func choices(_ words: PageWords) -> [TemplateValues] {
        ([""] + Self.distances).map { value in
            [
                "value": .text(value), "text": .text(Self.name(of: value, words)),
                "isChosen": .flag(value == within),
            ]
        }
    }

    private static func name(of value: String, _ words: PageWords) -> String {
        guard !value.isEmpty else { return words("As far as usual") }
        if value.hasPrefix("w") {
            return words("%n% minutes on foot", ["n": String(value.dropFirst())])
        }
        return words("%n% km", ["n": "\((Int(value) ?? 0) / 1000)"])
    }
}

/// The places of a page of a search.
struct PlacesFound: Sendable {
    let search: PlaceSearchView
    /// The places on this page.
    let places: [PlaceView]
    let hasNext: Bool
    /// The number of places that were left out because their hours are not known.
    let unknownHours: Int
    /// True if the catalogue was searched because Foursquare did not answer.
    let isFallback: Bool

    /// - Parameters:
    ///   - search: the answer to the request of the filter.
    ///   - filter: the filter.
    ///   - hasKey: true if Foursquare should have been searched.
    init(_ search: PlaceSearchView, _ filter: PlacesFilter, hasKey: Bool) {
        self.search = search
        isFallback = hasKey && search.source == "catalogue"
        let near = search.results.filter { Self.isIn(filter.here, $0) }
        let states = near.map { ($0, filter.openTime?.state(of: $0)) }
        let isAnyTime = filter.openTime == nil
        unknownHours = isAnyTime ? 0 : states.count { $0.1 == nil }
        let suited = states.filter { isAnyTime || $0.1 == .open }.map(\.0)
        let first = (filter.page - 1) * PlacesFilter.rows
        places = Array(suited.dropFirst(first).prefix(PlacesFilter.rows))
        hasNext = suited.count > first + PlacesFilter.rows
    }

    private static func isIn(_ section: MapSection?, _ place: PlaceView) -> Bool {
        guard let section else { return true }
        guard let latitude = place.latitude, let longitude = place.longitude else { return false }
        return section.contains(latitude: latitude, longitude: longitude)
    }
}
