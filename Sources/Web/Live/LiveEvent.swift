import Agenda
import Ledger
import Storage

/// An event of a stream. It names the parts of the pages that have changed, and nothing of their
/// content. The page fetches that with its own rights.
enum LiveEvent: Equatable, Sendable {
    /// These parts have changed: see ``ChangeTopic``.
    case topics([String])
    /// Anything may have changed.
    case all
    /// Nothing has changed since the browser heard last.
    case nothing

    /// The most parts that are named.
    private static let namesMax = 20

    /// The event for a person to whom these changes matter; `nil` if none does.
    static func event(of changes: AccountChanges, for person: PersonID) -> LiveEvent? {
        guard !changes.areTooMany else { return .all }
        let own = changes.changes.filter { $0.person == person }.map(\.topic)
            .filter { $0 != ChangeTopic.sessions }
        guard !own.isEmpty else { return nil }
        return own.count > namesMax ? .all : .topics(own)
    }

    /// The lines of the event (HTML Living Standard, 9.2.6).
    ///
    /// - Parameter mark: the changes that the browser has heard of with this event. It names the
    ///   mark when it connects again.
    /// - Returns: the lines, with an empty one at the end.
    func lines(_ mark: ChangeMark) -> String {
        switch self {
        case .topics(let topics):
            "id: \(mark.text)\nevent: change\ndata: \(topics.joined(separator: " "))\n\n"
        case .all: "id: \(mark.text)\nevent: change\ndata: *\n\n"
        case .nothing: "id: \(mark.text)\nevent: ready\ndata: -\n\n"
        }
    }

    /// The last lines of a stream that the browser must not open again at once: its session has
    /// ended, or newer streams of the account have taken its place.
    static let farewell = "event: bye\ndata: -\n\n"
}
