import Synchronization

/// What sources said of places, as long as a planner lives and nowhere else.
final class PlaceMemory: Sendable {
    private let answers = Mutex<[String: Result<FoundPlace, Refusal>]>([:])

    /// What was said of the place with an id.
    subscript(id: String) -> Result<FoundPlace, Refusal>? {
        get { answers.withLock { $0[id] } }
        set { answers.withLock { $0[id] = newValue } }
    }
}
