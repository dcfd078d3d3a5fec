import Agenda
import Places
import Planning
import Settings
import Timekeeping

extension Doctor {
    /// The city of the search that tests the key. It is the same for everybody, so it reveals
    /// nothing about the user.
    private static let cityTried = "Helsinki"

    var placesCheck: HealthCheck {
        let configuration = try? Configuration(home: home, environment: environment)
        if let fault = configuration?.fault(of: .foursquareKey) {
            return HealthCheck(
                "places", .problem, "the built-in catalogue is used: \(fault.description)",
                advice: [
                    .say("Set FOURSQUARE_SERVICE_KEY_FILE to a readable file, or unset it.")
                ])
        }
        guard configuration?.foursquareKey != nil else {
            return HealthCheck("places", "the built-in catalogue is used: no Foursquare key is set")
        }
        return HealthCheck(
            "places", .ok, "Foursquare is used; its key was not tested",
            advice: [.installation(.checkOnline)])
    }

    /// Tests the Foursquare key with one search, made like any search for places.
    func foursquareCheck() async -> HealthCheck {
        let configuration = try? Configuration(home: home, environment: environment)
        if configuration?.fault(of: .foursquareKey) != nil { return placesCheck }
        guard configuration?.foursquareKey != nil else {
            return HealthCheck(
                "foursquare", .warning, "not tested: no key is set",
                advice: [.say("Set FOURSQUARE_SERVICE_KEY or FOURSQUARE_SERVICE_KEY_FILE.")])
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
                advice: [
                    .say(
                        "Until it works, the built-in catalogue is used, and each search says so.")
                ])
        }
    }

    private static func check(_ seen: PlaceSearchView) -> HealthCheck {
        let distances = seen.results.compactMap(\.distanceM)
        let nearest = distances.min().map { ", the nearest \($0) m away" } ?? ""
        let count = seen.results.count
        let detail = "one search found \(count) museums around \(cityTried)\(nearest)"
        guard count > 0, seen.warnings.isEmpty else {
            return HealthCheck(
                "foursquare", .warning,
                Remark.joined([detail] + seen.warnings),
                advice: [
                    .say("The key was accepted."),
                    .places(.compare(city: cityTried, interest: "museum")),
                ])
        }
        return HealthCheck("foursquare", detail)
    }
}
