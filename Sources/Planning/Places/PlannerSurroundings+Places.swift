package import Places
import Settings

extension PlannerSurroundings {
    /// Opens the gazetteer.
    package func gazetteer() throws -> Gazetteer {
        try Gazetteer(directory: shipped.gazetteer)
    }

    /// Opens the table of interests.
    func interests() throws -> Interests {
        try Interests(file: shipped.interests)
    }

    /// The city that a text means.
    package func city(named text: String) throws -> City {
        try Refusal.checkNames(text, a: "city")
        let gazetteer = try gazetteer()
        do throws(CityError) {
            return try gazetteer.resolve(text)
        } catch {
            switch error {
            case .ambiguous(let query, let candidates):
                throw Refusal(
                    .refused, code: "ambiguous_city",
                    "Several cities match \"\(query)\". Add the region or the country, or give "
                        + "the id.", candidates: candidates.map { .city(CityView($0)) }
                ).ofAmbiguous(text)
            case .unknown(let query, let nearest):
                throw Refusal(
                    .refused, code: "unknown_city",
                    "No city of more than 15,000 people is called \"\(query)\". Name a city near "
                        + "it, or search for places near a position such as 60.17,24.94.",
                    candidates: nearest.map { .city(CityView($0)) })
            }
        }
    }
}
