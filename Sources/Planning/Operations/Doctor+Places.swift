import Places
import Settings
import Timekeeping

extension Doctor {
    /// Where a search begins that only tries the key: the same for everybody, so that it tells
    /// nothing of who asks.
    private static let cityTried = "Helsinki"

    var placesCheck: HealthCheck {
        let configuration = try? Configuration(home: home, environment: environment)
        if let fault = configuration?.fault(of: .foursquareKey) {
            return HealthCheck(
                "places", .problem, "the catalogue answers: \(fault.description)",
                advice: "Set FOURSQUARE_SERVICE_KEY_FILE to a file that can be read, or nothing.")
        }
        guard configuration?.foursquareKey != nil else {
            return HealthCheck("places", "the catalogue answers: no Foursquare key is set")
        }
        return HealthCheck(
            "places", "Foursquare answers, with a key; try it with: letsmeet doctor --online")
    }

    /// Makes one search with the key, as `place search` makes it.
    func foursquareCheck() async -> HealthCheck {
        let configuration = try? Configuration(home: home, environment: environment)
        if configuration?.fault(of: .foursquareKey) != nil { return placesCheck }
        guard configuration?.foursquareKey != nil else {
            return HealthCheck(
                "foursquare", .warning, "not tried: no key is set",
                advice: "Set FOURSQUARE_SERVICE_KEY, or FOURSQUARE_SERVICE_KEY_FILE.")
        }
        var request = PlaceRequest()
        request.city = Self.cityTried
        request.interest = "museum"
        request.source = "foursquare"
        do {
            let surroundings = try surroundings()
            return Self.check(try await Planner(surroundings).searchPlaces(request))
        } catch {
            return HealthCheck(
                "foursquare", .problem, Refusal(error).message,
                advice: "The catalogue answers until then, and letsmeet place search says so.")
        }
    }

    private static func check(_ seen: PlaceSearchView) -> HealthCheck {
        let distances = seen.results.compactMap(\.distanceM)
        let nearest = distances.min().map { ", the nearest \($0) m away" } ?? ""
        let count = seen.results.count
        let detail = "one search brought \(count) museums around \(cityTried)\(nearest)"
        guard count > 0, seen.warnings.isEmpty else {
            return HealthCheck(
                "foursquare", .warning,
                ([detail] + seen.warnings).joined(separator: ". "),
                advice: "The key was accepted. Compare: letsmeet place search "
                    + "--city \(cityTried) --for museum --source foursquare")
        }
        return HealthCheck("foursquare", detail)
    }
}
