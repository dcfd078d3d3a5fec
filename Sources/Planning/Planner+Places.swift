import Agenda
import Timekeeping

/// A place that somebody chose, and the zone in which it lies, where that is known.
struct ChosenPlace {
    let place: MeetingPlace
    let zone: Zone?
}

extension Planner {
    /// Finds the place that a text means: any text is a place as written.
    func place(_ text: String?, words: String?) async throws -> ChosenPlace? {
        guard let text, !text.isEmpty else {
            return words.map { ChosenPlace(place: MeetingPlace(text: $0), zone: nil) }
        }
        return ChosenPlace(place: MeetingPlace(text: words ?? text), zone: nil)
    }
}
